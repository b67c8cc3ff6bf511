"""Passes over logs, before rows are read, to learn what their tables are."""
