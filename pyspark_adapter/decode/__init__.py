"""Rows events to Arrow columns, by kernels; the same in plain Python in `reference`."""
