"""Tests of `pyspark_adapter/values/`."""
