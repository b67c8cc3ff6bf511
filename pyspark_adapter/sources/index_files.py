"""The index files of servers (`binlog.index`): which logs there are, in which order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

from pyspark_adapter.errors import LogFileError
from pyspark_adapter.sources.open_storage import read_start
from pyspark_adapter.sources.storage import StoredFile

# A server adds a line for each log; this is enough for 100,000 logs.
_MAX_BYTES: Final = 16 << 20

_Log = TypeVar("_Log")


def is_index(name: str) -> bool:
    """Return whether a file is an index by its name."""
    return name.endswith(".index")


def read_index(file: StoredFile) -> list[str]:
    """Return the last part of each path that an index lists, as `StoredFile.name` has it.

    Servers write paths that are absolute or relative to their data directory, and copies of logs
    lie elsewhere. So callers look for a log by its name, in the directory of the index.

    Raises:
        LogFileError: if it is not a list of names.
        OSError: if it cannot be read.

    Source: MYSQL_BIN_LOG::add_log_to_index, sql/binlog.cc of MySQL 8.0: a name and a newline.
    """
    data = read_start(file.location, min(file.num_bytes, _MAX_BYTES + 1))
    if len(data) > _MAX_BYTES or b"\0" in data:
        found = "a zero byte" if b"\0" in data else f"{file.num_bytes} bytes"
        raise LogFileError(
            f"expected an index, with the name of a log on each line and at most {_MAX_BYTES}"
            f" bytes, found {found}",
            site=file.location.site,
            advice="give the logs themselves, or their directory",
        )
    paths = filter(None, map(bytes.strip, data.splitlines()))
    return [re.split(rb"[/\\]", path)[-1].decode(errors="backslashreplace") for path in paths]


def in_index_order(
    logs: Sequence[_Log], name_of: Callable[[_Log], str], index: Iterable[str]
) -> list[_Log]:
    """Return logs with those that an index lists in its order.

    Those that it does not list keep their places: they were purged from it, or are of others.
    """
    rank = {name: i for i, name in enumerate(index)}
    indices = [i for i, log in enumerate(logs) if name_of(log) in rank]
    ordered = list(logs)
    listed = sorted((logs[i] for i in indices), key=lambda log: rank[name_of(log)])
    for i, log in zip(indices, listed, strict=True):
        ordered[i] = log
    return ordered
