"""Rows events to Arrow columns."""
