"""Logs that grow while they are read: which ones exist, and how far they can be read."""
