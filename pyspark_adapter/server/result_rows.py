"""The rows of a SELECT as columns of bytes, without a Python object for each value."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, NoReturn

import numpy as np
import pyarrow as pa

from pyspark_adapter.errors import ServerError
from pyspark_adapter.kernels.entry_points import gather_values, locate_values
from pyspark_adapter.kernels.layout import (
    LEN_COPY,
    LEN_PACKET_HEADER,
    MAX_PAYLOAD,
    Located,
    Numbers,
    Stop,
)

_LEN_WINDOW: Final = 2 << 20
_MAX_ROWS: Final = 1 << 16
_MAX_ROW: Final = (1 << 31) - (1 << 20)
_WIDTHS: Final = {0xFC: 2, 0xFD: 3, 0xFE: 8}


@dataclass(frozen=True)
class ResultWindow:
    """Some rows of a SELECT; it is valid until the next one is asked for.

    Attributes:
        data: bytes that hold the values.
        positions: (columns, rows) where each value begins.
        lengths: (columns, rows) -1 for NULL.
    """

    data: Numbers
    positions: Numbers
    lengths: Numbers

    @property
    def num_rows(self) -> int:
        """How many rows."""
        return int(self.positions.shape[1])

    def column(self, number: int) -> pa.Array:
        """Return the values of a column as the server sent them: text, or bytes."""
        lengths = np.ascontiguousarray(self.lengths[number])
        out = pa.allocate_buffer(int(lengths.clip(0).sum()) + LEN_COPY)
        offsets = pa.allocate_buffer(4 * (len(lengths) + 1))
        is_valid = np.empty(len(lengths), np.uint8)
        gather_values(
            self.data,
            np.ascontiguousarray(self.positions[number]),
            lengths,
            np.frombuffer(offsets, np.int32),
            is_valid,
            np.frombuffer(out, np.uint8),
        )
        bits = None if is_valid.all() else pa.py_buffer(np.packbits(is_valid, bitorder="little"))
        return pa.Array.from_buffers(pa.binary(), len(lengths), [bits, offsets, out])

    def last(self, number: int) -> bytes | None:
        """Return the value of a column in the last row."""
        start, length = int(self.positions[number, -1]), int(self.lengths[number, -1])
        return None if length < 0 else self.data[start : start + length].tobytes()


class ResultReader:
    """Reads the packets of rows, from the first one to the end of the result.

    Args:
        read_some: reads at least one byte into a buffer, and returns how many.
        sequence: the number of the next packet.
        raise_error: raises the error that a packet of the server says.
    """

    def __init__(
        self,
        read_some: Callable[[memoryview], int],
        num_columns: int,
        sequence: int,
        raise_error: Callable[[bytes], NoReturn],
    ) -> None:
        self._read_some = read_some
        self._raise_error = raise_error
        self._data = np.empty(_LEN_WINDOW, np.uint8)
        self._end = 0
        capacity = min(_MAX_ROWS, _LEN_WINDOW // (LEN_PACKET_HEADER + num_columns))
        self._positions = np.empty((num_columns, capacity), np.int32)
        self._lengths = np.empty((num_columns, capacity), np.int32)
        self._state = np.zeros(Located.SIZE, np.int64)
        self._state[Located.SEQUENCE] = sequence & 0xFF

    def __iter__(self) -> Iterator[ResultWindow]:
        """Yield the rows; raises ServerError if the server sends something invalid, or an error."""
        state = self._state
        while True:
            locate_values(self._data, self._end, self._positions, self._lengths, state)
            start, num_rows, _, stop = state.tolist()
            if stop == Stop.MORE and self._end < len(self._data):
                self._fill()
                continue
            if num_rows:
                spans = self._positions[:, :num_rows], self._lengths[:, :num_rows]
                yield ResultWindow(self._data, *spans)
            if stop == Stop.LARGE:
                yield self._large_row(start)
            elif stop == Stop.MORE:
                self._make_room(start)
            elif stop == Stop.ERROR:
                self._raise_error(self._data[start + LEN_PACKET_HEADER : self._end].tobytes())
            elif stop == Stop.END:
                return
            elif stop == Stop.INVALID:
                raise _invalid()
            state[Located.ROWS] = 0

    def _fill(self) -> None:
        self._end += self._read_some(self._data[self._end :].data)

    def _make_room(self, start: int) -> None:
        """Move the packets that were not read to the front; grow if there is one alone."""
        left = self._data[start : self._end]
        if start == 0:
            self._data = np.empty(min(2 * len(self._data), _MAX_ROW), np.uint8)
            if len(left) >= len(self._data):
                raise _invalid()
        self._data[: len(left)] = left.copy() if start else left
        self._state[Located.POSITION], self._end = 0, len(left)

    def _large_row(self, start: int) -> ResultWindow:
        """Return the row whose packet continues in those that follow."""
        payload = bytearray()
        length = MAX_PAYLOAD
        while length == MAX_PAYLOAD:
            head = self._whole(start, LEN_PACKET_HEADER)
            start = int(self._state[Located.POSITION])
            length = int.from_bytes(head[:3], "little")
            if head[3] != self._state[Located.SEQUENCE] or len(payload) + length > _MAX_ROW:
                raise _invalid()
            payload += self._whole(start, LEN_PACKET_HEADER + length)[LEN_PACKET_HEADER:]
            start = int(self._state[Located.POSITION]) + LEN_PACKET_HEADER + length
            self._state[Located.POSITION] = start
            self._state[Located.SEQUENCE] = (head[3] + 1) & 0xFF
        return _one_row(payload, len(self._positions))

    def _whole(self, start: int, length: int) -> bytes:
        """Return bytes from a packet on, which the state is set to."""
        self._state[Located.POSITION] = start
        while self._end - self._state[Located.POSITION] < length:
            if self._end == len(self._data):
                self._make_room(int(self._state[Located.POSITION]))
            else:
                self._fill()
        start = int(self._state[Located.POSITION])
        return self._data[start : start + length].tobytes()


def _one_row(payload: bytearray, num_columns: int) -> ResultWindow:
    """Return the only row of a payload; raises ServerError."""
    positions, lengths = np.empty((2, num_columns, 1), np.int32)
    position = 0
    for number in range(num_columns):
        length = payload[position] if position < len(payload) else len(payload)
        position += 1
        if width := _WIDTHS.get(length):
            length = int.from_bytes(payload[position : position + width], "little")
            position += width
        elif length == 0xFB:
            length = -1
        if position + max(length, 0) > len(payload):
            raise _invalid()
        positions[number, 0], lengths[number, 0] = position, length
        position += max(length, 0)
    if position != len(payload):
        raise _invalid()
    return ResultWindow(np.frombuffer(payload, np.uint8), positions, lengths)


def _invalid() -> ServerError:
    return ServerError("expected rows, got a packet that no server sends")
