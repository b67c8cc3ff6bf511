"""Tests of `pyspark_adapter/operations/`."""
