"""Tests of `pyspark_adapter/decode/`."""
