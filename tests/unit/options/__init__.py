"""Tests of `pyspark_adapter/options/`."""
