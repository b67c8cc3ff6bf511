"""Rows events in parts: what is no group of them."""

import struct
import tracemalloc
import zlib
from pathlib import Path

import pytest

from pyspark_adapter import (
    BinlogError,
    CorruptEventError,
    TruncatedEventError,
    UnsupportedError,
    read_batches,
)
from tests.support.log_writer import QUERY, WRITE_V1, LoggedColumn, LogWriter, Rows
from tests.support.logs import read_until_error
from tests.support.packing import PARTIAL_ROW_DATA, part_bodies, split_log
from tests.support.splits import SplitLog

TABLE = [LoggedColumn("id", 3), LoggedColumn("v", 252, b"\x02", False, 63)]


def whole_event(first: int = 0, count: int = 5) -> bytes:
    """Return a rows event without a checksum."""
    log = LogWriter(has_checksums=False, server_version="12.3.3-MariaDB-log")
    images = [
        [struct.pack("<i", number), struct.pack("<H", 9) + b"v" * 9]
        for number in range(first, first + count)
    ]
    log.rows(9, Rows(WRITE_V1, images, [True, True]))
    return list(split_log(bytes(log.data)))[-1]


def log_of(bodies: list[bytes], *, ends: bool = True, between: int | None = None) -> bytes:
    """Return a log of a transaction with parts; `between` is where another event stands."""
    log = LogWriter(server_version="12.3.3-MariaDB-log")
    log.begin()
    log.table_map(9, "t", TABLE)
    for number, body in enumerate(bodies):
        if number == between:
            log.event(QUERY, struct.pack("<IIBHH", 7, 0, 1, 0, 0) + b"d\0SAVEPOINT a")
        log.event(PARTIAL_ROW_DATA, body)
    if ends:
        log.commit()
    return bytes(log.data)


BODIES = part_bodies(whole_event(), 30)
SIZE = struct.pack("<Q", len(whole_event()))


def altered(index: int, first: int, second: int, flags: int | None = None) -> list[bytes]:
    """Return the parts with other numbers in one."""
    old = BODIES[index]
    flags = old[8] if flags is None else flags
    return [
        *BODIES[:index],
        struct.pack("<IIB", first, second, flags) + old[9:],
        *BODIES[index + 1 :],
    ]


def outcome(path: Path, log: bytes) -> tuple[int, BinlogError]:
    path.write_bytes(log)
    num_rows, error = read_until_error(path)
    assert error is not None
    return num_rows, error


def test_the_parts_here_are_three() -> None:
    assert len(BODIES) > 3


DAMAGES = {
    "second-of-some": (BODIES[1:], CorruptEventError, "in its first part alone, found no size", 0),
    "size-in-two": (
        [BODIES[0], struct.pack("<IIB", 2, len(BODIES), 1) + SIZE + BODIES[1][9:]],
        CorruptEventError,
        "in its first part alone, found a size",
        1,
    ),
    "one-of-one": (altered(0, 1, 1), CorruptEventError, "found the numbers 1 and 1", 0),
    "none-is-one": (altered(0, 2, 3), CorruptEventError, "found the numbers 2 and 3", 0),
    "zero": (altered(0, 1, 0), CorruptEventError, "found the numbers 1 and 0", 0),
    "again": (altered(1, 1, len(BODIES)), CorruptEventError, "expected part 2 of", 1),
    "passed-over": ([BODIES[0], *BODIES[2:]], CorruptEventError, "expected part 2 of", 1),
    "another-order": (altered(1, len(BODIES), 2), CorruptEventError, "expected part 2 of", 1),
    "another-total": (altered(1, 2, 99), CorruptEventError, "expected part 2 of", 1),
    "flags": (altered(0, 1, len(BODIES), 3), UnsupportedError, "flags 0x3", 0),
    "short": ([b"\1\0\0"], CorruptEventError, "", 0),
    "no-rows-event": (
        part_bodies(b"\0" * 4 + b"\x02" + b"\0" * 60, 30),
        CorruptEventError,
        "found those of type 2",
        2,
    ),
    "parts-of-a-part": (
        part_bodies(b"\0" * 4 + b"\xac" + b"\0" * 60, 30),
        CorruptEventError,
        "found those of type 172",
        2,
    ),
    "larger-than-declared": (
        [BODIES[0][:9] + struct.pack("<Q", 40) + BODIES[0][17:], *BODIES[1:]],
        CorruptEventError,
        "of 40 bytes as declared, found more",
        1,
    ),
    "smaller-than-declared": (
        [BODIES[0][:9] + struct.pack("<Q", 999) + BODIES[0][17:], *BODIES[1:]],
        CorruptEventError,
        "of 999 bytes as declared, found",
        len(BODIES) - 1,
    ),
    "larger-than-allowed": (
        [BODIES[0][:9] + struct.pack("<Q", 1 << 60) + BODIES[0][17:], *BODIES[1:]],
        CorruptEventError,
        "option max_event_bytes",
        0,
    ),
    "without-a-header": (
        [BODIES[0][:9] + struct.pack("<Q", 3) + BODIES[0][17:20], *BODIES[1:]],
        CorruptEventError,
        "at least 19 bytes",
        0,
    ),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_no_group_of_parts(name: str, tmp_path: Path) -> None:
    bodies, kind, words, index = DAMAGES[name]
    num_rows, error = outcome(tmp_path / "log.000001", log_of(bodies))
    assert (num_rows, type(error)) == (0, kind)
    assert words in str(error)
    starts = [4]
    for event in split_log(log_of(bodies)):
        starts.append(starts[-1] + len(event))
    assert error.site is not None
    assert error.site.start_pos == starts[3 + index]
    assert error.site.event_type == "PARTIAL_ROW_DATA_EVENT"


@pytest.mark.parametrize("between", [1, 2])
def test_another_event_between_parts(between: int, tmp_path: Path) -> None:
    log = log_of(BODIES, between=between)
    num_rows, error = outcome(tmp_path / "log.000001", log)
    assert (num_rows, type(error)) == (0, CorruptEventError)
    assert f"expected part {between + 1} of {len(BODIES)} of the rows event" in str(error)
    assert error.site is not None
    assert error.site.event_type == "QUERY_EVENT"


@pytest.mark.parametrize("count", range(1, len(BODIES)))
def test_a_log_that_ends_before_the_last_part(count: int, tmp_path: Path) -> None:
    log = log_of(BODIES[:count], ends=False)
    num_rows, error = outcome(tmp_path / "log.000001", log)
    assert (num_rows, type(error)) == (0, TruncatedEventError)
    assert "inside the transaction that begins here" in str(error)


def test_rows_that_are_damaged_are_at_their_bytes(tmp_path: Path) -> None:
    """Of the event that was put together, which begins at its first part."""
    damaged = bytearray(whole_event())
    damaged[-10:-9] = b"\xff"
    log = log_of(part_bodies(bytes(damaged), 30))
    _, error = outcome(tmp_path / "log.000001", log)
    assert "reaches beyond the end of the event, at byte" in str(error)
    assert error.site is not None
    assert (error.site.event_type, error.site.inner_pos) == ("WRITE_ROWS_V1_EVENT", 0)


def test_memory_is_that_of_the_bytes_that_came(tmp_path: Path) -> None:
    """Whatever size the first part declares."""
    first = BODIES[0][:9] + struct.pack("<Q", 1 << 30) + BODIES[0][17:]
    path = tmp_path / "log.000001"
    outcome(path, log_of([first]))
    tracemalloc.start()
    _, error = outcome(path, log_of([first, *BODIES[1:]]))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "as declared" in str(error)
    assert peak < 60 << 20


def test_splits_are_never_within_parts(tmp_path: Path) -> None:
    log = LogWriter(server_version="12.3.3-MariaDB-log")
    for number in range(40):
        log.begin()
        log.table_map(9, "t", TABLE)
        for body in part_bodies(whole_event(5 * number), 40):
            log.event(PARTIAL_ROW_DATA, body)
        log.commit()
    path = tmp_path / "log.000001"
    path.write_bytes(log.data)
    found = SplitLog(path)
    splits = found.splits(100)
    assert len(splits) > 10
    assert found.read(splits) == found.whole()
    assert len(found.whole().rows) == 200


def test_events_are_listed_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "log.000001"
    path.write_bytes(log_of(BODIES))
    rows = [row for b in read_batches(path, view="events") for row in b.to_pylist()]
    assert [row["event_type"] for row in rows].count("PARTIAL_ROW_DATA_EVENT") == len(BODIES)


def test_a_checksum_of_its_own_is_left_out(tmp_path: Path) -> None:
    whole = whole_event()
    length = struct.pack("<I", len(whole) + 4)
    event = whole[:9] + length + whole[13:]
    path = tmp_path / "log.000001"
    for end in (b"", struct.pack("<I", zlib.crc32(event))):
        path.write_bytes(log_of(part_bodies(event + end, 30)))
        assert sum(batch.num_rows for batch in read_batches(path, table="d.t")) == 5
