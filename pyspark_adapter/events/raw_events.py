"""The events of a log as they are in the file, one after the other."""

from __future__ import annotations

from collections.abc import Iterator

from pyspark_adapter.errors import UnsupportedError
from pyspark_adapter.events.windows import WindowReader, read_more
from pyspark_adapter.format.header import LEN_HEADER, len_event_at
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.sources.log_file import LogFile


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
