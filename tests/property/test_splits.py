"""Splits of generated logs, in which values hold whole events as a log would at that offset."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pyspark_adapter import UnsupportedError
from pyspark_adapter.splits.log_splits import Split
from tests.support.forged_logs import FORGED, Forgery, write_forged_log, write_transaction
from tests.support.log_writer import LogWriter
from tests.support.splits import SplitLog

NESTED = st.builds(Forgery, st.integers(0, 3), st.integers(0, 300), st.booleans(), st.booleans())
FORGERIES = st.builds(
    Forgery,
    st.integers(0, 6),
    st.integers(0, 3_000),
    begins_a_log=st.booleans(),
    is_stretched=st.booleans(),
    nested=st.none() | NESTED,
)
LOGS = st.builds(
    write_forged_log,
    st.lists(st.lists(FORGERIES, min_size=1, max_size=4), min_size=1, max_size=9),
    has_checksums=st.booleans(),
    has_gtids=st.booleans(),
)
FEW = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
START_ENCRYPTION = 164
LEN_FORMAT = 150  # more than the format description takes


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("splits")


def bounds_of(splits: list[Split]) -> list[tuple[int, int | None]]:
    return [(s.start, None if s.range is None else s.range.stop) for s in splits]


def test_forged_events_have_the_positions_of_their_offset() -> None:
    log = write_forged_log([[Forgery(1)]])
    at = log.index(b"BEGIN", log.index(b"BEGIN") + 1) - 19 - 13 - 2
    length, end = struct.unpack_from("<II", log, at + 9)
    assert log[at + 4] == 2
    assert at + length == end


@FEW
@given(log=LOGS, share=st.floats(0, 1), cut=st.floats(0, 1), ignores_damage=st.booleans())
def test_splits_are_the_whole(
    folder: Path, log: bytes, share: float, cut: float, *, ignores_damage: bool
) -> None:
    """Also of a log that ends anywhere: its error comes once, after all rows."""
    kept = log if cut > 0.5 else log[: LEN_FORMAT + int((len(log) - LEN_FORMAT) * 2 * cut)]
    path = folder / "log.000001"
    path.write_bytes(kept)
    size = max(1, int(len(kept) * share**3))
    split_log = SplitLog(path, ignore_corrupt_files=ignores_damage)
    splits = split_log.splits(size)
    given_by_splits = split_log.read(splits)
    assert given_by_splits == split_log.whole()
    assert FORGED not in "".join(row.partition("'row'")[0] for row in given_by_splits.rows)
    assert len(splits) == 1 or not ignores_damage


@FEW
@given(
    log=LOGS,
    share=st.floats(0.01, 1),
    where=st.floats(0, 1),
    bits=st.integers(1, 255),
    ignores_damage=st.booleans(),
)
def test_splits_of_a_damaged_log_give_the_same_rows_up_to_the_same_error(
    folder: Path, log: bytes, share: float, where: float, bits: int, *, ignores_damage: bool
) -> None:
    """With checksums; whatever comes after the error, the read has failed."""
    offset = LEN_FORMAT + int((len(log) - LEN_FORMAT - 1) * where)
    path = folder / "log.000001"
    path.write_bytes(log[:offset] + bytes([log[offset] ^ bits]) + log[offset + 1 :])
    split_log = SplitLog(path, ignore_corrupt_files=ignores_damage)
    whole = split_log.whole()
    found = split_log.read(split_log.splits(max(1, int(len(log) * share))))
    assert found.errors[:1] == whole.errors
    assert found.rows[: len(whole.rows)] == whole.rows
    if ignores_damage:
        assert found == whole


def test_a_length_that_leads_into_a_value_ends_the_cuts(folder: Path) -> None:
    """A damaged header may lead to forged events; no split begins with one."""
    log = bytearray(write_forged_log([[Forgery()], [Forgery(40)], [Forgery()]]))
    forged = log.index(b"BEGIN", log.rindex(b"real", 0, log.index(b"forged"))) - 34 - 65
    headers = []
    pos = 4
    while pos < len(log):
        headers.append(pos)
        pos += struct.unpack_from("<I", log, pos + 9)[0]
    before = max(pos for pos in headers if pos < forged)
    damaged = max(pos for pos in headers if pos < before)
    struct.pack_into("<I", log, damaged + 9, forged - damaged)
    path = folder / "log.000001"
    path.write_bytes(log)
    split_log = SplitLog(path)
    splits = split_log.splits(100)
    assert len(splits) > 1
    assert max(split.start for split in splits) <= damaged
    found = split_log.read(splits)
    assert found == split_log.whole()
    assert len(found.errors) == 1


@FEW
@given(
    before=st.lists(st.lists(FORGERIES, min_size=1, max_size=2), min_size=1, max_size=4),
    after=st.lists(st.lists(FORGERIES, min_size=1, max_size=2), min_size=1, max_size=4),
    flips_checksums=st.booleans(),
    size=st.integers(1, 5_000),
)
def test_splits_of_a_joined_log_are_the_whole(
    folder: Path,
    before: list[list[Forgery]],
    after: list[list[Forgery]],
    size: int,
    *,
    flips_checksums: bool,
) -> None:
    """Events after another format description may be written in another way: all are one split."""
    log = LogWriter()
    for number, forgeries in enumerate(before):
        write_transaction(log, number, forgeries)
    joined_at = len(log.data)
    log.has_checksums ^= flips_checksums
    log.format_description()
    for number, forgeries in enumerate(after):
        write_transaction(log, number, forgeries)
    path = folder / "log.000001"
    path.write_bytes(log.data)
    split_log = SplitLog(path)
    splits = split_log.splits(size)
    found = split_log.read(splits)
    assert found == split_log.whole()
    assert len(found.rows) == sum(map(len, before + after))
    assert splits[-1].start <= joined_at


def test_splits_of_a_log_that_becomes_encrypted_end_there(folder: Path) -> None:
    log = LogWriter()
    for number in range(9):
        write_transaction(log, number, [Forgery(2)])
    encrypted_at = len(log.data)
    log.event(START_ENCRYPTION, bytes(17))
    log.data += random.Random(1).randbytes(9_000)  # noqa: S311
    path = folder / "log.000001"
    path.write_bytes(log.data)
    split_log = SplitLog(path)
    splits = split_log.splits(1_000)
    assert len(splits) > 2
    assert splits[-1].start <= encrypted_at
    found = split_log.read(splits)
    assert found == split_log.whole()
    assert len(found.rows) == 9
    assert [kind for kind, _ in found.errors] == [UnsupportedError]


@pytest.mark.parametrize("has_checksums", [True, False])
@pytest.mark.parametrize("is_stretched", [True, False])
def test_values_larger_than_splits(
    folder: Path, *, has_checksums: bool, is_stretched: bool
) -> None:
    """Of some 30 kB, in splits of 5 kB and less: each transaction has one."""
    forgery = Forgery(100, is_stretched=is_stretched)
    log = write_forged_log([[forgery, Forgery(), forgery]] * 6, has_checksums=has_checksums)
    path = folder / "log.000001"
    path.write_bytes(log)
    split_log = SplitLog(path)
    whole = split_log.whole()
    assert len(whole.rows) == 18
    for size in (997, 5_000, 40_000):
        splits = split_log.splits(size)
        assert split_log.read(splits) == whole
        assert len(splits) == 6


@pytest.mark.parametrize("has_gtids", [True, False])
def test_random_bytes_behind_a_log(folder: Path, *, has_gtids: bool) -> None:
    """What is no log is read by one split, which says so."""
    log = write_forged_log([[Forgery(2)]] * 20, has_gtids=has_gtids)
    path = folder / "log.000001"
    path.write_bytes(log + random.Random(1).randbytes(5_000))  # noqa: S311
    split_log = SplitLog(path)
    splits = split_log.splits(1_000)
    assert len(splits) > 5
    assert splits[-1].start <= len(log)
    found = split_log.read(splits)
    assert found == split_log.whole()
    assert len(found.rows) == 20
    assert len(found.errors) == 1
