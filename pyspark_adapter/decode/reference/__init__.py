"""Rows events to Arrow columns, in plain Python."""
