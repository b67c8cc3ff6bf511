"""Rows of a table from groups (option row=arrow), without Spark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

from pyspark_adapter import read_batches
from pyspark_adapter.decode.group_rows import GroupRows
from pyspark_adapter.options.table_name import TableName


def rows_over_shapes(path: Path | list[Path] | str, table: TableName, **options: Any) -> pa.Table:
    """Return the rows of a table from groups, as the driver of `tables_of` and its tasks do."""
    groups = [g for batch in read_batches(path, row="arrow", **options) for g in batch.to_pylist()]
    schemas = {
        group["shape"]: pa.ipc.read_schema(pa.py_buffer(group["schema"]))
        for group in groups
        if group["schema"] is not None
    }
    definitions = [
        (group["first_commit_version"], group["definition"])
        for group in groups
        if group["definition"] is not None
    ]
    name = table.database_name, table.table_name
    of_table = [
        group
        for group in groups
        if group["shape"] and (group["database_name"], group["table_name"]) == name
    ]
    shapes = {group["shape"]: schemas[group["shape"]] for group in of_table}
    found = GroupRows.over(table, shapes, shapes[of_table[-1]["shape"]], definitions)
    batches = [
        found.read(group["shape"], group["last_commit_version"], pa.py_buffer(group["rows"]))
        for group in of_table
    ]
    return pa.Table.from_batches(batches)
