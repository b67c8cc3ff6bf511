"""Iceberg tables of a lake, in a catalog of its own: a file of SQLite in the lake."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.errors import BinlogError, OptionError, one_line
from pyspark_adapter.own_files import check_own
from pyspark_adapter.replication.alterations import AlteredColumns
from pyspark_adapter.replication.changes import TYPE
from pyspark_adapter.replication.iceberg_columns import alter, evolve, set_bounds, types_of
from pyspark_adapter.replication.iceberg_commits import (
    append_rows,
    compact,
    in_order,
    merge_rows,
    overwriting,
    tried_once,
)
from pyspark_adapter.replication.iceberg_names import add_names, names_in
from pyspark_adapter.replication.lake import ICEBERG_FOLDERS, is_ours, remove
from pyspark_adapter.sources.delta_storage import CommitConflictError, TakenFolderError
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.written_files import whole_file

if TYPE_CHECKING:
    from pyiceberg.table import Table

_APPLIED: Final = "mysql-binlog.applied"  # of the summary of a snapshot
_CATALOG: Final = "_replicate/iceberg.db"
# Each commit reads and writes the list of snapshots: after so many, all but the last so many go.
_KEPT_SNAPSHOTS: Final = 64
_PROPERTIES: Final = {
    "write.metadata.delete-after-commit.enabled": "true",
    "write.metadata.previous-versions-max": "16",
    # No bounds of texts: pyiceberg 0.12 fails to cut those whose 16th character is U+D7FF.
    "write.metadata.metrics.default": "counts",
}


class IcebergTables:
    """The tables of a lake; each commit says up to which transaction of the log the rows are.

    Args:
        lake: its folder, a local one, whose state is there.

    Raises:
        BinlogError: if pyiceberg is not installed, or the catalog cannot be opened, or is a link.
    """

    def __init__(self, lake: Location) -> None:
        try:
            from pyiceberg.catalog.sql import SqlCatalog
        except ImportError as error:
            raise BinlogError(
                "Iceberg tables need the package pyiceberg, which is not installed",
                advice="pip install 'mysql-binlog-spark[iceberg]'",
            ) from error
        self._lock = Lock()
        with _errors(lake):
            _check_catalog(Path(lake.path, _CATALOG))
            uri = f"sqlite:///{lake.path}/{_CATALOG}"
            writer = {"py-io-impl": "pyspark_adapter.replication.iceberg_io.NotedFileIO"}
            self._catalog = SqlCatalog("lake", uri=uri, warehouse=lake.path, **writer)

    def open(self, place: Location) -> Table | None:
        """Return the table of a folder as it is now; None if there is none of this package.

        Raises:
            BinlogError: if it cannot be read, or the catalog has its name for another one.
        """
        found = self._load(place) if is_ours(place) else None
        return found if found and self.applied(found, place) else None

    def _said(self, place: Location) -> Location | None:
        """Return the folder of the table that the catalog has of the name of one; None for none."""
        from sqlalchemy import text

        asked = text(
            "SELECT metadata_location FROM iceberg_tables"
            " WHERE catalog_name = 'lake' AND table_namespace = :database AND table_name = :name"
        )
        database, name = _name(place)
        with _errors(place), self._catalog.engine.connect() as connection:
            said = connection.execute(asked, {"database": database, "name": name}).scalar()
        return None if said is None else Location.parse(said).parent.parent

    def _load(self, place: Location) -> Table | None:
        """Return what the catalog has of the name of a folder; raises as `open`."""
        said = self._said(place)
        if said is None:
            return None
        with _errors(place):
            _check_place(said, place)
            found = self._catalog.load_table(_name(place))
            _check_place(Location.parse(found.location()), place)
            for old in found.metadata.metadata_log:  # each commit removes the oldest of these
                _check_place(Location.parse(old.metadata_file).parent.parent, place)
            # The catalog is open to others, which may make a table in a folder before its copy.
            if not (self.applied(found, place) or _PROPERTIES.items() <= found.properties.items()):
                raise TakenFolderError(
                    f"{place.shown}: the Iceberg table in it was not written by this command",
                    option="to",
                    value=place.shown,
                    advice="choose another folder for the lake, or drop the table in the catalog"
                    f" {_CATALOG} and move its files away",
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
        with _errors(place):
            table = table or self._made(place, rows.schema)
            # To overwrite no row is a warning of pyiceberg.
            has_files = next(iter(table.scan().plan_files()), None) is not None
            with tried_once(table) as transaction:
                evolve(transaction, rows.schema)
                set_bounds(transaction, rows.schema)
                write = transaction.overwrite if has_files else transaction.append
                said = {_APPLIED: str(version)}
                write(in_order(transaction, rows), snapshot_properties=said)
            return table

    def _made(self, place: Location, schema: pa.Schema) -> Table:
        """Return a new table, or one without rows, of a copy that was stopped."""
        table, name = self._load(place), _name(place)
        if table is None:
            with self._lock:  # tables of one database are copied at the same time
                self._catalog.create_namespace_if_not_exists(name[:-1])
            table = self._catalog.create_table(
                name, schema, location=place.path, properties=_PROPERTIES
            )
        return table

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
        with _errors(place):
            table = table or self._made(place, rows.schema)
            with tried_once(table) as transaction:
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

        Files that hold one of the keys are written anew without them.

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
        with _errors(place):
            transaction = tried_once(table)
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

    def _expire(self, table: Table) -> None:
        """Forget old snapshots; their files stay."""
        found = sorted(table.metadata.snapshots, key=lambda snapshot: snapshot.sequence_number or 0)
        old = [snapshot.snapshot_id for snapshot in found[:-_KEPT_SNAPSHOTS]]
        if len(old) >= _KEPT_SNAPSHOTS:
            table.maintenance.expire_snapshots().by_ids(old).commit()

    def remove(self, place: Location) -> str | None:
        """Remove a table; returns what `lake.remove` does, and raises as it.

        The catalog may have its name for a table of others, which stays.
        """
        said = self._said(place) if is_ours(place) else None  # none after a stop in a removal
        if said is not None and _is_at(said, place):
            names: set[str] = set()
            try:
                found = self._load(place)
                with _errors(place):
                    names.update(() if found is None else _named_files(found, place))
            except OptionError:
                raise
            except BinlogError:  # its files are damaged
                pass
            with _errors(place):
                # Also what other programs have made of the rows.
                add_names(Path(place.path), sorted(names - names_in(Path(place.path))))
                self._catalog.drop_table(_name(place))
        return remove(place)


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


def _check_catalog(catalog: Path) -> None:
    """Check that the catalog is a file of this lake alone.

    Raises:
        OSError: if it, or its journal, is a link, a pipe or a device.
    """
    for end in ("", "-journal", "-wal", "-shm"):
        check_own(catalog.with_name(catalog.name + end))
    # SQLite writes into it, and a backup of hard links shares it.
    if catalog.exists() and catalog.stat().st_nlink > 1:
        with whole_file(catalog, replaces=True, is_own=True) as file:
            file.write(catalog.read_bytes())


def _check_place(found: Location, place: Location) -> None:
    """Check that a table is in its folder: the paths in a lake that was copied are of the first.

    Raises:
        OptionError: if not.
    """
    if not _is_at(found, place):
        raise OptionError(
            f"{place.shown}: expected a table in this folder, the catalog {_CATALOG} has it in"
            f" {found.shown}; Iceberg tables cannot be copied or moved as files",
            option="to",
            value=place.shown,
            advice=f"choose another folder for the lake, or move {_CATALOG} away: then all tables"
            " are copied from the server again",
        )


def _is_at(found: Location, place: Location) -> bool:
    """Return whether two folders are the same one."""
    folder = Path(found.path)
    return found.is_local and folder.exists() and folder.samefile(place.path)


def _name(place: Location) -> tuple[str, str]:
    """Return the name of a table in the catalog: those of its folders."""
    return place.parent.name, place.name


@contextmanager
def _errors(place: Location) -> Iterator[None]:
    """Raise what pyiceberg raises in the body as one of our errors."""
    try:
        from pyiceberg.exceptions import CommitFailedException, ValidationException
    except ImportError:  # the caller says so
        yield
        return
    try:
        yield
    except BinlogError:
        raise
    except (CommitFailedException, ValidationException) as error:
        raise CommitConflictError(
            f"{place.shown}: another program has changed the table meanwhile:"
            f" {one_line(str(error), 200)}",
            advice="let one program at a time write it",
        ) from error
    except Exception as error:  # of pyiceberg, SQLAlchemy and Arrow, without a common class
        raise BinlogError(
            f"{place.shown}: cannot be read or written: {one_line(str(error), 300)}",
            advice="check the path and the permissions",
        ) from error
