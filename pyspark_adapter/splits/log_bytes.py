"""Bytes of a log at any offset, of which some are kept."""

from __future__ import annotations

from typing import Final

from pyspark_adapter.inputs.log_files import LogFile, open_log

_LEN_BLOCK: Final = 1 << 18


class LogBytes:
    """Bytes of a log at any offset, up to the size that it had when it was found.

    Args:
        log_file: the log.

    Attributes:
        num_bytes: of the log.
        held: bytes that are kept, see `hold`.
        held_start: offset of the first of them.

    Raises:
        OSError: if the file cannot be opened, or read by one of the methods.
    """

    def __init__(self, log_file: LogFile) -> None:
        self.num_bytes = log_file.num_bytes
        self._file = open_log(log_file)
        self.held = memoryview(bytearray())
        self.held_start = 0
        self._block = self.held
        self._start = 0

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def hold(self, start: int, stop: int) -> None:
        """Keep a range of bytes in place of the one before; what both have is not read again."""
        stop = min(stop, self.num_bytes)
        offset = start - self.held_start
        if offset >= 0 and stop <= self.held_start + len(self.held):
            return
        known = self.held[offset:] if 0 <= offset <= len(self.held) else self.held[:0]
        data = memoryview(bytearray(max(stop - start, 0)))
        data[: len(known)] = known
        num_bytes = len(known) + self._read_into(start + len(known), data[len(known) :])
        self.held, self.held_start = data[:num_bytes], start

    def block(self, start: int, length: int) -> tuple[memoryview, int]:
        """Return bytes and where in them those from an offset on begin, less at the end of the log.

        What is neither held nor in the block before is read.
        """
        length = max(min(length, self.num_bytes - start), 0)
        offset = start - self.held_start
        if offset >= 0 and offset + length <= len(self.held):
            return self.held, offset
        offset = start - self._start
        if offset < 0 or offset + length > len(self._block):
            data = memoryview(bytearray(min(max(length, _LEN_BLOCK), self.num_bytes - start)))
            self._block, self._start = data[: self._read_into(start, data)], start
            offset = 0
        return self._block, offset

    def _read_into(self, start: int, data: memoryview) -> int:
        """Fill a buffer from an offset on; return the bytes read, fewer only at the file's end."""
        self._file.seek(start)
        filled = 0
        while filled < len(data) and (count := self._file.readinto(data[filled:])):
            filled += count
        return filled
