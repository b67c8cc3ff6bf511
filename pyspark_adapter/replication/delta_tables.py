"""Delta tables of a lake: each commit says up to which transaction of the log the rows are."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import fs

from pyspark_adapter.errors import BinlogError
from pyspark_adapter.options.table_name import quoted
from pyspark_adapter.replication.alterations import AlteredColumns
from pyspark_adapter.replication.changes import TYPE, rows_without, split_changes
from pyspark_adapter.replication.lake import remove_empty
from pyspark_adapter.sources.arrow_storage import file_system
from pyspark_adapter.sources.delta_storage import delta_address, delta_errors, open_delta
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.ownership import DamagedTableError, TakenFolderError
from pyspark_adapter.sources.written_files import sync

if TYPE_CHECKING:
    from deltalake import CommitProperties, DeltaTable

    from pyspark_adapter.replication.iceberg_tables import IcebergTables

APPLIED: Final = "applied"  # the transaction of Delta that each commit of this package has
_REMOVED: Final = "_removed"  # the log of a table whose removal was stopped
_DELETE: Final = "delete"
_SMALL_ROWS: Final = 10_000
_SMALL_BYTES: Final = 1 << 20
# More files below the first size become files of the second.
_SMALL_FILE: Final = 8 << 20
_WHOLE_FILE: Final = 32 << 20
_MOST_SMALL: Final = 32


def applied_to(version: int) -> CommitProperties:
    """Return what a commit says about its rows; it fails after a commit of another program.

    deltalake would add new rows to those of the other, and make a new table a part of its table.
    """
    from deltalake import CommitProperties, Transaction

    transactions = [Transaction(APPLIED, version)]
    return CommitProperties(app_transactions=transactions, max_commit_retries=0)


def write_rows(
    location: Location,
    delta: DeltaTable | None,
    rows: pa.RecordBatchReader,
    mode: Literal["append", "overwrite"],
    version: int,
) -> None:
    """Write rows to a Delta table in one commit, with up to which transaction they are.

    Args:
        delta: the table as it was read: the commit fails if another program has changed it since.
            None for one that is made.
        rows: with the columns of the table, or more.
        mode: whether they replace the existing ones, columns included.
        version: the `_commit_version`.

    Raises:
        BinlogError: if they cannot be written.
    """
    from deltalake import write_deltalake

    address, options = delta_address(location)
    with delta_errors(location):
        write_deltalake(
            address if delta is None else delta,
            rows,
            mode=mode if delta is not None else "error",
            schema_mode=None if delta is None else "merge" if mode == "append" else "overwrite",
            storage_options=(options or None) if delta is None else None,
            commit_properties=applied_to(version),
        )


class DeltaTables:
    """The tables of a lake in the format Delta; `IcebergTables` does the same in its format.

    Attributes:
        on_commit: called with the folder of a table after each commit.
    """

    def __init__(self) -> None:
        self.on_commit: Callable[[Location], None] = lambda _: None

    def open(self, location: Location) -> DeltaTable | None:
        """Return the table of a folder as it is now; None if there is none.

        Raises:
            TakenFolderError: if another program wrote it.
            DamagedTableError: if its log is damaged; only on a local disk, where that is no outage.
            BinlogError: if it cannot be read.
        """
        try:
            delta = open_delta(location)
        except BinlogError as error:
            if not location.is_local or isinstance(error.__cause__, (OSError, type(None))):
                raise
            raise DamagedTableError(
                f"{location.shown}: the log of the table is damaged: {error}",
                option="to",
                value=location.shown,
                advice="move the folder away: then the table is copied again",
            ) from error
        if delta is not None and not self.applied(delta, location):
            raise TakenFolderError(
                f"{location.shown}: the Delta table in it was not written by this command",
                option="to",
                value=location.shown,
                advice="choose another folder for the lake, or move the table away",
            )
        return delta

    def applied(self, delta: DeltaTable, location: Location) -> int:
        """Return the last transaction of the log that the rows include; 0 for none."""
        with delta_errors(location):
            return delta.transaction_version(APPLIED) or 0

    def schema(self, delta: DeltaTable) -> pa.Schema:
        """Return the columns of a table."""
        return pa.schema(delta.schema())

    def form_of(self, schema: pa.Schema) -> pa.Schema:
        """Return columns as a table has them."""
        return schema

    def copy(
        self, location: Location, delta: DeltaTable | None, rows: pa.RecordBatchReader, version: int
    ) -> DeltaTable | None:
        """Replace all rows, and columns that are others, in one commit; raises as `write_rows`."""
        write_rows(location, delta, rows, "overwrite", version)
        self.on_commit(location)
        return self.open(location)

    def rows(
        self, delta: DeltaTable, column: str = "", low: int | None = None, high: int | None = None
    ) -> Iterator[pa.RecordBatch]:
        """Return the rows of a table, of some values of a column: from one to before another."""
        wanted = pc.scalar(True)
        if low is not None:
            wanted &= pc.field(column) >= low
        if high is not None:
            wanted &= pc.field(column) < high
        return iter(delta.to_pyarrow_dataset().to_batches(filter=wanted))

    def append(
        self, location: Location, delta: DeltaTable | None, rows: pa.RecordBatchReader, version: int
    ) -> None:
        """Add rows, and columns that are new, in one commit; raises as `write_rows`."""
        if delta is not None:
            _compact(location, delta)
        write_rows(location, delta, rows, "append", version)
        self.on_commit(location)

    @property
    def has_renames(self) -> bool:
        """No: deltalake 1.6 has no call for it."""
        return False

    def widens(self, old: pa.DataType, new: pa.DataType) -> bool:
        """Return whether the type of a column can become another one without a copy."""
        return bool(old == new)

    def merge(
        self,
        location: Location,
        delta: DeltaTable,
        net: pa.Table | None,
        key: Sequence[str],
        version: int,
        columns: AlteredColumns | None = None,
    ) -> None:
        """Apply the last change of each key in one commit; raises BinlogError.

        Columns are added in a commit of their own before it, which may be repeated.

        Args:
            delta: the table as it was read; as for `write_rows`.
            net, key: as for `split_changes`; None for no changes.
            version: up to which transaction they are.
            columns: of the table from now on; None for those that it has.
        """
        if columns is not None and columns.schema != self.schema(delta):
            none = pa.RecordBatchReader.from_batches(columns.schema, [])
            write_rows(location, delta, none, "append", self.applied(delta, location))
        if net is not None:
            _merge_rows(location, delta, net, key, version)
        self.on_commit(location)

    def version(self, delta: DeltaTable) -> str:
        """Return what names the state of a table."""
        return str(delta.version())

    def is_later(self, version: str, known: str) -> bool:
        """Return whether a version is after another one."""
        return int(version) > int(known)

    def is_whole(self, location: Location, delta: DeltaTable) -> bool:
        """Return whether the last commit of a table, as it was read, and its files exist.

        In object storage the commit alone is looked for.
        """
        system, path = file_system(location)
        sizes: dict[str, int | None] = {f"_delta_log/{delta.version():020}.json": None}
        with delta_errors(location):
            if location.is_local:
                adds = pa.table(delta.get_add_actions(flatten=True))
                named = map(unquote, adds["path"].to_pylist())
                sizes |= dict(zip(named, adds["size_bytes"].to_pylist(), strict=True))
            infos = system.get_file_info([f"{path}/{name}" for name in sizes])
        pairs = zip(infos, sizes.values(), strict=True)
        return all(info.size if size is None else info.size == size for info, size in pairs)

    def written(self, location: Location, known: str) -> tuple[str, list[Path]]:
        """Return the version of a table, and the local files of the commits after another one."""
        if not location.is_local:
            delta = self.open(location)
            return ("" if delta is None else self.version(delta)), []
        folder = Path(location.path).resolve()
        log, files = folder / "_delta_log", list[Path]()
        if known and (log / f"{int(known):020}.json").exists():
            last = int(known)
        else:
            last = min((int(file.stem) for file in log.glob("[0-9]*.json")), default=0) - 1
        while (commit := log / f"{last + 1:020}.json").exists():
            last += 1
            files += [commit, *log.glob(f"{last:020}.checkpoint*"), *log.glob("_last_checkpoint")]
            for action in map(json.loads, commit.read_text().splitlines()):
                if added := action.get("add"):
                    files.append(folder / unquote(added["path"]))
        return str(last), files

    def set_back(self, location: Location, version: str) -> bool:
        """Remove the commits after a version from the log; return whether the version exists."""
        log = Path(location.path, "_delta_log")
        if not location.is_local or not (log / f"{int(version):020}.json").is_file():
            return False
        numbered = (file for file in log.iterdir() if file.name[:20].isdigit())
        for file in sorted(numbered, reverse=True):  # so that a kill leaves no gap
            if int(file.name[:20]) > int(version):
                file.unlink()
        (log / "_last_checkpoint").unlink(missing_ok=True)
        sync(log)
        return True

    def discard(self, location: Location) -> None:
        """Remove the log of a table that is damaged, so that it can be copied again.

        Files that it may have named stay.
        """
        with delta_errors(location):
            rmtree(Path(location.path, "_delta_log"))

    def close(self) -> None:
        """Do nothing: no table is kept open."""

    def remove(self, location: Location) -> str | None:
        """Remove the files that the log of a table names, and the log; raises BinlogError.

        Returns:
            Another file in the folder, which stays for it; None if the folder is removed.
        """
        delta = self.open(location)
        with delta_errors(location):
            if delta is not None:
                delta.delete()
                time.sleep(0.01)  # vacuum keeps files that were removed in the same millisecond
                delta.vacuum(0, dry_run=False, enforce_retention_duration=False)
            system, path = file_system(location)
            for folder in (f"{path}/{_REMOVED}", f"{path}/_delta_log"):
                if system.get_file_info(folder).type == fs.FileType.Directory:
                    if location.is_local:  # a kill leaves no half of a log
                        system.move(folder, f"{path}/{_REMOVED}")
                    system.delete_dir(f"{path}/{_REMOVED}" if location.is_local else folder)
            return remove_empty(location)


def tables_of(lake: Location, table_format: str, catalog: str = "") -> DeltaTables | IcebergTables:
    """Return the tables of a lake in its format; the catalog is as for `IcebergCatalog`."""
    if table_format == "delta":
        return DeltaTables()
    from pyspark_adapter.replication.iceberg_tables import IcebergTables

    return IcebergTables(lake, catalog)


def _merge_rows(
    location: Location, delta: DeltaTable, net: pa.Table, key: Sequence[str], version: int
) -> None:
    """Apply the last change of each key in one commit; takes the arguments of `merge`."""
    _compact(location, delta)
    with delta_errors(location):
        schema = pa.schema(delta.schema())
        gone, new = split_changes(net, key, schema)
        if not len(gone):
            write_rows(location, delta, new.to_reader(), "append", version)
            return
        if _is_small(delta):
            table = delta.to_pyarrow_table()
            rows = [rows_without(table, gone, key).cast(schema), new]
            write_rows(location, delta, pa.concat_tables(rows).to_reader(), "overwrite", version)
            return
        names = map(quoted, key or schema.names)
        is_same = "=" if key else "IS NOT DISTINCT FROM"
        on = " AND ".join(f"(target.{name} {is_same} source.{name})" for name in names)
        values = {name: f"source.{name}" for name in map(quoted, schema.names)}
        delta.merge(
            net.select(schema.names).cast(schema).append_column(TYPE, net[TYPE]),
            on if key else f"source.{TYPE} = '{_DELETE}' AND {on}",
            source_alias="source",
            target_alias="target",
            streamed_exec=False,  # so that files without a key of these are not read
            commit_properties=applied_to(version),
        ).when_matched_delete(f"source.{TYPE} = '{_DELETE}'").when_matched_update(
            values
        ).when_not_matched_insert(values, f"source.{TYPE} != '{_DELETE}'").execute()


def _compact(location: Location, delta: DeltaTable) -> None:
    """Write many small files as few, in a commit that changes no row; old ones stay for readers."""
    from deltalake import CommitProperties

    with delta_errors(location):
        sizes = pa.table(delta.get_add_actions(flatten=True))["size_bytes"]
        if (pc.sum(pc.less(sizes, _SMALL_FILE)).as_py() or 0) > _MOST_SMALL:
            delta.optimize.compact(
                target_size=_WHOLE_FILE, commit_properties=CommitProperties(max_commit_retries=0)
            )


def _is_small(delta: DeltaTable) -> bool:
    """Return whether a table is written again as a whole in less time than a merge takes."""
    files = pa.table(delta.get_add_actions(flatten=True))
    if not len(files):
        return True
    num_rows, num_bytes = (pc.sum(files[name]).as_py() for name in ("num_records", "size_bytes"))
    return num_rows is not None and num_rows <= _SMALL_ROWS and num_bytes <= _SMALL_BYTES
