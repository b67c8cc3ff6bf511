"""Where in a log no transaction is open: found by a walk over the headers of its events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from pyspark_adapter.engine import has_kernels
from pyspark_adapter.errors import (
    BinlogError,
    CorruptEventError,
    UnsupportedError,
    as_log_file_error,
)
from pyspark_adapter.events.framing import event_site, reject_type
from pyspark_adapter.inputs.log_files import LogFile, open_log
from pyspark_adapter.inputs.storage import StoredBytes
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels import walk as rules
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.schema import LEN_HEADER, EventType, FormatDescription

# Bytes that are read at once; more than there can be before the text of a statement.
_LEN_WINDOW: Final = 1 << 20
# Places that are found at once.
_MAX_FOUND: Final = 1 << 13


class TransactionWalk:
    """Walks over a log, which may grow meanwhile, from a place where no transaction is open.

    Args:
        description: of the log.
        start: offset of an event before which no transaction is open.
        options: of the read.

    Attributes:
        position: offset of the next event.
        damage: what is wrong with the next event, if anything; the walk does not go beyond it.
    """

    def __init__(self, description: FormatDescription, start: int, options: BinlogOptions) -> None:
        self._description = description
        self._state = np.zeros(rules.NUM_WALK_FIELDS, dtype=np.int64)
        self._state[rules.W_POS] = start
        self._state[rules.W_TRANSACTION] = lay.TX_CLOSED
        self._found = np.zeros(_MAX_FOUND, dtype=np.int64)
        self._is_compiled = has_kernels(options)
        self._max_event_bytes = options.max_event_bytes
        self.damage: BinlogError | None = None

    @property
    def position(self) -> int:
        """Offset of the next event."""
        return int(self._state[rules.W_POS])

    @property
    def is_between(self) -> bool:
        """Whether no transaction is open before the next event."""
        return int(self._state[rules.W_TRANSACTION]) == lay.TX_CLOSED

    def go_on(self, log_file: LogFile) -> Iterator[list[int]]:
        """Walk on to the last whole event, and yield offsets as they are found.

        Args:
            log_file: the log, with the size that it has now.

        Yields:
            Offsets of events before which no transaction is open, and at last, if that is so, the
            offset behind the last event. All in order; those of one window at a time, after which
            the walk can be left and taken up again.

        Raises:
            LogFileError: if the log cannot be read.
        """
        if self.damage is not None:
            return
        with as_log_file_error(log_file.site):
            file = open_log(log_file)
            try:
                yield from self._walk(log_file, file)
            finally:
                file.close()

    def _walk(self, log_file: LogFile, file: StoredBytes) -> Iterator[list[int]]:
        window = _Window(file, self.position, log_file.num_bytes)
        while True:
            status = walk_on(
                window.data,
                window.num_bytes,
                window.base_pos,
                log_file.num_bytes,
                self._description,
                self._state,
                self._found,
                is_compiled=self._is_compiled,
            )
            found: list[int] = self._found[: self._state[rules.W_NUM_FOUND]].tolist()
            if status == rules.WALK_WINDOW:
                if not window.move(self.position):  # the file is shorter than it was
                    yield found
                    return
            elif status != rules.WALK_FULL:
                header = window.header(self.position)
                self.damage = self._damage(status, header, log_file)
                if self.is_between and found[-1:] != [self.position]:
                    found.append(self.position)
                yield found
                return
            if found:
                yield found

    def _damage(self, status: int, header: bytes, log_file: LogFile) -> BinlogError | None:
        """Return what is wrong with the next event; None if it is not all there yet.

        Zeros where it begins are left by file systems, for what is to come.
        """
        if len(header) < LEN_HEADER or not any(header):
            return None
        site = event_site(log_file, self.position, header[4])
        length = int.from_bytes(header[9:13], "little")
        error: BinlogError
        if status == rules.WALK_CONTROL:
            error = reject_type(header[4]) or UnsupportedError(
                "expected one format description in the log, as servers write it; relay logs and"
                " joined logs are not read from their middle"
            )
        elif status == rules.WALK_BAD:
            error = CorruptEventError(f"expected an event that holds its fields in {length} bytes")
        elif length > self._max_event_bytes:
            error = CorruptEventError(
                f"expected an event of at most {self._max_event_bytes} bytes (option"
                f" maxEventBytes), found a length of {length}"
            )
        else:
            return None
        error.site = site
        return error


def walk_on(
    data: bytearray | memoryview,
    num_bytes: int,
    base_pos: int,
    end_pos: int,
    description: FormatDescription,
    state: np.ndarray[tuple[int], np.dtype[np.int64]],
    found: np.ndarray[tuple[int], np.dtype[np.int64]],
    *,
    is_compiled: bool,
) -> int:
    """Walk over the events in some bytes of a log; see `kernels.walk.walk`."""
    walk: Any = rules.walk
    array: Any = data
    if is_compiled:
        from pyspark_adapter.kernels.compiled_walk import walk

        array = np.frombuffer(data, dtype=np.uint8)
    status = walk(
        array,
        num_bytes,
        base_pos,
        end_pos,
        description.len_checksum,
        description.post_header_lengths[EventType.query.value - 1],
        description.len_table_id,
        state,
        found,
    )
    return int(status)


class _Window:
    """Some bytes of a file, read forward; large gaps are not read.

    Attributes:
        data: the bytes.
        num_bytes: how many of them are filled.
        base_pos: offset of the first in the file.
    """

    def __init__(self, file: StoredBytes, start: int, end: int) -> None:
        self._file = file
        self.data = bytearray(min(_LEN_WINDOW, max(end - start, 0)))
        self.num_bytes = 0
        self.base_pos = start
        file.seek(start)

    def move(self, position: int) -> int:
        """Let the window begin at an offset of the file; return the bytes that it has then."""
        rest = self.base_pos + self.num_bytes - position
        if rest >= 0:
            self.data[:rest] = self.data[self.num_bytes - rest : self.num_bytes]
            self.num_bytes = rest
        else:
            self._file.seek(position)
            self.num_bytes = 0
        self.base_pos = position
        view = memoryview(self.data)
        while self.num_bytes < len(view):
            count = self._file.readinto(view[self.num_bytes :])
            if not count:
                break
            self.num_bytes += count
        return self.num_bytes if rest < self.num_bytes else 0

    def header(self, position: int) -> bytes:
        """Return the header of the event at an offset, as far as it is in the window."""
        offset = position - self.base_pos
        return bytes(self.data[offset : min(offset + LEN_HEADER, self.num_bytes)])
