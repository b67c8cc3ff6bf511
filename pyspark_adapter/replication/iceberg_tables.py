"""Iceberg tables of a lake."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.errors import BinlogError
from pyspark_adapter.replication.alterations import AlteredColumns
from pyspark_adapter.replication.changes import TYPE
from pyspark_adapter.replication.iceberg_catalog import IcebergCatalog, iceberg_errors
from pyspark_adapter.replication.iceberg_columns import alter, evolve, set_bounds, types_of
from pyspark_adapter.replication.iceberg_commits import (
    append_rows,
    compact,
    in_order,
    merge_rows,
    overwriting,
)
from pyspark_adapter.replication.iceberg_names import add_names, names_in
from pyspark_adapter.replication.lake import ICEBERG_FOLDERS, is_ours, remove
from pyspark_adapter.sources.delta_storage import DamagedTableError, TakenFolderError
from pyspark_adapter.sources.locations import Location

if TYPE_CHECKING:
    from pyiceberg.table import Table, Transaction

_APPLIED: Final = "mysql-binlog.applied"  # of the summary of a snapshot
# Each commit reads and writes the list of snapshots: after so many, all but the last so many go.
_KEPT_SNAPSHOTS: Final = 64
# A property: the number of the table itself, which one with copied properties has not.
_SIGNATURE: Final = "mysql-binlog.table"
_PROPERTIES: Final = {
    "written-by": "mysql-binlog-spark replicate",
    "write.metadata.previous-versions-max": "16",
    # No bounds of texts: pyiceberg 0.12 fails to cut those whose 16th character is U+D7FF.
    "write.metadata.metrics.default": "counts",
}


class IcebergTables:
    """The tables of a lake; each commit says up to which transaction of the log the rows are.

    Args:
        lake: its folder, whose state is there.
        catalog: as for `IcebergCatalog`.

    Raises:
        BinlogError: as `IcebergCatalog`.
    """

    def __init__(self, lake: Location, catalog: str = "") -> None:
        self._catalog = IcebergCatalog(lake, catalog)

    def open(self, place: Location) -> Table | None:
        """Return the table of a folder as it is now; None if there is none of this package.

        Raises:
            BinlogError: if it cannot be read, or the catalog has its name for another one.
        """
        found = self._load(place) if is_ours(place) else None
        return found if found and self.applied(found, place) else None

    def _load(self, place: Location) -> Table | None:
        """Return what the catalog has of the name of a folder; raises as `open`."""
        found = self._catalog.load(place)
        # The catalog is open to others, which may make a table in a folder before its copy, also
        # with the properties of an older copy. An empty table is that of a copy that was stopped;
        # programs that expire snapshots leave the signature.
        if found and not (
            self.applied(found, place)
            or found.properties.get(_SIGNATURE) == str(found.metadata.table_uuid)
            or (not found.metadata.snapshots and _PROPERTIES.items() <= found.properties.items())
        ):
            raise TakenFolderError(
                f"{place.shown}: the Iceberg table in it was not written by this command",
                option="to",
                value=place.shown,
                advice="choose another folder for the lake, or drop the table in the catalog"
                f" {self._catalog.shown} and move its files away",
            )
        return found

    def applied(self, table: Table, _place: Location) -> int:
        """Return the last transaction of the log that the rows include; 0 for none.

        Snapshots of other programs, that only move rows, have that of the one before.
        """
        snapshot = table.current_snapshot()
        while snapshot is not None:
            said = snapshot.summary and snapshot.summary.additional_properties.get(_APPLIED)
            if said:
                return int(said)
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
        self, place: Location, table: Table | None, rows: pa.RecordBatchReader, version: int
    ) -> Table:
        """Replace all rows, and columns that are others, in one commit.

        Raises:
            BinlogError: if they cannot be written.
        """
        with iceberg_errors(place):
            table = table or self._made(place, rows.schema)
            # To overwrite no row is a warning of pyiceberg.
            has_files = next(iter(table.scan().plan_files()), None) is not None
            with self._transaction(table) as transaction:
                _sign(transaction, table)
                evolve(transaction, rows.schema)
                set_bounds(transaction, rows.schema)
                write = transaction.overwrite if has_files else transaction.append
                said = {_APPLIED: str(version)}
                write(in_order(transaction, rows), snapshot_properties=said)
            return table

    def _made(self, place: Location, schema: pa.Schema) -> Table:
        """Return a new table, or one without rows, of a copy that was stopped."""
        return self._load(place) or self._catalog.make(place, schema, _PROPERTIES)

    def rows(self, table: Table) -> Iterator[pa.RecordBatch]:
        """Return the rows of a table."""
        return iter(table.scan().to_arrow_batch_reader())

    def append(
        self, place: Location, table: Table | None, rows: pa.RecordBatchReader, version: int
    ) -> None:
        """Add rows, and columns that are new or wider, in one commit.

        Small files become one in a snapshot before, so that the last one only adds rows.

        Raises:
            CommitConflictError: if another program has committed meanwhile.
            BinlogError: if they cannot be written.
        """
        with iceberg_errors(place):
            table = table or self._made(place, rows.schema)
            with self._transaction(table) as transaction:
                _sign(transaction, table)
                with transaction.update_schema() as update:
                    update.union_by_name(rows.schema)
                set_bounds(transaction, transaction.table_metadata.schema().as_arrow())
                compact(transaction, table)
                with transaction.update_snapshot({_APPLIED: str(version)}).merge_append() as added:
                    append_rows(transaction, table, added, in_order(transaction, rows))
            self._expire(table)

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
        place: Location,
        table: Table,
        net: pa.Table | None,
        key: Sequence[str],
        version: int,
        columns: AlteredColumns | None = None,
    ) -> None:
        """Change the columns, and apply the last change of each key, in one commit.

        Files that hold one of the keys are rewritten without those rows.

        Args:
            place: of the table.
            table: as it was read.
            net: rows of `net_changes`; None for no changes.
            key: names of the columns that identify a row.
            version: up to which transaction they are.
            columns: of the table from now on; None for those that it has.

        Raises:
            CommitConflictError: if another program has committed meanwhile.
            BinlogError: if they cannot be written.
        """
        with iceberg_errors(place):
            transaction = self._transaction(table)
            if columns is not None:
                alter(transaction, columns)
                # A statement that was applied is never applied again.
                version = max(version, *(edit.commit_version for edit in columns.edits))
            schema = transaction.table_metadata.schema().as_arrow()
            if net is None:
                net = pa.schema([*schema, (TYPE, pa.string())]).empty_table()
            keys = net.select(key).cast(pa.schema([schema.field(name) for name in key]))
            new = net.filter(pc.not_equal(net[TYPE], "delete"))
            with overwriting(transaction, {_APPLIED: str(version)}) as snapshot:
                merge_rows(
                    transaction, table, snapshot, keys, new.select(schema.names).cast(schema)
                )
            transaction.commit_transaction()
            self._expire(table)

    def close(self) -> None:
        """Close the catalog."""
        self._catalog.close()

    def _transaction(self, table: Table) -> Transaction:
        from pyspark_adapter.replication.iceberg_transaction import OneTry

        return OneTry(table)

    def _expire(self, table: Table) -> None:
        """Forget old snapshots that have neither a tag nor a branch; their files stay."""
        from pyiceberg.table.update.snapshot import ExpireSnapshots

        named = {ref.snapshot_id for ref in table.metadata.refs.values()}
        found = sorted(table.metadata.snapshots, key=lambda snapshot: snapshot.sequence_number or 0)
        old = [s.snapshot_id for s in found[:-_KEPT_SNAPSHOTS] if s.snapshot_id not in named]
        if len(old) >= _KEPT_SNAPSHOTS:
            with self._transaction(table) as transaction:
                ExpireSnapshots(transaction).by_ids(old).commit()

    def remove(self, place: Location) -> str | None:
        """Remove a table; returns what `lake.remove` does, and raises as it.

        The catalog may have its name for a table of others, which stays.
        """
        if not is_ours(place):
            return None
        if not self._catalog.is_own:
            if self._catalog.has(place) and self._load(place):
                self._catalog.drop(place)
            return None  # its files stay, as drops in the catalogs of others leave them
        if self._catalog.has(place):  # not after a stop in a removal
            known = self._catalog.metadata_of(place)
            names: set[str] = set()
            try:
                found = self._load(place)
                if found is None:  # its row went with its metadata
                    known = None
                else:
                    with iceberg_errors(place):
                        names.update(_named_files(found, place))
            except BinlogError as error:  # its files may be damaged
                if isinstance(error, TakenFolderError) and not isinstance(error, DamagedTableError):
                    raise
            with iceberg_errors(place):
                # Also what other programs have made of the rows.
                add_names(Path(place.path), sorted(names - names_in(Path(place.path))))
            if known is not None:
                self._catalog.drop(place, known)
        return self._catalog.user_of(place) or remove(place)


def _sign(transaction: Transaction, table: Table) -> None:
    """Have a table say that it is of this package."""
    number = str(table.metadata.table_uuid)
    if table.properties.get(_SIGNATURE) != number:
        transaction.set_properties({_SIGNATURE: number})


def _named_files(table: Table, place: Location) -> Iterator[str]:
    """Yield the files in the folder of a table that its metadata name, as `data/NAME`."""
    folders = {os.path.realpath(f"{place.path}/{name}"): name for name in ICEBERG_FOLDERS}
    manifests: dict[str, Any] = {}
    paths = [table.metadata_location, *(old.metadata_file for old in table.metadata.metadata_log)]
    for snapshot in table.metadata.snapshots:
        paths.append(snapshot.manifest_list)
        manifests |= {found.manifest_path: found for found in snapshot.manifests(table.io)}
    paths += manifests
    for manifest in manifests.values():
        entries = manifest.fetch_manifest_entry(table.io, discard_deleted=False)
        paths += [entry.data_file.file_path for entry in entries]
    for path in {*paths}:
        folder, _, name = Location.parse(path).path.rpartition("/")
        if kind := folders.get(os.path.realpath(folder)):
            yield f"{kind}/{name}"
