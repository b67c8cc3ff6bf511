"""Tests of `pyspark_adapter/index_store/`."""
