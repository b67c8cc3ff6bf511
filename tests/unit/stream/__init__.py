"""Tests of `pyspark_adapter/stream/`."""
