"""The compiled schema, and what the rest of the package takes from it.

Only this module imports the generated parser; it converts the errors of the parser.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from threading import Lock
from typing import Any, Final, Generic, TypeVar

from kaitaistruct import KaitaiStream, KaitaiStructError
from mysql_binlog import MysqlBinlog

from pyspark_adapter.errors import (
    BinlogError,
    CorruptEventError,
    TruncatedEventError,
    UnsupportedError,
)
from pyspark_adapter.format.header import (
    IN_USE,
    LEN_HEADER,
    LEN_OLD_HEADER,
    MAGIC,
    OFS_FLAGS,
    check_crc32,
    type_code_at,
)

EventType = MysqlBinlog.EventType
ColumnTypeCode = MysqlBinlog.ColumnType
OptionalMetadataType = MysqlBinlog.OptionalMetadataType
StatusVarKey = MysqlBinlog.StatusVarKey
StatusVars = MysqlBinlog.StatusVars
GtidFieldName = MysqlBinlog.GtidFieldName

# Of the post-header of a statement: before MySQL 5.0, and since; none in logs before version 4.
_LENGTHS_OF_QUERY: Final = (b"", b"\x0b", b"\x0d")


Key = TypeVar("Key", bound=Hashable)
Parsed = TypeVar("Parsed")


@cache
def event_type_name(type_code: int) -> str:
    """Return the name of an event type, such as `TABLE_MAP_EVENT`; `EVENT_TYPE_n` if unknown."""
    try:
        return f"{EventType(type_code).name.upper()}_EVENT"
    except ValueError:
        return f"EVENT_TYPE_{type_code}"


@contextmanager
def parsing(what: str) -> Iterator[None]:
    """Turn the errors that the generated parser can raise into those of this package.

    Args:
        what: the thing that is parsed, for the message.
    """
    try:
        yield
    except BinlogError:
        raise
    except EOFError as error:
        raise CorruptEventError(f"{what}: fields reach beyond its end: {error}") from error
    except KaitaiStructError as error:
        raise CorruptEventError(f"{what}: {error}") from error
    except UnicodeDecodeError as error:
        raise CorruptEventError(f"{what}: a name is not UTF-8: {error}") from error
    except (AttributeError, IndexError, ValueError, struct.error, OverflowError) as error:
        # A field that its flags announce and that is missing; a code outside of its enum.
        raise CorruptEventError(f"{what}: inconsistent fields: {error}") from error


@dataclass(frozen=True)
class FormatDescription:
    """What a format description event says of the events after it.

    Attributes:
        server_version: as the server names itself.
        len_header: bytes of the header of each event, except ROTATE and format descriptions.
        len_checksum: bytes of the CRC32 at the end of each event: 4 or 0.
        has_own_checksum: whether this event itself ends in a CRC32; it may where others do not.
        len_table_id: bytes of a table id in table maps and rows events: 6, or 4 before MySQL 5.1.4.
        post_header_lengths: of each type code from 1 on.
        is_mariadb: whether MariaDB wrote the file.
        has_old_type_codes: whether the types from 16 on have other numbers than everywhere else,
            as in development trees of MySQL 5.1 and 5.2.
        event_bytes: the event itself, with the magic before it: a file of this one event. It has a
            time, and does not count when two descriptions are compared.
    """

    server_version: str
    len_header: int
    len_checksum: int
    has_own_checksum: bool
    len_table_id: int
    post_header_lengths: bytes
    is_mariadb: bool
    has_old_type_codes: bool
    event_bytes: bytes = field(compare=False)

    @property
    def is_old(self) -> bool:
        """Whether it is the START_EVENT_V3 of a log of MySQL 3.23 to 4.1."""
        return bool(type_code_at(self.event_bytes, len(MAGIC)) == EventType.start_v3)

    @classmethod
    def parse(cls, event: bytes) -> FormatDescription:
        """Read a format description event, or the START_EVENT_V3 of logs of MySQL 3.23 to 4.1.

        Raises:
            CorruptEventError: if its fields contradict each other.
            UnsupportedError: if it is of another binlog version, or of a checksum algorithm that
                is not known.
        """
        is_old = len(event) >= LEN_OLD_HEADER and type_code_at(event) == EventType.start_v3
        if not is_old and len(event) >= LEN_HEADER + 2 and event[LEN_HEADER] != 4:
            raise UnsupportedError(
                f"binlog version {event[LEN_HEADER]}: expected 4 (MySQL 5.0 and later, MariaDB)"
            )
        with parsing("format description"):
            root = MysqlBinlog.from_bytes(MAGIC + event)
            body = root.events[0].body
            if not isinstance(body, MysqlBinlog.FormatDescriptionEvent):
                raise CorruptEventError("format description: its length is not that of the event")
            lengths = bytes(getattr(body, "post_header_lengths", b""))
            if lengths[1:2] not in _LENGTHS_OF_QUERY:
                raise CorruptEventError(
                    "format description: expected statements with a post-header of 11 or 13 bytes,"
                    f" found {lengths[1]}"
                )
            return cls(
                server_version=body.server_version.decode(errors="backslashreplace"),
                len_header=body.len_header,
                len_checksum=body.len_checksum,
                has_own_checksum=body.has_checksum_algorithm,
                len_table_id=body.len_table_id,
                post_header_lengths=lengths,
                is_mariadb=body.is_mariadb,
                has_old_type_codes=body.has_old_type_codes,
                event_bytes=MAGIC + event,
            )


def parse_format_description(event: bytes, *, verify: bool) -> FormatDescription:
    """Parse a format description event and verify its checksum.

    The checksum is that of the event with the in-use flag cleared: the server clears the flag when
    it closes the file and leaves the checksum as it is.

    Raises:
        ChecksumMismatchError, CorruptEventError, UnsupportedError: without a site.
    """
    description = FormatDescription.parse(event)
    if verify and description.has_own_checksum:
        closed = bytearray(event)
        closed[OFS_FLAGS] &= ~IN_USE
        check_crc32(closed)
    return description


class EventParser:
    """Parses one event at a time with the generated parser.

    Keeps the format description and the table maps of the open statement in the parser's own
    form, so that an event finds them as it would in a file.

    Args:
        format_description: that of the events to come.
    """

    def __init__(self, format_description: FormatDescription) -> None:
        self.format_description = format_description
        with parsing("format description"):
            self._root = MysqlBinlog.from_bytes(format_description.event_bytes)
        self._table_map_index = -1

    def parse(self, event: bytes) -> Any:
        """Return the parsed event, of class `MysqlBinlog.Event`, its body read.

        Raises:
            CorruptEventError: if its fields contradict each other or reach beyond its end.
            TruncatedEventError: if it is shorter than its header says.
        """
        name = event_type_name(type_code_at(event)) if len(event) >= LEN_OLD_HEADER else "event"
        events = self._root.events
        if self._table_map_index < 0:
            # Not when the statement ends: its last event still looks for its table map.
            self.release_table_maps()
        with parsing(name):
            parsed = MysqlBinlog.Event(
                0, 0, self._table_map_index, KaitaiStream(BytesIO(event)), self._root, self._root
            )
            frame = parsed.frame
            if frame.is_truncated:
                raise TruncatedEventError(
                    f"expected {parsed.len_event} bytes of event, found {len(event)}",
                    needed=parsed.len_event,
                    available=len(event),
                )
            body = parsed.body  # read here, so that its errors are converted
            if frame.body_type == EventType.table_map:
                self._table_map_index = len(events)
                events.append(parsed)
            elif self._table_map_index >= 0 and (
                frame.body_type == EventType.format_description
                or (
                    isinstance(body, MysqlBinlog.RowsEvent) and body.head.flag_bits.is_statement_end
                )
            ):
                self._table_map_index = -1
        return parsed

    def parse_table_map(self, event: bytes) -> Any:
        """Return the body of a table map, and keep nothing of it for later events.

        Raises:
            CorruptEventError: if its fields contradict each other or reach beyond its end.
        """
        body = self.parse(event).body
        self.release_table_maps()
        return body

    def release_table_maps(self) -> None:
        """Forget the table maps of the open statement."""
        del self._root.events[1:]
        self._table_map_index = -1


class ParseCache(Generic[Key, Parsed]):
    """Keeps results of parsing, which nobody may change; several threads may use it.

    Args:
        most: how many bytes, or letters, of what was parsed are kept. If more come, all that is
            kept is forgotten.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._size = 0
        self._parsed: dict[Key, Parsed] = {}
        self._lock = Lock()

    def find(self, key: Key, size: int, parse: Callable[[], Parsed]) -> Parsed:
        """Return the cached result of a key, or parse it; an error is raised each time."""
        try:
            return self._parsed[key]
        except KeyError:
            parsed = parse()
        if size <= self._most:
            with self._lock:
                if self._size + size > self._most:
                    self._parsed.clear()
                    self._size = 0
                self._size += size
                self._parsed[key] = parsed
        return parsed
