"""What a read gives, rows or error, in a form that can be compared."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from pyspark_adapter import BinlogError, TableName, list_tables, read_batches
from pyspark_adapter.plan.output_schema import METADATA_BY_NAME
from tests.inputs import sample_path

ALL_METADATA = tuple(METADATA_BY_NAME)


@dataclass(frozen=True)
class Outcome:
    """Rows, and the error after them if there is one.

    Attributes:
        rows: all batches as one table; None if there was no batch.
        num_rows: of each batch.
        error: its class and text.
    """

    rows: pa.Table | None
    num_rows: tuple[int, ...]
    error: tuple[type[BinlogError], str] | None

    @property
    def content(self) -> tuple[pa.Table | None, tuple[type[BinlogError], str] | None]:
        """All but how the rows were cut into batches."""
        return self.rows, self.error


def read(path: Path, **arguments: Any) -> Outcome:
    """Return what `read_batches` gives for the arguments, each batch validated in full."""
    batches = []
    error = None
    try:
        for batch in read_batches(path, **arguments):
            batch.validate(full=True)
            batches.append(batch)
    except BinlogError as raised:
        error = (type(raised), str(raised))
    rows = pa.Table.from_batches(batches).combine_chunks() if batches else None
    return Outcome(rows, tuple(batch.num_rows for batch in batches), error)


def table_names(entry: dict[str, Any]) -> list[TableName]:
    """Return the tables of a sample that have row changes."""
    return [TableName(*name.split(".", 1)) for name in entry["row_changes"]]


def counts(path: Path) -> list[tuple[Any, ...]] | tuple[type[BinlogError], str]:
    """Return what `list_tables` gives, or its error."""
    try:
        found = list_tables(path)
    except BinlogError as raised:
        return type(raised), str(raised)
    return [
        (
            str(f.table),
            f.column_names,
            str(f.first_site),
            f.num_inserts,
            f.num_updates,
            f.num_deletes,
        )
        for f in found
    ]


@cache
def typed_rows(name: str, table: TableName) -> Outcome:
    """Return the rows of a table in a sample, with all metadata columns; each is read once."""
    return read(sample_path(name), table=table, metadata_columns=ALL_METADATA)
