"""What tables looked like along the logs: definitions followed, and joined with table maps."""
