"""Makes, checks and removes the indexes of logs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from pyspark_adapter.errors import BinlogError, OptionError
from pyspark_adapter.index.build_index import ALL_KEYS, build_index
from pyspark_adapter.index_store.index_folder import IndexFolder, is_as_indexed
from pyspark_adapter.index_store.keys import chunk_content
from pyspark_adapter.index_store.log_index import LogIndex
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.name_patterns import parse_table_patterns
from pyspark_adapter.plan.survey import Surveyor
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.sources.progress import Progress
from pyspark_adapter.timeline.table_changes import searched_name
from pyspark_adapter.timeline.timeline import Timeline
from pyspark_adapter.timeline.user_ddl import UserDdl

# Parts of an index that are compared with the log as they are.
_CHECKED: Final = (
    *("blocks", "counts", "hours", "gtids", "firsts", "contents", "shapes", "statements"),
    "unlogged",
)


@dataclass(frozen=True)
class IndexedLog:
    """What was done for a log.

    Attributes:
        index: None if there is none.
        is_new: whether the index was written now.
        problem: why there is no index, or its fault; empty for none.
    """

    log_file: LogFile
    index: LogIndex | None
    is_new: bool = False
    problem: str = ""

    def without_index(self) -> IndexedLog:
        """Return it without the index, to be sent to another process."""
        return replace(self, index=None)


def make_indexes(
    log_files: Sequence[LogFile],
    folder: IndexFolder,
    options: BinlogOptions,
    progress: Progress | None = None,
    *,
    keys_of: str = ALL_KEYS,
) -> Iterator[IndexedLog]:
    """Index logs, and yield each when it is done; raises BinlogError, OSError.

    A log whose index is complete is not read; one that has grown is read again. An index is in the
    folder before the log is yielded, so a run that was ended continues.

    Args:
        progress: called from time to time with the bytes read so far and the bytes in all.
        keys_of: patterns of the tables whose keys are taken; empty for none.
    """
    # For keys of tables whose columns a log does not name.
    options = replace(options, index=None)
    timeline = Timeline(log_files, Surveyor(options), UserDdl.of(options))
    total = sum(log_file.num_bytes for log_file in log_files)
    done = 0
    for log_file in log_files:
        index = folder.find(log_file)
        if is_done(log_file, index, keys_of):
            yield IndexedLog(log_file, index)
        else:
            offset = _Offset(progress, done, total)
            yield _make(log_file, folder, options, offset, keys_of, timeline)
        done += log_file.num_bytes


def is_done(log_file: LogFile, index: LogIndex | None, keys_of: str) -> bool:
    """Return whether the index of a log needs no work."""
    is_same = index is not None and is_as_indexed(index, log_file)
    return is_same and index is not None and index.keys_of == keys_of


def make_index(
    log_files: Sequence[LogFile], folder: IndexFolder, options: BinlogOptions, keys_of: str
) -> IndexedLog:
    """Index the last of some logs; raises BinlogError, OSError.

    Args:
        log_files: the log alone, or after logs that are indexed and may define its tables.
        options: of the read, without the option index.
        keys_of: patterns of the tables whose keys are taken; empty for none.
    """
    is_alone = len(log_files) == 1
    survey = Surveyor(options, indexes=None if is_alone else folder)
    timeline = Timeline(log_files, survey, UserDdl.of(options))
    return _make(log_files[-1], folder, options, None, keys_of, timeline)


def logs_lacking_keys(log_files: Sequence[LogFile], folder: IndexFolder, keys_of: str) -> list[int]:
    """Return the logs that lack keys of tables that logs before them may define.

    Args:
        log_files: the logs, in order.
        folder: of their indexes, each made from its log alone.
        keys_of: patterns of the tables whose keys are taken; empty for none.
    """
    patterns = parse_table_patterns(keys_of) if keys_of else ()
    indices: list[int] = []
    before = b""
    is_known = True
    for number, log_file in enumerate(log_files):
        index = folder.find(log_file)
        if index is None:
            is_known = False
            continue
        lacking = np.unique(index.count("table")[~index.count("has_keys")]).tolist()
        tables = [index.tables[table] for table in lacking]
        names = [
            searched_name(table)
            for table in tables
            if any(pattern.matches(table.database_name, table.table_name) for pattern in patterns)
        ]
        if number and names and (not is_known or any(name in before for name in names)):
            indices.append(number)
        is_known &= index.knows_tables
        events = index.statements.column("event").to_pylist()
        before = b"\0".join([before, *(event.lower() for event in events)])
    return indices


def checked_patterns(option: str, text: str) -> str:
    """Return patterns of tables; empty for none; raises OptionError."""
    if text:
        try:
            parse_table_patterns(text)
        except ValueError as error:
            raise OptionError(
                f"{option}: expected patterns database.table, separated by commas, got {text!r}",
                option=option.lstrip("-"),
                value=text,
            ) from error
    return text


def has_same_keys(index: LogIndex, other: LogIndex) -> bool:
    """Return whether two indexes of the same blocks have the same keys."""
    if index.specs != other.specs or index.chunks != other.chunks:
        return False
    try:
        for k in range(index.chunks.num_rows):
            chunk_content(index.chunks, index.key_data, k)
            chunk_content(other.chunks, other.key_data, k)
    except (OSError, ValueError):
        return False
    return True


@dataclass(frozen=True)
class _Offset:
    """Progress of one log as that of all."""

    progress: Progress | None
    done: int
    total: int

    def __call__(self, position: int, _size: int) -> None:
        if self.progress is not None:
            self.progress(self.done + position, self.total)


def _make(
    log_file: LogFile,
    folder: IndexFolder,
    options: BinlogOptions,
    progress: Progress | None,
    keys_of: str,
    timeline: Timeline,
) -> IndexedLog:
    if log_file.server is not None:
        return IndexedLog(log_file, None, problem="is of a running server; copies can be indexed")
    try:
        index = build_index(log_file, options, progress, keys_of=keys_of, timeline=timeline)
    except BinlogError as error:
        return IndexedLog(log_file, None, problem=str(error))
    if index is None:
        return IndexedLog(log_file, None, problem="is empty, or an archive that is damaged")
    folder.write(index)
    rest = log_file.num_bytes - index.indexed_to
    problem = ""
    if rest > 0 and not log_file.compression:
        problem = f"its last {rest:,} bytes are not indexed: an open transaction, or damage"
    return IndexedLog(log_file, index, is_new=True, problem=problem)


def check_indexes(
    log_files: Sequence[LogFile],
    folder: IndexFolder,
    options: BinlogOptions,
    progress: Progress | None = None,
) -> Iterator[IndexedLog]:
    """Index logs again, and yield each with what differs from its index in the folder.

    Raises:
        BinlogError: if a log cannot be read.
    """
    options = replace(options, index=None)
    timeline = Timeline(log_files, Surveyor(options), UserDdl.of(options))
    total = sum(log_file.num_bytes for log_file in log_files)
    done = 0
    for log_file in log_files:
        index = folder.find(log_file)
        problem = "has no index"
        if index is not None:
            problem = _difference(
                log_file, index, options, _Offset(progress, done, total), timeline
            )
        yield IndexedLog(log_file, index, problem=problem)
        done += log_file.num_bytes


def _difference(
    log_file: LogFile,
    index: LogIndex,
    options: BinlogOptions,
    progress: Progress,
    timeline: Timeline,
) -> str:
    """Return what differs between an index and its log; empty for nothing."""
    stop = None if log_file.compression else index.indexed_to
    try:
        actual = build_index(
            log_file,
            options,
            progress,
            step=index.step,
            stop=stop,
            keys_of=index.keys_of,
            timeline=timeline,
        )
    except BinlogError as error:
        return f"cannot be indexed any more: {error}"
    if actual is None or actual.indexed_to != index.indexed_to:
        return "the log cannot be read up to where its index ends"
    if actual.tables != index.tables:
        return "its index has other tables"
    differs = [name for name in _CHECKED if not getattr(actual, name).equals(getattr(index, name))]
    if not differs and not has_same_keys(actual, index):
        differs = ["keys"]
    return f"its index has other {' and '.join(differs)}" if differs else ""
