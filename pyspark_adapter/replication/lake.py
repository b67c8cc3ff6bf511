"""The folders of a lake: which of them this package wrote, and how they are removed."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import fs

from pyspark_adapter.errors import BinlogError
from pyspark_adapter.options.folder_name import folder_name
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.replication.iceberg_names import NAMES, are_names, has_names, names_in
from pyspark_adapter.replication.markers import (
    LAKE,
    MARKER,
    UUID,
    is_dropped,
    lake_at,
    mark,
    mark_dropped,
    marker_check,
    marker_of,
    name_lake,
)
from pyspark_adapter.sources.arrow_storage import file_system, make_folder
from pyspark_adapter.sources.delta_commits import age_of_commit, remove_named
from pyspark_adapter.sources.delta_storage import (
    DamagedTableError,
    TakenFolderError,
    check_folder_object,
    check_lake,
    check_new,
    delta_errors,
    open_delta,
)
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.written_files import RANDOM, hidden_next_to, remove_left

if TYPE_CHECKING:
    from deltalake import DeltaTable

STATE_FOLDER: Final = "_replicate"  # no database has such a folder
# Of the transactions in the logs of Delta tables: each commit of ours has one.
APPLIED: Final = "applied"
STATE: Final = "state"
APPLICATIONS: Final = (APPLIED, STATE)
_CLAIMS: Final = Lock()
_OF_TABLE: Final = 2  # how many folders that of a table is below that of the lake
# What pyiceberg writes in the folder of a table.
ICEBERG_FOLDERS: Final = ("metadata", "data")
ICEBERG: Final = re.compile(
    rf"metadata/(\d{{5,}}-{UUID}\.metadata\.json|(snap-\d+-\d+-)?{UUID}(-m\d+)?\.avro)"
    rf"|data/\d{{5,}}-\d+-{UUID}\.parquet"
)
# What deltalake writes in the folder of a table, and in its `_delta_log`; a kill leaves the others.
PARTS: Final = re.compile(rf"part-\d{{5}}-{UUID}-c\d{{3}}\.\w+\.parquet(#\d+)?")
LEFT: Final = re.compile(rf"{PARTS.pattern}|metadata|data")  # of a copy that was stopped
_WRITER: Final = "delta-rs "  # says deltalake in the parts
COMMITS: Final = re.compile(
    rf"\d{{20}}\.(json|crc|checkpoint\.((\d{{10}}\.){{2}}|{UUID}\.)?parquet)(#\d+)?"
    rf"|_last_checkpoint(#\d+)?|_commit_{UUID}\.json\.tmp"
)


def file_name(name: str) -> str:
    """Return the name of the folder of a table or database."""
    return folder_name(name).replace("%", "@")  # deltalake would take %2F for a slash


def table_folder(lake: Location, table: TableName, kind: str = "") -> Location:
    """Return the folder of the copy of a table, or another one of it, such as of its `.history`.

    Raises:
        TakenFolderError: if the folder of the database is a link: another lake may be behind it.
    """
    database = lake.child(f"{file_name(table.database_name)}{kind}")
    if database.is_local and Path(database.path).is_symlink():
        raise TakenFolderError(
            f"{database.shown}: expected a folder of this lake, found a link",
            option="to",
            value=database.shown,
            advice="move the folder behind it here, or choose another folder for the lake",
        )
    return database.child(file_name(table.table_name))


def claim_lake(lake: Location) -> None:
    """Make a folder a lake, and that of its state one of this package; raises as `claim`."""
    with _CLAIMS, _storage(lake) as (system, path):
        if lake_at(system, path) is None:
            if system.get_file_info(f"{path}/{LAKE}").type != fs.FileType.NotFound:
                raise TakenFolderError(
                    f"{lake.shown}: {LAKE} in it is not as this command wrote it",
                    option="to",
                    value=lake.shown,
                    advice="choose another folder for the lake",
                )
            _check_others(lake.child(STATE_FOLDER), system, f"{path}/{STATE_FOLDER}")
            make_folder(system, path)
            name_lake(system, path)
    _claim(lake.child(STATE_FOLDER), 1)


def claim(folder: Location) -> None:
    """Make the folder of a table, and that of its database, one of this package.

    What a stopped removal left in it goes first.

    Raises:
        TakenFolderError: if one holds something, and is not of this package and this lake.
        BinlogError: if it cannot be written, the lake has lost its name, or deltalake would take
            the path for another one.
    """
    _claim(folder.parent, 1)
    _claim(folder, _OF_TABLE)


def _claim(folder: Location, depth: int) -> None:
    """Make a folder of a lake one of this package; it is so many folders below that of the lake."""
    # Tables of a database are copied at the same time: each would find the marker of another.
    with _CLAIMS, _storage(folder) as (system, path):
        text = _marker(system, path, depth)
        if text is not None and is_dropped(text):
            kept = remove(folder)
            if kept is not None:
                raise TakenFolderError(
                    f"{folder.shown}: the table that was here is gone, and its folder stays because"
                    f" of {kept} in it, which this command did not write",
                    option="to",
                    value=folder.shown,
                    advice="move it away: then the new table is copied",
                )
            text = None
        if text is None:
            _check_others(folder, system, path)
            name = lake_at(system, path.rsplit("/", depth)[0])
            if name is None:
                raise BinlogError(
                    f"{folder.shown}: expected the name of the lake in {LAKE}, found none",
                    advice="set that file back, or choose another folder for the lake",
                )
            check_folder_object(folder)
            make_folder(system, path)
            mark(system, path, depth, name)


def claim_new(folder: Location) -> None:
    """Claim the folder of a new table; its marker may be a copy of one, among files of others.

    Raises:
        TakenFolderError, BinlogError: as `claim`.
    """
    claim(folder)
    check_new(folder, option="to", left=LEFT)


def is_ours(folder: Location, depth: int = _OF_TABLE) -> bool:
    """Return whether this package made a folder; other programs have markers of that name, too."""
    with _storage(folder) as (system, path):
        return _marker(system, path, depth) is not None


def open_ours(folder: Location, depth: int = _OF_TABLE) -> DeltaTable | None:
    """Return the Delta table of a folder as it is now; None if there is none of this package.

    Raises:
        TakenFolderError: if it has no transaction of ours: the marker was copied.
        DamagedTableError: if its log is damaged; only on a local disk, where that is no outage.
        BinlogError: if it cannot be read.
    """
    try:
        delta = open_delta(folder) if is_ours(folder, depth) else None
    except BinlogError as error:
        if not folder.is_local or isinstance(error.__cause__, (OSError, type(None))):
            raise
        raise DamagedTableError(
            f"{folder.shown}: the log of the table is damaged: {error}",
            option="to",
            value=folder.shown,
            advice="move the folder away: then the table is copied again",
        ) from error
    if delta is not None:
        with delta_errors(folder):
            is_written = any(delta.transaction_version(name) is not None for name in APPLICATIONS)
        if not is_written:
            raise TakenFolderError(
                f"{folder.shown}: the Delta table in it was not written by this command",
                option="to",
                value=folder.shown,
                advice="choose another folder for the lake, or move the table away",
            )
    return delta


def remove(folder: Location) -> str | None:
    """Remove the files of this package in the folder of a table.

    A stop on the way leaves a marker that says so. The log of the table goes first, from its
    beginning, so that no reader finds a part of the rows.

    Returns:
        Another file in it, for which the folder stays, as one of others; None for none.

    Raises:
        TakenFolderError, BinlogError: as `open_ours`.
    """
    with _storage(folder) as (system, path):
        text = _marker(system, path, _OF_TABLE)
        if text is None:
            return None
        check_folder_object(folder)
        check_folder_object(folder.child("_delta_log"))
        if is_dropped(text):
            _check_dropped(folder, system, path)
            delta = None
        else:
            delta = open_ours(folder)
        # Others may have moved the rows to files of their own.
        uris = () if delta is None else delta.file_uris()
        named = {uri.rpartition("/")[2] for uri in uris}
        is_local = isinstance(system, fs.LocalFileSystem)
        written = names_in(Path(path)) if is_local else set()  # Iceberg tables are local
        if not is_dropped(text):
            mark_dropped(system, path, text)
        begun = system.get_file_info(f"{path}/{MARKER}").mtime_ns
        is_same = marker_check(Path(path)) if is_local else lambda: True

        def ours(folder: str, names: Callable[[str], object]) -> Callable[[str], object]:
            def is_old(name: str) -> bool:
                """A removal that was stopped may go on long after, among new files."""
                written_at = system.get_file_info(f"{path}/{folder}{name}").mtime_ns
                return None not in (begun, written_at) and written_at <= begun

            is_at_once = not is_dropped(text)
            return lambda name: is_same() and names(name) and (is_at_once or is_old(name))

        log, commits = f"{path}/_delta_log", ours("_delta_log/", COMMITS.fullmatch)
        kept = {"_delta_log": remove_named(system, log, commits, age_of_commit)}
        for name in ICEBERG_FOLDERS if is_local else ():
            noted = {n.removeprefix(f"{name}/") for n in written if ICEBERG.fullmatch(n)}
            files = ours(f"{name}/", noted.__contains__)
            kept[name] = remove_named(system, f"{path}/{name}", files, str)
        for name in kept if written else ("_delta_log",):
            _remove_folder(system, f"{path}/{name}")
        others = [f"{name}/{other}" for name, left in kept.items() for other in left]
        for name in (MARKER, NAMES) if is_local else ():
            remove_left(Path(path, name))
        is_part = ours("", lambda name: _is_part(system, path, name, named))
        left = remove_named(system, path, is_part, str)
        is_whole = is_local and has_names(Path(path, NAMES)) and are_names(written)
        own = {MARKER, NAMES} if is_whole else {MARKER}
        others += [name for name in left if name not in own]
        for name in sorted(own, reverse=True):  # the marker last
            if name == NAMES and not has_names(Path(path, NAMES)):  # of others by now
                others.append(NAMES)
            else:
                remove_named(system, path, ours("", name.__eq__), str)
        # Elsewhere an empty one stays: a folder is removed with what others put there meanwhile.
        if is_local and not others:
            _remove_folder(system, path)
        return others[0] if others else None


def _check_dropped(folder: Location, system: fs.FileSystem, path: str) -> None:
    """Check that no other has made a table in a folder since its own was removed, or in part.

    Raises:
        TakenFolderError, BinlogError: as `open_ours`.
    """
    try:
        open_ours(folder)
    except BinlogError as error:
        # What is left of our own may lack its first commits, and cannot be read.
        first = system.get_file_info(f"{path}/_delta_log/{0:020}.json")
        is_other = isinstance(error, TakenFolderError) and not isinstance(error, DamagedTableError)
        if is_other or first.type != fs.FileType.NotFound:
            raise


def _is_part(system: fs.FileSystem, path: str, name: str, named: Collection[str]) -> bool:
    """Return whether a file is a part of a Delta table of this package.

    Spark gives files of Parquet the same names; each file says which program wrote it.

    Args:
        system: of the file.
        path: of the folder.
        name: of the file.
        named: the files that the log of the table names.
    """
    if not PARTS.fullmatch(name):
        return False
    if name in named or "#" in name:
        return True
    try:
        written_by = pq.read_metadata(f"{path}/{name}", filesystem=system).created_by
    except (pa.ArrowException, OSError):
        return False
    return bool(written_by.startswith(_WRITER))


def _remove_folder(system: fs.FileSystem, path: str) -> None:
    """Remove a folder that is empty."""
    if system.get_file_info(path).type != fs.FileType.Directory:
        return
    if not system.get_file_info(fs.FileSelector(path)):
        if isinstance(system, fs.LocalFileSystem):
            Path(path).rmdir()
        else:
            system.delete_dir(path)


def _marker(system: fs.FileSystem, path: str, depth: int) -> bytes | None:
    """Return the text of the marker of a folder; None if it is not of this package."""
    # The tables behind links are of others, such as of another lake.
    if isinstance(system, fs.LocalFileSystem) and any(
        Path(path, name).is_symlink() for name in ("", "_delta_log", *ICEBERG_FOLDERS)
    ):
        return None
    return marker_of(system, path, depth)


def _check_others(folder: Location, system: fs.FileSystem, path: str) -> None:
    """Check that a folder is empty, except for what a kill left, and neither a link nor a file."""
    if isinstance(system, fs.LocalFileSystem) and Path(path).is_symlink():
        raise TakenFolderError(
            f"{folder.shown}: expected a folder of this lake, found a link",
            option="to",
            value=folder.shown,
            advice="remove it, or choose another folder for the lake",
        )
    if system.get_file_info(path).type == fs.FileType.File:
        raise TakenFolderError(
            f"{folder.shown}: expected a folder of this lake, found a file",
            option="to",
            value=folder.shown,
            advice="move it away, or choose another folder for the lake",
        )
    found = system.get_file_info(fs.FileSelector(path, allow_not_found=True))
    names, left = [info.base_name for info in found], 0
    if found and isinstance(system, fs.LocalFileSystem):
        left = len(hidden_next_to(Path(path, MARKER), rf"{RANDOM}\.part"))
    if len(names) > left:
        raise TakenFolderError(
            f"{folder.shown}: it holds files, such as {min(names)}, and no {MARKER} that"
            " says that this command wrote them for this lake",
            option="to",
            value=folder.shown,
            advice="choose another folder for the lake, or move them away",
        )


@contextmanager
def _storage(folder: Location) -> Iterator[tuple[fs.FileSystem, str]]:
    """Give the file system of a folder, and its path there; errors of it become ours."""
    check_lake(folder)  # markers and tables have to be at one place
    try:
        yield file_system(folder)
    except BinlogError:
        raise
    except OSError as error:
        reason = error.strerror or str(error).partition("\n")[0]
        raise BinlogError(
            f"{folder.shown}: cannot be read or written: {reason}",
            advice="check the path, the permissions and the settings of the storage",
        ) from error
