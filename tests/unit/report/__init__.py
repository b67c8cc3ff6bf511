"""Tests of `pyspark_adapter/report/`."""
