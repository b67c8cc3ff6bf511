"""Splits of generated logs, in which values hold whole events as a log would at that place."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pyspark_adapter.splits.event_chains import REACH
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.support.splits import SplitLog

GTID = 33
COLUMNS = [LoggedColumn("id", 3), LoggedColumn("data", 252, b"\x04", collation=63)]
BOTH = (True, True)
TABLE_ID = 7

# From the beginning of a rows event of one row of COLUMNS to the bytes of `data`: header, table id,
# flags, extra info, number of columns, bitmap, null bitmap, `id`, and the length of `data`.
BEFORE_DATA = 19 + 6 + 2 + 2 + 1 + 1 + 1 + 4 + 4


@dataclass(frozen=True)
class Change:
    """A transaction of some rows events, each of one row.

    Attributes:
        planted: for each row, how many transactions its value holds.
        filler: bytes of the value besides.
        is_stretched: whether what is planted ends with an event that reaches to the end of the
            rows event, where the next one begins.
    """

    planted: tuple[int, ...]
    filler: int
    is_stretched: bool


CHANGES = st.builds(
    Change,
    st.lists(st.integers(0, 4), min_size=1, max_size=4).map(tuple),
    st.integers(0, 400),
    st.booleans(),
)


def write_log(changes: list[Change], *, has_checksums: bool, has_gtids: bool) -> bytes:
    """Return a log of some transactions."""
    log = LogWriter(has_checksums)
    for number, change in enumerate(changes):
        _write(log, number, change, has_gtids=has_gtids)
    return bytes(log.data)


def _write(log: LogWriter, number: int, change: Change, *, has_gtids: bool) -> None:
    if has_gtids:
        log.event(GTID, struct.pack("<B16sQBQQ", 0, bytes(range(16)), number + 1, 2, 0, 1))
    log.begin()
    for row, count in enumerate(change.planted):
        log.table_map(TABLE_ID, "t", COLUMNS)
        data = _planted(log, count, change, has_gtids=has_gtids)
        image = [struct.pack("<i", row), struct.pack("<I", len(data)) + data]
        log.rows(TABLE_ID, Rows(WRITE_V2, [image], BOTH))
    log.commit()


def _planted(log: LogWriter, count: int, change: Change, *, has_gtids: bool) -> bytes:
    """Return a value that holds transactions, as they would be if they stood in the log there."""
    start = len(log.data) + BEFORE_DATA
    inner = LogWriter(log.has_checksums)
    inner.data = bytearray(start)
    for number in range(count):
        _write(inner, 1000 + number, Change((0, 0), 9, is_stretched=False), has_gtids=has_gtids)
    end = len(inner.data) + 19 + change.filler  # of the value
    if change.is_stretched:
        next_event = end + (4 if log.has_checksums else 0)
        length = next_event - len(inner.data)
        inner.data += struct.pack("<IBIIIH", 1, 29, 1, length, next_event, 0)
    return bytes(inner.data[start:].ljust(end - start, b"\x00"))


def test_planted_events_stand_as_in_a_log() -> None:
    """The positions that planted events have are those at which they stand."""
    log = write_log([Change((1,), 50, is_stretched=False)], has_checksums=True, has_gtids=True)
    at = log.index(b"BEGIN", log.index(b"BEGIN") + 1) - 19 - 13 - 2
    length, end = struct.unpack_from("<II", log, at + 9)
    assert log[at + 4] == 2
    assert at + length == end


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("splits")


LOGS = st.builds(
    write_log, st.lists(CHANGES, min_size=1, max_size=9), has_checksums=..., has_gtids=...
)
ENGINES = ("kernels", "reference")
FEW = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@FEW
@given(log=LOGS, share=st.floats(0, 1), reach=st.sampled_from([6_000, REACH]), cut=st.floats(0, 1))
def test_splits_are_the_whole(
    folder: Path, log: bytes, share: float, reach: int, cut: float
) -> None:
    """Also of a log that ends anywhere: its error comes once."""
    kept = log if cut > 0.5 else log[: int(len(log) * (1 - cut))]
    path = folder / "log.000001"
    path.write_bytes(kept)
    if len(kept) < 150:  # within the format description
        return
    split_log = SplitLog(path)
    size = max(50, int(len(kept) * share**3))
    parts = split_log.parts(size, reach)
    assert split_log.read_parts(parts) == split_log.whole()
    assert SplitLog(path, "reference").parts(size, reach) == parts


@FEW
@given(log=LOGS, share=st.floats(0.02, 1), reach=st.integers(0, 300), engine=st.booleans())
def test_a_split_that_is_deceived_is_an_error(
    folder: Path, log: bytes, share: float, reach: int, *, engine: bool
) -> None:
    """With a reach of less than a value, planted events may win; never without an error."""
    path = folder / "log.000001"
    path.write_bytes(log)
    split_log, other = map(SplitLog, (path, path), ENGINES if engine else ENGINES[::-1])
    parts = split_log.parts(max(1, int(len(log) * share)), reach)
    assert other.parts(max(1, int(len(log) * share)), reach) == parts
    found = split_log.read_parts(parts)
    if found != split_log.whole():
        assert any("the log was split at" in text for _, text in found.errors)


@pytest.mark.parametrize("has_checksums", [True, False])
@pytest.mark.parametrize("is_stretched", [True, False])
def test_planted_events_larger_than_splits_lose(
    tmp_path: Path, *, has_checksums: bool, is_stretched: bool
) -> None:
    """Values of some 30 kB, whole logs but for their beginning, in splits of 5 kB and less."""
    change = Change((100, 0, 100), 20, is_stretched)
    log = write_log([change] * 6, has_checksums=has_checksums, has_gtids=True)
    path = tmp_path / "log.000001"
    path.write_bytes(log)
    split_log = SplitLog(path)
    whole = split_log.whole()
    assert len(whole.rows) == 18
    for size in (997, 5_000, 40_000):
        parts = split_log.parts(size, 60_000)
        assert [part.start for part in parts[1:]] == sorted({part.start for part in parts[1:]})
        assert split_log.read_parts(parts) == whole
        assert len(parts) == 6
