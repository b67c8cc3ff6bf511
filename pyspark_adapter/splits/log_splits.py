"""Splits of a log: cut by size alone, each read by itself from one transaction to another.

The cuts of a log are every so many bytes. Near a cut an event is sought by its bytes, and from it
on the first place where a reader may begin anew: at a GTID, or after the end of a transaction. Each
split is read from the place of its own cut up to that of the next cut that has one; so splits share
nothing, and leave out nothing. A cut without a place (within a transaction that is larger than a
split, or where no event can be found for sure) leaves its bytes to the split before it.

The first split begins with the log, and each must end exactly where the next begins, or is an
error: from there it follows that all of them are right, however the places were found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from pyspark_adapter.errors import BinlogError, located, warn
from pyspark_adapter.events.frame_reader import FrameReader
from pyspark_adapter.events.framing import frame_site
from pyspark_adapter.events.log_part import LogPart
from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.inputs.log_files import MAGIC, LogFile
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.schema import LEN_HEADER, EventParser, EventType, FormatDescription
from pyspark_adapter.splits.event_chains import REACH
from pyspark_adapter.splits.log_span import LogSpan
from pyspark_adapter.splits.part_finder import PartFinder, bounds_of

# How far a log is looked through for a table map, which tells whether columns are named.
_LEN_LOOK: Final = 1 << 20
# Bytes of log that a task reads at the least, where there are more than one; tasks that are enough;
# and bytes that could be read in the time that it takes to open a log.
_MIN_PACK: Final = 4 << 20
_MANY_TASKS: Final = 64
_LOG_COST: Final = 1 << 16


@dataclass(frozen=True)
class LogSplit:
    """A share of a log, for one task.

    Attributes:
        log_file: the log.
        num_bytes: of each share but the last; None if there is one share only.
        number: of the share, from 0.
        span: what of the log is shared out; None for all.
    """

    log_file: LogFile
    num_bytes: int | None = None
    number: int = 0
    span: LogSpan | None = None


def is_to_be_cut(log_file: LogFile, options: BinlogOptions, span: LogSpan | None = None) -> bool:
    """Tell whether a log, or a range of it, is larger than a split, and of a kind that is split."""
    if log_file.compression or log_file.server is not None or options.view == "events":
        return False
    origin, end = bounds_of(log_file, span)
    return end - origin > options.max_partition_bytes


def plan_splits(
    log_file: LogFile, request: ReadRequest, span: LogSpan | None = None
) -> list[LogSplit]:
    """Return the splits of a log, for which no more is read than its beginning.

    A log that cannot be split is one, and a warning says why; archives and the logs of a running
    server are not, and need none.

    Args:
        log_file: the log.
        request: what is read of it.
        span: what of it is to be shared out; None for all.
    """
    whole = [LogSplit(log_file, span=span)]
    if not is_to_be_cut(log_file, request.options, span):
        return whole
    definitions = request.definitions_along(log_file) if span is None else span.definitions
    is_known = definitions is not None and definitions.is_whole
    needs_names = request.needs_names and not is_known
    try:
        reason = _reason_against(log_file, request, needs_names=needs_names)
    except BinlogError:
        return whole  # the read tells of it
    if reason is not None:
        warn(f"{log_file.name}: is read by one task: {reason} (option maxPartitionBytes)")
        return whole
    num_bytes = request.options.max_partition_bytes
    origin, end = bounds_of(log_file, span)
    return [
        LogSplit(log_file, num_bytes, number, _narrowed(span, cut, cut + num_bytes))
        for number, cut in enumerate(range(origin, end, num_bytes))
    ]


def _narrowed(span: LogSpan | None, start: int, stop: int) -> LogSpan | None:
    """Return a span with no more definitions than a split of it needs."""
    if span is None or span.definitions is None:
        return span
    return replace(span, definitions=span.definitions.within(start, stop))


def pack_splits(splits: Sequence[LogSplit], options: BinlogOptions) -> list[list[LogSplit]]:
    """Return splits in groups, each for one task, in the same order.

    A task costs some hundredths of a second before it reads anything: small logs share one, as
    long as there are enough tasks for many cores.
    """
    sizes = [_LOG_COST + _len_of(split) for split in splits]
    most = min(options.max_partition_bytes, max(_MIN_PACK, sum(sizes) // _MANY_TASKS))
    packs: list[list[LogSplit]] = []
    room = 0
    for split, size in zip(splits, sizes, strict=True):
        if size > room:
            packs.append([])
            room = most
        packs[-1].append(split)
        room -= size
    return packs


def _len_of(split: LogSplit) -> int:
    origin, end = bounds_of(split.log_file, split.span)
    return end - origin if split.num_bytes is None else split.num_bytes


def _reason_against(log_file: LogFile, request: ReadRequest, *, needs_names: bool) -> str | None:
    """Return why a log is not split, else None.

    Args:
        log_file: the log.
        request: what is read of it.
        needs_names: whether its table maps have to name columns.
    """
    frames = FrameReader(log_file, request.options)
    for frame in frames:
        description = frames.format_description
        assert description is not None
        if (reason := _reason_in(description)) is not None:
            return reason
        if not needs_names:
            return None
        if frame.plain_type == EventType.table_map:
            with located(frame_site(log_file, frame)):
                body = EventParser(description).parse(frame.event).body
                table_map = TableMap.from_event(body, is_mariadb=description.is_mariadb)
            return None if table_map.has_logged_names else _WITHOUT_NAMES
        if frame.start_pos > _LEN_LOOK:
            break
    return _WITHOUT_NAMES


_WITHOUT_NAMES: Final = (
    "names of columns are in its statements, if anywhere, and these could not be followed to its"
    " end; expected a log that is not damaged, binlog_row_metadata=FULL, or the option ddl with the"
    " option table"
)


def _reason_in(description: FormatDescription) -> str | None:
    event = description.event_bytes[len(MAGIC) :]
    if event[4] != EventType.format_description:
        return "it is of binlog version 1 or 3"
    if description.len_header != LEN_HEADER or description.has_old_type_codes:
        return f"server {description.server_version} writes other headers"
    return None


def find_part(split: LogSplit, options: BinlogOptions, reach: int = REACH) -> LogPart | None:
    """Return which bytes of a log a split has to read.

    Args:
        split: one of `plan_splits`.
        options: of the read.
        reach: see `EventFinder`.

    Returns:
        None if no transaction begins in it.

    Raises:
        BinlogError: if the log cannot be read, or its first event.
    """
    if split.num_bytes is None and split.span is None:
        return LogPart(len(MAGIC))
    finder = PartFinder(split.log_file, split.num_bytes, options, reach, split.span)
    try:
        part = finder.part(split.number)
    finally:
        finder.close()
    is_all = part is not None and (part.start, part.stop) == finder.bounds
    if is_all and finder.num_splits > 1:
        warn(
            f"{split.log_file.name}: is read by one task: no transaction was found to begin near"
            f" one of the {finder.num_splits - 1} places where it was to be split (option"
            " maxPartitionBytes)"
        )
    return part
