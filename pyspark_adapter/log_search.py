"""Which logs are read, and in which order."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from pyspark_adapter.errors import (
    BinlogError,
    EventSite,
    LogFileError,
    OptionError,
    located,
)
from pyspark_adapter.inputs.archives import log_name
from pyspark_adapter.inputs.globs import find_matches, has_signs, is_hidden, matches
from pyspark_adapter.inputs.index_files import in_index_order, is_index, read_index
from pyspark_adapter.inputs.locations import Location
from pyspark_adapter.inputs.log_files import LogFile, describe_if_log, describe_log
from pyspark_adapter.inputs.storage import Storage, StoredFile, storage_of, told
from pyspark_adapter.live.server import LiveServer
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.checks import refuse
from pyspark_adapter.passed_over import is_passed_over, tell_passed_over

Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]

# Requests to storage at a time: each takes its time, and none of ours.
_REQUESTS: Final = 16


def find_log_files(
    paths: Paths | None, options: BinlogOptions | None = None, *, may_be_none: bool = False
) -> list[LogFile]:
    """Return the logs that paths name; one that two paths name twice, as Spark reads it.

    With the option `host` they are those of a running server, and there are no paths.

    A file is taken as it is. Of a directory, and of what a pattern matches, the files are taken
    that begin as a binary log does, or are archives of such; others (index files, state files)
    are left out, and so are hidden ones, whose names begin with a point or an underscore. They
    come in the order of the numbers in their names, or, where an index file lists them, in the
    order of that. Of an index file, the logs that it lists are taken, from its directory.

    Args:
        paths: one path or several; each a file, a directory, a pattern or an index file, or a
            URI of one. None with the option `host`.
        options: which files to take of them.
        may_be_none: whether a directory without logs is no error.

    Raises:
        LogFileError: if a path does not exist or cannot be read, or a directory holds no log, or
            two files of the same one.
        OptionError: for both paths and the option `host`, or none of them.
        ServerError: if the server cannot be reached, or lists no logs to this user.
        UnsupportedError: if there is no library for the scheme of a URI, or for servers.
        TruncatedEventError, CorruptEventError: for an archive that is damaged at its beginning.
    """
    options = options or BinlogOptions()
    if options.host is not None:
        if paths is not None:
            raise refuse("host", options.host, "no host, since there are paths")
        return LiveServer.from_options(options).log_files()
    if paths is None:
        raise no_logs_named()
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    search = _Search(options, may_be_none=may_be_none)
    found = [log for path in paths for log in search.find(Location.parse(path))]
    if not found and not may_be_none:
        raise LogFileError(
            "expected the path of a log file or of a directory with some, got none"
            + search.filters_in_words()
        )
    return found


def no_logs_named() -> OptionError:
    """Return the error for a read of which neither a path nor a server is named."""
    return OptionError(
        "expected the path of a log file or directory, load(path), or the option host",
        option="path",
    )


class _Search:
    """Looks for logs as the options say."""

    def __init__(self, options: BinlogOptions, *, may_be_none: bool) -> None:
        self._options = options
        self._may_be_none = may_be_none

    def filters_in_words(self) -> str:
        """Return the options that leave files out, for messages."""
        options = self._options
        given = {
            "pathGlobFilter": options.path_glob_filter,
            "modifiedAfter": options.modified_after,
            "modifiedBefore": options.modified_before,
        }
        names = [f"option {name} {value}" for name, value in given.items() if value is not None]
        return f" ({', '.join(names)})" if names else ""

    def find(self, location: Location) -> list[LogFile]:
        """Return the logs of one path."""
        with told(location):
            storage = storage_of(location)
            try:
                file = storage.look_up(location)
            except FileNotFoundError:
                if not has_signs(location.path):
                    raise
                return self._matched(storage, location)
            if file.is_directory:
                logs = list(self._within(storage, location))
                return self._expect_some(logs, location, "a directory with")
        if is_index(file.name) and (listed := self._of_index(storage, file)) is not None:
            return listed
        return self._describe([file], describe_log) if self._passes(file) else []

    def _matched(self, storage: Storage, location: Location) -> list[LogFile]:
        """Return the logs among what a pattern matches, and in directories that it matches."""
        with told(location):
            found = find_matches(storage, location)
        by_directory: dict[Location, list[StoredFile]] = {}
        logs: list[LogFile] = []
        for file in found:
            if file.is_directory:
                logs += self._within(storage, file.location)
            else:
                by_directory.setdefault(file.location.parent, []).append(file)
        for directory, files in by_directory.items():
            with told(directory):
                beside = storage.list(directory)
            logs += self._in_order(files, beside, directory)
        return self._expect_some(logs, location, "a pattern of")

    def _expect_some(self, logs: list[LogFile], location: Location, what: str) -> list[LogFile]:
        if not logs and not self._may_be_none:
            raise LogFileError(
                f"expected {what} binary logs, found no file that begins as one"
                + self.filters_in_words(),
                site=EventSite(location.shown),
            )
        return logs

    def _within(self, storage: Storage, directory: Location) -> Iterator[LogFile]:
        """Yield the logs in a directory, and, with recursiveFileLookup, in those within it."""
        with told(directory):
            entries = [entry for entry in storage.list(directory) if not is_hidden(entry.name)]
        files = [entry for entry in entries if not entry.is_directory]
        yield from self._in_order(files, files, directory)
        if self._options.recursive_file_lookup:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.is_directory:
                    yield from self._within(storage, entry.location)

    def _in_order(
        self, files: Sequence[StoredFile], beside: Sequence[StoredFile], directory: Location
    ) -> list[LogFile]:
        """Return the logs among files of one directory in order.

        Args:
            files: which may be logs.
            beside: all files of the directory.
            directory: that they are in.
        """
        chosen = [file for file in files if file.num_bytes and self._passes(file)]
        logs = self._describe(chosen, describe_if_log)
        logs.sort(key=lambda log: (re.sub(r"\.\d+$", "", log.name), log.number, log.name))
        _expect_one_of_each(logs, directory)
        for file in beside:
            if is_index(file.name) and not file.is_directory:
                logs = in_index_order(logs, lambda log: log.name, self._names_in(file))
        return logs

    @staticmethod
    def _names_in(file: StoredFile) -> list[str]:
        """Return the logs that an index lists; none if it is another file with such a name."""
        with told(file.location):
            try:
                return read_index(file)
            except LogFileError:
                return []

    def _of_index(self, storage: Storage, index: StoredFile) -> list[LogFile] | None:
        """Return the logs that an index lists; None if it is a log by its content."""
        with told(index.location):
            if describe_if_log(index) is not None:
                return None
            names = read_index(index)
            directory = index.location.parent
            beside = [file for file in storage.list(directory) if not file.is_directory]
        for name in names:
            if any(log_name(file.name) == name for file in beside):
                continue
            error = LogFileError(
                f"lists the log {name}, which is not beside it",
                site=EventSite(index.location.shown),
            )
            if not self._options.ignore_missing_files:
                raise error
            tell_passed_over(error)
        rank = {name: i for i, name in enumerate(names)}
        chosen = [file for file in beside if log_name(file.name) in rank and self._passes(file)]
        logs = self._describe(chosen, describe_log)
        _expect_one_of_each(logs, directory)
        return sorted(logs, key=lambda log: rank[log.name])

    def _passes(self, file: StoredFile) -> bool:
        """Tell whether the options let a file through."""
        options = self._options
        pattern, after, before = (
            options.path_glob_filter,
            options.modified_after,
            options.modified_before,
        )
        if pattern is not None and not matches(pattern, file.name):
            return False
        if after is None and before is None:
            return True
        if file.modified is None:
            raise LogFileError(
                "the storage does not tell when it was modified, as option modifiedAfter and"
                " option modifiedBefore need it",
                site=EventSite(file.location.shown),
            )
        return (after is None or file.modified > after.timestamp()) and (
            before is None or file.modified < before.timestamp()
        )

    def _describe(
        self,
        files: Sequence[StoredFile],
        describe: Callable[[StoredFile], LogFile | None],
    ) -> list[LogFile]:
        """Return files as logs, in the same order; looks into each."""

        def look(file: StoredFile) -> LogFile | None:
            try:
                with told(file.location), located(EventSite(file.location.shown)):
                    return describe(file)
            except BinlogError as error:
                if not is_passed_over(error, self._options):
                    raise
                tell_passed_over(error)
                return None

        if len(files) < 2 or files[0].location.is_local:
            found: Iterable[LogFile | None] = map(look, files)
        else:
            with ThreadPoolExecutor(_REQUESTS) as pool:
                found = list(pool.map(look, files))
        return [log for log in found if log is not None]


def _expect_one_of_each(logs: Sequence[LogFile], directory: Location) -> None:
    """Refuse two files of one log, such as an archive beside what it was made of."""
    first: dict[str, LogFile] = {}
    for log in logs:
        if first.setdefault(log.name, log) is not log:
            names = sorted(Location.parse(found.path).name for found in (first[log.name], log))
            raise LogFileError(
                f"expected one file of the log {log.name}, found {' and '.join(names)}; option"
                " pathGlobFilter takes some",
                site=EventSite(directory.shown),
            )
