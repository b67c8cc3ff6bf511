"""A small log of some transactions of larger ones: for a bug report, a test, the Web IDE.

The events of a transaction are copied byte by byte, except for the position of the next event in
their headers, and so their checksums. Before them come the format description of their log and, of
the first log, the event that lists the GTIDs before it. Other events outside of transactions, such
as ROTATE, are left out.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO, Final

import numpy as np
import pyarrow.compute as pc

from pyspark_adapter.errors import BinlogError, OptionError, UnsupportedError, located
from pyspark_adapter.events.row_filter import NO_FILTERS
from pyspark_adapter.events.statements import Statement, StatementKind
from pyspark_adapter.events.windows import raw_events
from pyspark_adapter.format.event_types import ABOUT_LOG, TRAITS
from pyspark_adapter.format.header import (
    IN_USE,
    LEN_CHECKSUM,
    LEN_HEADER,
    MAGIC,
    OFS_END_LOG_POS,
    OFS_FLAGS,
    crc32,
    type_code_at,
)
from pyspark_adapter.format.schema import EventType, FormatDescription, parse_format_description
from pyspark_adapter.kernels.layout import Numbers
from pyspark_adapter.operations.transactions import count_transactions
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.sources.progress import Progress
from pyspark_adapter.sources.written_files import whole_file
from pyspark_adapter.sql_text.findings import touched_tables
from pyspark_adapter.timeline.ddl import Ddl
from pyspark_adapter.timeline.temporary_tables import TemporaryTables

_END_LOG_POS: Final = struct.Struct("<I")
_IS_ABOUT_LOG: Final = (TRAITS & np.uint32(ABOUT_LOG) != 0).tobytes()
# In a format description: the time when the server wrote it, which says nothing of the format.
_CREATED: Final = slice(LEN_HEADER + 52, LEN_HEADER + 56)

_QUOTED: Final = re.compile(r"`(?:[^`]|``)*`")

# Transactions of a log, in order: (n, 3) int64, the first byte, the one after the last, and what
# they are ordered by to find the largest. The end is -1 for the last one of a compressed log.
Ranges = Numbers


@dataclass
class ChosenTransactions:
    """The transactions of a slice.

    Attributes:
        logs: each log with its transactions.
        tables: names of the tables whose chosen rows they change, in lower case.
        error: what ended the read of the logs early; None if nothing did.
        statements: of the logs, those that were asked for.
    """

    logs: list[tuple[LogFile, Ranges]] = field(default_factory=list)
    tables: set[str] = field(default_factory=set)
    error: BinlogError | None = None
    statements: list[Statement] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How many transactions there are."""
        return sum(len(ranges) for _, ranges in self.logs)

    def keep_largest(self, count: int) -> None:
        """Drop all but the largest ones."""
        sizes = np.concatenate([ranges[:, 2] for _, ranges in self.logs])
        keeps = np.zeros(len(sizes), dtype=bool)
        keeps[np.argsort(-sizes, kind="stable")[: max(count, 0)]] = True
        first = 0
        for k, (log_file, ranges) in enumerate(self.logs):
            self.logs[k] = log_file, ranges[keeps[first : first + len(ranges)]]
            first += len(ranges)


def choose_transactions(
    log_files: Sequence[LogFile],
    options: BinlogOptions,
    progress: Progress | None = None,
    *,
    by: str = "num_bytes",
    kinds: StatementKind = StatementKind.OTHER,
) -> ChosenTransactions:
    """Return the transactions that the filters of the options choose, up to the first damage.

    Args:
        progress: called from time to time with the bytes read so far and the bytes in all.
        by: the column of TRANSACTIONS that says how large they are.
        kinds: of the statements to keep.

    Raises:
        OptionError: as `count_transactions`.
    """
    chosen = ChosenTransactions()
    total = sum(log.num_bytes for log in log_files)
    done = 0
    for log_file in log_files:
        parts = [np.zeros((0, 3), dtype=np.int64)]

        def report(position: int, _total: int, done: int = done) -> None:
            if progress is not None:
                progress(done + position, total)

        try:
            for window in count_transactions([log_file], options, report, kinds):
                chosen.statements += (s for s in window.statements if s.is_selected)
                batch = window.batch()
                columns = (batch.column(name) for name in ("start_pos", "end_pos", by))
                parts.append(np.stack([pc.fill_null(column, -1) for column in columns], axis=1))
                names = batch.column("tables").flatten().field("table").unique()
                chosen.tables.update(name.lower() for name in names.to_pylist())
        except OptionError:
            raise
        except BinlogError as error:
            chosen.error = error
        chosen.logs.append((log_file, np.concatenate(parts)))
        if chosen.error is not None:
            break
        done += log_file.num_bytes
    return chosen


def _positions(statements: Sequence[Statement], names: set[str], end_pos: int | None) -> list[int]:
    """Return where some tables are defined, the last place first.

    Args:
        statements: of a log, in order.
        names: of the tables, in lower case. The names that they had before, and the tables that
            they were made from, are added.
        end_pos: where to stop; None for the end of the log.
    """
    temporary = TemporaryTables()
    databases = {_database_of(name) for name in names}
    defined = [
        (ddl.site.start_pos, touched_tables(change))
        for ddl in map(Ddl, statements)
        for change in temporary.base_changes(ddl)
    ]
    positions = []
    for start_pos, touched in reversed(defined):
        if end_pos is not None and start_pos >= end_pos:
            continue
        if touched.includes(
            lambda table: str(table).lower() in names,
            lambda name: _database_of(str(TableName(name, "")).lower()) in databases,
        ):
            sources = () if touched.model is None else (touched.model,)
            added = {str(table).lower() for table in (*touched.tables, *sources)}
            names.update(added)
            databases.update(map(_database_of, added))
            positions.append(start_pos)
    return positions


def _database_of(name: str) -> str:
    """Return the part of a table's name that names the database, quoted as it is written."""
    quoted = _QUOTED.match(name)
    return name.partition(".")[0] if quoted is None else quoted[0]


def with_definitions(
    chosen: ChosenTransactions, options: BinlogOptions, progress: Progress | None = None
) -> ChosenTransactions:
    """Return the transactions of a slice, and those before its last one that define its tables.

    Args:
        chosen: of the slice, at least one; its logs are all that may hold definitions.
        progress: called from time to time with the bytes of a log read so far, and all its bytes.

    Raises:
        OptionError: as `count_transactions`.
    """
    everything = replace(options, **NO_FILTERS)
    last = max(k for k, (_, ranges) in enumerate(chosen.logs) if len(ranges))
    both = replace(chosen, logs=chosen.logs[: last + 1], tables=set(chosen.tables))
    end_pos = int(chosen.logs[last][1][-1, 0])
    for k in range(last, -1, -1):
        log_file, ranges = both.logs[k]
        of_log = choose_transactions([log_file], everything, progress, kinds=StatementKind.DEFINES)
        both.error = both.error or of_log.error
        in_log = of_log.logs[0][1]
        positions = _positions(of_log.statements, both.tables, end_pos if k == last else None)
        of = np.searchsorted(in_log[:, 0], np.array(positions, dtype=np.int64), side="right") - 1
        merged = np.concatenate([ranges, in_log[of[of >= 0]]])
        _, distinct = np.unique(merged[:, 0], return_index=True)
        both.logs[k] = log_file, merged[distinct]
    return both


def write_slice(
    chosen: ChosenTransactions, options: BinlogOptions, path: Path, *, replaces: bool
) -> int:
    """Write a log of transactions, and return its bytes; raises BinlogError, OSError.

    Args:
        replaces: whether an existing file is replaced; see `whole_file`.
    """
    with whole_file(path, replaces=replaces) as file:
        writer = _SliceWriter(file)
        for log_file, ranges in chosen.logs:
            if len(ranges):
                _copy(log_file, ranges, options, writer)
    return writer.position


def _copy(log_file: LogFile, ranges: Ranges, options: BinlogOptions, writer: _SliceWriter) -> None:
    """Copy the transactions of a log."""
    pairs = iter(ranges[:, :2].tolist())
    start, end = next(pairs)
    for start_pos, event in raw_events(log_file, options):
        while 0 <= end <= start_pos:
            start, end = next(pairs, (-1, -1))
            if start < 0:
                return
        if _IS_ABOUT_LOG[type_code_at(event)]:
            with located(log_file.event_site(start_pos, type_code_at(event))):
                writer.take_control(bytes(event), options)
        elif start_pos >= start:
            writer.copy(event)


class _SliceWriter:
    """Writes events one after the other, with the positions that they have then.

    Attributes:
        position: bytes that were written.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.position = file.write(MAGIC)
        self._description: FormatDescription | None = None
        # To be written before the next transaction.
        self._format = b""
        self._gtids = b""
        self._type_of_gtids = EventType.previous_gtids
        self._written_format = b""

    def take_control(self, event: bytes, options: BinlogOptions) -> None:
        """Take an event about a log; it is written before the transactions that follow it.

        Raises:
            UnsupportedError: if it begins a log of MySQL 3.23 to 4.1. Without a site.
            BinlogError: if it is damaged. Without a site.
        """
        type_code = type_code_at(event)
        if type_code == EventType.start_v3:
            raise UnsupportedError(
                "cannot be sliced: expected a log of MySQL 5.0 or later, or of MariaDB"
            )
        if type_code == EventType.format_description:
            verify = options.verify_checksums
            self._description = parse_format_description(event, verify=verify)
            self._format = event
            self._type_of_gtids = EventType.previous_gtids
            if self._description.is_mariadb:
                self._type_of_gtids = EventType.gtid_list
        elif type_code == self._type_of_gtids:
            self._gtids = event

    def copy(self, event: memoryview) -> None:
        """Copy an event of a transaction."""
        if self._format:
            is_first = not self._written_format
            if _format_of(self._format) != self._written_format:
                self._write(self._format)
                self._written_format = _format_of(self._format)
            if is_first and self._gtids:
                self._write(self._gtids)
            self._format = b""
        self._write(event)

    def _write(self, event: bytes | memoryview) -> None:
        assert self._description is not None
        moved = bytearray(event)
        has_checksum = bool(self._description.len_checksum)
        if type_code_at(event) == EventType.format_description:
            moved[OFS_FLAGS] &= ~IN_USE  # the checksum is that of the event without the flag
            has_checksum = self._description.has_own_checksum
        end = len(moved) - LEN_CHECKSUM if has_checksum else len(moved)
        before = crc32(memoryview(moved)[:end])
        self.position += len(moved)
        # MariaDB 11 writes 0 in the events within a transaction.
        if any(moved[OFS_END_LOG_POS:OFS_FLAGS]):
            _END_LOG_POS.pack_into(moved, OFS_END_LOG_POS, self.position & 0xFFFFFFFF)
        if has_checksum:
            # A checksum that was wrong stays wrong: the CRC32 of a change does not depend on the
            # rest.
            logged = int.from_bytes(moved[end:], "little")
            changed = logged ^ before ^ crc32(memoryview(moved)[:end])
            moved[end:] = changed.to_bytes(LEN_CHECKSUM, "little")
        self._file.write(moved)


def _format_of(event: bytes) -> bytes:
    """Return what a format description says of the format."""
    return event[LEN_HEADER : _CREATED.start] + event[_CREATED.stop : -LEN_CHECKSUM]
