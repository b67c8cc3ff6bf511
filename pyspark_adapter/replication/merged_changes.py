"""Merges the changes of a table into its copy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyspark_adapter.replication.alterations import AlteredColumns
from pyspark_adapter.replication.changes import Changes, net_changes
from pyspark_adapter.sources.locations import Location

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
) -> bool:
    """Merge changes that were not applied; return False if the table has to be copied instead.

    Args:
        tables: of the lake.
        place: of the copy.
        copy: the copy of the table.
        changes: of the table.
        columns: that the copy is to have.
        left_out: columns that are not copied.
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
    net = net_changes(rows, key) if key else None
    if net is None:
        return False
    tables.merge(place, copy, net, key, parts[-1].last_commit_version, altered)
    return True
