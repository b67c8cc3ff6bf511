"""Tests of `pyspark_adapter/events/`."""
