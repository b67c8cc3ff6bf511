"""Merges the changes of a table into its copy."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import pyarrow.compute as pc

from pyspark_adapter.charsets.maps import has_twins
from pyspark_adapter.ddl.sql_tokens import SqlDialect
from pyspark_adapter.plan.output_schema import ABSENT
from pyspark_adapter.replication.alterations import AlteredColumns, defined
from pyspark_adapter.replication.changes import NEW_IMAGES, TYPE, Changes, net_changes
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.warn import warn

if TYPE_CHECKING:
    from pyspark_adapter.replication.delta_tables import DeltaTables
    from pyspark_adapter.replication.iceberg_tables import IcebergTables


def merge_changes(
    tables: DeltaTables | IcebergTables,
    place: Location,
    copy: Any,
    changes: Changes,
    columns: AlteredColumns,
    left_out: set[str],
    alike: frozenset[str],
) -> bool:
    """Merge changes that were not applied; return False if the table has to be copied instead.

    Args:
        tables: of the lake.
        place: of the copy.
        copy: the copy of the table.
        changes: of the table.
        columns: that the copy is to have.
        left_out: columns that are not copied.
        alike: columns in which different values of the server may be the same here.
    """
    applied = tables.applied(copy, place)
    parts = [part for part in changes.parts if part.last_commit_version > applied]
    altered = None if columns.keeps(tables.schema(copy)) else columns
    if not parts:
        if altered is not None:
            tables.merge(place, copy, None, (), applied, altered)
        return True
    rows = columns.rows_of(parts, applied, left_out)
    if rows is None:
        return False
    last = columns.after(parts[-1].columns, parts[-1].last_commit_version)
    key = [name for column in changes.key for name in last if last[name] == column]
    net = net_changes(rows, key) if key and alike.isdisjoint(key) else None
    if net is None:
        return False
    tables.merge(place, copy, net, key, parts[-1].last_commit_version, altered)
    return True


def lacks_columns(changes: Changes, applied: int, left_out: set[str]) -> bool:
    """Return whether changes after a transaction lack columns of new rows; warn then."""
    found = set[str]()
    parts = [p for p in changes.parts if pc.max(pc.list_value_length(p.rows[ABSENT])).as_py()]
    for part in parts:
        rows = part.rows_after(applied)
        absent = rows[ABSENT].filter(pc.is_in(rows[TYPE], NEW_IMAGES))
        found |= {*pc.unique(pc.list_flatten(absent)).to_pylist()}
    names = ", ".join(sorted(found - left_out))
    if names:
        warn(
            f"table {changes.table} is copied again: the log lacks {names} of rows that a session"
            " changed with another binlog_row_image than FULL"
        )
    return bool(names)


@lru_cache(4096)
def alike_columns(definition: str, *, is_mariadb: bool) -> frozenset[str]:
    """Return the columns of a table in which different values may be one text.

    Of an ENUM with a member '' the invalid value 0 is the same text.

    Args:
        definition: its CREATE TABLE.
        is_mariadb: whether that is of MariaDB.
    """
    table = defined(definition, SqlDialect(is_mariadb=is_mariadb))
    columns = () if table is None else table.columns
    return frozenset(c.name for c in columns if has_twins(c.charset) or "" in c.members)
