"""Tests of `pyspark_adapter/plan/`."""
