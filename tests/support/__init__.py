"""What tests of several folders use: writers of logs, stand-ins for servers, drivers of reads."""
