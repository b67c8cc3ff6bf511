"""Merges the changes of a table into its copy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.charsets.maps import has_twins
from pyspark_adapter.ddl.sql_tokens import SqlDialect
from pyspark_adapter.ddl.table_definition import INTEGERS, ROW_END, TableDefinition
from pyspark_adapter.plan.output_schema import ABSENT
from pyspark_adapter.replication.alterations import AlteredColumns
from pyspark_adapter.replication.changes import (
    NEW_IMAGES,
    TYPE,
    Changes,
    net_changes,
    typed_changes,
)
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.timeline.defined_table import defined
from pyspark_adapter.values.equal_rows import count_rows, repeated, sum_rows
from pyspark_adapter.warn import warn

if TYPE_CHECKING:
    from pyspark_adapter.replication.delta_tables import DeltaTables
    from pyspark_adapter.replication.iceberg_tables import IcebergTables

HIDDEN: Final = frozenset({"row_start", ROW_END})


def merge_changes(
    tables: DeltaTables | IcebergTables,
    location: Location,
    copy: Any,
    changes: Changes,
    columns: AlteredColumns,
    facts: TableFacts,
    *,
    is_exact: bool,
) -> bool:
    """Merge changes that were not applied; return False if the table has to be copied instead.

    Args:
        columns: that the copy is to have.
        facts: of the definition of the table.
        is_exact: whether the copy has each row as often as the server.
    """
    applied = tables.applied(copy, location)
    parts = [part for part in changes.parts if part.last_commit_version > applied]
    altered = None if columns.keeps(tables.schema(copy)) else columns
    if not parts:
        if altered is not None:
            tables.merge(location, copy, None, (), applied, altered)
        return True
    rows = columns.rows_of(parts, applied, facts.left_out)
    if rows is None:
        return False
    last = columns.after(parts[-1].columns, parts[-1].last_commit_version)
    names = {last[name]: name for name in last if name in rows.schema.names}
    key = [names[column] for column in changes.key if column in names]
    net = net_changes(rows, key) if key and facts.alike.isdisjoint(key) else None
    if net is None and is_exact and altered is None:
        schema = tables.schema(copy)
        images = rows.select(schema.names).cast(schema).append_column(TYPE, rows[TYPE])
        key, net = [], counted_changes(images, tables.rows(copy))
        if net is None:
            warn(f"table {changes.table} is copied again: the copy lacks a row that was removed")
    if net is None:
        return False
    tables.merge(location, copy, net, key, parts[-1].last_commit_version, altered)
    return True


def counted_changes(rows: pa.Table, batches: Iterator[pa.RecordBatch]) -> pa.Table | None:
    """Return which rows to remove, and which to add; None if a row that goes is not there.

    A row is removed with all that are equal to it; those of them that stay are added again.

    Args:
        rows: the changes, whole images, and `_change_type`.
        batches: the rows of the copy.
    """
    signs = np.where(pc.is_in(rows[TYPE], NEW_IMAGES), 1, -1)
    images, sums = sum_rows(rows.drop(TYPE), signs)
    gone = images.filter(pa.array(sums < 0))
    left = sums[sums < 0]
    if len(gone):
        left += count_rows(gone, batches)
    if (left < 0).any():
        return None
    return typed_changes(gone, pa.concat_tables([repeated(images, sums), repeated(gone, left)]))


def lacks_columns(changes: Changes, applied: int, facts: TableFacts) -> bool:
    """Return whether changes after a transaction lack columns of new rows, or of all; warn then."""
    absences = set[str]()
    parts = [p for p in changes.parts if pc.max(pc.list_value_length(p.rows[ABSENT])).as_py()]
    for part in parts:
        rows = part.rows_after(applied)
        absent = rows[ABSENT]
        if not facts.counts:
            absent = absent.filter(pc.is_in(rows[TYPE], NEW_IMAGES))
        absences |= {*pc.unique(pc.list_flatten(absent)).to_pylist()}
    names = ", ".join(sorted(absences - facts.left_out))
    if names:
        warn(
            f"table {changes.table} is copied again: the log lacks {names} of rows that a session"
            " changed with another binlog_row_image than FULL"
        )
    return bool(names)


@dataclass(frozen=True)
class TableFacts:
    """What merges depend on of the definition of a table.

    Attributes:
        alike: columns in which different values may be one text. Of an ENUM with a member '' the
            invalid value 0 is the same text.
        row_end: when a row of a table of MariaDB with SYSTEM VERSIONING ended; None for others.
        left_out: columns that are not copied: those that SELECT does not show, and generated ones
            of MariaDB, which does not log them in all changes.
        key: the columns that tell its rows apart, here, too; empty for none.
        first_key: the first of them, if it is an integer by which rows are read; else empty.
        counts: whether its rows are counted, as those of a table without a key are, if a snapshot
            shows them.
    """

    alike: frozenset[str]
    row_end: str | None
    left_out: frozenset[str]
    key: Sequence[str]
    first_key: str
    counts: bool


@lru_cache(4096)
def table_facts(definition: str, *, is_mariadb: bool) -> TableFacts:
    """Return the facts of a CREATE TABLE."""
    table = defined(definition, SqlDialect(is_mariadb=is_mariadb)) or TableDefinition(())
    alike = frozenset(c.name for c in table.columns if has_twins(c.charset) or "" in c.members)
    key = tuple(name for name in table.row_key if name != table.row_end)
    key = key if alike.isdisjoint(key) else ()
    first = next((c for c in table.columns if c.name in key[:1] and c.key_part), None)
    is_integer = first is not None and first.sql_type in (*INTEGERS, "YEAR")
    if first is not None and first.is_unsigned and first.sql_type == "BIGINT":
        is_integer = False
    hidden = HIDDEN if table.is_versioned else ()
    return TableFacts(
        alike,
        table.row_end,
        frozenset({*hidden, *(c.name for c in table.columns if is_mariadb and c.is_generated)}),
        key,
        key[0] if is_integer else "",
        not key and ") ENGINE=InnoDB" in definition,
    )
