"""Cuts a log into frames, one event at a time, in Python.

For the reference decoder, the events view and the search for a table's first table map. A
compressed transaction gives its event and then the events within it. Events that MariaDB compressed
are inflated, and those that it logged in parts are put together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pyspark_adapter.errors import BinlogError, located
from pyspark_adapter.events.compressed_events import inflate_event
from pyspark_adapter.events.event_errors import (
    check_first,
    check_inner_header,
    check_supported,
    check_within_old_log,
    inner_end_error,
    length_error,
)
from pyspark_adapter.events.frame import Frame, with_checksum_room
from pyspark_adapter.events.joined_parts import PartJoiner
from pyspark_adapter.events.payload import PayloadReader
from pyspark_adapter.events.windows import ReadRange, WindowReader, read_more
from pyspark_adapter.format.event_types import COMPRESSED_EVENTS, ROWS_EVENTS, plain_type
from pyspark_adapter.format.header import (
    HEADER,
    LEN_CHECKSUM,
    LEN_HEADER,
    LEN_OLD_HEADER,
    MAGIC,
    check_crc32,
    flags_at,
    len_event_at,
    type_code_at,
    with_type_code,
)
from pyspark_adapter.format.schema import (
    EventParser,
    EventType,
    FormatDescription,
    parse_format_description,
)
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.sources.log_file import LogFile

_LEN_START_V3: Final = 56
_PART: Final = EventType.partial_row_data


@dataclass(frozen=True, slots=True)
class _CutEvent:
    """An event as it was cut from the file or a decompressed transaction, its checksum verified."""

    start_pos: int
    event: bytes
    len_header: int
    len_checksum: int
    inner_pos: int = -1


class FrameReader:
    """Cuts a log into frames.

    Args:
        part: what of the log to read; None for all.
        verifies_rows: whether checksums of rows events are compared, if the options ask for any.
            Those of rows that MariaDB compressed always are.
        window_bytes: how much is read at a time; None as the options say.
        joins_parts: whether the parts of a rows event are returned as one.

    Attributes:
        format_description: the one that governs the latest event.
    """

    def __init__(
        self,
        log_file: LogFile,
        options: BinlogOptions,
        part: ReadRange | None = None,
        *,
        verifies_rows: bool = True,
        window_bytes: int | None = None,
        joins_parts: bool = True,
    ) -> None:
        self._window_bytes = window_bytes or options.window_bytes
        self.log_file = log_file
        self._part = part
        self._options = options
        self._unverified = frozenset() if verifies_rows else ROWS_EVENTS - COMPRESSED_EVENTS
        self._payloads: PayloadReader | None = None
        self._joins_parts = joins_parts
        self._parts: PartJoiner | None = None
        self._len_old_header = LEN_HEADER
        self.format_description: FormatDescription | None = None
        if part is not None and part.format_event:
            verify = options.verify_checksums
            with located(log_file.event_site(len(MAGIC), EventType.format_description)):
                self.format_description = parse_format_description(part.format_event, verify=verify)
        self._reader: WindowReader | None = None
        self._parser: EventParser | None = None

    @property
    def parser(self) -> EventParser:
        """A parser under the format description that governs the latest event."""
        assert self.format_description is not None
        if self._parser is None or self._parser.format_description is not self.format_description:
            self._parser = EventParser(self.format_description)
        return self._parser

    def file_position(self, frame: Frame) -> int:
        """Return how far the file has been read for a frame; see `WindowReader`."""
        assert self._reader is not None
        return self._reader.file_position(frame.start_pos)

    def __iter__(self) -> Iterator[Frame]:
        """Yield each event of the file; raises BinlogError."""
        reader = self._reader = WindowReader(self.log_file, self._window_bytes, self._part)
        max_event_bytes = self._options.max_event_bytes
        try:
            offset = 0
            while True:
                cut = self._next(reader, offset)
                if cut is not None:
                    offset += len(cut.event)
                    yield from self._frames(cut)
                elif read_more(reader, offset, max_event_bytes, self._len_old_header):
                    offset = 0
                else:
                    if self._parts is not None:
                        self._parts.check_end(self.log_file)
                    return
        finally:
            reader.close()

    def _next(self, reader: WindowReader, offset: int) -> _CutEvent | None:
        """Return the event at an offset of the window; None if it is not all there, or damaged."""
        self._detect_old_header(reader)
        if offset + self._len_old_header > reader.num_bytes:
            return None
        data = reader.data
        type_code = type_code_at(data, offset)
        is_first = self.format_description is None
        if is_first and reader.num_bytes >= LEN_HEADER and type_code != EventType.start_v3:
            with located(self.log_file.event_site(reader.base_pos + offset, type_code)):
                check_first(type_code)
        start_pos, inner_pos = reader.base_pos + offset, -1
        if reader.origins is not None:
            start_pos, inner_pos = reader.position_of(offset)
        if self._parts is not None:
            with located(self.log_file.event_site(start_pos, type_code, inner_pos)):
                self._parts.check_next(type_code)
        len_event = len_event_at(data, offset)
        end = offset + len_event
        least = self._len_old_header
        if not least <= len_event <= self._options.max_event_bytes or end > reader.num_bytes:
            return None
        event = bytes(data[offset:end])
        try:
            len_header, len_checksum = self._lengths(event, type_code)
            if len_event < len_header + len_checksum:
                raise length_error(len_header + len_checksum, len_event)
            if not is_first:
                check_supported(type_code, flags_at(event) if len_event >= LEN_HEADER else 0)
            if type_code != EventType.format_description:  # whose own is verified already
                self._verify(event, len_checksum)
        except BinlogError:  # a site for each event would take as long as to cut it
            with located(self.log_file.event_site(start_pos, type_code, inner_pos)):
                raise
        return _CutEvent(start_pos, event, len_header, len_checksum, inner_pos)

    def _detect_old_header(self, reader: WindowReader) -> None:
        """Recognise a log of MySQL 3.23 by the length of its first event."""
        if self.format_description is None and reader.num_bytes >= LEN_OLD_HEADER:
            is_start = type_code_at(reader.data) == EventType.start_v3
            is_old = is_start and len_event_at(reader.data) < LEN_HEADER + _LEN_START_V3
            self._len_old_header = LEN_OLD_HEADER if is_old else LEN_HEADER

    def _lengths(self, event: bytes, type_code: int) -> tuple[int, int]:
        """Return the lengths of an event's header and its checksum.

        If it is a format description, that takes effect.
        """
        if self.format_description is not None and self.format_description.is_old:
            check_within_old_log(type_code)
        if type_code == EventType.format_description:
            verify = self._options.verify_checksums
            self.format_description = parse_format_description(event, verify=verify)
            own = self.format_description.has_own_checksum
            return LEN_HEADER, LEN_CHECKSUM if own else 0
        if type_code == EventType.start_v3 and self.format_description is None:
            self.format_description = FormatDescription.parse(event)
            return self._len_old_header, 0
        assert self.format_description is not None
        len_checksum = self.format_description.len_checksum
        if type_code == EventType.rotate:
            return self._len_old_header, len_checksum
        return self.format_description.len_header, len_checksum

    def _verify(self, event: bytes, len_checksum: int) -> None:
        is_verified = self._options.verify_checksums and type_code_at(event) not in self._unverified
        if is_verified and len_checksum:
            check_crc32(event)

    def _frames(self, cut: _CutEvent) -> Iterator[Frame]:
        """Yield the frame of an event, and those of the events within it."""
        type_code = type_code_at(cut.event)
        if type_code == _PART and self._joins_parts:
            whole = self._joined(cut)
            if whole is None:
                return
            cut, type_code = whole, type_code_at(whole.event)
        if type_code in COMPRESSED_EVENTS:
            yield self._inflated(cut)
            return
        frame = _frame(cut.event, cut)
        yield frame
        if type_code == EventType.transaction_payload:
            yield from self._inner_frames(frame)

    def _joined(self, cut: _CutEvent) -> _CutEvent | None:
        """Return a rows event whose last part was found; None if it has more."""
        self._parts = self._parts or PartJoiner(self._options.max_event_bytes)
        with located(self.log_file.event_site(cut.start_pos, _PART, cut.inner_pos)):
            body = self.parser.parse(cut.event).body
            whole = self._parts.add(body, cut.start_pos, cut.inner_pos, cut.len_checksum)
        if whole is None:
            return None
        event, start_pos, inner_pos = whole
        event = with_checksum_room(event, cut.len_checksum)
        return _CutEvent(start_pos, event, cut.len_header, cut.len_checksum, inner_pos)

    def _inflated(self, cut: _CutEvent) -> Frame:
        type_code = type_code_at(cut.event)
        assert self.format_description is not None
        with located(self.log_file.event_site(cut.start_pos, type_code, cut.inner_pos)):
            event = inflate_event(cut.event, self.format_description, self._options.max_event_bytes)
        event = with_type_code(event, plain_type(type_code))
        return _frame(with_checksum_room(event, cut.len_checksum), cut, type_code)

    def _inner_frames(self, outer: Frame) -> Iterator[Frame]:
        """Yield the events within a compressed transaction, as they are decompressed."""
        assert self.format_description is not None
        len_checksum = self.format_description.len_checksum
        self._payloads = self._payloads or PayloadReader(self._options.max_payload_bytes)
        pieces = self._payloads.pieces(memoryview(outer.event)[outer.body_start : outer.body_end])
        buffer = bytearray()
        start = inner_pos = 0  # of the next event, in the buffer and in the decompressed bytes
        is_more = True
        while is_more or start < len(buffer):
            needed, type_code = self._inner_length(buffer, start, outer, inner_pos)
            if len(buffer) - start >= needed:
                event = with_checksum_room(bytes(buffer[start : start + needed]), len_checksum)
                cut = _CutEvent(outer.start_pos, event, LEN_HEADER, len_checksum)
                yield _frame(event, cut, type_code, needed, inner_pos)
                start += needed
                inner_pos += needed
                continue
            if not is_more:
                with located(self.log_file.event_site(outer.start_pos, type_code, inner_pos)):
                    raise inner_end_error(needed, len(buffer) - start)
            del buffer[:start]
            start = 0
            with located(self.log_file.event_site(outer.start_pos, outer.type_code)):
                piece = next(pieces, memoryview(b""))
            is_more = bool(piece)
            buffer += piece

    def _inner_length(
        self, buffer: bytearray, start: int, outer: Frame, inner_pos: int
    ) -> tuple[int, int | None]:
        """Return length and type of the next event; those of a header, if that is cut."""
        if len(buffer) - start < LEN_HEADER:
            return LEN_HEADER, None
        type_code, length = type_code_at(buffer, start), len_event_at(buffer, start)
        try:
            check_inner_header(type_code, length, self._options.max_event_bytes)
        except BinlogError:
            with located(self.log_file.event_site(outer.start_pos, type_code, inner_pos)):
                raise
        return length, type_code


def _frame(
    event: bytes,
    cut: _CutEvent,
    type_code: int | None = None,
    len_event: int | None = None,
    inner_pos: int = -1,
) -> Frame:
    """Return the frame of an event.

    Args:
        event: without compression, with room for a checksum.
        cut: the event of the file that holds it.
        type_code: as logged, if it is not that of the event.
        len_event: as logged, if it is not that of `cut`.
        inner_pos: of an event within a compressed transaction.
    """
    if cut.len_header == LEN_OLD_HEADER:
        header = HEADER.unpack(event[:LEN_OLD_HEADER] + bytes(LEN_HEADER - LEN_OLD_HEADER))
    else:
        header = HEADER.unpack_from(event)
    return Frame(
        cut.start_pos,
        header[0],
        header[1] if type_code is None else type_code,
        header[2],
        header[4],
        header[5],
        event,
        cut.len_header,
        len(event) - cut.len_checksum,
        len(cut.event) if len_event is None else len_event,
        cut.inner_pos if inner_pos < 0 else inner_pos,
    )
