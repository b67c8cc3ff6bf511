"""Tests of `pyspark_adapter/cli/`."""
