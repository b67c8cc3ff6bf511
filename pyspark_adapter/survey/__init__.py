"""Passes over logs before a read, for what has to be known of their tables."""
