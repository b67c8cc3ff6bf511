"""The first events of a log: its identity, and the transactions of the logs before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from pyspark_adapter.errors import (
    CorruptEventError,
    DataLossError,
    EventSite,
    LogFileError,
    UnsupportedError,
    as_log_file_error,
    located,
)
from pyspark_adapter.events.event_errors import check_magic
from pyspark_adapter.format.header import (
    LEN_CHECKSUM,
    LEN_HEADER,
    MAGIC,
    OFS_FLAGS,
    RELAY_LOG,
    crc32,
    flags_at,
    len_event_at,
    server_id_at,
    timestamp_at,
    type_code_at,
)
from pyspark_adapter.format.schema import EventParser, EventType, FormatDescription, parsing
from pyspark_adapter.options.gtid_position import GtidPosition, MySqlSource
from pyspark_adapter.sources.locations import read_up_to
from pyspark_adapter.sources.log_file import LogFile, open_log

# A first read; servers write some hundred bytes at most.
_LEN_START: Final = 512
_MAX_FORMAT_EVENT: Final = 1 << 16
_LEN_TAIL: Final = 64  # of what an index keeps


def log_id_of(format_event: bytes) -> str:
    """Return the identity of a log, from its first event.

    The event has the second in which the log was created, the server and its version. The flags,
    which say whether the server still writes to the log, and the checksum are left out.
    """
    rest = format_event[:OFS_FLAGS] + format_event[LEN_HEADER:-LEN_CHECKSUM]
    return f"{timestamp_at(format_event)}-{crc32(rest):08x}"


def read_first_event(log_file: LogFile) -> bytes | None:
    """Return the first event of a log; None if it is not all there yet, or none can be so long.

    Raises:
        NotABinlogError, UnsupportedError: if it does not begin as a log.
        LogFileError: if it cannot be read.
    """
    event, length = _read_first(log_file)
    return event if LEN_HEADER <= length == len(event) else None


def first_event_of(log_file: LogFile) -> bytes | None:
    """Return what `read_first_event` does: as it was when the log was found, if that is known.

    Raises:
        NotABinlogError, UnsupportedError, LogFileError: as there.
    """
    return first_event_in(log_file.start) or read_first_event(log_file)


def known_first_event(log_file: LogFile, log_id: str) -> bytes:
    """Return the first event of a log when it was listed; empty if unknown or another log's."""
    event = first_event_in(log_file.start)
    return event if event is not None and log_id_of(event) == log_id else b""


def first_event_in(start: bytes) -> bytes | None:
    """Return the first event in the first bytes of a log; None if they do not have all of it."""
    event = start[len(MAGIC) :]
    length = len_event_at(event) if len(event) >= LEN_HEADER else 0
    return event[:length] if LEN_HEADER <= length <= len(event) else None


def read_event_of(log_file: LogFile, log_id: str) -> bytes:
    """Return the first event of a log, which has to be the one that is meant.

    Raises:
        DataLossError: if it is another.
        BinlogError: if it cannot be read.
    """
    event = read_first_event(log_file)
    if event is None:
        raise LogFileError(
            "expected a format description, the file has no event",
            site=log_file.site,
            advice="its content is gone since the read began: copy it again",
        )
    check_log_id(log_file, log_id, event)
    return event


def read_format_event(log_file: LogFile) -> bytes | None:
    """Return the first event of a log; None if it is not all there yet.

    Raises:
        NotABinlogError, UnsupportedError: if it is no log that can be read from its middle.
        CorruptEventError: if it does not begin with a format description.
        LogFileError: if it cannot be read.
    """
    event, length = _read_first(log_file)
    if not event:
        return None
    _check_format_event(event, length, log_file.event_site(len(MAGIC), type_code_at(event)))
    return event if len(event) == length else None


def _read_first(log_file: LogFile) -> tuple[bytes, int]:
    """Return the first event as far as it is written, at least its header, and the length in that.

    Nothing, and 0, if the header is not there yet, or zeros are in its place.
    """
    with as_log_file_error(log_file.site):
        file = open_log(log_file)
        try:
            start = read_up_to(file, _LEN_START)
            if len(start) >= len(MAGIC):
                check_magic(log_file, start[: len(MAGIC)])
            event = start[len(MAGIC) :]
            if len(event) < LEN_HEADER or not any(event[:LEN_HEADER]):
                return b"", 0
            length = len_event_at(event)
            if len(event) < length:
                event += read_up_to(file, min(length, _MAX_FORMAT_EVENT) - len(event))
        finally:
            file.close()
    return event[: max(length, LEN_HEADER)], length


def _check_format_event(event: bytes, length: int, site: EventSite) -> None:
    if type_code_at(event) == EventType.start_v3:
        raise UnsupportedError(
            "expected a log of MySQL 5.0 or later, or of MariaDB, found one of binlog version 1"
            " or 3",
            site=site,
            advice="option view=events lists its statements",
        )
    is_format = type_code_at(event) == EventType.format_description
    if not is_format or not LEN_HEADER <= length <= _MAX_FORMAT_EVENT:
        raise CorruptEventError("expected a format description as the first event", site=site)
    if flags_at(event) & RELAY_LOG:
        raise UnsupportedError(
            "expected a log of a server's own, found a relay log: its events have the positions"
            " of another log",
            site=site,
            advice="follow the logs of the server itself: their directory, or option host",
        )


def check_log_id(log_file: LogFile, log_id: str, format_event: bytes) -> None:
    """Check that a log is the one that is meant; raises DataLossError if it is another.

    Args:
        log_id: of the log that is meant; empty for any.
        format_event: the first event of the log; less of it if the log is shorter.
    """
    actual = log_id_of(format_event) if len(format_event) >= LEN_HEADER else "no event"
    if log_id and actual != log_id:
        raise DataLossError(
            "has been replaced by another log of the same name, as a reset of the server does"
            f" (expected log_id {log_id}, found {actual})",
            site=log_file.site,
        )


def tail_before(log_file: LogFile, end: int) -> bytes:
    """Return the bytes of a log before an offset that an index keeps, to know the log again.

    Raises:
        LogFileError: if the log cannot be read.
    """
    start = max(end - _LEN_TAIL, len(MAGIC))
    with as_log_file_error(log_file.site):
        file = open_log(log_file)
        try:
            file.seek(start)
            return read_up_to(file, end - start)
        finally:
            file.close()


# A set has 40 bytes for each source, and 16 for each gap in its numbers.
_MAX_SET: Final = 64 << 20
# MariaDB's START_ENCRYPTION comes before the list.
_MOST_EVENTS: Final = 2


@dataclass(frozen=True)
class LogStart:
    """What the first events of a log say.

    Attributes:
        format_event: the format description.
        gtids: the transactions of earlier logs; None if the log does not say, or not yet.
    """

    format_event: bytes
    gtids: GtidPosition | None

    @property
    def log_id(self) -> str:
        """The identity of the log."""
        return log_id_of(self.format_event)

    @property
    def server_id(self) -> str:
        """The id of the server that wrote the log."""
        return str(server_id_at(self.format_event))


def read_log_start(log_file: LogFile) -> LogStart | None:
    """Return the first events of a log; None if the first one is not all there yet.

    Raises:
        BinlogError: as `read_format_event`; CorruptEventError for a set that is damaged.
    """
    format_event = read_format_event(log_file)
    if format_event is None:
        return None
    with located(log_file.event_site(len(MAGIC), EventType.format_description)):
        description = FormatDescription.parse(format_event)
    position = len(MAGIC) + len(format_event)
    with as_log_file_error(log_file.site):
        file = open_log(log_file)
        try:
            read_up_to(file, position)  # archives cannot be read from their middle
            for _ in range(_MOST_EVENTS):
                header = read_up_to(file, LEN_HEADER)
                if len(header) < LEN_HEADER:
                    break
                length, type_code = len_event_at(header), type_code_at(header)
                is_set = type_code == _set_type(description)
                if not LEN_HEADER < length <= _MAX_SET or not (
                    is_set or type_code == EventType.start_encryption
                ):
                    break
                event = header + read_up_to(file, length - LEN_HEADER)
                if len(event) == length and is_set:
                    with located(log_file.event_site(position, type_code)):
                        return LogStart(format_event, _gtids_of(event, description))
                position += length
        finally:
            file.close()
    return LogStart(format_event, None)


def _set_type(description: FormatDescription) -> EventType:
    """Return the type of the event with the transactions of earlier logs."""
    return EventType.gtid_list if description.is_mariadb else EventType.previous_gtids


def _gtids_of(event: bytes, description: FormatDescription) -> GtidPosition | None:
    """Return the transactions that PREVIOUS_GTIDS or GTID_LIST names; raises BinlogError.

    The last GTID of a domain comes after the others of it.
    """
    with parsing("set of GTIDs"):
        return _parsed(EventParser(description).parse(event).body)


def _parsed(body: Any) -> GtidPosition | None:
    if hasattr(body, "gtids"):
        return GtidPosition(last={g.domain_id: (g.server_id, g.seq_no) for g in body.gtids})
    if body.format > 1:
        return None
    numbers = [
        (_source(source), (interval.start, interval.last))
        for source in body.sources
        for interval in source.intervals
    ]
    if any(not 1 <= first <= last for _, (first, last) in numbers):
        raise CorruptEventError("set of GTIDs: expected numbers from 1 on, in ascending order")
    return GtidPosition().with_numbers(numbers)


def _source(source: Any) -> MySqlSource:
    tag = bytes(source.tag.text).decode() if hasattr(source, "tag") else ""
    return str(UUID(bytes=source.source_uuid)), tag
