"""Tests of `pyspark_adapter/splits/`."""
