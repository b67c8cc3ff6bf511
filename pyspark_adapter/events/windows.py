"""The bytes of a log file, a bounded window at a time, and the events in them as they are.

The file is read into one buffer, not mapped into memory. A mapped file that is truncated or purged
during the read kills the process, its pages count as memory of a Spark worker, and a stream cannot
be mapped at all. The copy costs less than a tenth of a decode.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pyspark_adapter.errors import BinlogError, EventSite, UnsupportedError, located, log_file_error
from pyspark_adapter.events.event_errors import check_length, check_magic, cut_error, split_error
from pyspark_adapter.events.log_start import check_log_id, log_id_of
from pyspark_adapter.format.header import LEN_HEADER, MAGIC, len_event_at, type_code_at
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.gtid_set import GtidSet
from pyspark_adapter.sources.locations import read_up_to
from pyspark_adapter.sources.log_file import LogFile, archive_of, open_log

if TYPE_CHECKING:
    from pyspark_adapter.sources.engine_log import Origins


@dataclass(frozen=True)
class ReadRange:
    """Which bytes of a log are read: from the start of a transaction to that of another.

    Attributes:
        start: offset of the first event; 4 at the beginning of the log.
        stop: offset of the event to stop before; None for the end of the file.
        format_event: the format description of the log, for a range that does not begin with it.
        stops_at_gtid: whether the event at `stop` names a transaction, and so begins one in any
            case; else a transaction has to end there.
        first_event: of the log that is meant, which is compared when the log is opened; empty if
            that was done.
        allowed: the transactions that it may have, others are an error; None for any.
    """

    start: int
    stop: int | None = None
    format_event: bytes = b""
    stops_at_gtid: bool = False
    first_event: bytes = b""
    allowed: GtidSet | None = None


_MIN_WINDOW: Final = 64


class WindowReader:
    """Reads a log forward and keeps what the caller has not used up.

    Args:
        window_bytes: bytes to hold; more only for a larger event, less for a smaller log.
        part: what of the log to read; None for all.

    Attributes:
        data: the buffer. The same object until the window has to grow.
        num_bytes: bytes of it that are filled.
        base_pos: offset of data[0] in the file.
        origins: for a log that is put together from several files, where its bytes come from.
        stop: where the part ends, as an offset in the file; None for the end of the file.

    Raises:
        LogFileError: if the file cannot be opened or read.
        TruncatedEventError, CorruptEventError: for an archive that is cut or damaged.
        ServerError: if the server that has the log cannot be reached.
        NotABinlogError, UnsupportedError: from `check_magic`.
        DataLossError: from `check_log_id`.
    """

    def __init__(self, log_file: LogFile, window_bytes: int, part: ReadRange | None = None) -> None:
        self.log_file = log_file
        self.num_bytes = 0
        self._at_end = False
        self.stop = part.stop if part is not None else None
        self._failure: BinlogError | None = None
        try:
            self._file = open_log(log_file)
        except OSError as error:
            raise log_file_error("cannot be opened", error, log_file.site) from error
        self.origins: Origins | None = getattr(self._file, "origins", None)
        try:
            first_event = b"" if part is None else part.first_event
            start = self._read_start(len(MAGIC) + len(first_event))
            magic = start[: len(MAGIC)]
            check_magic(log_file, magic)
            if first_event:
                check_log_id(log_file, log_id_of(first_event), start[len(MAGIC) :])
            if part is not None and part.start != len(start):
                self._file.seek(part.start)
            self.base_pos = part.start if part is not None else len(magic)
            self.data = bytearray(max(min(window_bytes, self._num_expected()), _MIN_WINDOW))
            self._fill()
        except BaseException:
            self._file.close()
            raise

    def _num_expected(self) -> int:
        """Return the bytes left in the file, with room to notice that there are no more.

        Getting the pages of a full window takes longer than reading a small log.
        """
        if self.log_file.compression:
            return sys.maxsize
        stop = self.log_file.num_bytes if self.stop is None else self.stop
        return stop - self.base_pos + _MIN_WINDOW

    def _read_start(self, num_bytes: int) -> bytes:
        try:
            with located(self.log_file.site):
                return read_up_to(self._file, num_bytes)
        except OSError as error:
            raise log_file_error("cannot be read", error, self.log_file.site) from error

    def _fill(self) -> int:
        """Read until the buffer is full or the file ends; return the bytes read."""
        before = self.num_bytes
        view = memoryview(self.data)
        end = len(view) if self.stop is None else min(len(view), self.stop - self.base_pos)
        while self.num_bytes < end and not self._at_end and self._failure is None:
            try:
                count = self._file.readinto(view[self.num_bytes : end])
            except BinlogError as error:  # of an archive, or of a running server
                self._failure = error
                break
            except OSError as error:
                raise log_file_error("cannot be read", error, self.log_file.site) from error
            self._at_end = not count
            self.num_bytes += count or 0
        if (
            self._failure is not None and self.num_bytes == before
        ):  # else what came first is returned
            with located(EventSite(self.log_file.name, self.base_pos)):
                raise self._failure
        return self.num_bytes - before

    def advance(self, used: int) -> int:
        """Drop the first bytes of the window, read on, and return the bytes read."""
        if used:
            rest = self.num_bytes - used
            self.data[:rest] = self.data[used : self.num_bytes]
            self.num_bytes = rest
            self.base_pos += used
        return self._fill()

    def grow(self, needed: int) -> int:
        """Make room for an event of `needed` bytes that begins the window, and read on.

        The buffer at most doubles at once, so that it is never larger than twice the bytes that
        the file really has, whatever length an event claims. Returns the bytes read.
        """
        size = min(needed, 2 * len(self.data))
        if size > len(self.data):
            self.data = self.data[: self.num_bytes].ljust(size, b"\0")
        return self._fill()

    def position_of(self, offset: int) -> tuple[int, int]:
        """Return (offset in the file, -1) for an offset in the window; see `EventSite`."""
        if self.origins is not None:
            return self.origins.at(self.base_pos + offset)
        return self.base_pos + offset, -1

    def file_position(self, start_pos: int) -> int:
        """Return how far the file, or its archive, has been read for an event, in bytes."""
        archive = archive_of(self._file)
        return start_pos if archive is None else archive.archive_pos

    def rest_is_zero(self, offset: int) -> bool:
        """Return whether nothing but zero bytes follows in the file; uses up the window."""
        while True:
            if self.data.count(0, offset, self.num_bytes) != self.num_bytes - offset:
                return False
            if not self.advance(self.num_bytes):
                return True
            offset = 0

    def close(self) -> None:
        """Close the file."""
        self._file.close()


# Where the next event ends. `frame_reader` follows these rules for one event at a time in Python.
# `scan` uses kernels for the same, and comes here for what the kernels leave.


def read_more(
    reader: WindowReader, used: int, max_event_bytes: int, len_header: int = LEN_HEADER
) -> bool:
    """Move the window to the event at `used`, which it holds only in part.

    Returns:
        False at the end of the log.

    Raises:
        TruncatedEventError, CorruptEventError: if the rest of the log is no whole event.
    """
    if reader.advance(used) or _has_event(reader, max_event_bytes, len_header):
        return True
    if reader.num_bytes == 0:
        return False
    if reader.num_bytes >= len_header:
        len_event = len_event_at(reader.data)
        while reader.num_bytes < len_event <= max_event_bytes and reader.grow(len_event):
            pass
        if _has_event(reader, max_event_bytes, len_header):
            return True
    check_tail(reader, 0, max_event_bytes, len_header)
    return False


def _has_event(reader: WindowReader, max_event_bytes: int, len_header: int) -> bool:
    """Return whether the window begins with a whole event."""
    if reader.num_bytes < len_header:
        return False
    return len_header <= len_event_at(reader.data) <= min(reader.num_bytes, max_event_bytes)


def check_tail(
    reader: WindowReader, offset: int, max_event_bytes: int, len_header: int = LEN_HEADER
) -> None:
    """Check that the bytes at `offset`, which are no whole event, may end a log.

    Only zeros up to the end of the file may: file systems and storage snapshots leave them there.
    The window is used up afterwards.

    Raises:
        TruncatedEventError, CorruptEventError: with a site, if anything else follows.
    """
    rest = reader.num_bytes - offset
    end = reader.base_pos + reader.num_bytes
    header = bytes(reader.data[offset : offset + min(rest, len_header)])
    has_header = len(header) == len_header
    type_code = type_code_at(header) if has_header else None
    start_pos, inner_pos = reader.position_of(offset)
    with located(reader.log_file.event_site(start_pos, type_code, inner_pos)):
        if reader.stop is None and not any(header) and reader.rest_is_zero(offset):
            return
        len_event = len_event_at(header) if has_header else 0
        if has_header:
            check_length(len_event, max_event_bytes, len_header)
        if reader.stop is not None:
            raise split_error(end)
        if has_header:
            raise cut_error("an event", len_event, rest)
        raise cut_error("an event header", len_header, rest)


def raw_events(log_file: LogFile, options: BinlogOptions) -> Iterator[tuple[int, memoryview]]:
    """Yield each event of a log of format 4 with its offset in the file, header and checksum too.

    Its bytes are valid until the next one. Only their lengths are checked.

    Raises:
        UnsupportedError: for an engine binlog, whose events do not follow each other in a file.
        BinlogError: if the log cannot be read, or the rest of it is no whole event.
    """
    if log_file.is_of_engine:
        raise UnsupportedError(
            "expected a log whose events follow each other, found an engine binlog of MariaDB",
            site=log_file.site,
            advice="its rows, tables, transactions and events can be read; slice and check need an"
            " ordinary log",
        )
    max_event_bytes = options.max_event_bytes
    reader = WindowReader(log_file, options.window_bytes)
    try:
        offset = 0
        while True:
            data = memoryview(reader.data)
            while offset + LEN_HEADER <= reader.num_bytes:
                end = offset + len_event_at(data, offset)
                if not offset + LEN_HEADER <= end <= reader.num_bytes:
                    break
                yield reader.base_pos + offset, data[offset:end]
                offset = end
            if not read_more(reader, offset, max_event_bytes):
                return
            offset = 0
    finally:
        reader.close()
