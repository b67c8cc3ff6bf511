"""Tests of `pyspark_adapter/sources/`."""
