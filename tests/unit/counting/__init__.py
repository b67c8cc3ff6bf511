"""Tests of `pyspark_adapter/counting/`."""
