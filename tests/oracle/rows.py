"""Row images of a log by the schema."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pyspark_adapter import TableName
from tests.oracle.cells import Unknown, collations_of, value_of
from tests.oracle.row_events import Reader, RowsEvent

CHANGES = {0: ("insert",), 1: ("update_preimage", "update_postimage"), 2: ("delete",)}
CHANGES[3] = CHANGES[1]


class Image(NamedTuple):
    """A row image.

    Attributes:
        table: its table.
        metadata: metadata columns by name, times in microseconds.
        names: of the columns, as logged; `@1` and so on where they are not.
        codes: of the types of the columns.
        values: of the columns.
    """

    table: TableName
    metadata: dict[str, Any]
    names: list[str]
    codes: list[int]
    values: list[Any]


def images_of(path: Path) -> Iterator[Image]:
    """Yield the row images of a log, both of an update one after the other."""
    number, transaction = 0, -1
    for event in Reader().read(path.read_bytes()):
        if event.metadata["_commit_version"] != transaction:
            number, transaction = 0, event.metadata["_commit_version"]
        for image in images_in(event):
            yield image._replace(metadata=image.metadata | {"_row_number": number})
            number += image.metadata["_change_type"] != "update_preimage"


def images_in(event: RowsEvent) -> Iterator[Image]:
    columns = event.table_map.column_layouts
    names = [column.name for column in columns]
    codes = [column.type_code for column in columns]
    collations = collations_of(event.table_map)
    table = TableName(event.table_map.database, event.table_map.table)
    of_changes = [event.metadata | {"_change_type": c} for c in CHANGES[int(event.body.operation)]]
    if not event.body.row_data:  # a row of no columns has no bytes, and the schema shows none
        absent: list[Any] = [Unknown.ABSENT] * len(columns)
        for metadata in of_changes:
            yield Image(table, metadata, names, codes, absent)
        return
    for row in event.body.rows:
        before: list[Any] = [None] * len(columns)
        images = (getattr(row, name, None) for name in ("before_image", "after_image"))
        for metadata, cells in zip(of_changes, filter(None, images), strict=True):
            before = list(map(value_of, cells, columns, collations, before))
            yield Image(table, metadata, names, codes, before)
