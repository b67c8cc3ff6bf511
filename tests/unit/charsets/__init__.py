"""Tests of `pyspark_adapter/charsets/`."""
