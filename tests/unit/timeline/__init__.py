"""What tables were at places of the logs."""
