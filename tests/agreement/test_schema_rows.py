"""The schema itself decodes rows, cell by cell, as the reference does."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from mysql_binlog import MysqlBinlog

from pyspark_adapter.decode.reference.row_images import (
    READ_ROWS,
    Missing,
    PartialDocument,
    iter_images,
)
from pyspark_adapter.events.table_map import Column, TableMap
from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.plan.row_plan import plan_nothing
from pyspark_adapter.values.column_types import decoding_of
from pyspark_adapter.values.kinds import decode_value
from tests.corpus.logs import DAMAGED_AT
from tests.inputs import CORPUS, SAMPLES, corpus_entries, need_corpus, sample_path

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# The width of MariaDB's old temporals is not logged; the schema takes them for those of MySQL.
AMBIGUOUS = ("mariadb-10.11-old-temporals", "mariadb-10.11-old-fractions")
MOST_BYTES = 1 << 20
ROWS_KINDS = tuple(
    f"{kind}_rows{version}" for kind in ("Write", "Update", "Delete") for version in ("", "_v1")
)
WITH_ROWS = sorted(
    name
    for name, entry in SAMPLES.items()
    if name not in AMBIGUOUS
    and any(kind in entry["events"] for kind in ("WRITE_ROWS", "WRITE_ROWS_V1"))
)


def rows_events(path: Path) -> Iterator[tuple[MysqlBinlog.Event, TableMap]]:
    """Yield the rows events of a log with their table maps, by the schema's own search."""
    root = MysqlBinlog.from_bytes(path.read_bytes()[: DAMAGED_AT.get(path.name)])
    is_mariadb = root.events[0].body.is_mariadb
    for event in root.events:
        if event.event_type in READ_ROWS and not event.frame.is_truncated:
            assert event.body.layout.has_table_map
            table_map = root.events[event.body.layout.table_map_event_index].body
            yield event, TableMap.from_event(table_map, is_mariadb=is_mariadb)


def day_number(text: str) -> int | None:
    """Return days since 1970-01-01; None for a date that is in no calendar."""
    try:
        return date.fromisoformat(text).toordinal() - EPOCH.toordinal()
    except ValueError:
        return None


def wall_micros(text: str) -> int | None:
    """Return microseconds since 1970-01-01; None for a date that is in no calendar."""
    try:
        moment = datetime.fromisoformat(text).replace(tzinfo=UTC)
    except ValueError:
        return None
    return (moment - EPOCH) // timedelta(microseconds=1)


def time_micros(text: str) -> int:
    """Return microseconds of a time, `-01:02:03.5`."""
    hours, minutes, seconds = text.lstrip("-").split(":")
    number = (int(hours) * 60 + int(minutes)) * 60_000_000 + int(Decimal(seconds) * 1_000_000)
    return -number if text.startswith("-") else number


# How `plain` reads as a value of the reference; for all other types it is one.
BY_CODE: Mapping[int, Callable[[Any], Any]] = {
    Code.date: day_number,
    Code.newdate: day_number,
    Code.datetime2: wall_micros,
    Code.timestamp: wall_micros,
    Code.timestamp2: wall_micros,
    Code.time: time_micros,
    Code.datetime: wall_micros,
    Code.time2: time_micros,
    Code.newdecimal: Decimal,
    Code.vector: lambda elements: struct.pack(f"<{len(elements)}f", *elements),
}
# The bytes of values whose `plain` is a tree, or compressed.
TREES: Mapping[int, Callable[[Any], bytes]] = {
    Code.json: lambda value: getattr(
        value, "_raw_document", getattr(value, "_raw_differences", b"")
    ),
    Code.geometry: lambda value: getattr(value, "_raw_value", b""),
    Code.blob_compressed: lambda value: getattr(value, "_raw_value", b""),
    Code.varchar_compressed: lambda value: getattr(value, "_raw_value", b""),
}
# The reference goes on to text, names and documents from the bytes that both find.
BYTES = frozenset(
    {
        *(Code.varchar, Code.var_string, Code.string, Code.json, Code.geometry, Code.vector),
        *(Code.blob, Code.tiny_blob, Code.medium_blob, Code.long_blob),
        *(Code.blob_compressed, Code.varchar_compressed),
    }
)


def reference_value(data: bytes, column: Column) -> Any:
    """Return what the reference makes of the bytes of a value, members as numbers."""
    if column.type_code in BYTES:
        return data
    if column.type_code in (Code.enum, Code.set):
        return int.from_bytes(data, "little")
    decoding = decoding_of(column, default_charset="binary")
    value = decode_value(data, decoding, "CONVERT_TO_NULL")
    if column.type_code == Code.newdecimal:
        return Decimal(value)
    return int(value) if isinstance(value, Decimal) else value


def plain_value(value: Any, column: Column) -> Any:
    """Return the plain value of a cell in the form of `reference_value`."""
    if column.type_code in TREES:
        data = TREES[column.type_code](value)
        tree = getattr(value, "plain", None)
        assert (tree is None) == (not data or getattr(value, "is_difference", False))
        assert not isinstance(tree, bytes) or data.endswith(tree)
        return data
    plain = value.plain
    if isinstance(plain, str) and column.type_code in BYTES:
        return plain.encode()
    return BY_CODE.get(column.type_code, lambda found: found)(plain)


def comparable(value: Any) -> Any:
    """Return what tells -0 from 0 and 1.50 from 1.5."""
    if isinstance(value, float):
        return struct.pack("<d", value)
    return value.as_tuple() if isinstance(value, Decimal) else value


def schema_images(event: MysqlBinlog.Event) -> Iterator[list[Any]]:
    """Yield the row images of an event, those of an update one after the other."""
    for row in event.body.rows:
        for name in ("before_image", "after_image"):
            image = getattr(row, name, None)
            if image is not None:
                yield image


def compare_cells(path: Path) -> int:
    """Compare the cells of a log with those of the reference; return the number of row images."""
    num_images = 0
    for event, table_map in rows_events(path):
        plan = plan_nothing(table_map)
        rows = bytes(event.body.row_data)
        if not rows:
            continue  # a row of no columns has no bytes, and the schema shows none
        ours = list(iter_images(event.event_type, event.body, rows, plan))
        for image, parsed in zip(ours, schema_images(event), strict=True):
            num_images += 1
            for column, data, cell in zip(table_map.columns, image.values, parsed, strict=True):
                assert cell.is_present == (data is not Missing.ABSENT)
                assert cell.is_null == (data is Missing.NULL)
                if isinstance(data, Missing):
                    assert not hasattr(cell, "value")
                    continue
                if isinstance(data, PartialDocument):
                    assert cell.is_difference
                    data = data.differences
                wanted = reference_value(data, column)
                found = plain_value(cell.value, column)
                assert comparable(found) == comparable(wanted), (table_map.table, column)
    return num_images


@pytest.mark.parametrize("name", WITH_ROWS)
def test_cells_are_those_of_the_reference(name: str) -> None:
    assert compare_cells(sample_path(name)) > 0


def test_cells_of_the_corpus_are_those_of_the_reference() -> None:
    """Of all logs but the largest.

    Their cells are compared with the tools' text by `tests/corpus`, and so are the rows of the
    kernels by `tests/golden`, which are those of the reference by `test_corpus`.
    """
    need_corpus()
    paths = [
        CORPUS / entry["file"]
        for entry in corpus_entries()
        if any(kind in entry["events"] for kind in ROWS_KINDS) and entry["size"] <= MOST_BYTES
    ]
    assert sum(map(compare_cells, paths)) > 3000
