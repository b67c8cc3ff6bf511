"""An event as it was cut from a log, and where it is."""

from __future__ import annotations

from dataclasses import dataclass

from pyspark_adapter.errors import EventSite
from pyspark_adapter.format.event_types import plain_type
from pyspark_adapter.format.header import len_event_at, with_len_event
from pyspark_adapter.sources.log_file import LogFile


@dataclass(frozen=True, slots=True)
class Frame:
    """An event as it was cut from the file, or from a compressed transaction.

    What MariaDB compressed is inflated: the frame then holds the event of `plain_type`.

    Attributes:
        start_pos: offset of the event in the file, in bytes; within a compressed transaction, the
            offset of its TRANSACTION_PAYLOAD event.
        timestamp: seconds since 1970-01-01 UTC.
        type_code: code of the event type, as logged.
        server_id: id of the server that wrote the event first.
        end_log_pos: as in the header, 32 bits.
        event: all bytes from header to checksum, as a log without compression would hold them.
            The checksum is zero if the log has none for the event.
        body_start, body_end: range of post-header and body in `event`.
        len_event: as in the header of the log, in bytes.
        inner_pos: offset in the decompressed bytes of the transaction; -1 outside of one.
    """

    start_pos: int
    timestamp: int
    type_code: int
    server_id: int
    end_log_pos: int
    flags: int
    event: bytes
    body_start: int
    body_end: int
    len_event: int
    inner_pos: int = -1

    @property
    def plain_type(self) -> int:
        """The type code of the same event without compression."""
        return plain_type(self.type_code)

    @property
    def is_decompressed(self) -> bool:
        """Whether the bytes of `event` differ from those in the file."""
        return self.inner_pos >= 0 or self.plain_type != self.type_code

    @property
    def body(self) -> bytes:
        """Post-header and body, without header and checksum."""
        return self.event[self.body_start : self.body_end]


def frame_site(log_file: LogFile, frame: Frame) -> EventSite:
    """Return the site of a frame, for errors."""
    return log_file.event_site(frame.start_pos, frame.type_code, frame.inner_pos)


def with_checksum_room(event: bytes, len_checksum: int) -> bytes:
    """Return an event that has no checksum with zeros for one, as the generated parser takes it."""
    if not len_checksum:
        return event
    return with_len_event(event, len_event_at(event) + len_checksum) + bytes(len_checksum)
