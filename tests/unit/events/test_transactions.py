"""Which rows belong to which transaction, of events in the orders that servers write."""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from pyspark_adapter import TruncatedEventError, read_batches
from tests.support.log_writer import QUERY, WRITE_V2, XID, LoggedColumn, LogWriter, Rows
from tests.support.logs import read_until_error

ANONYMOUS_GTID, XA_PREPARE, MARIADB_GTID = 34, 38, 162
STANDALONE, PREPARED_XA, COMPLETED_XA = 0x01, 0x40, 0x80
# XA PREPARE of the format description's facts: `00 07000000 02000000 02000000 "g1b1"`.
PREPARE = bytes.fromhex("00070000000200000002000000") + b"g1b1"

Step = Callable[[LogWriter], None]


def sql(text: str) -> Step:
    """Return a step that writes a statement."""
    body = struct.pack("<IIBHH", 7, 0, 1, 0, 0) + b"d\0" + text.encode()
    return lambda writer: writer.event(QUERY, body)


def row(number: int, *, is_end: bool = True) -> Step:
    """Return a step that writes a table map and a row with a number in it."""

    def write(writer: LogWriter) -> None:
        writer.table_map(9, "t", [LoggedColumn("id", 3)])
        writer.rows(9, Rows(WRITE_V2, [[struct.pack("<i", number)]], [True], flags=is_end))

    return write


def event(type_code: int, body: bytes) -> Step:
    """Return a step that writes an event of any type."""
    return lambda writer: writer.event(type_code, body)


def mariadb_gtid(seq_no: int, flags: int = 0, xid: bytes = b"") -> Step:
    """Return a step that writes a GTID of domain 0."""
    body = struct.pack("<QIB", seq_no, 0, flags) + xid
    return event(MARIADB_GTID, body.ljust(19, b"\0"))


COMMIT = event(XID, struct.pack("<Q", 1))
GTID = event(ANONYMOUS_GTID, b"\x01" + bytes(24))
MARIADB_XID = struct.pack("<iBB", 7, 2, 2) + b"g1b1"
NAME = "X'6731',X'6231',7"


@dataclass(frozen=True)
class Case:
    """Events, and for each row (number of its transaction's first step, number in it, XA name)."""

    steps: tuple[Step, ...]
    expected: tuple[tuple[int, int, str | None], ...]
    is_unfinished: bool = False


CASES = {
    "commit-by-xid": Case((sql("BEGIN"), row(1), row(2), COMMIT), ((0, 0, None), (0, 1, None))),
    "commit-by-statement": Case(
        (sql("BEGIN"), row(1), sql("COMMIT"), sql("BEGIN"), row(2), sql("COMMIT")),
        ((0, 0, None), (3, 0, None)),
    ),
    "rollback-of-what-is-logged": Case(
        (sql("BEGIN"), row(1), sql("ROLLBACK"), sql("BEGIN"), row(2), COMMIT),
        ((0, 0, None), (3, 0, None)),
    ),
    "savepoint": Case(
        (
            *(sql("BEGIN"), row(1), sql("SAVEPOINT `here`"), row(2), sql("ROLLBACK TO `here`")),
            *(row(3), sql("RELEASE SAVEPOINT `here`"), row(4), COMMIT),
        ),
        ((0, 0, None), (0, 1, None), (0, 2, None), (0, 3, None)),
    ),
    "names-that-begin-like-an-end": Case(
        (sql("BEGIN"), row(1), sql("COMMITTED"), sql("commit"), row(2), COMMIT),
        ((0, 0, None), (0, 1, None)),
    ),
    "ddl-after-gtid": Case(
        (GTID, sql("CREATE TABLE a (i INT)"), GTID, sql("BEGIN"), row(1), COMMIT), ((2, 0, None),)
    ),
    "ddl-without-gtid": Case(
        (sql("CREATE TABLE a (i INT)"), sql("BEGIN"), row(1), COMMIT, sql("DROP TABLE a"), row(2)),
        ((1, 0, None), (5, 0, None)),
    ),
    "atomic-create-select": Case(
        (GTID, sql("BEGIN"), sql("CREATE TABLE `a` (`i` int) START TRANSACTION"), row(1), COMMIT),
        ((0, 0, None),),
    ),
    "temporary-table-within": Case(
        (sql("BEGIN"), row(1), sql("DROP TEMPORARY TABLE IF EXISTS `s`"), row(2), COMMIT),
        ((0, 0, None), (0, 1, None)),
    ),
    "rows-without-begin": Case(
        (row(1, is_end=False), row(2), row(3)), ((0, 0, None), (0, 1, None), (2, 0, None))
    ),
    "no-end": Case((sql("BEGIN"), row(1)), ((0, 0, None),), is_unfinished=True),
    "mariadb": Case(
        (mariadb_gtid(1), row(1), row(2), COMMIT, mariadb_gtid(2), row(3), sql("COMMIT")),
        ((0, 0, None), (0, 1, None), (4, 0, None)),
    ),
    # An ALTER in two steps, and a transaction between them: each is a group of one statement.
    "mariadb-alter-in-two-steps": Case(
        (
            *(mariadb_gtid(1, STANDALONE), sql("ALTER TABLE t ADD INDEX (a)")),
            *(mariadb_gtid(2), row(1), COMMIT),
            *(mariadb_gtid(3, STANDALONE), sql("ALTER TABLE t ADD INDEX (a)")),
            *(mariadb_gtid(4), row(2), COMMIT),
        ),
        ((2, 0, None), (7, 0, None)),
    ),
    "mariadb-savepoint": Case(
        (mariadb_gtid(1), row(1), sql("SAVEPOINT `a`"), row(2), sql("ROLLBACK TO `a`"), COMMIT),
        ((0, 0, None), (0, 1, None)),
    ),
    "xa": Case(
        (
            *(GTID, sql(f"XA START {NAME}"), row(1), row(2), sql(f"XA END {NAME}")),
            *(event(XA_PREPARE, PREPARE), GTID, sql(f"XA COMMIT {NAME}")),
            *(GTID, sql("BEGIN"), row(3), COMMIT),
        ),
        ((0, 0, NAME), (0, 1, NAME), (8, 0, None)),
    ),
    "xa-without-gtid": Case(
        (
            *(sql(f"XA START {NAME}"), row(1), sql(f"XA END {NAME}"), event(XA_PREPARE, PREPARE)),
            *(sql("BEGIN"), row(2), COMMIT, sql(f"XA ROLLBACK {NAME}")),
        ),
        ((0, 0, NAME), (4, 0, None)),
    ),
    "xa-that-is-not-prepared": Case(
        (GTID, sql(f"XA START {NAME}"), row(1), sql(f"XA END {NAME}")),
        ((0, 0, NAME),),
        is_unfinished=True,
    ),
    "xa-of-mariadb": Case(
        (
            *(mariadb_gtid(1, PREPARED_XA, MARIADB_XID), row(1), sql(f"XA END {NAME}")),
            event(XA_PREPARE, PREPARE),
            *(mariadb_gtid(2, COMPLETED_XA | STANDALONE, MARIADB_XID), sql(f"XA COMMIT {NAME}")),
            *(mariadb_gtid(3), row(2), COMMIT),
        ),
        ((0, 0, NAME), (6, 0, None)),
    ),
    # No server writes this; readers keep the name that the GTID has.
    "xa-of-mariadb-begun-by-a-statement": Case(
        (
            *(mariadb_gtid(1, STANDALONE | PREPARED_XA, MARIADB_XID), sql("BEGIN")),
            *(row(1), COMMIT),
        ),
        ((0, 0, NAME),),
    ),
}


@pytest.fixture
def log_path(tmp_path: Path) -> Path:
    """Give the path of a log that the test writes."""
    return tmp_path / "binlog.000001"


@pytest.mark.parametrize("window_bytes", ["1k", "4m"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_rows_are_of_these_transactions(case: Case, window_bytes: str, log_path: Path) -> None:
    writer = LogWriter()
    starts = []
    # Several times, so that small windows begin and end at many places.
    repeats = 1 if case.is_unfinished else 20
    for _ in range(repeats):
        for step in case.steps:
            starts.append(len(writer.data))
            step(writer)
    log_path.write_bytes(writer.data)
    columns = ("_commit_version", "_row_number", "_xa")
    rows = []
    try:
        for batch in read_batches(log_path, metadata_columns=columns, window_bytes=window_bytes):
            rows += [tuple(row.values())[:3] for row in batch.to_pylist()]
    except TruncatedEventError:
        assert case.is_unfinished
    else:
        assert not case.is_unfinished
    num_steps = len(case.steps)
    assert rows == [
        ((1 << 40) + starts[repeat * num_steps + first], number, xid)
        for repeat in range(repeats)
        for first, number, xid in case.expected
    ]


def test_an_xa_name_that_is_no_text_is_kept(log_path: Path) -> None:
    writer = LogWriter()
    body = struct.pack("<IIBHH", 7, 0, 1, 0, 0) + b"d\0XA START '\xff'"
    for step in (event(QUERY, body), row(1), event(XA_PREPARE, PREPARE)):
        step(writer)
    log_path.write_bytes(writer.data)
    batches = read_batches(log_path, metadata_columns="_xa", table="d.t")
    assert [r for b in batches for r in b.column(0).to_pylist()] == ["'\\xff'"]
    assert read_until_error(log_path) == (1, None)
