"""Iceberg tables of a lake."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from pyspark_adapter.replication.alterations import AlteredColumns
from pyspark_adapter.replication.changes import TYPE, split_changes
from pyspark_adapter.replication.iceberg_catalog import IcebergCatalog, iceberg_errors
from pyspark_adapter.replication.iceberg_commits import compact, in_order, merge_rows, tidy
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.ownership import DamagedTableError

if TYPE_CHECKING:
    from pyiceberg.table import Table, Transaction

_ID: Final = "PARQUET:field_id"  # of a field, by which pyiceberg identifies it


def evolve(transaction: Transaction, wanted: pa.Schema) -> None:
    """Give a table the columns of a copy: those of another type get another identity."""
    new = types_of(wanted)
    with transaction.update_schema(allow_incompatible_changes=True) as update:
        for field in transaction.table_metadata.schema().fields:
            kind = new.get(field.name)
            is_same = type(kind) is type(field.field_type)
            if is_same and (kind == field.field_type or not field.field_type.is_primitive):
                del new[field.name]
            else:
                update.delete_column((field.name,))
        for name, kind in new.items():
            update.add_column((name,), kind)


def alter(transaction: Transaction, columns: AlteredColumns) -> None:
    """Drop, rename, widen and add columns; the names are those before, for all of them."""
    kinds = types_of(columns.schema)
    kept = {*columns.origins.values()}
    set_bounds(transaction, columns.schema)
    with transaction.update_schema() as update:
        for field in transaction.table_metadata.schema().fields:
            if field.name not in kept:
                update.delete_column((field.name,))
        for name, origin in columns.origins.items():
            if origin is None:
                update.add_column((name,), kinds[name])
                continue
            if name != origin:
                update.rename_column((origin,), name)
            if kinds[name].is_primitive:
                update.update_column((origin,), kinds[name])


def set_bounds(transaction: Transaction, schema: pa.Schema) -> None:
    """Have files hold the minimum and maximum of each column, except of texts."""
    of_column = "write.metadata.metrics.column."
    known = {n for n in transaction.table_metadata.properties if n.startswith(of_column)}
    wanted = {of_column + f.name for f in schema if pa.types.is_primitive(f.type)}
    transaction.remove_properties(*(known - wanted))
    transaction.set_properties(dict.fromkeys(wanted, "full"))


def types_of(schema: pa.Schema) -> dict[str, Any]:
    """Return the types of Iceberg of columns."""
    from pyiceberg.io.pyarrow import pyarrow_to_schema

    ids = count(1)

    def numbered(field: pa.Field) -> pa.Field:
        kind = field.type
        if pa.types.is_struct(kind):
            kind = pa.struct([numbered(part) for part in kind.fields])
        elif pa.types.is_list(kind):
            kind = pa.list_(numbered(kind.value_field))
        return field.with_type(kind).with_metadata({_ID: str(next(ids))})

    iceberg_schema = pyarrow_to_schema(pa.schema([numbered(field) for field in schema]))
    return {field.name: field.field_type for field in iceberg_schema.fields}


_APPLIED: Final = "mysql-binlog.applied"  # of the summary of a snapshot
# Each commit reads and writes the list of snapshots: after so many, all but the last so many go.
_KEPT_SNAPSHOTS: Final = 16
_PROPERTIES: Final = {
    "write.metadata.previous-versions-max": "16",
    "write.metadata.delete-after-commit.enabled": "true",
    "commit.manifest-merge.enabled": "true",
    # No bounds of texts: pyiceberg 0.12 fails to cut those whose 16th character is U+D7FF.
    "write.metadata.metrics.default": "counts",
}


class IcebergTables:
    """The tables of a lake; each commit says up to which transaction of the log the rows are.

    `DeltaTables` describes the methods that have no docstring here.

    Args:
        lake: its folder, with the state.
        catalog: as for `IcebergCatalog`.

    Raises:
        BinlogError: as `IcebergCatalog`.
    """

    def __init__(self, lake: Location, catalog: str = "") -> None:
        self._catalog = IcebergCatalog(lake, catalog)
        self.on_commit: Callable[[Location], None] = lambda _: None

    def open(self, location: Location) -> Table | None:
        """Return the table of a folder as it is now; None if there is none, or one without rows.

        Raises:
            BinlogError: as `IcebergCatalog.load`.
        """
        table = self._catalog.load(location)
        return table if table and self.applied(table, location) else None

    def applied(self, table: Table, _location: Location) -> int:
        """Return the last transaction of the log that the rows include; 0 for none.

        Snapshots of other programs, that only move rows, have that of the one before.
        """
        snapshot = table.current_snapshot()
        while snapshot is not None:
            version = snapshot.summary and snapshot.summary.additional_properties.get(_APPLIED)
            if version:
                return int(version)
            parent = snapshot.parent_snapshot_id
            snapshot = None if parent is None else table.snapshot_by_id(parent)
        return 0

    def schema(self, table: Table) -> pa.Schema:
        """Return the columns of a table."""
        return table.schema().as_arrow()

    def form_of(self, schema: pa.Schema) -> pa.Schema:
        """Return columns as a table has them."""
        from pyiceberg.io.pyarrow import schema_to_pyarrow

        return pa.schema([(n, schema_to_pyarrow(kind)) for n, kind in types_of(schema).items()])

    def copy(
        self, location: Location, table: Table | None, rows: pa.RecordBatchReader, version: int
    ) -> Table:
        """Replace all rows, and columns that are others, in one commit; raises BinlogError."""
        with iceberg_errors(location):
            table = table or self._made(location, rows.schema)
            # To overwrite no row is a warning of pyiceberg.
            has_files = next(iter(table.scan().plan_files()), None) is not None
            with self._transaction(table) as transaction:
                evolve(transaction, rows.schema)
                set_bounds(transaction, rows.schema)
                write = transaction.overwrite if has_files else transaction.append
                properties = {_APPLIED: str(version)}
                schema = transaction.table_metadata.schema().as_arrow()
                write(in_order(schema, rows), snapshot_properties=properties)
            self.on_commit(location)
            return table

    def _made(self, location: Location, schema: pa.Schema) -> Table:
        """Return a new table, or one without rows, of a copy that was stopped."""
        return self._catalog.load(location) or self._catalog.make(location, schema, _PROPERTIES)

    def rows(  # noqa: D102
        self, table: Table, column: str = "", low: int | None = None, high: int | None = None
    ) -> Iterator[pa.RecordBatch]:
        from pyiceberg.expressions import AlwaysTrue, And, GreaterThanOrEqual, LessThan

        first = AlwaysTrue() if low is None else GreaterThanOrEqual(column, low)
        last = AlwaysTrue() if high is None else LessThan(column, high)
        return iter(table.scan(And(first, last)).to_arrow_batch_reader())

    def append(
        self, location: Location, table: Table | None, rows: pa.RecordBatchReader, version: int
    ) -> None:
        """Add rows, and columns that are new or wider, in one commit.

        Small files become one in a snapshot before, so that the last one only adds rows.

        Raises:
            CommitConflictError: if another program has committed meanwhile.
            BinlogError: if they cannot be written.
        """
        with iceberg_errors(location):
            table = table or self._made(location, rows.schema)
            with self._transaction(table) as transaction:
                with transaction.update_schema() as update:
                    update.union_by_name(rows.schema)
                schema = transaction.table_metadata.schema().as_arrow()
                set_bounds(transaction, schema)
                compact(transaction, table)
                properties = {_APPLIED: str(version)}
                transaction.append(in_order(schema, rows), snapshot_properties=properties)
            self._expire(table)
            self.on_commit(location)

    @property
    def has_renames(self) -> bool:
        """Yes: files have columns by number."""
        return True

    def widens(self, old: pa.DataType, new: pa.DataType) -> bool:
        """Return whether the type of a column can become another one without a copy."""
        from pyiceberg.exceptions import ResolveError
        from pyiceberg.schema import promote

        if pa.types.is_string(old) or pa.types.is_binary(old):  # one from the other
            return bool(old == new)
        with suppress(ResolveError):
            promote(*types_of(pa.schema([("old", old), ("new", new)])).values())
            return True
        return False

    def merge(
        self,
        location: Location,
        table: Table,
        net: pa.Table | None,
        key: Sequence[str],
        version: int,
        columns: AlteredColumns | None = None,
    ) -> None:
        """Change the columns, and apply the last change of each key, in one commit.

        Files that hold one of the keys are rewritten without those rows.

        Args:
            table: as it was read.
            net, key: as for `split_changes`; None for no changes.
            version: up to which transaction they are.
            columns: of the table from now on; None for those that it has.

        Raises:
            CommitConflictError: if another program has committed meanwhile.
            BinlogError: if they cannot be written.
        """
        with iceberg_errors(location):
            transaction = self._transaction(table)
            if columns is not None:
                alter(transaction, columns)
                # A statement that was applied is never applied again.
                version = max(version, *(edit.commit_version for edit in columns.edits))
            metadata = transaction.table_metadata
            schema = metadata.schema().as_arrow()
            if net is None:
                net = pa.schema([*schema, (TYPE, pa.string())]).empty_table()
            gone, new = split_changes(net, key, schema)
            first = next(iter(key), "")
            if columns is not None:
                first = columns.origins.get(first) or ""
            tidy(transaction, table)
            with transaction.update_snapshot({_APPLIED: str(version)}).overwrite() as snapshot:
                merge_rows(table, metadata, snapshot, gone, key, new, first)
            transaction.commit_transaction()
            self._expire(table)
            self.on_commit(location)

    def version(self, table: Table) -> str:  # noqa: D102
        return str(table.metadata_location)

    def is_later(self, version: str, known: str) -> bool:  # noqa: D102
        return _number_of(version) > _number_of(known)

    def is_whole(self, location: Location, table: Table) -> bool:  # noqa: D102
        try:
            known = self._catalog.load(location)
            with iceberg_errors(location):
                tasks = table.scan().plan_files() if location.is_local else ()
                is_there = all(table.io.new_input(t.file.file_path).exists() for t in tasks)
        except DamagedTableError:
            return False
        is_last = known is not None and known.metadata_location == table.metadata_location
        return is_last and is_there

    def written(self, location: Location, _known: str) -> tuple[str, list[Path]]:  # noqa: D102
        from pyspark_adapter.replication.iceberg_commits import written_below

        table = self._catalog.load(location)
        return ("" if table is None else table.metadata_location), written_below(location)

    def set_back(self, location: Location, version: str) -> bool:  # noqa: D102
        return self._catalog.set_back(location, version)

    def discard(self, location: Location) -> None:  # noqa: D102
        self._catalog.discard(location)

    def close(self) -> None:
        """Close the catalog."""
        self._catalog.close()

    def _transaction(self, table: Table) -> Transaction:
        # pyiceberg would repeat a commit after one of another program, which may have written
        # these rows. The property is not stored: other programs may try again.
        properties = {**table.metadata.properties, "commit.retry.num-retries": "0"}
        table.metadata = table.metadata.model_copy(update={"properties": properties})
        return table.transaction()

    def _expire(self, table: Table) -> None:
        """Forget old snapshots that have neither a tag nor a branch; their files stay."""
        named = {ref.snapshot_id for ref in table.metadata.refs.values()}
        past = sorted(table.metadata.snapshots, key=lambda snapshot: snapshot.sequence_number or 0)
        old = [s.snapshot_id for s in past[:-_KEPT_SNAPSHOTS] if s.snapshot_id not in named]
        if len(old) >= _KEPT_SNAPSHOTS:
            table.maintenance.expire_snapshots().by_ids(old).commit()

    def remove(self, location: Location) -> str | None:
        """Remove a table; returns and raises as `IcebergCatalog.purge`."""
        return self._catalog.purge(location)


def _number_of(metadata: str) -> int:
    """Return the number that the name of a metadata file begins with."""
    return int(metadata.rpartition("/")[2].partition("-")[0])
