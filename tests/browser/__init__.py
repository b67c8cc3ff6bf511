"""The schema in a browser: compiled there, run there on every sample, and what it shows."""
