"""Whether logs are whole: events, checksums, positions, and the way from each log to the next."""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final
from uuid import UUID

from pyspark_adapter.errors import BinlogError, EventSite, located
from pyspark_adapter.events.row_filter import NO_FILTERS
from pyspark_adapter.events.windows import raw_events
from pyspark_adapter.format.event_types import ENDS_LOG, TRAITS
from pyspark_adapter.format.header import OFS_END_LOG_POS, RELAY_LOG, flags_at, type_code_at
from pyspark_adapter.format.schema import (
    EventParser,
    EventType,
    FormatDescription,
    parse_format_description,
)
from pyspark_adapter.operations.transactions import list_transactions
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.gtid_set import Range, complement, merged, split_gtid
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.sources.progress import Progress

_U4: Final = struct.Struct("<I")


@dataclass
class _Logged:
    """The transactions of a source, or of a domain of MariaDB, in the logs so far.

    Attributes:
        ranges: their numbers. Merged between logs; within one, in the order of the log.
        jumps: the numbers that the log jumped over.
    """

    ranges: list[Range]
    highest: int
    jumps: list[Range] = field(default_factory=list)

    def add(self, number: int) -> None:
        """Add the next transaction."""
        if number > self.highest + 1:
            self.jumps.append((self.highest + 1, number - 1))
        self.highest = max(self.highest, number)
        first, last = self.ranges[-1]
        if last + 1 == number:
            self.ranges[-1] = first, number
        else:
            self.ranges.append((number, number))


_Numbers = dict[Any, _Logged]  # by source, or by domain


@dataclass
class CheckedLog:
    """The report about a log that was read.

    Attributes:
        num_transactions: complete ones.
        has_checksums: whether its events have a CRC32, which was compared.
        problems: each with its position.
    """

    name: str
    num_bytes: int
    num_transactions: int = 0
    has_checksums: bool = False
    problems: list[str] = field(default_factory=list)


@dataclass
class _Ends:
    """How a log begins and ends, to compare it with its neighbours.

    Attributes:
        previous: by source, the last number of each interval of the transactions before the log.
        next_name: of the log that it names as the next one.
        is_ended: whether its last event ends a log.
    """

    previous: Mapping[Any, set[int]] = field(default_factory=dict)
    next_name: str | None = None
    is_ended: bool = False


def check_logs(
    log_files: Sequence[LogFile], options: BinlogOptions, progress: Progress | None = None
) -> Iterator[CheckedLog]:
    """Yield a report for each log: problems in it, and gaps after the log before.

    Replicas may log transactions in another order than the source, also across the end of a log.
    So a log is yielded after the next one has been read, and a transaction that is in neither is
    missing.

    Args:
        log_files: the logs, in order.
        options: of the read; filters do not apply, since gaps would appear where they leave out.
        progress: called from time to time with the bytes read so far and the bytes in all.
    """
    options = replace(options, **NO_FILTERS)
    total = sum(log.num_bytes for log in log_files)
    done = 0
    last: tuple[LogFile, _Ends] | None = None
    numbers: _Numbers = {}
    waiting: tuple[CheckedLog, dict[Any, list[Range]]] | None = None
    for log_file in log_files:
        checked = CheckedLog(log_file.name, log_file.num_bytes)
        ends = _check_events(log_file, options, checked)
        gaps = list(_check_previous(numbers, ends))

        def report(position: int, _total: int, done: int = done) -> None:
            if progress is not None:
                progress(done + position, total)

        try:
            for batch in list_transactions([log_file], options, report):
                checked.num_transactions += batch.num_rows
                _add_gtids(numbers, batch.column("gtid").drop_null().to_pylist())
        except BinlogError as error:
            if error.problem not in checked.problems:
                checked.problems.insert(0, error.problem)
        site = EventSite(log_file.name)
        if last is not None:
            checked.problems += [f"{site}: {text}" for text in _breaks(*last, log_file)]
        checked.problems += [f"{site}: {text}" for text in gaps]
        last = log_file, ends
        done += log_file.num_bytes
        if waiting is not None:
            yield _with_missing(*waiting, numbers)
        waiting = checked, _close(numbers)
    if waiting is not None:
        yield _with_missing(*waiting, numbers)


def _check_events(log_file: LogFile, options: BinlogOptions, checked: CheckedLog) -> _Ends:
    """Check that the events follow each other, and return how the log begins and ends.

    The contents of events are checked when the transactions are listed.
    """
    ends = _Ends()
    description: FormatDescription | None = None
    is_relay_log = False
    shift = 0
    try:
        for start_pos, event in raw_events(log_file, options):
            kind = type_code_at(event)
            if kind == EventType.start_v3:
                return _Ends(is_ended=True)  # its headers have the position of the event itself
            ends.is_ended = bool(TRAITS[kind] & ENDS_LOG)
            if kind == EventType.format_description:
                is_relay_log |= bool(flags_at(event) & RELAY_LOG)
                description = parse_format_description(bytes(event), verify=False)
                checked.has_checksums = bool(description.len_checksum)
            elif description is not None:
                with located(log_file.event_site(start_pos, kind)):
                    _read_end(event, description, ends)
            expected = start_pos + len(event) & 0xFFFFFFFF
            (end_pos,) = _U4.unpack_from(event, OFS_END_LOG_POS)
            # MariaDB 11 writes 0 in the events within a transaction.
            is_left_out = not end_pos and description is not None and description.is_mariadb
            if is_relay_log or is_left_out:
                continue
            # Where bytes are missing, all positions after them are off by as much.
            if end_pos != expected and end_pos - expected != shift:
                checked.problems.append(
                    f"{log_file.event_site(start_pos, kind)}: expected {expected} as the position"
                    f" of the next event, found {end_pos}"
                )
            shift = end_pos - expected
    except BinlogError as error:
        ends.is_ended = True  # nobody knows
        checked.problems.append(error.problem)
    return ends


def _read_end(event: memoryview, description: FormatDescription, ends: _Ends) -> None:
    """Take what an event says of the log before or after its own; most events say nothing."""
    type_code = type_code_at(event)
    if type_code == EventType.rotate:
        body = EventParser(description).parse(bytes(event)).body
        ends.next_name = bytes(body.next_log_file).decode(errors="backslashreplace")
    elif type_code == EventType.gtid_list:
        body = EventParser(description).parse(bytes(event)).body
        ends.previous = _by_source((gtid.domain_id, gtid.seq_no) for gtid in body.gtids)
    elif type_code == EventType.previous_gtids:
        body = EventParser(description).parse(bytes(event)).body
        if body.format > 1:
            return
        ends.previous = _by_source(
            ((str(UUID(bytes=source.source_uuid)), _tag(source)), interval.last)
            for source in body.sources
            for interval in source.intervals
        )


def _by_source(numbers: Iterable[tuple[Any, int]]) -> dict[Any, set[int]]:
    by_source: dict[Any, set[int]] = defaultdict(set)
    for source, number in numbers:
        by_source[source].add(number)
    return by_source


def _tag(source: Any) -> str:
    return (
        bytes(source.tag.text).decode(errors="backslashreplace") if hasattr(source, "tag") else ""
    )


def _breaks(before: LogFile, ends: _Ends, log_file: LogFile) -> Iterator[str]:
    """Yield why a log does not follow the one before."""
    if before.number and log_file.number > before.number + 1:
        missing = log_file.number - before.number - 1
        yield f"expected log {before.number + 1} after {before.name}: {missing} missing"
    elif ends.next_name is not None and ends.next_name != log_file.name:
        yield f"expected {ends.next_name}, which {before.name} names as the next log"
    elif not ends.is_ended:
        yield (
            f"expected ROTATE_EVENT or STOP_EVENT at the end of {before.name}: it was cut, or the"
            " server crashed"
        )


def _check_previous(numbers: _Numbers, ends: _Ends) -> Iterator[str]:
    """Yield gaps before a log: transactions that it names as earlier and no log has."""
    for source in sorted(ends.previous, key=str):
        lasts = sorted(ends.previous[source])
        if source not in numbers:
            numbers[source] = _Logged([(last, last) for last in lasts], lasts[-1])
            continue
        logged = numbers[source]
        end, firsts = logged.highest, [first for first, _ in logged.ranges]
        unknown = []
        for last in lasts:
            k = bisect_right(firsts, last) - 1
            if k < 0 or logged.ranges[k][1] < last:
                yield (
                    f"the log before ends with transaction {end} of {_name(source)}, and this one"
                    f" begins after {last}"
                )
                unknown.append((last, last))
        logged.ranges += unknown
        logged.highest = max(end, *lasts)


def _add_gtids(numbers: _Numbers, gtids: Sequence[str]) -> None:
    """Add the next transactions."""
    for gtid in gtids:
        parsed, number = split_gtid(gtid)
        source = parsed[0] if isinstance(parsed[0], int) else parsed
        if source in numbers:
            numbers[source].add(number)
        else:
            numbers[source] = _Logged([(number, number)], number)


def _close(numbers: _Numbers) -> dict[Any, list[Range]]:
    """End a log: return, by source, the numbers that it jumped over."""
    jumps = {}
    for source, logged in numbers.items():
        logged.ranges = merged(logged.ranges)
        if logged.jumps:
            jumps[source], logged.jumps = logged.jumps, []
    return jumps


def _with_missing(
    checked: CheckedLog, jumps: Mapping[Any, Sequence[Range]], numbers: _Numbers
) -> CheckedLog:
    """Return a log, with the transactions it jumped over that the next log does not have either."""
    site = EventSite(checked.name)
    for source in sorted(jumps, key=str):
        known = merged(numbers[source].ranges)
        firsts = [first for first, _ in known]
        for jump in jumps[source]:
            near = slice(max(bisect_right(firsts, jump[0]) - 1, 0), bisect_right(firsts, jump[1]))
            checked.problems += [
                f"{site}: transactions {first} to {last} of {_name(source)} are missing"
                for first, last in complement(known[near], jump)
            ]
    return checked


def _name(source: Any) -> str:
    if isinstance(source, int):
        return f"domain {source}"
    uuid, tag = source
    return f"{uuid}:{tag}" if tag else uuid
