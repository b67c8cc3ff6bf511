"""Tests of `pyspark_adapter/ddl/`."""
