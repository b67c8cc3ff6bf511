"""The tables of a round with their changes, as Arrow; and what the round did."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.decode.group_rows import GroupRows, TableStatement, key_of, split_groups
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.output_schema import METADATA_BY_NAME, commit_version_base
from pyspark_adapter.sources.log_file import log_number
from pyspark_adapter.values.equal_rows import places_in, row_numbers

VERSION: Final = "_commit_version"
TYPE: Final = "_change_type"
NEW_IMAGES: Final = pa.array(["insert", "update_postimage"])
# When a row ends that has not ended: microseconds before and since MariaDB 11.5, and a transaction.
_NO_END: Final = pa.array(["2147483647999999", "4294967295999999", "18446744073709551615"])


@dataclass(frozen=True)
class Part:
    """Changes of rows of one shape; as `TablePart`.

    Attributes:
        schema: of the rows, with metadata columns.
        groups: of the rows, in order.
        shift: what the commit versions of rows lack.
        row_end: as `TableFacts` has it.
    """

    schema: pa.Schema
    groups: Sequence[dict[str, Any]]
    shift: int = 0
    row_end: str | None = None

    @property
    def key(self) -> tuple[str, ...]:
        """Names of the columns that identify a row; empty for none."""
        return key_of(self.schema)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns of the table."""
        return tuple(name for name in self.schema.names if name not in METADATA_BY_NAME)

    @property
    def last_commit_version(self) -> int:
        """Of the last change."""
        return max(int(group["last_commit_version"]) for group in self.groups)

    @property
    def num_rows(self) -> int:
        """Row images."""
        return sum(group["num_rows"] for group in self.groups)

    @cached_property
    def rows(self) -> pa.Table:
        """The rows, in the order of the log."""
        schema = self.schema
        reader = GroupRows(schema, {"": schema})
        batches = [
            reader.read("", group["last_commit_version"], pa.py_buffer(group["rows"]))
            for group in self.groups
        ]
        rows = pa.Table.from_batches(batches, schema).replace_schema_metadata()
        index = rows.schema.get_field_index(VERSION)
        return rows.set_column(index, VERSION, pc.add(rows[VERSION], self.shift))

    def rows_after(self, version: int) -> pa.Table:
        """Return the rows of transactions after one, without those that are history."""
        rows = self.rows.filter(pc.greater(self.rows[VERSION], version))
        if self.row_end not in rows.schema.names:
            return rows
        ends = rows[self.row_end]
        ends = ends.cast(pa.int64()) if pa.types.is_timestamp(ends.type) else ends
        return rows.filter(pc.is_in(ends.cast(pa.string()), _NO_END))


@dataclass(frozen=True)
class Changes:
    """Changes of a table; as `TableChanges`."""

    table: TableName
    parts: Sequence[Part]
    statements: Sequence[TableStatement]

    @property
    def key(self) -> tuple[str, ...]:
        """Names of the columns that identify a row, in the last part; empty for none."""
        return self.parts[-1].key if self.parts else ()

    @property
    def num_rows(self) -> int:
        """Row images."""
        return sum(part.num_rows for part in self.parts)

    def without_history(self, row_end: str | None) -> Changes:
        """Return the changes without rows of MariaDB that have ended, by that column."""
        return replace(self, parts=[replace(part, row_end=row_end) for part in self.parts])


def version_at(log_name: str, pos: int) -> int:
    """Return the commit version that a transaction has which begins at an offset of a log."""
    return commit_version_base(log_number(log_name)) + pos


def changes_of(batches: Iterable[pa.RecordBatch], shift: int) -> list[Changes]:
    """Return the tables of a read with option `row` = `arrow`, in the order of their names."""
    of_table: dict[TableName, list[dict[str, Any]]] = defaultdict(list)
    schemas: dict[str, pa.Schema] = {}
    for batch in batches:
        for group in batch.to_pylist():
            if group["schema"] is not None:
                schemas[group["shape"]] = pa.ipc.read_schema(pa.py_buffer(group["schema"]))
            if group["definition"] is None:
                group["first_commit_version"] += shift
                group["last_commit_version"] += shift
                name = TableName(group["database_name"], group["table_name"])
                of_table[name].append(group)
    changes = []
    for table, groups in sorted(of_table.items(), key=lambda pair: str(pair[0])):
        groups.sort(key=lambda row: (row["first_commit_version"], row["last_commit_version"]))
        runs, statements = split_groups(groups)
        parts = [Part(schemas[run[0]["shape"]], run, shift) for run in runs]
        changes.append(Changes(table, parts, statements))
    return changes


def key_columns(rows: pa.Table, key: Sequence[str]) -> pa.Table:
    """Return the key columns of rows; -0.0 is 0.0, as in keys of servers."""
    columns = [
        pc.add(column, pa.scalar(0.0, column.type)) if pa.types.is_floating(column.type) else column
        for column in rows.select(key).columns
    ]
    return pa.table(columns, list(key))


def typed_changes(gone: pa.Table, new: pa.Table) -> pa.Table:
    """Return rows that go, and rows that come, with `_change_type`."""
    kinds = pa.array(["delete"] * len(gone) + ["insert"] * len(new), pa.string())
    return pa.concat_tables([gone, new]).append_column(TYPE, kinds)


def split_changes(
    net: pa.Table, key: Sequence[str], schema: pa.Schema
) -> tuple[pa.Table, pa.Table]:
    """Return the rows whose equals go, by `rows_without`, and the rows that come then.

    Args:
        net: as `net_changes` has it, or without a key as `counted_changes`.
        key: the columns that identify a row; empty for none.
        schema: of the copy.
    """
    rows = net.select(schema.names).cast(schema)
    is_deleted = pc.equal(net[TYPE], "delete")
    return rows if key else rows.filter(is_deleted), rows.filter(pc.invert(is_deleted))


def rows_without(rows: pa.Table, gone: pa.Table, key: Sequence[str]) -> pa.Table:
    """Return the rows that equal no row of `gone`: by a key, or without one as a whole."""
    own = rows.select(gone.column_names)
    wanted, own = (key_columns(part, key) if key else part for part in (gone, own))
    return rows.filter(pa.array(places_in(wanted, own) < 0))


def net_changes(rows: pa.Table, key: Sequence[str]) -> pa.Table | None:
    """Return the last change of each key: `delete`, or the row that has the key.

    Args:
        rows: in the order of the log, whole images, the old one of an update before the new one.
        key: the columns that identify a row.

    Returns:
        None if a key has a null, as that of a date 0000-00-00 has.
    """
    if any(rows[name].null_count for name in key):
        return None
    numbers = row_numbers(key_columns(rows, key))
    last = np.zeros(numbers.max(initial=-1) + 1, dtype=np.int64)
    last[numbers] = np.arange(len(rows))  # the last one of a number stays
    net = rows.take(last)
    is_new = pc.is_in(net[TYPE], NEW_IMAGES)
    kinds = pc.if_else(is_new, net[TYPE], "delete")
    return net.set_column(net.schema.get_field_index(TYPE), TYPE, kinds)


@dataclass(frozen=True)
class Applied:
    """What a round did.

    Attributes:
        num_changes: row images that were read.
        copied: tables that were copied.
        lag_bytes: of log that was not read yet at its end.
        lag_seconds: how old the tables are: since the server was asked how far its log goes, or
            since the last change that was read if there is more.
        refused: tables that cannot be copied, and why.
        since: when that was noticed, in seconds since 1970.
    """

    num_changes: int = 0
    copied: Sequence[TableName] = ()
    lag_bytes: int = 0
    lag_seconds: float = 0.0
    refused: Mapping[TableName, Exception] = field(default_factory=dict)
    since: Mapping[TableName, float] = field(default_factory=dict)


def last_commit(changes: Iterable[Changes]) -> float | None:
    """Return when the last of some changes was committed, in seconds since 1970."""
    last = [pc.max(c.parts[-1].rows["_commit_timestamp"]).as_py() for c in changes if c.parts]
    return max(moment.timestamp() for moment in last) if last else None
