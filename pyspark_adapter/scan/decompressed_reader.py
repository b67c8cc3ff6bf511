"""A log as it would be without compression, a bounded window at a time, for the kernels' scan.

Events are copied from the window of the file into a second one. Checksums are verified and left
out, MariaDB's compressed events are inflated, and its events in parts put together; a compressed
transaction is replaced by its events. A table of origins says where each of them was. So one window
holds many small compressed transactions, and several windows hold a large one.

The scanner switches to this reader at the first compressed event of a log; other logs never do.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from pyspark_adapter.errors import BinlogError, CorruptEventError, located
from pyspark_adapter.events.compressed_events import inflate_event
from pyspark_adapter.events.event_errors import check_inner_header, inner_end_error, length_error
from pyspark_adapter.events.frame import with_checksum_room
from pyspark_adapter.events.joined_parts import PartJoiner
from pyspark_adapter.events.payload import PayloadReader
from pyspark_adapter.events.windows import WindowReader, check_tail, read_more
from pyspark_adapter.format.event_types import CONTAINER, TRAITS
from pyspark_adapter.format.header import LEN_HEADER, check_crc32, len_event_at, type_code_at
from pyspark_adapter.format.schema import EventParser, EventType, FormatDescription
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.entry_points import decompress, skip_inner_events
from pyspark_adapter.kernels.layout import Numbers
from pyspark_adapter.options.binlog_options import BinlogOptions

_MAX_ORIGINS: Final = 1 << 15
_NOTHING: Final = memoryview(b"")
_PART: Final = EventType.partial_row_data


class DecompressedReader:
    """Reads a log from a compressed event on; replaces a `WindowReader`.

    Each window holds whole events only, and is used as a whole.

    Args:
        reader: the log; the caller closes it.
        used: offset of the event in its window.
        fmt: (NUM_FORMAT_FIELDS,) of the log, as `scan` takes it.

    Attributes:
        data: the buffer. Another object once the window has to grow.
        num_bytes: bytes of it that are filled.
        origins: (NUM_ORIGIN_FIELDS, n) int64, a column for each event of the file.
        num_origins: columns that are filled.
    """

    def __init__(
        self,
        reader: WindowReader,
        used: int,
        description: FormatDescription,
        fmt: Numbers,
        options: BinlogOptions,
    ) -> None:
        self.log_file = reader.log_file
        self.base_pos = 0
        self.data = bytearray(max(options.window_bytes, 64))
        self.origins = np.zeros((lay.NUM_ORIGIN_FIELDS, _MAX_ORIGINS), dtype=np.int64)
        self._out = np.frombuffer(self.data, dtype=np.uint8)
        self._reader = reader
        self._options = options
        self._payloads = PayloadReader(options.max_payload_bytes)
        self._parts = PartJoiner(options.max_event_bytes)
        self._state = np.zeros(lay.NUM_COPY_FIELDS, dtype=np.int64)
        self._state[lay.Copy.IN] = used
        self._error: BinlogError | None = None
        self._is_at_end = False
        # An inflated event that had no room, and its position.
        self._held: tuple[bytes, int, int] | None = None
        # The compressed transaction that is open: its pieces, its offset in the file, the next
        # event in the decompressed bytes, how far the buffer is filled, and a piece without room.
        self._pieces: Iterator[memoryview] | None = None
        self._payload_pos = 0
        self._inner_pos = 0
        self._filled = 0
        self._piece = _NOTHING
        self.take_format(description, fmt)

    @property
    def num_bytes(self) -> int:
        """Bytes of the buffer that hold events."""
        return int(self._state[lay.Copy.OUT])

    @property
    def num_origins(self) -> int:
        """Columns of `origins` that are filled."""
        return int(self._state[lay.Copy.NUM_ORIGINS])

    def take_format(self, description: FormatDescription, fmt: Numbers) -> None:
        """Read the following events as a format description says; see the constructor."""
        self._description = description
        self._parser: EventParser | None = None
        self._fmt = fmt.copy()

    def position_of(self, offset: int) -> tuple[int, int]:
        """Return (offset in the file, offset in the transaction or -1) of a byte of the window."""
        offsets = self.origins[lay.Origin.OFFSET, : self.num_origins]
        k = int(np.searchsorted(offsets, offset, side="right")) - 1
        first, start_pos, inner_pos = self.origins[:, k].tolist()
        return start_pos, inner_pos + offset - first if inner_pos >= 0 else -1

    def file_position(self, start_pos: int) -> int:
        """Return how far the file has been read; see `WindowReader`."""
        return self._reader.file_position(start_pos)

    def advance(self) -> int:
        """Replace the window by the next one and return its bytes; 0 at the end of the log.

        Raises:
            BinlogError: with its site, at the first event that is damaged or cannot be read; the
                events before it have been returned.
        """
        while True:
            self._begin()
            try:
                while self._error is None and self._step():
                    pass
            except BinlogError as error:
                self._error = error
            if self._error is not None and not self.num_bytes:
                raise self._error
            if self.num_bytes or self._is_at_end:  # else there were empty transactions alone
                return self.num_bytes

    def _begin(self) -> None:
        """Drop the window, except for the start of an event within a transaction."""
        rest = self._filled - self.num_bytes if self._pieces is not None else 0
        self.data[:rest] = self.data[self._filled - rest : self._filled]
        self._filled = rest
        self._state[lay.Copy.OUT] = 0
        self._state[lay.Copy.NUM_ORIGINS] = 0
        if self._pieces is not None:
            self._add_origin(self._payload_pos, self._inner_pos)

    def _step(self) -> bool:
        """Add some events; return whether there may be room for more; raises BinlogError."""
        if self._held is not None:
            return self._add(*self._held)
        return self._copy() if self._pieces is None else self._unpack()

    def _copy(self) -> bool:
        """Copy events of the file up to one that needs more than that."""
        if self._is_at_end:
            return False
        reader, state = self._reader, self._state
        if self._parts.position is not None:
            self._check_next_part(int(state[lay.Copy.IN]))
        data = np.frombuffer(reader.data, dtype=np.uint8)
        known = self.num_origins
        status = decompress(
            data, reader.num_bytes, reader.base_pos, self._fmt, state, self._out, self.origins
        )
        offset = int(state[lay.Copy.IN])
        if reader.origins is not None:
            added = self.origins[:, known : self.num_origins]
            positions = reader.origins.map(added[lay.Origin.START_POS])
            added[lay.Origin.START_POS], added[lay.Origin.INNER_POS] = positions
        if status == lay.CopyStatus.MORE:
            del data  # so that the window can move
            state[lay.Copy.IN] = 0
            self._is_at_end = not read_more(reader, offset, self._options.max_event_bytes)
            if self._is_at_end:
                self._parts.check_end(self.log_file)
            return not self._is_at_end
        if status == lay.CopyStatus.FULL:
            return self._make_room(int(state[lay.Copy.NEEDED]))
        if status == lay.CopyStatus.LAST:
            return False
        if status == lay.CopyStatus.CONTAINER:
            self._open_container(offset)
            return True
        self._check_failure(int(status), offset)
        self._is_at_end = True
        return False

    def _make_room(self, needed: int) -> bool:
        """Return whether there is room for an event now; an empty window grows to its size."""
        if self.num_bytes or self.num_origins == _MAX_ORIGINS:
            return False
        self.data = bytearray(needed)
        self._out = np.frombuffer(self.data, dtype=np.uint8)
        return True

    def _open_container(self, offset: int) -> None:
        """Begin to take out what an event of the file holds."""
        reader = self._reader
        length = len_event_at(reader.data, offset)
        # A view: the window stays where it is until the transaction is used up.
        event = memoryview(reader.data)[offset : offset + length]
        self._state[lay.Copy.IN] += length
        start_pos, inner_pos = reader.position_of(offset)
        description = self._description
        type_code = type_code_at(event)
        with located(self.log_file.event_site(start_pos, type_code, inner_pos)):
            if self._options.verify_checksums and description.len_checksum:
                check_crc32(event)
            if type_code == _PART:
                self._parser = self._parser or EventParser(description)
                body = self._parser.parse(bytes(event)).body
                whole = self._parts.add(body, start_pos, inner_pos, description.len_checksum)
                if whole is None:
                    return
                data, start_pos, inner_pos = whole
                type_code = type_code_at(data)
                if not TRAITS[type_code] & CONTAINER:
                    self._held = whole
                    return
                event = memoryview(with_checksum_room(data, description.len_checksum))
        with located(self.log_file.event_site(start_pos, type_code, inner_pos)):
            if type_code != EventType.transaction_payload:
                inflated = inflate_event(bytes(event), description, self._options.max_event_bytes)
                self._held = (inflated, start_pos, inner_pos)
                return
        body = event[description.len_header : length - description.len_checksum]
        self._pieces = self._payloads.pieces(body)
        self._payload_pos = start_pos
        self._inner_pos = 0
        self._filled = self.num_bytes
        self._add_origin(start_pos, 0)

    def _check_next_part(self, offset: int) -> None:
        """Raise if the event at an offset of the file's window is not the next part of an event."""
        reader = self._reader
        if offset + LEN_HEADER <= reader.num_bytes:
            type_code = type_code_at(reader.data, offset)
            start_pos, inner_pos = reader.position_of(offset)
            with located(self.log_file.event_site(start_pos, type_code, inner_pos)):
                self._parts.check_next(type_code)

    def _add_origin(self, start_pos: int, inner_pos: int) -> None:
        self.origins[:, self.num_origins] = (self.num_bytes, start_pos, inner_pos)
        self._state[lay.Copy.NUM_ORIGINS] += 1

    def _add(self, event: bytes, start_pos: int, inner_pos: int) -> bool:
        """Add an inflated event, now or to the next window."""
        end = self.num_bytes + len(event)
        if end > len(self.data) or self.num_origins == _MAX_ORIGINS:
            return self._make_room(len(event))
        self._add_origin(start_pos, inner_pos)
        self.data[self.num_bytes : end] = event
        self._state[lay.Copy.OUT] = end
        self._held = None
        return True

    def _unpack(self) -> bool:
        """Add the next piece of the compressed transaction that is open; raises BinlogError."""
        assert self._pieces is not None
        with located(self.log_file.event_site(self._payload_pos, EventType.transaction_payload)):
            piece = self._piece or next(self._pieces, _NOTHING)
        self._piece = _NOTHING
        start = self.num_bytes
        if not piece:
            if self._filled > start:
                self._check_inner(start, is_end=True)
            self._pieces = None
            return True
        end = self._filled + len(piece)
        if end > len(self.data):
            if start:
                self._piece = piece
                return False
            longer = bytearray(max(end, min(2 * len(self.data), lay.MAX_WINDOW)))
            longer[: self._filled] = self.data[: self._filled]
            self.data = longer
            self._out = np.frombuffer(self.data, dtype=np.uint8)
        self.data[self._filled : end] = piece
        self._filled = end
        whole = int(skip_inner_events(self._out, start, end, self._options.max_event_bytes))
        self._inner_pos += whole - start
        self._state[lay.Copy.OUT] = whole
        self._check_inner(whole, is_end=False)
        return True

    def _check_inner(self, start: int, *, is_end: bool) -> None:
        """Raise if the next event within the transaction is invalid, or is cut at its end."""
        num_bytes = self._filled - start
        type_code = type_code_at(self.data, start) if num_bytes >= LEN_HEADER else None
        with located(self.log_file.event_site(self._payload_pos, type_code, self._inner_pos)):
            needed = LEN_HEADER
            if type_code is not None:
                needed = len_event_at(self.data, start)
                check_inner_header(type_code, needed, self._options.max_event_bytes)
            if is_end:
                raise inner_end_error(needed, num_bytes)

    def _check_failure(self, status: int, offset: int) -> None:
        """Raise the error for a `CopyStatus`; return if the log ends in zeros there."""
        reader = self._reader
        length = len_event_at(reader.data, offset)
        max_event_bytes = self._options.max_event_bytes
        if status == lay.CopyStatus.BAD_LENGTH and not LEN_HEADER <= length <= max_event_bytes:
            check_tail(reader, offset, max_event_bytes)
            return
        type_code = type_code_at(reader.data, offset)
        start_pos, inner_pos = reader.position_of(offset)
        with located(self.log_file.event_site(start_pos, type_code, inner_pos)):
            if status == lay.CopyStatus.BAD_LENGTH:
                least = self._description.len_header + self._description.len_checksum
                raise length_error(least, length)
            check_crc32(memoryview(reader.data)[offset : offset + length])
            raise CorruptEventError("the checksum of the event is wrong")
