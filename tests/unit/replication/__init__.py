"""Tests of `pyspark_adapter/replication/`."""
