"""The indexes of logs as they are kept: their parts, files and folders."""
