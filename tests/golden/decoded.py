"""Row images of samples as they are decoded."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

import pyarrow as pa

from pyspark_adapter import TableName
from tests.support.outcome import ALL_METADATA, typed_rows


@dataclass(frozen=True)
class DecodedImage:
    """One row image as it was decoded.

    Attributes:
        values: by column number, from 1; a column not in the image is absent. Dates are days,
            dates with times and times are microseconds.
        changed: numbers of absent columns for which the image has differences.
    """

    change_type: str
    start_pos: int
    gtid: str | None
    values: dict[int, Any]
    changed: frozenset[int] = frozenset()


@dataclass(frozen=True)
class DecodedTable:
    """The images of a table with the fields of its columns."""

    fields: tuple[pa.Field, ...]
    images: tuple[DecodedImage, ...]


METADATA = ("_change_type", "_start_pos", "_gtid", "_absent_columns", "_json_diff")


@cache
def read_table(sample: str, name: str) -> DecodedTable:
    """Return the row images of a table, `database.table`, in the order of the sample's log."""
    outcome = typed_rows(sample, TableName(*name.split(".", 1)))
    assert outcome.error is None, outcome.error
    assert outcome.rows is not None
    fields = tuple(outcome.rows.schema)[len(ALL_METADATA) :]
    columns = [outcome.rows.column(name) for name in METADATA]
    columns += outcome.rows.columns[len(ALL_METADATA) :]
    cells_by_column = [plain_numbers(column).to_pylist() for column in columns]
    images = []
    for change_type, start_pos, gtid, absent, differences, *cells in zip(
        *cells_by_column, strict=True
    ):
        values = {
            number: cell
            for number, (field, cell) in enumerate(zip(fields, cells, strict=True), start=1)
            if field.name not in absent
        }
        assert len(values) + len(absent) == len(fields)
        changed = frozenset(
            number
            for number, field in enumerate(fields, start=1)
            if field.name in absent and field.name in json.loads(differences or "{}")
        )
        images.append(DecodedImage(change_type, start_pos, gtid, values, changed))
    return DecodedTable(fields, tuple(images))


def plain_numbers(column: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Return dates and times as the numbers that they are in Arrow."""
    if pa.types.is_date32(column.type):
        return column.cast(pa.int32())
    if pa.types.is_timestamp(column.type) or pa.types.is_duration(column.type):
        assert column.type.unit == "us"
        return column.cast(pa.int64())
    return column
