"""Typed rows of samples: several tests compare them, and each table is read once for all."""

from __future__ import annotations

from functools import cache

from pyspark_adapter import TableName
from tests.inputs import sample_path
from tests.support.outcome import ALL_METADATA, Outcome, read


@cache
def typed_rows(name: str, table: TableName) -> Outcome:
    """Return the rows of a table in a sample, with all metadata columns."""
    return read(sample_path(name), table=table, metadata_columns=ALL_METADATA)
