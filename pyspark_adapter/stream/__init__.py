"""Logs that grow while they are read: which there are, and how far they can be read."""
