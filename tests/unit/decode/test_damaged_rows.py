"""Damage in rows, names and GTIDs of logs written here, and rows that are taken back."""

import struct
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import BinlogError, BinlogWarning, CorruptEventError, list_tables, read_batches
from tests.support.log_writer import (
    QUERY,
    STMT_END,
    UPDATE_V2,
    WRITE_V2,
    LoggedColumn,
    LogWriter,
    Rows,
)

GTID = 33
INT, DATE, VARCHAR, UTF8MB4 = 3, 10, 15, 45
DATETIME2, SET, STRING = 18, 248, 254
NUMBER = [LoggedColumn("a", INT)]
TEXT = [LoggedColumn("a", VARCHAR, b"\x10\0", collation=UTF8MB4)]


def read_rows_until_error(
    log: LogWriter, folder: Path, **options: Any
) -> tuple[list[str], BinlogError | None]:
    """Return the rows that a read gives, as JSON, and the error that ends it."""
    path = folder / "binlog.000001"
    path.write_bytes(log.data)
    rows: list[str] = []
    try:
        for batch in read_batches(path, **options):
            rows += batch.column("row").to_pylist()
    except BinlogError as error:
        return rows, error
    return rows, None


def add_statement(log: LogWriter, text: bytes, end_of_name: bytes = b"\0") -> None:
    log.event(QUERY, struct.pack("<IIBHH", 7, 0, 1, 0, 0) + b"d" + end_of_name + text)


def add_insert(log: LogWriter, table_id: int, *values: bytes) -> None:
    log.rows(table_id, Rows(WRITE_V2, [[value] for value in values], [True], (), STMT_END))


@pytest.mark.parametrize("dropped", ["update_preimage", "update_postimage"])
@pytest.mark.parametrize("num_before", [0, 1])
def test_an_error_in_the_first_update_of_one_image(
    tmp_path: Path, dropped: str, num_before: int
) -> None:
    """The image before it was decoded, is dropped again, and leaves a block without rows."""
    kept = {"update_preimage", "update_postimage"} - {dropped}
    log = LogWriter()
    log.begin()
    log.table_map(1, "t", [LoggedColumn("a", DATE)])
    good, zero = (2026 << 9 | 1 << 5 | 2).to_bytes(3, "little"), bytes(3)
    images = [[good], [good]] * num_before + [[good], [zero]]
    log.rows(1, Rows(UPDATE_V2, images, [True], [True]))
    log.commit()
    rows, error = read_rows_until_error(
        log, tmp_path, change_types=",".join(kept), zero_date_time_behavior="EXCEPTION"
    )
    assert rows == ['{"a": "2026-01-02"}'] * num_before
    assert "zero_date_time_behavior=CONVERT_TO_NULL" in str(error)


@pytest.mark.parametrize("width", [1, 2, 4, 8])
@pytest.mark.parametrize("members", [("x",), ("x", "y", "z"), tuple("abcdefgh")], ids=len)
def test_members_of_sets_of_any_width(tmp_path: Path, width: int, members: tuple[str, ...]) -> None:
    """A server gives up to eight members one byte; a log may say that they have eight."""
    set_of = [LoggedColumn("a", STRING, bytes([SET, width]), collation=UTF8MB4, members=members)]
    last = 8 * width - 1
    for bits in {0, 1, 1 << len(members) - 1, 1 << len(members), 1 << last, 1 << last | 1}:
        if bits >> 8 * width:
            continue
        log = LogWriter()
        log.begin()
        log.table_map(1, "t", set_of)
        add_insert(log, 1, bits.to_bytes(width, "little"))
        log.commit()
        rows, error = read_rows_until_error(log, tmp_path)
        if bits >> len(members):
            assert rows == []
            assert "no member" in str(error)
        else:
            names = ",".join(name for k, name in enumerate(members) if bits >> k & 1)
            assert rows == [f'{{"a": "{names}"}}']


@pytest.mark.parametrize("fsp", range(7))
def test_fractions_before_1970_lose_digits_and_are_not_rounded(tmp_path: Path, fsp: int) -> None:
    """An odd number of digits is stored as the next even one; the last digit is not shown."""
    packed = (1 << 39) + ((1001 * 13 + 2 << 5 | 3) << 17 | 4 << 12 | 5 << 6 | 6)
    num_bytes = (fsp + 1) // 2
    fraction = int("987899"[: 2 * num_bytes] or "0")
    log = LogWriter()
    log.begin()
    log.table_map(1, "t", [LoggedColumn("a", DATETIME2, bytes([fsp]))])
    add_insert(log, 1, packed.to_bytes(5, "big") + fraction.to_bytes(num_bytes, "big"))
    log.commit()
    rows, error = read_rows_until_error(log, tmp_path)
    point = "." if fsp else ""
    assert (rows, error) == ([f'{{"a": "1001-02-03 04:05:06{point}{"987899"[:fsp]}"}}'], None)


def test_an_update_is_given_whole_or_not_at_all(tmp_path: Path) -> None:
    log = LogWriter()
    log.begin()
    log.table_map(1, "t", TEXT)
    images = [[b"\x01a"], [b"\x01b"], [b"\x01b"], [b"\x01\xff"]]
    log.rows(1, Rows(UPDATE_V2, images, [True], [True]))
    log.commit()
    rows, error = read_rows_until_error(log, tmp_path)
    assert rows == ['{"a": "a"}', '{"a": "b"}']
    assert isinstance(error, CorruptEventError)


# With one table the kernels count rows as they find them, with two before they do.
@pytest.mark.parametrize("num_tables", [1, 2])
def test_rows_before_a_damaged_one_of_the_same_event_are_given(
    num_tables: int, tmp_path: Path
) -> None:
    log = LogWriter()
    log.begin()
    for table_id in range(1, num_tables + 1):
        log.table_map(table_id, f"t{table_id}", NUMBER)
        add_insert(log, table_id, b"\x01\0\0\0")
    log.table_map(1, "t1", NUMBER)
    add_insert(log, 1, b"\x02\0\0\0", b"\x03\0")  # the second is cut
    log.commit()
    rows, error = read_rows_until_error(log, tmp_path)
    assert rows == ['{"a": 1}'] * num_tables + ['{"a": 2}']
    assert isinstance(error, CorruptEventError)
    assert "WRITE_ROWS_EVENT" in str(error)


def test_a_name_without_its_end_is_damage(tmp_path: Path) -> None:
    log = LogWriter()
    add_statement(log, b"BEGIN", end_of_name=b"x")
    log.table_map(1, "t", NUMBER)
    add_insert(log, 1, b"\x01\0\0\0")
    log.commit()
    rows, error = read_rows_until_error(log, tmp_path)
    assert rows == []
    assert isinstance(error, CorruptEventError)


@pytest.mark.parametrize(("length", "is_whole"), [(25, True), (26, False), (41, False), (42, True)])
def test_a_gtid_that_ends_in_a_field_is_damage(length: int, is_whole: bool, tmp_path: Path) -> None:
    log = LogWriter()
    fields = bytes(17) + struct.pack("<qBqq", 5, 2, 0, 1)
    log.event(GTID, fields[:length])
    log.begin()
    log.table_map(1, "t", NUMBER)
    add_insert(log, 1, b"\x01\0\0\0")
    log.commit()
    rows, error = read_rows_until_error(log, tmp_path)
    assert (rows, error is None) == ((['{"a": 1}'], True) if is_whole else ([], False))


# As MariaDB logs it when a table without transactions was changed after the savepoint.
@pytest.mark.parametrize("text", [b"ROLLBACK TO `s`", b"ROLLBACK"])
def test_rows_that_are_taken_back_are_told(text: bytes, tmp_path: Path) -> None:
    log = LogWriter()
    log.begin()
    add_statement(log, b"SAVEPOINT `s`")
    log.table_map(1, "t", NUMBER)
    add_insert(log, 1, b"\x01\0\0\0")
    add_statement(log, text)
    if text != b"ROLLBACK":
        log.commit()
    with pytest.warns(BinlogWarning, match="rolled back here.*ROLLBACK"):
        rows, error = read_rows_until_error(log, tmp_path)
    assert (rows, error) == (['{"a": 1}'], None)
    _, error = read_rows_until_error(log, tmp_path, on_statement_events="error")
    assert "rolled back here" in str(error)
    found = list_tables(tmp_path / "binlog.000001")
    assert {str(f.table): f.num_statements for f in found} == {"d.t": 0, "d.*": 1}


@pytest.mark.filterwarnings("error")
def test_taking_back_nothing_is_not_told(tmp_path: Path) -> None:
    log = LogWriter()
    log.begin()
    add_statement(log, b"ROLLBACK")
    log.begin()
    log.table_map(1, "t", NUMBER)
    add_insert(log, 1, b"\x01\0\0\0")
    log.commit()
    add_statement(log, b"ROLLBACK")
    assert read_rows_until_error(log, tmp_path) == (['{"a": 1}'], None)


@pytest.mark.parametrize("has_later_rows", [False, True])
def test_damage_in_rows_that_are_not_asked_for_matters_only_for_numbers(
    has_later_rows: bool, tmp_path: Path
) -> None:
    log = LogWriter(has_checksums=False)
    for name in ("good", "bad"):
        log.begin()
        log.table_map(1, name, NUMBER)
        add_insert(log, 1, b"\x01\0\0\0" if name == "good" else b"\x01\0")
        if name == "bad" and has_later_rows:
            log.table_map(2, "good", NUMBER)
            add_insert(log, 2, b"\x02\0\0\0")
        log.commit()
    path = tmp_path / "binlog.000001"
    path.write_bytes(log.data)
    batches = read_batches(path, table="d.good")
    assert next(batches).column("a").to_pylist() == [1]
    if has_later_rows:
        with pytest.raises(CorruptEventError, match=r"table d\.bad"):
            next(batches)
    else:
        assert list(batches) == []
