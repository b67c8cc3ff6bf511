"""The logs at a location: a file, a directory, a pattern or an index file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from pyspark_adapter.errors import BinlogError, LogFileError, as_log_file_error, located
from pyspark_adapter.sources.archives import log_name
from pyspark_adapter.sources.globs import find_matches, has_wildcards, is_hidden, matches
from pyspark_adapter.sources.keyring import Keyring
from pyspark_adapter.sources.locations import Location, Storage, StoredFile
from pyspark_adapter.sources.log_file import ENGINE_SUFFIX, LogFile, describe_if_log, describe_log
from pyspark_adapter.sources.open_storage import read_start, storage_of

# Requests to a remote storage at a time.
_REQUESTS: Final = 16
# Of the index files of servers (`binlog.index`): which logs there are, in which order.
INDEX_SUFFIX: Final = ".index"
# A server adds a line for each log; this is enough for 100,000 logs.
_MAX_INDEX: Final = 16 << 20


@dataclass(frozen=True)
class FileSelection:
    """Which files are taken.

    Attributes:
        pattern: of the names of files; None for all.
        after, before: bounds of the time of the last change, exclusive.
        may_be_none: whether a directory or pattern without logs is no error.
        ignore_missing: whether the logs of an index may be missing.
        ignores: whether an error of one log does not end the read.
        warn: warns of an error that is ignored.
        keyring: keys of encrypted logs; None if there are none.
        verifies: whether pages of engine binlogs are checked against their checksums.
    """

    pattern: str | None
    after: datetime | None
    before: datetime | None
    is_recursive: bool
    may_be_none: bool
    ignore_missing: bool
    ignores: Callable[[BinlogError], bool]
    warn: Callable[[BinlogError], None]
    keyring: Keyring | None = None
    verifies: bool = True

    def __str__(self) -> str:
        """The conditions for messages, in parentheses; empty if there are none."""
        values = {
            "pathGlobFilter": self.pattern,
            "modifiedAfter": self.after,
            "modifiedBefore": self.before,
        }
        names = [f"option {name} {value}" for name, value in values.items() if value is not None]
        return f" ({', '.join(names)})" if names else ""


def list_logs(location: Location, selection: FileSelection) -> list[LogFile]:
    """Return the logs at a location in order; see `find_log_files` for the rules.

    Raises:
        LogFileError: if the location does not exist or cannot be read, holds no log, or holds two
            files of the same one.
        UnsupportedError: if there is no library for the scheme of the URI.
        TruncatedEventError, CorruptEventError: for an archive that is damaged at its start.
    """
    with as_log_file_error(location.site), located(location.site):
        return _Lister(storage_of(location), selection).at(location)


@dataclass
class _Lister:
    """Lists the logs of one storage."""

    _storage: Storage
    _selection: FileSelection

    def at(self, location: Location) -> list[LogFile]:
        try:
            file = self._storage.look_up(location)
        except FileNotFoundError:
            if not has_wildcards(location.path):
                raise
            return self._of_pattern(location)
        if file.is_directory:
            logs = list(self._in_directory(file, set()))
            return self._expect_some(logs, location, "a directory with")
        if file.name.endswith(INDEX_SUFFIX) and (listed := self._of_index(file)) is not None:
            return listed
        return self._describe([file], describe_log)

    def _of_pattern(self, location: Location) -> list[LogFile]:
        """Return the logs that a pattern matches, and those in directories that it matches."""
        by_directory: dict[Location, list[StoredFile]] = {}
        logs: list[LogFile] = []
        for file in find_matches(self._storage, location):
            if file.is_directory:
                logs += self._in_directory(file, set())
            else:
                by_directory.setdefault(file.location.parent, []).append(file)
        for directory, files in by_directory.items():
            logs += self._in_order(files, self._entries(directory), directory)
        return self._expect_some(logs, location, "a pattern of")

    def _in_directory(
        self, directory: StoredFile, seen: set[tuple[int, int] | None]
    ) -> Iterator[LogFile]:
        """Yield the logs in a directory and, if asked for, in those below it, each read once.

        Links could make a directory its own descendant.
        """
        location = directory.location
        seen.add(directory.identity)
        entries = [entry for entry in self._entries(location) if not is_hidden(entry.name)]
        files = [entry for entry in entries if not entry.is_directory]
        yield from self._in_order(files, files, location)
        if self._selection.is_recursive:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.is_directory and (entry.identity is None or entry.identity not in seen):
                    yield from self._in_directory(entry, seen)

    def _of_index(self, index: StoredFile) -> list[LogFile] | None:
        """Return the logs that an index lists; None if the file is a log by its content."""
        if describe_if_log(index) is not None:
            return None
        names = read_index(index)
        directory = index.location.parent
        files = [file for file in self._entries(directory) if not file.is_directory]
        present = {log_name(file.name) for file in files}
        for name in names:
            if name in present:
                continue
            error = LogFileError(
                f"lists the log {name}, which is not in its directory",
                site=index.location.site,
                advice="option ignoreMissingFiles skips logs that are gone",
            )
            if not self._selection.ignore_missing:
                raise error
            self._selection.warn(error)
        rank = {name: i for i, name in enumerate(names)}
        listed = [file for file in files if log_name(file.name) in rank]
        logs = self._describe(listed, describe_log)
        _expect_one_of_each(logs, directory)
        return sorted(logs, key=lambda log: rank[log.name])

    def _entries(self, directory: Location) -> Sequence[StoredFile]:
        with as_log_file_error(directory.site):
            return self._storage.list(directory)

    def _in_order(
        self, files: Sequence[StoredFile], siblings: Sequence[StoredFile], directory: Location
    ) -> list[LogFile]:
        """Return the logs among files of one directory in order."""
        logs = self._describe([file for file in files if file.num_bytes], describe_if_log)
        logs.sort(
            key=lambda log: (re.sub(r"\.\d+$|-\d{6,}\.ibb$", "", log.name), log.number, log.name)
        )
        _expect_one_of_each(logs, directory)
        for file in siblings:
            if file.name.endswith(INDEX_SUFFIX) and not file.is_directory:
                logs = _in_index_order(logs, _names_in(file))
        return logs

    def _describe(
        self,
        files: Sequence[StoredFile],
        describe: Callable[[StoredFile, Keyring | None], LogFile | None],
    ) -> list[LogFile]:
        """Return the files that are taken as logs, in the same order; reads the start of each."""

        def look(file: StoredFile) -> LogFile | BinlogError | None:
            try:
                with as_log_file_error(file.location.site), located(file.location.site):
                    if file.name.endswith(ENGINE_SUFFIX):
                        from pyspark_adapter.sources.engine_log import describe_engine_log

                        return describe_engine_log(file, verifies=self._selection.verifies)
                    return describe(file, self._selection.keyring)
            except BinlogError as error:
                if not self._selection.ignores(error):
                    raise
                return error

        files = [file for file in files if self._takes(file)]
        if len(files) < 2 or files[0].location.is_local:
            logs = list(map(look, files))
        else:
            with ThreadPoolExecutor(_REQUESTS) as pool:
                logs = list(pool.map(look, files))
        for error in logs:
            if isinstance(error, BinlogError):
                self._selection.warn(error)
        return [log for log in logs if isinstance(log, LogFile)]

    def _takes(self, file: StoredFile) -> bool:
        """Return whether a file fulfils the conditions; raises LogFileError."""
        selection = self._selection
        pattern, after, before = selection.pattern, selection.after, selection.before
        if pattern is not None and not matches(pattern, file.name):
            return False
        if after is None and before is None:
            return True
        if file.modified is None:
            raise LogFileError(
                "the storage does not say when the file was changed",
                site=file.location.site,
                advice="leave out option modifiedAfter and option modifiedBefore",
            )
        return (after is None or file.modified > after.timestamp()) and (
            before is None or file.modified < before.timestamp()
        )

    def _expect_some(self, logs: list[LogFile], location: Location, kind: str) -> list[LogFile]:
        if not logs and not self._selection.may_be_none:
            raise LogFileError(
                f"expected {kind} binary logs, found no file that begins as one{self._selection}",
                site=location.site,
                advice="check the path; option recursiveFileLookup looks into folders, too",
            )
        return logs


def _names_in(file: StoredFile) -> list[str]:
    """Return the logs that an index lists; none if it is another file with such a name."""
    with as_log_file_error(file.location.site):
        try:
            return read_index(file)
        except LogFileError:
            return []


def _expect_one_of_each(logs: Sequence[LogFile], directory: Location) -> None:
    """Refuse two files of one log, such as an archive next to its original."""
    first: dict[str, LogFile] = {}
    for log in logs:
        if first.setdefault(log.name, log) is not log:
            names = sorted(Location.parse(same.path).name for same in (first[log.name], log))
            raise LogFileError(
                f"expected one file of the log {log.name}, found {' and '.join(names)}",
                site=directory.site,
                advice="select one with option pathGlobFilter",
            )


def read_index(file: StoredFile) -> list[str]:
    """Return the last part of each path that an index lists, as `StoredFile.name` has it.

    Servers write paths that are absolute or relative to their data directory, and copies of logs
    lie elsewhere. So callers look for a log by its name, in the directory of the index.

    Raises:
        LogFileError: if it is not a list of names.
        OSError: if it cannot be read.

    Source: MYSQL_BIN_LOG::add_log_to_index, sql/binlog.cc of MySQL 8.0: a name and a newline.
    """
    data = read_start(file.location, min(file.num_bytes, _MAX_INDEX + 1))
    if len(data) > _MAX_INDEX or b"\0" in data:
        reason = "a zero byte" if b"\0" in data else f"{file.num_bytes} bytes"
        raise LogFileError(
            f"expected an index, with the name of a log on each line and at most {_MAX_INDEX}"
            f" bytes, found {reason}",
            site=file.location.site,
            advice="give the logs themselves, or their directory",
        )
    paths = filter(None, map(bytes.strip, data.splitlines()))
    return [re.split(rb"[/\\]", path)[-1].decode(errors="backslashreplace") for path in paths]


def _in_index_order(logs: Sequence[LogFile], index: Iterable[str]) -> list[LogFile]:
    """Return logs with those that an index lists in its order.

    Those that it does not list keep their places: they were purged from it, or are of another list.
    """
    rank = {name: i for i, name in enumerate(index)}
    indices = [i for i, log in enumerate(logs) if log.name in rank]
    ordered = list(logs)
    listed = sorted((logs[i] for i in indices), key=lambda log: rank[log.name])
    for i, log in zip(indices, listed, strict=True):
        ordered[i] = log
    return ordered
