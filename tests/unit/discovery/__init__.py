"""Tests of `pyspark_adapter/discovery/`."""
