"""Tests of `pyspark_adapter/format/`."""
