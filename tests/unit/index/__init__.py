"""Tests of `pyspark_adapter/index/`."""
