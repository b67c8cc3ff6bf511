"""Tests of `pyspark_adapter/kernels/`."""
