"""The first events of a log: its identity, and the transactions of the logs before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from pyspark_adapter.errors import CorruptEventError, as_log_file_error, located
from pyspark_adapter.events.log_identity import log_id_of, read_format_event
from pyspark_adapter.format.header import (
    LEN_HEADER,
    MAGIC,
    len_event_at,
    server_id_at,
    type_code_at,
)
from pyspark_adapter.format.schema import EventParser, EventType, FormatDescription, parsing
from pyspark_adapter.options.gtid_position import GtidPosition, MySqlSource
from pyspark_adapter.sources.locations import read_up_to
from pyspark_adapter.sources.log_file import LogFile, open_log

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
