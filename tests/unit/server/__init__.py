"""Tests of `pyspark_adapter/server/`."""
