"""Who made a change: its connection, its statement and the length of its transaction."""

import struct
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import CorruptEventError, read_batches
from pyspark_adapter.events.statements import MAX_QUERY, text_of_query
from tests.support.log_writer import QUERY, WRITE_V2, LoggedColumn, LogWriter, Rows, packed
from tests.support.logs import read_until_error
from tests.unit.events.test_transactions import (
    COMMIT,
    MARIADB_GTID,
    MARIADB_XID,
    PREPARE,
    PREPARED_XA,
    STANDALONE,
    XA_PREPARE,
    Step,
    event,
    row,
    sql,
)

ROWS_QUERY, GTID, ANONYMOUS_GTID, ANNOTATE_ROWS = 29, 33, 34, 160
COLUMNS = ("_thread_id", "_query", "_transaction_bytes")
WINDOWS = pytest.mark.parametrize("window_bytes", ["1k", "4m"])


def query(text: str | bytes) -> Step:
    """Return a step that writes the text of a statement as MySQL does."""
    data = text.encode() if isinstance(text, str) else text
    return event(ROWS_QUERY, bytes([len(data) & 0xFF]) + data)


def gtid(length: bytes, *, is_original: bool = True) -> Step:
    """Return a step that writes a GTID of MySQL 8.0.2 with the length of its transaction."""
    micros = (1_700_000_000_000_000 | (0 if is_original else 1 << 55)).to_bytes(7, "little")
    second = b"" if is_original else bytes(7)
    body = bytes(17) + struct.pack("<qBqq", 1, 2, 0, 1) + micros + second + length
    return event(GTID, body)


def begin(thread_id: int, text: str = "BEGIN") -> Step:
    """Return a step that begins a transaction in a connection."""
    return event(QUERY, struct.pack("<IIBHH", thread_id, 0, 1, 0, 0) + b"d\0" + text.encode())


def mariadb_gtid(flags: int, extra: bytes) -> Step:
    """Return a step that writes a GTID of MariaDB with what follows its flags."""
    return event(MARIADB_GTID, struct.pack("<QIB", 1, 0, flags) + extra.ljust(6, b"\0"))


def write(path: Path, steps: list[Step], repeats: int = 1) -> None:
    writer = LogWriter()
    for _ in range(repeats):
        for step in steps:
            step(writer)
    path.write_bytes(writer.data)


def origins(path: Path, **options: Any) -> list[tuple[Any, ...]]:
    """Return the three columns of each row."""
    return [
        tuple(batch[name][i].as_py() for name in COLUMNS)
        for batch in read_batches(path, metadata_columns=COLUMNS, **options)
        for i in range(batch.num_rows)
    ]


@WINDOWS
def test_a_text_is_of_the_rows_up_to_the_end_of_its_statement(
    window_bytes: str, log_path: Path
) -> None:
    """Of several tables, in any window; not of a statement or a transaction without a text."""
    padding = "x" * 300  # so that windows begin between a text and its rows
    steps = [
        *(sql("BEGIN"), query(f"first {padding}"), row(1, is_end=False)),
        *(row(2, is_end=False), row(3), row(4)),
        *(query(f"second {padding}"), sql("SAVEPOINT `a`"), row(5), COMMIT),
        *(sql("BEGIN"), row(6), query("without rows"), COMMIT),
        *(sql("BEGIN"), row(7), query(""), row(8), COMMIT),
        *(query("before a transaction"), sql("BEGIN"), row(9), COMMIT),
        *(query("outside of one"), row(10, is_end=False), row(11), row(12)),
    ]
    write(log_path, steps, repeats=20)
    first, second = f"first {padding}", f"second {padding}"
    expected = [first] * 3 + [None, second, None, None, "", None]
    expected += ["outside of one"] * 2 + [None]
    assert [text for _, text, _ in origins(log_path, window_bytes=window_bytes)] == expected * 20


def test_a_text_of_mariadb_has_no_byte_before_it(log_path: Path) -> None:
    write(log_path, [mariadb_gtid(0, b""), event(ANNOTATE_ROWS, b"insert"), row(1), COMMIT])
    assert origins(log_path) == [(None, "insert", None)]


@pytest.mark.parametrize(
    ("logged", "text"),
    [
        (b"a" * MAX_QUERY, "a" * MAX_QUERY),
        (b"a" * (MAX_QUERY + 1), "a" * MAX_QUERY + "... (4097 bytes)"),
        # Inside a character the text ends before it.
        (b"a" * (MAX_QUERY - 1) + "é!".encode(), "a" * (MAX_QUERY - 1) + "... (4098 bytes)"),
        (b"a" * (MAX_QUERY - 3) + "𐍈".encode(), "a" * (MAX_QUERY - 3) + "... (4097 bytes)"),
        (b"a" * MAX_QUERY + "é".encode(), "a" * MAX_QUERY + "... (4098 bytes)"),
        (b"x'\xff\xc3'", "x'\\xff\\xc3'"),
        (b"\x80" * (MAX_QUERY + 9), "\\x80" * (MAX_QUERY // 4) + "... (4105 bytes)"),
        (b"\x80" * 2000, "\\x80" * (MAX_QUERY // 4) + "... (2000 bytes)"),
    ],
)
def test_a_text_is_cut_and_bytes_that_are_no_text_are_shown(
    logged: bytes, text: str, log_path: Path
) -> None:
    assert text_of_query(b"?" + logged + b"?", 1, len(logged) + 1) == text
    write(log_path, [sql("BEGIN"), query(logged), row(1), COMMIT])
    assert origins(log_path) == [(7, text, None)]


def test_long_texts_do_not_multiply(log_path: Path) -> None:
    """A long text with many rows: neither a batch nor all of them take text times rows."""
    writer = LogWriter(has_checksums=False)
    writer.begin()
    query("v" * 2_000_000)(writer)
    writer.table_map(9, "t", [LoggedColumn("id", 3)])
    writer.rows(9, Rows(WRITE_V2, [[bytes(4)]] * 2_000, [True]))
    writer.commit()
    log_path.write_bytes(writer.data)
    batches = list(read_batches(log_path, metadata_columns="_query", batch_bytes="16k"))
    assert sum(batch.num_rows for batch in batches) == 2_000
    assert max(batch.nbytes for batch in batches) < 2 * 16 * (16 << 10)
    assert sum(batch.nbytes for batch in batches) < 2_000 * 2 * MAX_QUERY


def test_texts_are_not_looked_at_unless_they_are_asked_for(log_path: Path) -> None:
    """Not even at one that lacks its first byte."""
    write(log_path, [sql("BEGIN"), event(ROWS_QUERY, b""), row(1), COMMIT])
    assert read_until_error(log_path) == (1, None)
    num_rows, error = read_until_error(log_path, metadata_columns="_query")
    assert num_rows == 0
    assert isinstance(error, CorruptEventError)
    assert "ROWS_QUERY_EVENT" in str(error)


THREAD = 0xFFFFFFFE
XA = "X'6731',X'6231',7"
XA_START = begin(8, f"XA START {XA}")
XA_END = event(XA_PREPARE, PREPARE)


@WINDOWS
def test_threads_are_those_of_what_begins_a_transaction(window_bytes: str, log_path: Path) -> None:
    thread = struct.pack("<I", THREAD)
    cases: list[tuple[list[Step], int | None]] = [
        ([begin(5), row(1), COMMIT], 5),
        ([gtid(b"\x09"), begin(6), begin(99, "SAVEPOINT `a`"), row(1), COMMIT], 6),
        ([gtid(b"\x09"), XA_START, row(1), XA_END], 8),
        ([row(1)], None),
        ([gtid(b"\x09"), row(1)], None),
        ([mariadb_gtid(0, b"\x10" + thread), row(1), COMMIT], THREAD),
        ([mariadb_gtid(0x02, bytes(8) + b"\x11\x01" + thread), row(1), COMMIT], THREAD),
        ([mariadb_gtid(0, b"\x18" + bytes(8) + thread), row(1), COMMIT], THREAD),
        ([mariadb_gtid(PREPARED_XA, MARIADB_XID + b"\x10" + thread), row(1), XA_END], THREAD),
        ([mariadb_gtid(PREPARED_XA, MARIADB_XID), row(1), XA_END], None),
        ([mariadb_gtid(0, b""), row(1), COMMIT], None),
        ([mariadb_gtid(STANDALONE, b"\x10" + thread), begin(3), row(1), COMMIT], 3),
    ]
    steps = [step for steps, _ in cases for step in steps]
    write(log_path, steps, repeats=10)
    found = origins(log_path, window_bytes=window_bytes)
    assert [thread_id for thread_id, _, _ in found] == [thread_id for _, thread_id in cases] * 10


@pytest.mark.parametrize("is_original", [True, False])
@pytest.mark.parametrize(
    ("length", "expected"),
    [
        (b"", None),
        (b"\x00", 0),
        (packed(250), 250),
        (packed(40_000), 40_000),
        (packed(70_000), 70_000),
        (b"\xfe" + struct.pack("<Q", (1 << 63) - 1), (1 << 63) - 1),
        (packed(300) + bytes(20), 300),  # with the versions of later servers
    ],
)
def test_lengths_are_those_that_gtids_say(
    length: bytes, expected: int | None, is_original: bool, log_path: Path
) -> None:
    write(log_path, [gtid(length, is_original=is_original), begin(1), row(1), COMMIT])
    assert origins(log_path) == [(1, None, expected)]


@pytest.mark.parametrize(
    "length", [b"\xfb", b"\xfc\x01", b"\xfd\x01\x02", b"\xfe" + bytes(7), b"\xfe" + b"\xff" * 8]
)
def test_a_length_that_is_not_valid_is_an_error(length: bytes, log_path: Path) -> None:
    write(log_path, [gtid(b"\x07"), begin(1), row(1), COMMIT, gtid(length), begin(1), row(1)])
    num_rows, error = read_until_error(log_path)
    assert num_rows == 1
    assert isinstance(error, CorruptEventError)
    assert "GTID_EVENT: transaction length" in str(error)


def test_gtids_of_older_servers_say_no_length(log_path: Path) -> None:
    write(log_path, [event(ANONYMOUS_GTID, bytes(25)), begin(1), row(1), COMMIT])
    assert origins(log_path) == [(1, None, None)]
