"""Tests of `pyspark_adapter/sql_text/`."""
