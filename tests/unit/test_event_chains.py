"""Events that are found from the bytes around an offset, in logs without checksums."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from pyspark_adapter.log_search import find_log_files
from pyspark_adapter.schema import FormatDescription
from pyspark_adapter.splits.event_chains import EventFinder
from pyspark_adapter.splits.log_bytes import LogBytes
from tests.support.log_writer import LogWriter
from tests.support.logs import events_of

ROWS_QUERY = 29
LEN_HEADER = 19


def find(path: Path, offset: int, reach: int, engine: str) -> int | None:
    """Return the event that is found at an offset or after it."""
    log = path.read_bytes()
    [log_file] = find_log_files(path)
    first = events_of(log)[1].start_pos
    log_bytes = LogBytes(log_file)
    try:
        description = FormatDescription.parse(log[4:first])
        is_compiled = engine == "kernels"
        finder = EventFinder(log_bytes, description, first, 1 << 30, reach, is_compiled=is_compiled)
        return finder.find(offset, len(log))
    finally:
        log_bytes.close()


def write(folder: Path, log: LogWriter) -> Path:
    path = folder / "log.000001"
    path.write_bytes(log.data)
    return path


def test_the_next_event_is_found(tmp_path: Path, engine: str) -> None:
    log = LogWriter(has_checksums=False)
    for length in range(200):
        log.event(ROWS_QUERY, bytes(length))
    path = write(tmp_path, log)
    starts = [event.start_pos for event in events_of(bytes(log.data))]
    for offset in range(5_000, len(log.data) - 3_000, 97):
        assert find(path, offset, 500, engine) == min(pos for pos in starts if pos >= offset)


def test_positions_of_another_log_are_no_events(tmp_path: Path, engine: str) -> None:
    log = LogWriter(has_checksums=False)
    first = len(log.data)
    log.data += bytes(100)  # so that all positions are too large, once this is taken out
    for _ in range(200):
        log.event(ROWS_QUERY, bytes(50))
    del log.data[first : first + 100]
    assert find(write(tmp_path, log), 6_000, 500, engine) is None


@pytest.mark.parametrize("num_skipped", [3, 100], ids=["within reach", "beyond it"])
def test_an_event_in_a_value_that_ends_with_one_of_the_log_loses(
    tmp_path: Path, engine: str, num_skipped: int
) -> None:
    """Where it goes on is sure, and no event before that."""
    log = LogWriter(has_checksums=False)
    log.event(ROWS_QUERY, bytes(2_000))
    planted = len(log.data) + LEN_HEADER + 2_000
    end = planted + 3 * LEN_HEADER  # of the event with the value
    later = end + num_skipped * (LEN_HEADER + 30)
    value = bytearray(2_000)
    for start in (planted, planted + LEN_HEADER):
        value += _header(start, start + LEN_HEADER)
    value += _header(planted + 2 * LEN_HEADER, later)
    log.event(ROWS_QUERY, bytes(value))
    assert len(log.data) == end
    for _ in range(300):
        log.event(ROWS_QUERY, bytes(30))
    assert later in [event.start_pos for event in events_of(bytes(log.data))]
    # The value is as far as one looks before the offset, and goes on after it.
    assert find(write(tmp_path, log), planted - 100, 500, engine) == later


def _header(start: int, end: int) -> bytes:
    return struct.pack("<IBIIIH", 1, ROWS_QUERY, 1, end - start, end, 0)
