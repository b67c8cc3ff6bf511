"""A folder of index files: one for each log, or for many logs that were packed together.

Files are named by the logs and never change; a newer file replaces an older one by a
rename. So any number of processes may write and read a folder at the same time.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterable
from contextlib import suppress
from itertools import chain
from operator import attrgetter
from pathlib import Path
from threading import Lock
from typing import Final

from pyspark_adapter.errors import OptionError
from pyspark_adapter.events.log_start import first_event_of, log_id_of, tail_before
from pyspark_adapter.index_store.index_batches import IndexHeader, LogTables
from pyspark_adapter.index_store.index_file import (
    HEAD,
    OWN_HEAD,
    SUFFIX,
    StoredIndexes,
    digest_of,
    pieces_of,
    read_file,
)
from pyspark_adapter.index_store.log_index import LogIndex
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import folder_name
from pyspark_adapter.sources.locations import Location, StoredFile
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.sources.open_storage import put_file, read_start, remove_file, storage_of
from pyspark_adapter.sources.written_files import whole_file
from pyspark_adapter.warn import warn

_PACK: Final = "pack-"
_NAME: Final = attrgetter("name")
# Letters of a name that `folder_name` does not cut.
_LEN_PREFIX: Final = 190


def _prefix(log_name: str) -> str:
    """Return how the names of files of a log begin."""
    return folder_name(f"{log_name}-").split("~")[0][:_LEN_PREFIX]


class IndexFolder:
    """The indexes in a folder; files are read when a log of their name is asked for.

    A file that is damaged, or of another version, is left out with a warning.

    Args:
        path: of the folder; may be a URI.
        may_be_missing: whether there need be no such folder.

    Raises:
        OptionError: if there is no such folder, or it cannot be read; for a URI with `..`.
        UnsupportedError: if there is no library for its storage.
    """

    def __init__(self, path: str | os.PathLike[str], *, may_be_missing: bool = False) -> None:
        self.location = Location.parse(path)
        self.path = str(self.location)
        if not self.location.is_plain:
            raise _folder_error(self.location.shown, "the path has empty parts, `.` or `..`")
        # By name and identity of the log; the one that goes farthest.
        self._headers: dict[tuple[str, str], tuple[IndexHeader, StoredIndexes]] = {}
        self._names: set[str] = set()
        self._unread: list[StoredFile] = []
        self._lock = Lock()
        # By path, with the time of the last change.
        self._found: dict[str, tuple[LogFile, float | None, IndexHeader | None]] = {}
        self._indexes: dict[str, LogIndex] = {}
        try:
            self._unread = self._list()
        except FileNotFoundError:
            if not may_be_missing:
                raise _folder_error(self.location.shown, "there is no such folder") from None
        except OSError as error:
            raise _folder_error(self.location.shown, error.strerror or str(error)) from error

    def _list(self) -> list[StoredFile]:
        listed = storage_of(self.location).list(self.location)
        files = [file for file in listed if file.name.endswith(SUFFIX) and not file.is_directory]
        return sorted(files, key=_NAME)

    def _read(self, prefix: str) -> None:
        """Read the files whose names begin with a prefix, and packs, unless they have been read.

        Raises:
            OptionError: if one cannot be read.
        """
        wanted = self._taken(_PACK) + self._taken(prefix)
        try:
            for file in wanted:
                with suppress(FileNotFoundError):  # packed or dropped meanwhile
                    self._load(file)
        except OSError as error:
            raise _folder_error(self.location.shown, error.strerror or str(error)) from error

    def _taken(self, prefix: str) -> list[StoredFile]:
        """Remove the files with a prefix from those that are not read, and return them."""
        first = bisect_left(self._unread, prefix, key=_NAME)
        last = bisect_left(self._unread, f"{prefix}\U0010ffff", key=_NAME)
        files = self._unread[first:last]
        del self._unread[first:last]
        return files

    def _load(self, file: StoredFile) -> None:
        try:
            data = read_file(file)
        except ValueError as error:
            found_bad = f"{file.location.shown}: {error}; it is left out, and its logs are read as"
            warn(f"{found_bad} without an index; `index LOGS --pack` makes it again")
            return
        for header in () if data is None else data.logs:
            known = self._headers.get((header.name, header.log_id))
            if data is not None and (known is None or known[0].indexed_to < header.indexed_to):
                self._headers[header.name, header.log_id] = header, data
                self._names.add(header.name)
        self._found.clear()
        self._indexes.clear()

    def find(self, log_file: LogFile) -> LogIndex | None:
        """Return the index of a log, which is valid up to where it ends; raises BinlogError.

        It is valid if the log has kept its size and modification time, or the bytes before the end
        of the index. An invalid or damaged index is ignored with a warning. A log of the same size
        and time is checked once.

        Returns:
            None if there is no valid one.
        """
        header = self.header_of(log_file)
        if header is None:
            return None
        with self._lock:
            if log_file.path not in self._indexes:
                key = header.name, header.log_id
                try:
                    self._indexes[log_file.path] = self._headers[key][1].index(header.number)
                except (OSError, ValueError) as error:
                    warn(f"{log_file.name}: its index {error}, and is not used")
                    self._found[log_file.path] = log_file, log_file.modified, None
            return self._indexes.get(log_file.path)

    def tables_of(self, log_file: LogFile) -> LogTables | None:
        """Return what the index of a log knows of its tables; as `find`.

        Raises:
            BinlogError: if the log cannot be read.
        """
        header = self.header_of(log_file)
        if header is None:
            return None
        try:
            with self._lock:
                return self._headers[header.name, header.log_id][1].tables(header.number)
        except (OSError, ValueError):
            self.find(log_file)  # says why
            return None

    def header_of(self, log_file: LogFile) -> IndexHeader | None:
        """Return what the index of a log says without its blocks; as `find`; raises BinlogError."""
        if log_file.server is not None:
            return None
        with self._lock:
            known = self._found.get(log_file.path)
            if known is not None and known[:2] == (log_file, log_file.modified):
                return known[2]
            header = self._find(log_file)
            self._found[log_file.path] = log_file, log_file.modified, header
            self._indexes.pop(log_file.path, None)
            return header

    def _find(self, log_file: LogFile) -> IndexHeader | None:
        self._read(_prefix(log_file.name))
        if log_file.name not in self._names:
            return None
        event = first_event_of(log_file)
        header = None if event is None else self._headers.get((log_file.name, log_id_of(event)))
        index = None if header is None else header[0]
        if index is None:
            reason = "is of another log of this name"
        elif index.compression != log_file.compression:
            reason = "is of the log in another archive"
        elif is_as_indexed(index, log_file):
            return index
        elif index.compression or index.indexed_to > log_file.num_bytes:
            reason = "does not fit the log any more"
        elif tail_before(log_file, index.indexed_to) == index.tail:
            return index
        else:
            reason = "does not fit the log any more"
        warn(f"{log_file.name}: its index {reason}, and is not used")
        return None

    def write(self, index: LogIndex) -> None:
        """Write the index of a log, in the place of an earlier one; raises OSError."""
        name = folder_name(f"{index.name}-{index.log_id}")
        file = self._write(f"{name}{SUFFIX}", pieces_of([index]))
        self._headers.pop((index.name, index.log_id), None)
        self._load(file)

    def _write(self, name: str, pieces: Iterable[bytes]) -> StoredFile:
        """Write a file, in the place of an earlier one; raises OSError."""
        location = self.location.child(name)
        if location.is_local:
            Path(self.location.path).mkdir(parents=True, exist_ok=True)
            with whole_file(location.path, replaces=True) as file:
                file.writelines(pieces)
        else:
            put_file(location, b"".join(pieces))
        return storage_of(location).look_up(location)

    def pack(self) -> int:
        """Write all indexes into one file, remove those files, and return how many there are.

        Raises:
            OSError: if it cannot be written.
        """
        self._read("")
        indexes = []
        for key, (header, stored) in [*self._headers.items()]:
            try:
                indexes.append(stored.index(header.number))
            except ValueError as error:
                warn(f"{header.name}: its index {error}, and is left out")
                del self._headers[key]
        if not indexes:
            return 0
        pieces = pieces_of(indexes)
        start = next(pieces)
        try:
            name = f"{_PACK}{digest_of(start)[:16]}{SUFFIX}"
            packed = self._write(name, chain([start], pieces))
        except ValueError as error:
            raise OSError(f"an index was written meanwhile ({error}); run it again") from error
        for file in self._list():
            # What another process has written meanwhile goes farther, and stays.
            with suppress(FileNotFoundError):
                if file.name != name and self._is_useless(file):
                    remove_file(file.location)
        self._headers.clear()
        self._load(packed)  # the details are in another file now
        return len(self._headers)

    def _is_useless(self, file: StoredFile) -> bool:
        """Return whether a file of this package says nothing more, and is not of a later version.

        Raises:
            OSError: if it cannot be read.
        """
        try:
            data = read_file(file)
        except ValueError:
            return read_start(file.location, len(HEAD)) <= HEAD
        return data is not None and all(map(self._has, data.logs))

    def _has(self, header: IndexHeader) -> bool:
        known = self._headers.get((header.name, header.log_id))
        return known is not None and known[0].indexed_to >= header.indexed_to

    def drop(self) -> int:
        """Remove the files that this package wrote; return how many; raises OSError."""
        locations = [file.location for file in self._list()]
        files = [place for place in locations if OWN_HEAD.fullmatch(read_start(place, len(HEAD)))]
        for location in files:
            with suppress(FileNotFoundError):
                remove_file(location)
        for known in (self._headers, self._indexes, self._found, self._names, self._unread):
            known.clear()
        return len(files)


def indexes_of(options: BinlogOptions) -> IndexFolder | None:
    """Return the folder of the option index; None if there is none, or the read does not use it.

    Raises:
        OptionError: if there is no such folder, or it cannot be read.
    """
    # A skipped block might be damaged, and nothing after damage is to be read.
    is_used = options.view == "changes" and not options.ignore_corrupt_files
    return IndexFolder(options.index) if options.index and is_used else None


def is_as_indexed(index: LogIndex | IndexHeader, log_file: LogFile) -> bool:
    """Return whether a log still has the size and the modification time that its index names."""
    return (index.num_bytes, index.modified) == (log_file.num_bytes, log_file.modified) and (
        index.modified is not None
    )


def _folder_error(path: str, found: str) -> OptionError:
    return OptionError(
        f"option index: expected a folder of indexes, {path}: {found}",
        option="index",
        value=path,
        advice="make it with `mysql-binlog-spark index LOGS --index DIR`",
    )
