"""Where the next event of a log ends: moves a window on until it holds a whole event.

`frame_reader` follows these rules for one event at a time in Python. `scan.scanner` and
`decompressed_reader` use kernels for the same, and come here for what the kernels leave.
"""

from __future__ import annotations

from pyspark_adapter.errors import located
from pyspark_adapter.events.event_errors import check_length, cut_error, split_error
from pyspark_adapter.events.frame import event_site
from pyspark_adapter.events.windows import WindowReader
from pyspark_adapter.format.header import LEN_HEADER, len_event_at, type_code_at


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
        TruncatedEventError, CorruptEventError: with a site, if anything else is there.
    """
    rest = reader.num_bytes - offset
    end = reader.base_pos + reader.num_bytes
    header = bytes(reader.data[offset : offset + min(rest, len_header)])
    has_header = len(header) == len_header
    type_code = type_code_at(header) if has_header else None
    start_pos, inner_pos = reader.position_of(offset)
    with located(event_site(reader.log_file, start_pos, type_code, inner_pos)):
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
