"""Rows events to Arrow columns, by kernels; other events to a row of JSON each."""
