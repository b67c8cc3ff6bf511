"""Logs made of values, and reads of them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from hypothesis import HealthCheck, settings

from pyspark_adapter import read_batches
from tests.support.log_writer import LoggedColumn, LogWriter, Rows
from tests.support.typed_column import TypedColumn

# The same examples on each machine and in each run; the fixtures that are shared hold no state.
PROFILE = settings(
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=15,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def named(columns: Sequence[TypedColumn]) -> list[LoggedColumn]:
    """Return the columns with names of their own: c0, c1, ..."""
    return [
        LoggedColumn(f"c{i}", c.type_code, c.metadata, c.is_unsigned, c.collation, c.members)
        for i, c in enumerate(typed.column for typed in columns)
    ]


def write_log(path: Path, columns: Sequence[TypedColumn], events: Sequence[Rows]) -> Path:
    """Write a log of one transaction; the events are one statement."""
    writer = LogWriter()
    writer.begin()
    writer.table_map(9, "t", named(columns))
    for event in events:
        writer.rows(9, event)
    writer.commit()
    path.write_bytes(writer.data)
    return path


def encoded(columns: Sequence[TypedColumn], row: Sequence[Any]) -> list[bytes | None]:
    return [
        None if value is None else column.encode(value)
        for column, value in zip(columns, row, strict=True)
    ]


def read_rows(path: Path, **options: Any) -> list[dict[str, Any]]:
    """Return all rows of the table `d.t`."""
    batches = read_batches(path, **{"table": "d.t", **options})
    return [row for batch in batches for row in plain(batch)]


def plain(batch: pa.RecordBatch) -> list[dict[str, Any]]:
    """Return the rows of a valid batch; TIMESTAMP values as microseconds since 1970-01-01 UTC."""
    batch.validate(full=True)
    arrays = [
        array.cast(pa.int64()) if getattr(array.type, "tz", None) else array
        for array in batch.columns
    ]
    rows: list[dict[str, Any]] = pa.RecordBatch.from_arrays(
        arrays, names=batch.schema.names
    ).to_pylist()
    return rows
