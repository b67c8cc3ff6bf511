"""Rows of a log by the compiled schema, in plain Python: what the kernels are measured by."""
