"""What tables were at each place of the logs, from the statements in them and from a file."""
