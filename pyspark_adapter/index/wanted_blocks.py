"""Which blocks of a log may hold what a read asks for, and which ranges of the log they are.

A block is left out only if nothing in it can be asked for. What the index does not know is read.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
import pyarrow as pa

from pyspark_adapter.events.row_filter import RowFilter, logs_to_read
from pyspark_adapter.index_store.index_batches import IndexHeader
from pyspark_adapter.index_store.index_folder import IndexFolder, indexes_of
from pyspark_adapter.index_store.keys import find_blocks
from pyspark_adapter.index_store.log_index import LogIndex
from pyspark_adapter.kernels.layout import GtidKind, Numbers
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.change_types import DELETE, INSERT, UPDATE
from pyspark_adapter.options.gtid_set import ANY_SERVER, GtidSet
from pyspark_adapter.options.log_position import LogPosition
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.splits.log_splits import OffsetRange, RangesOfLogs, Split
from pyspark_adapter.timeline.table_changes import searched_name
from pyspark_adapter.warn import warn

if TYPE_CHECKING:
    from pyspark_adapter.plan.read_request import ReadRequest

# What rows have in some columns, by name in lower case: one of some values in each.
Values = Mapping[str, Collection[Any]]
# One of each of these, in the table of the options.
Keys = Sequence[Sequence[Values]]
# Whose definitions are to be read, of those that statements in a log change: of all tables, of one,
# or of none, since their names are known without.
DdlOf = TableName | Literal["all", "none"]
_DROPS_DATABASE: Final = re.compile(
    rb"\bDROP\b.*\b(?:DATABASE|SCHEMA)\b", re.IGNORECASE | re.DOTALL
)
# Bytes between two ranges that are read along, if there are fewer: to open a log takes as long. In
# an object storage that takes some requests.
_MIN_GAP: Final = 1 << 20
_REMOTE_GAP: Final = 4 << 20
_OF_KIND: Final = {"num_inserts": INSERT, "num_updates": UPDATE, "num_deletes": DELETE}


@dataclass(frozen=True)
class WantedBlocks:
    """The blocks of a log that a read may need.

    Attributes:
        may: (num_blocks,) bool: whether a transaction of the block may be asked for.
        must: (num_blocks,) bool: whether all of them are, and all their rows.
    """

    may: Numbers
    must: Numbers


def wanted_blocks(
    index: LogIndex,
    row_filter: RowFilter,
    options: BinlogOptions,
    keys: Keys = (),
    ddl_of: DdlOf = "all",
) -> WantedBlocks:
    """Return the blocks of a log that a read may need.

    Args:
        keys: what rows have that are asked for.
        ddl_of: the tables whose definitions are to be read.
    """
    may = np.full(index.num_blocks, not row_filter.keeps_none)
    must = may.copy()
    start, stop = index.bounds[:-1], index.bounds[1:]
    first, last = index.block("first_micros"), index.block("last_micros")
    may &= stop > row_filter.first_pos
    must &= start >= row_filter.first_pos
    if row_filter.end_pos is not None:
        may &= start < row_filter.end_pos
        must &= stop <= row_filter.end_pos
    if row_filter.first_micros is not None:
        may &= last >= row_filter.first_micros
        must &= first >= row_filter.first_micros
    if row_filter.end_micros is not None:
        may &= first < row_filter.end_micros
        must &= last < row_filter.end_micros
    if row_filter.include_gtids is not None:
        may &= _may_hold(index, row_filter.include_gtids)
        must[:] = False
    if row_filter.exclude_gtids is not None:
        must[:] = False
    if options.table is not None or not row_filter.keeps_all_of_transactions:
        # The former names of a table are not those of the option.
        if not (options.follow_renames and options.table is not None):
            statements = _has_statements(index, ddl_of)
            may &= statements | _may_change(index, row_filter, options)
            if options.table is not None:
                is_defined = options.ddl is not None
                for some in keys:
                    has_keys = _may_have(index, options.table, some, is_defined=is_defined)
                    may &= statements | has_keys
        must[:] = False
    return WantedBlocks(may, must & may)


def _has_statements(index: LogIndex, ddl_of: DdlOf) -> Numbers:
    """Return (num_blocks,) bool: blocks with statements that are to be read.

    Statements that change rows without logging them always are: reads refuse to leave them out.
    """
    if ddl_of == "all" or (ddl_of != "none" and not index.knows_tables):
        return index.block("num_statements") > 0
    may = index.block("num_unlogged") > 0
    if ddl_of != "none":
        name = searched_name(ddl_of)
        events, positions = (index.statements.column(c) for c in ("event", "start_pos"))
        about = [
            name in event.lower() or _DROPS_DATABASE.search(event) is not None
            for event in events.to_pylist()
        ]
        chosen = positions.to_numpy()[np.array(about, dtype=bool)]
        may[np.searchsorted(index.bounds, chosen, side="right") - 1] = True
    return may


def _may_change(index: LogIndex, row_filter: RowFilter, options: BinlogOptions) -> Numbers:
    """Return (num_blocks,) bool: blocks with rows that are asked for."""
    tables = np.array(
        [
            options.table in (None, table) and row_filter.tables.keeps(table)
            for table in index.tables
        ],
        dtype=bool,
    )
    keeps = tables[index.count("table")]
    num_rows = sum(
        index.count(name) for name, changes in _OF_KIND.items() if changes & row_filter.changes
    )
    may = np.zeros(index.num_blocks, dtype=bool)
    may[index.count("block")[keeps & (np.asarray(num_rows) > 0)]] = True
    return may


def _may_have(
    index: LogIndex, table: TableName, keys: Sequence[Values], *, is_defined: bool
) -> Numbers:
    """Return (num_blocks,) bool: blocks that may have rows of a table with some keys.

    Those are kept with rows whose keys the index does not have.

    Args:
        keys: values of columns, by name in lower case.
        is_defined: whether the user defines tables: then names from logged definitions may differ.
    """
    may = np.zeros(index.num_blocks, dtype=bool)
    of_table = np.array([name == table for name in index.tables], dtype=bool)
    rows = of_table[index.count("table")]
    may[index.count("block")[rows & ~index.count("has_keys")]] = True
    for number, spec in enumerate(index.specs):
        if spec.table != table:
            continue
        wanted = [spec.numbers(values) for values in keys]
        if None in wanted or (is_defined and not spec.is_logged):
            may[index.count("block")[rows]] = True
            break
        numbers = [key for some in wanted for key in some or ()]
        try:
            may |= find_blocks(index.chunks, index.key_data, number, numbers, index.num_blocks)
        except (OSError, ValueError) as error:
            warn(f"{index.name}: its index is not used for keys: {error}")
            may[index.count("block")[rows]] = True
            break
    return may


def _may_hold(index: LogIndex, gtids: GtidSet) -> Numbers:
    """Return (num_blocks,) bool: blocks that may have a GTID of a set."""
    from pyspark_adapter.scan.scanned_filter import fields_of

    block, kind, a, b, first, last = (column.to_numpy() for column in index.gtids.columns)
    holds = kind == GtidKind.TAGGED
    for source, ranges in gtids.entries:
        source_kind, source_a, source_b = fields_of(source)
        of_source = (kind == source_kind) & (a == source_a)
        if source_kind != GtidKind.MARIADB or source_b != ANY_SERVER:
            of_source &= b == source_b
        for low, high in ranges:
            high = min(high, (1 << 63) - 1)
            if low <= high:
                holds |= of_source & (first <= high) & (last >= low)
    may = np.zeros(index.num_blocks, dtype=bool)
    may[block[holds]] = True
    return may


class IndexedLogs:
    """Logs, and their indexes as far as there are any that hold.

    Args:
        options: of the read; its option `index` names the folder.
        keys: what rows have that are asked for.
        folder: of the indexes, if it is open already.
        ddl_of: the tables whose definitions are to be read.

    Raises:
        OptionError: if there is no such folder.
    """

    def __init__(
        self,
        options: BinlogOptions,
        keys: Keys = (),
        folder: IndexFolder | None = None,
        ddl_of: DdlOf = "all",
    ) -> None:
        self._options = options
        self._ddl_of: DdlOf = ddl_of
        self._keys = keys
        self._folder = indexes_of(options) if folder is None else folder

    def find(self, log_file: LogFile) -> LogIndex | None:
        """Return the index of a log; None if there is none that holds; raises BinlogError."""
        return None if self._folder is None else self._folder.find(log_file)

    def header_of(self, log_file: LogFile) -> IndexHeader | None:
        """Return what the index of a log says without its blocks; None if there is none that holds.

        Raises:
            BinlogError: if the log cannot be read.
        """
        return None if self._folder is None else self._folder.header_of(log_file)

    @classmethod
    def of(cls, request: ReadRequest, keys: Keys = ()) -> IndexedLogs:
        """Return those of a read; `keys` are more that rows have."""
        ddl_of: DdlOf = "all" if request.needs_statements else "none"
        if request.key_filter is not None:
            keys = (request.key_filter.values, *keys)
        return cls(request.options, keys, request.indexes, ddl_of)

    def _wanted(
        self, index: LogIndex, row_filter: RowFilter, options: BinlogOptions
    ) -> WantedBlocks:
        return wanted_blocks(index, row_filter, options, self._keys, self._ddl_of)

    def ranges(
        self, log_files: Sequence[LogFile], options: BinlogOptions | None = None
    ) -> RangesOfLogs:
        """Return the ranges of logs to read, in order; raises BinlogError if a log cannot be read.

        Args:
            options: of the read, if they have more filters than those of the logs.
        """
        options = options or self._options
        ranges: list[tuple[LogFile, OffsetRange | None]] = []
        for log_file in log_files:
            row_filter = RowFilter(options, log_file)
            if self._holds_none(log_file, row_filter):
                continue
            index = self.find(log_file)
            if index is None:
                ranges.append((log_file, None))
            else:
                may = self._wanted(index, row_filter, options).may
                ranges += ranges_of(log_file, index, may)
        return ranges

    def _holds_none(self, log_file: LogFile, row_filter: RowFilter) -> bool:
        """Return whether the header of an index says that nothing in a log can be asked for."""
        header = self.header_of(log_file)
        if header is None or not header.is_whole(log_file):
            return False
        if header.is_outside(row_filter.first_micros, row_filter.end_micros):
            return True
        table = self._options.table
        if table is None or self._options.follow_renames or self._ddl_of != "none":
            return False
        return (
            not header.part("unlogged").num_rows
            and not header.headers.has_table(table)[header.number]
        )

    def within(self, parts: Sequence[tuple[LogFile, OffsetRange]]) -> RangesOfLogs:
        """Return the parts of ranges of logs to read, in order; raises BinlogError.

        Args:
            parts: the ranges, between whose ends no transaction is open.
        """
        ranges: list[tuple[LogFile, OffsetRange | None]] = []
        for log_file, part in parts:
            index = self.find(log_file)
            if index is None or log_file.compression:
                ranges.append((log_file, part))
                continue
            row_filter = RowFilter(self._options, log_file)
            may = self._wanted(index, row_filter, self._options).may
            for _, one in ranges_of(log_file, index, may):
                narrowed = part if one is None else _intersection(part, one)
                if narrowed is not None:
                    ranges.append((log_file, narrowed))
        return ranges


def _intersection(part: OffsetRange, blocks: OffsetRange) -> OffsetRange | None:
    """Return the part of a log from the first to the last of some blocks; None for nothing."""
    start = max(part.start, blocks.start)
    ends_early = blocks.stop is not None and (part.stop is None or blocks.stop < part.stop)
    stop, is_gtid = (blocks if ends_early else part).stop, blocks.stops_at_gtid
    if stop is not None and stop <= start:
        return None
    cuts = part.cuts
    if cuts is not None:
        cuts = [cut for cut in cuts if start < cut.pos and (stop is None or cut.pos < stop)]
    stops_at_gtid = is_gtid if ends_early else part.stops_at_gtid
    return replace(part, start=start, stop=stop, stops_at_gtid=stops_at_gtid, cuts=cuts)


def read_indexed(
    log_files: Sequence[LogFile], request: ReadRequest
) -> Generator[pa.RecordBatch, None, None]:
    """Yield what a request asks for of logs, in order, from the blocks that may hold it.

    Raises:
        BinlogError: as `read_batches`.
    """
    # Statistics do without it, and without kernels.
    from pyspark_adapter.splits.read_split import read_split

    indexed = IndexedLogs.of(request)
    for log_file, offset_range in indexed.ranges(log_files):
        yield from read_split(Split(log_file, offset_range), request)


def narrowed_to_blocks(log_files: Sequence[LogFile], options: BinlogOptions) -> BinlogOptions:
    """Return options that also say between which positions the blocks are that may be asked for.

    Raises:
        BinlogError: if a log cannot be read.
    """
    if options.index is None or len({log.name for log in log_files}) < len(log_files):
        return options
    ranges = IndexedLogs(options).ranges(logs_to_read(log_files, options))
    if not ranges:
        return options
    (first_log, first), (last_log, last) = ranges[0], ranges[-1]
    start = LogPosition(first_log.name, 0 if first is None else first.start)
    end = None if last is None else last.stop
    stop = LogPosition(last_log.name, sys.maxsize if end is None else end)
    try:
        sides = [start.side_of(log.name) for log in log_files]
    except ValueError:  # logs of several servers
        return options
    if sides != sorted(sides):
        return options
    given_start, given_stop = options.starting_position, options.ending_position
    if given_start is not None and given_start.log_name == start.log_name:
        start = max(start, given_start, key=_offset)
    if given_stop is not None and given_stop.log_name == stop.log_name:
        stop = min(stop, given_stop, key=_offset)
    return replace(options, starting_position=start, ending_position=stop)


def _offset(position: LogPosition) -> int:
    return position.start_pos


def ranges_of(
    log_file: LogFile,
    index: LogIndex,
    may: Numbers,
    *,
    with_rest: bool = True,
    min_gap: int | None = None,
) -> RangesOfLogs:
    """Return the ranges of a log that hold some blocks, and what comes after the index.

    An archive is read as a whole, or not at all.

    Args:
        may: (num_blocks,) bool.
        with_rest: whether what comes after the index is asked for.
        min_gap: bytes between two ranges that are skipped; None for the fastest.
    """
    if (may.all() and with_rest) or (log_file.compression and may.any()):
        return [(log_file, None)]
    if log_file.compression:
        return []
    starts, is_gtid = index.bounds.tolist(), index.starts_with_gtid()
    if min_gap is None:
        min_gap = _MIN_GAP if Location.parse(log_file.path).is_local else _REMOTE_GAP
    blocks = np.flatnonzero(may).tolist()
    if with_rest and index.indexed_to < log_file.num_bytes:
        blocks.append(index.num_blocks)  # the rest of the log
    # Runs of blocks; a small gap between two of them is read along.
    runs: list[tuple[int, int]] = []
    for block in blocks:
        if runs and starts[block] - starts[runs[-1][1]] < max(min_gap, 1):
            runs[-1] = runs[-1][0], block + 1
        else:
            runs.append((block, block + 1))
    return [(log_file, _range(index, first, last, starts, is_gtid)) for first, last in runs]


def _range(
    index: LogIndex, first: int, last: int, starts: Sequence[int], is_gtid: Sequence[bool]
) -> OffsetRange:
    """Return the range of some blocks, and after the last block the rest of the log."""
    if last > index.num_blocks:
        return OffsetRange(starts[first], None, index.log_id, stops_at_gtid=False)
    return OffsetRange(starts[first], starts[last], index.log_id, stops_at_gtid=is_gtid[last])
