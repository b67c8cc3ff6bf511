"""Splits of a log: ranges of some size, each read by itself from one transaction to another.

The driver follows the headers of a large log once, from its start, and cuts it where no transaction
is open. Values may hold whole events; a search for events would believe them, so there is none.
Splits share nothing and leave out nothing. Damage, and everything after it, belongs to one split.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from pyspark_adapter.errors import BinlogError, CorruptEventError
from pyspark_adapter.events.log_start import known_first_event, log_id_of, read_event_of
from pyspark_adapter.events.windows import ReadRange
from pyspark_adapter.format.header import LEN_HEADER, MAGIC, type_code_at
from pyspark_adapter.format.schema import EventType, FormatDescription, parse_format_description
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.gtid_set import GtidSet
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.plan.survey import lacks_names
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.splits.transaction_bounds import Cut, TransactionBounds
from pyspark_adapter.timeline.timeline import Timeline
from pyspark_adapter.timeline.timeline_part import TimelinePart
from pyspark_adapter.warn import warn

if TYPE_CHECKING:
    from pyspark_adapter.index_store.log_index import LogIndex


@dataclass(frozen=True)
class OffsetRange:
    """A range of a log at whose ends no transaction is open.

    Attributes:
        start: offset of its first event; 4 at the beginning of the log.
        stop: offset after its last event; None for the end of the file.
        log_id: identity of the log, see `log_id_of`; empty for whatever log has its name.
        stops_at_gtid: see `ReadRange`.
        cuts: where it may be split, in order; None if that is not known.
        skipped: transactions that are left out, since another server delivered them; None for none.
        only: the transactions that are returned; None for all.
        allowed: see `ReadRange`.
    """

    start: int
    stop: int | None = None
    log_id: str = ""
    stops_at_gtid: bool = True
    cuts: Sequence[Cut] | None = field(default=None, repr=False, compare=False)
    skipped: GtidSet | None = None
    only: GtidSet | None = None
    allowed: GtidSet | None = None

    def num_bytes(self, log_file: LogFile) -> int:
        """Return the bytes of the range, at the size that the log had when it was found."""
        return (log_file.num_bytes if self.stop is None else self.stop) - self.start

    @property
    def is_narrowed(self) -> bool:
        """Whether some of its transactions are left out."""
        return self.skipped is not None or self.only is not None

    def narrowed(self, options: BinlogOptions) -> BinlogOptions:
        """Return the options of a read of the range: without transactions that are left out."""
        skipped, only = self.skipped, self.only
        if skipped is not None:
            options = replace(
                options, exclude_gtids=skipped.union(options.exclude_gtids or GtidSet(()))
            )
        if only is not None:
            wanted = options.include_gtids
            options = replace(
                options, include_gtids=only if wanted is None else wanted.intersection(only)
            )
        return options


# Small logs share a task: up to so many bytes, or more, as long as there are so many tasks.
_MIN_TASK: Final = 4 << 20
_MANY_TASKS: Final = 64
# Bytes that could be read in the time that it takes to open a log.
_LOG_COST: Final = 1 << 16
# Bytes of the smallest part that a log is cut into, only to keep all cores busy.
_LEAST_PART: Final = 32 << 20
# Logs whose headers are followed at the same time: reads and kernels leave the GIL to others.
_NUM_THREADS: Final = 8

# Ranges of logs to be read; None for all of a log.
RangesOfLogs = Sequence[tuple[LogFile, OffsetRange | None]]


@dataclass(frozen=True)
class Split:
    """What a task reads of a log.

    Attributes:
        range: of it; None for all.
        timeline: the known tables in it; None if it was not needed to plan.
    """

    log_file: LogFile
    range: OffsetRange | None = None
    timeline: TimelinePart | None = field(default=None, repr=False, compare=False)

    @property
    def start(self) -> int:
        """Offset of its first event."""
        return len(MAGIC) if self.range is None else self.range.start

    @property
    def num_bytes(self) -> int:
        """How many bytes it has, at the size that the log had when it was found."""
        return (self.range or _ALL).num_bytes(self.log_file)


_ALL: Final = OffsetRange(0)


def is_to_be_cut(
    log_file: LogFile, options: BinlogOptions, offset_range: OffsetRange | None = None
) -> bool:
    """Return whether a log, or a range of it, is larger than a split, and of a kind that is split.

    With ignoreCorruptFiles no log is: what follows a damage is not to be read, and a task does not
    know of a damage in another.
    """
    if log_file.compression or log_file.server is not None or options.view == "events":
        return False
    num_bytes = (offset_range or _ALL).num_bytes(log_file)
    return num_bytes > options.max_partition_bytes and not options.ignore_corrupt_files


# Returns the known tables in a range of a log.
PartOf = Callable[[LogFile, int, int | None], TimelinePart | None]


def plan_splits(
    ranges: RangesOfLogs, request: ReadRequest, part_of: PartOf | None = None
) -> list[Split]:
    """Return the splits of logs, in order.

    The headers of logs that are larger than `maxPartitionBytes` are followed for it, some logs at a
    time, as far as they have no index: this takes time by the number of their events. Other logs
    are not opened. The splits of a whole log are as equal as its transactions allow; see
    `part_sizes`.

    A log that cannot be split is one, and a warning says why; a log that cannot be read is one, and
    its read says why. Archives and the logs of a running server are not split, and need no warning.

    Args:
        ranges: the logs, and the range to read of each.
        part_of: returns what tasks get of the timeline; None to decide it here.
    """
    if part_of is None:
        part_of = _no_part
        if request.timeline is not None and _needs_timeline(ranges, request, request.timeline):
            part_of = request.part_of
            request.timeline.read_to(len(request.log_files) - 1)
    cut = [pair for pair in ranges if is_to_be_cut(pair[0], request.options, pair[1])]
    most = request.options.max_partition_bytes
    # A batch of a stream has the cuts that were found as its logs grew, also if it is repeated.
    whole = {log.path: log.num_bytes - len(MAGIC) for log, asked in cut if asked is None}
    parts = part_sizes([*whole.values()], most, num_cores())
    steps = dict(zip(whole, parts, strict=True))
    with ThreadPoolExecutor(max(1, min(len(cut), _NUM_THREADS))) as pool:
        planned = pool.map(
            lambda pair: _cut(pair[0], pair[1], steps.get(pair[0].path, most), request), cut
        )
        splits = []
        for log_file, offset_range in ranges:
            if not is_to_be_cut(log_file, request.options, offset_range):
                splits.append(Split(log_file, offset_range))
                continue
            of_log, reason = next(planned)
            splits += of_log
            if reason:
                advice = request.options.spelled("(option maxPartitionBytes)")
                warn(f"{log_file.name}: is read by one task: {reason} {advice}")
    return [_with_timeline(split, part_of) for split in splits]


def _no_part(_log_file: LogFile, _start: int, _stop: int | None) -> None:
    return None


def _needs_timeline(ranges: RangesOfLogs, request: ReadRequest, timeline: Timeline) -> bool:
    """Return whether tasks need to know of statements before what they read.

    For names they seem to if the first table map of some log lacks them.
    """
    if request.options.view == "events":
        return False
    if request.needs_statements or all(timeline.is_known(log) for log, _ in ranges):
        return True
    options, index_of = request.options, request.index_of
    return request.needs_names and any(
        lacks_names(log, options, index=index_of(log)) for log, _ in ranges
    )


def _with_timeline(split: Split, part_of: PartOf) -> Split:
    stop = None if split.range is None else split.range.stop
    return replace(split, timeline=part_of(split.log_file, split.start, stop))


def num_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def part_sizes(sizes: Sequence[int], most: int, cores: int) -> list[int]:
    """Return the bytes of the parts of logs, so that tasks are equal and keep the cores busy.

    Spark does not tell a source how many tasks run at a time, so the cores of the driver are taken
    for it. Where there are others, some tasks may wait or be smaller than they could be.

    Args:
        sizes: bytes of each log, more than `most`.
        most: bytes of a part.
        cores: the number of parts is a multiple of it, unless they get too small for that.

    >>> part_sizes([210_000_000], 128 << 20, cores=2)
    [105000000]
    >>> part_sizes([300_000_000], 128 << 20, cores=2)  # not three
    [75000000]
    """
    total = sum(sizes)
    least = sum(-(-size // most) for size in sizes)
    num_parts = max(least, min(-(-least // cores) * cores, total // _LEAST_PART))
    counts = [max(-(-size // most), size * num_parts // total) for size in sizes]
    return [-(-size // count) for size, count in zip(sizes, counts, strict=True)]


def _cut(
    log_file: LogFile, offset_range: OffsetRange | None, step: int, request: ReadRequest
) -> tuple[list[Split], str]:
    """Return the splits of a range of a log; if that is one and a user should know why, the reason.

    They have about `step` bytes, or those between cuts that a stream knows. A range whose first
    event cannot be read is one: its read says why.
    """
    whole = [Split(log_file, offset_range)]
    asked = offset_range or OffsetRange(len(MAGIC))
    end = asked.start + asked.num_bytes(log_file)
    try:
        index = request.index_of(log_file)
        event = read_event_of(log_file, asked.log_id)
        description = parse_format_description(event, verify=request.options.verify_checksums)
        reason = reason_against_ranges(description)
        timeline = request.timeline
        if not reason and request.needs_names and timeline is not None:
            reason = _WITHOUT_NAMES if timeline.lacks_end_of(log_file) else ""
        cuts = asked.cuts
        if not reason and cuts is None:
            known = [] if index is None else _cuts_of(index, asked.start, end, step)
            rest = replace(asked, start=known[-1].pos) if known else asked
            chosen: list[Cut] = []
            if not known or end - rest.start > step:
                chosen, reason = _find_cuts(log_file, rest, description, step, request.options)
            cuts = [*known, *chosen]
    except BinlogError:
        return whole, ""
    splits = []
    start = asked.start
    for cut in cuts or ():
        # Those that a stream knows may be next to its ends.
        if cut.pos - start >= step // 2:
            splits.append(replace(asked, start=start, stop=cut.pos, stops_at_gtid=cut.is_gtid))
            start = cut.pos
    if not splits:
        return whole, reason
    splits.append(replace(asked, start=start))
    log_id = log_id_of(event)
    return [Split(log_file, replace(split, log_id=log_id, cuts=None)) for split in splits], ""


def _cuts_of(index: LogIndex, start: int, end: int, step: int) -> list[Cut]:
    """Return where a range of a log may be cut, as far as its index goes; one for each `step`."""
    bounds = index.bounds
    bounds = bounds[(bounds > start) & (bounds < end)]
    first = np.flatnonzero(np.diff((bounds - start) // step, prepend=0))
    is_gtid = dict(zip(index.bounds.tolist(), index.starts_with_gtid(), strict=True))
    return [Cut(pos, is_gtid[pos]) for pos in bounds[first].tolist()]


def _find_cuts(
    log_file: LogFile,
    asked: OffsetRange,
    description: FormatDescription,
    step: int,
    options: BinlogOptions,
) -> tuple[list[Cut], str]:
    """Return where a range of a log is to be cut; why nowhere, if so and its read does not say it.

    Raises:
        LogFileError: if the log cannot be read.
    """
    bounds = TransactionBounds(description, asked.start, options, step)
    end = asked.start + asked.num_bytes(log_file)
    for _ in bounds.find(replace(log_file, num_bytes=end)):
        if bounds.displaced >= 0:
            break
    if bounds.cuts:
        return bounds.cuts, ""
    if bounds.displaced >= 0:
        return [], (
            f"the event at {bounds.displaced} has the position of another log, as in relay logs,"
            " or is damaged"
        )
    if bounds.damage is None:
        return [], "all of it, or all but its beginning, is one transaction"
    return [], "" if isinstance(bounds.damage, CorruptEventError) else str(bounds.damage)


def read_range_of(split: Split) -> ReadRange | None:
    """Return what a task reads for a split; None for all of a log.

    Raises:
        DataLossError: if another log has the name of the log now.
        BinlogError: if the log cannot be read, or its first event.
    """
    if split.range is None:
        return None
    first_event = known_first_event(split.log_file, split.range.log_id)
    event = first_event or read_event_of(split.log_file, split.range.log_id)
    if split.log_file.server is not None:
        first_event = event  # another server may be there when the log is opened again
    format_event = event if split.start > len(MAGIC) else b""
    stop, is_gtid = split.range.stop, split.range.stops_at_gtid
    return ReadRange(split.start, stop, format_event, is_gtid, first_event, split.range.allowed)


def group_splits(splits: Sequence[Split], options: BinlogOptions) -> list[list[Split]]:
    """Return splits in groups, each for one task, in the same order.

    A task costs some hundredths of a second before it reads anything: small logs share one, as
    long as there are enough tasks for many cores.
    """
    sizes = [_LOG_COST + split.num_bytes for split in splits]
    most = min(options.max_partition_bytes, max(_MIN_TASK, sum(sizes) // _MANY_TASKS))
    groups: list[list[Split]] = []
    room = 0
    for split, size in zip(splits, sizes, strict=True):
        if size > room:
            groups.append([])
            room = most
        groups[-1].append(split)
        room -= size
    return groups


_WITHOUT_NAMES: Final = (
    "names of columns are in its statements, if anywhere, and these could not be followed to its"
    " end; expected a log that is not damaged, binlog_row_metadata=FULL, or the option ddl with the"
    " option table"
)


def reason_against_ranges(description: FormatDescription) -> str:
    """Return why a log is not read from its middle; empty if it is."""
    event = description.event_bytes[len(MAGIC) :]
    if type_code_at(event) != EventType.format_description:
        return "it is of binlog version 1 or 3"
    if description.len_header != LEN_HEADER or description.has_old_type_codes:
        return f"server {description.server_version} writes other headers"
    return ""
