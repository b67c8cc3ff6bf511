"""What tables were at each position in the logs, from the statements in them and from a file."""
