"""Tests of `pyspark_adapter/scan/`."""
