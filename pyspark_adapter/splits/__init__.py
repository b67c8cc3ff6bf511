"""Shares of one log that are read each by itself."""
