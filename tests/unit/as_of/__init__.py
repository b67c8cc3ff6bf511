"""Tests of `pyspark_adapter/as_of/`."""
