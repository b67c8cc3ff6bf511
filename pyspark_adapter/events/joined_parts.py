"""Rows events that MariaDB 12.3 and later log in parts (`binlog_row_event_fragment_threshold`).

The parts follow each other in a transaction. Together they are the rows event with its header. Two
public descriptions give their first two fields, the number of the part and the number of all parts,
in different orders. The first part shows which one holds: its number is 1, and there are two parts
or more.

Source: MariaDB's page on PARTIAL_ROW_DATA_EVENT, and the description of MDEV-32570.
"""

from __future__ import annotations

import zlib
from typing import Any, Final

from pyspark_adapter.errors import CorruptEventError, UnsupportedError, located
from pyspark_adapter.events.event_errors import check_length, open_transaction_error
from pyspark_adapter.format.event_types import CONTAINER, DECODED, ROWS, TRAITS
from pyspark_adapter.format.header import LEN_CHECKSUM, type_code_at, with_len_event
from pyspark_adapter.format.schema import EventType
from pyspark_adapter.sources.log_file import LogFile

_HAS_SIZE: Final = 1  # of the flags: the size of the whole follows


class PartJoiner:
    """Puts rows events together whose parts come in the order of the log.

    It holds no more bytes than the log has had, nor than an event may have.

    Args:
        max_event_bytes: most bytes of a rows event.

    Attributes:
        position: offsets of the first part of the open event in the file and, in decompressed
            bytes, 0 or its own; None if no event is open.
    """

    def __init__(self, max_event_bytes: int) -> None:
        self._max_event_bytes = max_event_bytes
        self.position: tuple[int, int] | None = None
        self._data = bytearray()
        self._size = 0
        self._next = 0
        self._total = 0
        self._is_number_first = True

    def check_next(self, type_code: int) -> None:
        """Check that no other event comes between parts; raises CorruptEventError if one does."""
        if self.position is not None and type_code != EventType.partial_row_data:
            raise CorruptEventError(
                f"expected part {self._next} of {self._total} of the rows event that begins at"
                f" {self.position[0]}"
            )

    def check_end(self, log_file: LogFile) -> None:
        """Check at the end of a log that all parts were there; raises TruncatedEventError."""
        if self.position is not None:
            start_pos, inner_pos = self.position
            site = log_file.event_site(start_pos, EventType.partial_row_data, inner_pos)
            with located(site):
                raise open_transaction_error()

    def add(
        self, body: Any, start_pos: int, inner_pos: int, len_checksum: int
    ) -> tuple[bytes, int, int] | None:
        """Add the next part; return the whole event without checksum and where it begins, if it is.

        Raises:
            CorruptEventError: if it is not the next part, or the whole is no rows event.
            UnsupportedError: if it has a flag that is not known.
        """
        if body.flags & ~_HAS_SIZE:
            raise UnsupportedError(f"flags {body.flags:#x} of a part: expected 0 or 1")
        is_first = bool(body.flags & _HAS_SIZE)
        if is_first != (self.position is None):
            raise CorruptEventError(
                "expected the size of the rows event in its first part alone, found"
                f" {'a' if is_first else 'no'} size"
            )
        if self.position is None:
            self._begin(body)
            self.position = start_pos, max(inner_pos, 0)
        numbers = body.first_number, body.second_number
        number, total = numbers if self._is_number_first else reversed(numbers)
        if (number, total) != (self._next, self._total):
            raise CorruptEventError(
                f"expected part {self._next} of {self._total}, found {number} of {total}"
            )
        size = len(self._data) + len(body.part)
        if size > self._size:
            raise CorruptEventError(
                f"expected a rows event of {self._size} bytes as declared, found more"
            )
        self._data += body.part
        self._next += 1
        if number < total:
            return None
        if size != self._size:
            raise CorruptEventError(
                f"expected a rows event of {self._size} bytes as declared, found {size}"
            )
        whole, position = bytes(self._data), self.position
        self._data, self.position = bytearray(), None
        return _without_checksum(whole, len_checksum), *position

    def _begin(self, body: Any) -> None:
        one, other = body.first_number, body.second_number
        if min(one, other) != 1 or max(one, other) < 2:
            raise CorruptEventError(
                f"expected part 1 of two or more, found the numbers {one} and {other}"
            )
        check_length(body.len_rows_event, self._max_event_bytes)
        self._is_number_first = one == 1
        self._next, self._total, self._size = 1, max(one, other), body.len_rows_event


def _without_checksum(event: bytes, len_checksum: int) -> bytes:
    """Return a rows event with its length, and without a checksum if it ends in one.

    It is not published whether it has one, so it has one if it fits. The length in its header has
    32 bits, and is not used.
    """
    type_code = type_code_at(event)
    traits = TRAITS[type_code]
    if not traits & ROWS or not traits & (DECODED | CONTAINER):
        raise CorruptEventError(f"expected parts of a rows event, found those of type {type_code}")
    end = len(event) - LEN_CHECKSUM
    if len_checksum and int.from_bytes(event[end:], "little") == zlib.crc32(event[:end]):
        event = event[:end]
    return with_len_event(event, len(event))
