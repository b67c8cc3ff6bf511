"""Tests of `pyspark_adapter/spark/`."""
