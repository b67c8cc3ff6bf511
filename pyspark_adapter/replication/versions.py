"""Which version of each table is on the disk: what of a lake survives a power failure.

Neither deltalake nor pyiceberg syncs what it writes. Before the state says up to where the log was
read, the files of all commits since then are synced, and the state names the version that each
table has with them. After a power failure the versions after these may be torn: the table is set
back, and the log is read again from where the state is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from pyspark_adapter.errors import BinlogError
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.ownership import DamagedTableError, TakenFolderError
from pyspark_adapter.sources.written_files import sync
from pyspark_adapter.warn import warn

if TYPE_CHECKING:
    from pyspark_adapter.replication.delta_tables import DeltaTables
    from pyspark_adapter.replication.iceberg_tables import IcebergTables

_NUM_SYNCS: Final = 16  # at a time: file systems write them together


def boot_id() -> str:
    """Return what names the time since this machine was started; empty if that is not known."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


class Versions:
    """The versions of the tables of a lake, by the name of their folder.

    Args:
        lake: its folder.
        tables: in its format.
        known: what the state says.
        has_restarted: whether the machine may have been started since then.
    """

    def __init__(
        self,
        lake: Location,
        tables: DeltaTables | IcebergTables,
        known: Mapping[str, str],
        *,
        has_restarted: bool = False,
    ) -> None:
        self._lake, self._tables, self._known = lake, tables, dict(known)
        # An object storage keeps what it has accepted.
        self._has_restarted = has_restarted and lake.is_local
        self._touched: dict[str, Location] = {}
        self._unsynced: set[Path] = set()
        self._lock = Lock()
        tables.on_commit = self.touch

    def touch(self, location: Location) -> None:
        """Note that a table gets a commit; threads may call it."""
        with self._lock:
            self._touched[_name(location)] = location

    def synced(self) -> dict[str, str]:
        """Sync what was committed since the last call, and return the version of each table.

        Raises:
            BinlogError: if a table or file cannot be read.
        """
        with self._lock:
            touched, self._touched = self._touched, {}
        known = dict(self._known)
        try:
            for name, location in touched.items():
                known[name], written = self._tables.written(location, known.get(name, ""))
                self._unsynced.update(written)
            if self._lake.is_local:
                _sync_all(self._unsynced, Path(self._lake.path).resolve())
        except BaseException:
            with self._lock:
                self._touched = touched | self._touched
            raise
        self._unsynced.clear()
        self._known = known
        return dict(known)

    def knows(self, location: Location) -> bool:
        """Return whether the state names a version of a table."""
        return _name(location) in self._known

    def fits(self, location: Location) -> bool:
        """Return whether a table is as the state knows it, if need be after it was set back.

        Later versions are those of a round that was killed, unless the machine was started since:
        then they may lack files.

        Raises:
            BinlogError: if it cannot be read.
        """
        known = self._known.get(_name(location))
        version, reason = self._version(location)
        if version and (known is None or version == known):
            return True
        if version and known and not self._has_restarted and self._tables.is_later(version, known):
            self.touch(location)
            return True
        if known and (not version or self._tables.is_later(version, known)):
            try:
                if self._tables.set_back(location, known) and self._version(location)[0] == known:
                    warn(f"{location.shown}: was set back to version {known}, the last one synced")
                    return True
            except (BinlogError, OSError) as error:
                reason = str(error)
        expected = f" expected version {known}, which the last round left;" if known else ""
        warn(
            f"{location.shown}: {reason or f'is at {version}'};{expected} the table is copied again"
        )
        return False

    def table_to_replace(self, location: Location) -> Any:
        """Return the table of a folder, whose rows are to be replaced; None if it is damaged.

        Raises:
            DamagedTableError: if it is damaged, and in a catalog of the user.
            BinlogError: if it cannot be read.
        """
        with suppress(DamagedTableError):
            table: Any = self._tables.open(location)
            if table is None:
                self._known.pop(_name(location), None)  # its versions begin again
            if table is None or not location.is_local or self._tables.is_whole(location, table):
                return table
        self._tables.discard(location)
        self._known.pop(_name(location), None)
        return None

    def remove(self, location: Location) -> None:
        """Remove the copy of a table: what its own log or snapshots name; warn of what stays."""
        try:
            try:
                kept = self._tables.remove(location)
            except DamagedTableError:  # as a power failure leaves one; nothing names its files
                self._tables.discard(location)
                kept = self._tables.remove(location)
            if kept is not None:
                warn(f"{location.shown}: kept, because of {kept} in it")
        except TakenFolderError as error:
            warn(f"{location.shown}: not removed: {error}")

    def opened(self, location: Location) -> Any:
        """Return the table of a folder; None if there is none, or none that was ever synced.

        Raises:
            DamagedTableError: if a table that was synced is damaged.
            BinlogError: if it cannot be read.
        """
        if self._has_restarted and not self.knows(location):
            return self.table_to_replace(location)
        return self._tables.open(location)

    def _version(self, location: Location) -> tuple[str, str]:
        """Return the version of a table, or the problem with it; the other is empty."""
        try:
            table: Any = self._tables.open(location)
        except DamagedTableError as error:
            return "", str(error)
        if table is None:
            return "", "is gone"
        if not self._tables.is_whole(location, table):
            return "", "files of the table are missing or cut"
        return self._tables.version(table), ""


def _name(location: Location) -> str:
    return f"{location.parent.name}/{location.name}"


def _sync_all(files: Collection[Path], lake: Path) -> None:
    """Sync files and all folders between them and the lake."""
    folders = {
        folder for file in files for folder in file.parents if lake in (folder, *folder.parents)
    }
    with ThreadPoolExecutor(_NUM_SYNCS) as pool:
        list(pool.map(sync, files))
        list(pool.map(sync, folders))  # after the files, which their names lead to
