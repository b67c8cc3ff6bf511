"""Tests of `pyspark_adapter/filters/`."""
