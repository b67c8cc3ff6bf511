"""The logs that a read is about, in order."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from pyspark_adapter.errors import LogFileError, OptionError
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.checks import refuse
from pyspark_adapter.options.ignored_errors import is_ignored, warn_ignored
from pyspark_adapter.sources.keyring import Keyring, read_keyring
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.sources.log_lists import FileSelection, list_logs

if TYPE_CHECKING:
    from pyspark_adapter.server.server import LiveServer

Path = str | os.PathLike[str]
Paths = Path | Iterable[Path]


def find_log_files(
    paths: Paths | None, options: BinlogOptions | None = None, *, may_be_none: bool = False
) -> list[LogFile]:
    """Return the logs at some paths, or of the server that the option `host` names.

    A file is taken as it is. Of a directory, and of the files that a pattern matches, those are
    taken that begin as a binary log does, or are archives of one; hidden files, whose names begin
    with a dot or an underscore, are left out. Their order is that of the numbers in their names,
    or that of an index file that lists them. Of an index file, the logs that it lists are taken
    from its directory. A log that two paths name is read twice, as Spark does.

    Args:
        paths: one path or several; each a file, a directory, a pattern or an index file, or a
            URI of one. None with the option `host`.
        options: which files are taken, and which errors are ignored.
        may_be_none: whether a directory without logs is no error.

    Raises:
        LogFileError: if a path does not exist or cannot be read, or a directory holds no log or
            two files of the same one.
        OptionError: for both paths and the option `host`, or none of them; for a keyring without
            the key of an encrypted log.
        ServerError: if the server cannot be reached, or lists no logs to this user.
        UnsupportedError: if there is no library for the scheme of a URI, or for servers.
        TruncatedEventError, CorruptEventError: for an archive that is damaged at its start.
    """
    options = options or BinlogOptions()
    server = server_of(paths, options)
    if server is not None:
        return server.reachable().log_files()
    selection = _selection_of(options, may_be_none=may_be_none)
    named = [paths] if isinstance(paths, (str, os.PathLike)) else paths or ()
    try:
        locations = [Location.parse(path) for path in named]
    except TypeError as error:
        raise refuse("path", paths, "a path or several") from error
    logs = [log for location in locations for log in list_logs(location, selection)]
    if not logs and not may_be_none:
        raise LogFileError(
            f"expected the path of a log file or of a directory with some, got none{selection}",
            advice="check the path",
        )
    return logs


def server_of(paths: Paths | None, options: BinlogOptions) -> LiveServer | None:
    """Return the server that the options name, or None for paths; raises OptionError if neither."""
    if options.host is not None:
        if paths is not None:
            raise refuse("host", options.host, "no host, since there are paths")
        from pyspark_adapter.server.server import LiveServer

        return LiveServer.from_options(options)
    if paths is None:
        raise OptionError(
            "expected the path of a log file or directory, load(path), or the option host",
            option="path",
        )
    return None


def keyring_of(options: BinlogOptions) -> Keyring | None:
    """Return the keys of encrypted logs; None if the options name no key file.

    Raises:
        OptionError, LogFileError, UnsupportedError: from `read_keyring`.
    """
    if options.keyring is None:
        return None
    return read_keyring(options.keyring, options.keyring_password)


def _selection_of(options: BinlogOptions, *, may_be_none: bool) -> FileSelection:
    return FileSelection(
        pattern=options.path_glob_filter,
        after=options.modified_after,
        before=options.modified_before,
        is_recursive=options.recursive_file_lookup,
        may_be_none=may_be_none,
        ignore_missing=options.ignore_missing_files,
        ignores=lambda error: is_ignored(error, options),
        warn=lambda error: warn_ignored(error, options),
        keyring=keyring_of(options),
        verifies=options.verify_checksums,
    )
