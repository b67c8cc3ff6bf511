"""Copies databases of a server into Delta tables, and keeps them current."""
