"""Logs of MySQL 3.23 to 4.1, which hold statements alone, and rows of the first 5.1 servers."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import (
    CorruptEventError,
    EventSite,
    SchemaMismatchError,
    TruncatedEventError,
    UnsupportedError,
    list_tables,
    read_batches,
)
from tests.inputs import CORPUS, corpus_entries, need_corpus
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.support.logs import LOG_NAME, read_until_error

START, QUERY, STOP, ROTATE = 1, 2, 3, 4


def old_event(type_code: int, body: bytes, *, position: int | None = None) -> bytes:
    """Return an event of MySQL 3.23, or, with a position, of 4.0.2 to 4.1."""
    header = (1_000_000_000).to_bytes(4, "little") + bytes([type_code]) + bytes([7, 0, 0, 0])
    rest = b"" if position is None else position.to_bytes(4, "little") + bytes(2)
    length = len(header) + 4 + len(rest) + len(body)
    return header + length.to_bytes(4, "little") + rest + body


def log_of(version: int) -> bytes:
    """Return a log with one statement, a STOP and, of version 1, a ROTATE."""
    name = {1: b"3.23.58-log", 3: b"4.0.30-log"}[version]
    bodies = [
        (START, version.to_bytes(2, "little") + name.ljust(50, b"\0") + bytes(4)),
        (QUERY, bytes.fromhex("01000000 00000000 04 0000") + b"test\0CREATE TABLE a (i INT)"),
        (STOP, b""),
    ]
    if version == 1:
        bodies.insert(2, (ROTATE, b"binlog.000002"))
    log = b"\xfebin"
    for type_code, body in bodies:
        log += old_event(type_code, body, position=None if version == 1 else len(log))
    return log


def events_in(path: Path, **options: Any) -> list[dict[str, Any]]:
    """Return the events of a log with their bodies as values."""
    rows = [row for b in read_batches(path, view="events", **options) for row in b.to_pylist()]
    return [row | {"body": json.loads(row["body"])} for row in rows]


@pytest.mark.parametrize("version", [1, 3])
def test_events_are_listed(version: int, log_path: Path) -> None:
    log_path.write_bytes(log_of(version))
    events = events_in(log_path, window_bytes="1k")
    names = ["START_V3", "QUERY", "ROTATE", "STOP"]
    assert [event["event_type"] for event in events] == [
        f"{name}_EVENT" for name in names if version == 1 or name != "ROTATE"
    ]
    assert events[0]["body"]["binlog_version"] == version
    assert events[1]["body"]["query"] == "CREATE TABLE a (i INT)"
    assert events[1]["body"]["database_name"] == "test"
    assert {event["server_id"] for event in events} == {7}
    if version == 1:
        assert events[2]["body"] == {"next_log_file": "binlog.000002"}
    len_header = 13 if version == 1 else 19
    assert events[-1]["len_event"] == len_header
    assert events[-1]["start_pos"] == len(log_of(version)) - len_header


@pytest.mark.parametrize("version", [1, 3])
def test_there_are_no_rows(version: int, log_path: Path) -> None:
    log_path.write_bytes(log_of(version))
    assert read_until_error(log_path) == (0, None)
    assert list_tables(log_path) == []
    with pytest.raises(SchemaMismatchError, match="found none"):
        read_batches(log_path, table="test.a")


@pytest.mark.parametrize("version", [1, 3])
def test_a_log_that_is_cut_is_an_error(version: int, log_path: Path) -> None:
    log = log_of(version)
    log_path.write_bytes(log[:-1])
    num_rows, error = read_until_error(log_path)
    assert isinstance(error, TruncatedEventError)
    len_header = 13 if version == 1 else 19
    assert error.site == EventSite(LOG_NAME, len(log) - len_header)
    assert (error.needed, error.available) == (len_header, len_header - 1)
    assert num_rows == 0


def test_a_length_below_the_header_is_an_error(log_path: Path) -> None:
    log = bytearray(log_of(1))
    log[-4] = 12
    log_path.write_bytes(log)
    _, error = read_until_error(log_path)
    assert isinstance(error, CorruptEventError)
    assert "at least 13 bytes, found 12" in error.message


def test_an_old_start_within_a_log_of_version_4_is_refused(log_path: Path) -> None:
    writer = LogWriter()
    start = len(writer.data)
    writer.event(START, b"\x03\0" + bytes(54))
    log_path.write_bytes(writer.data)
    _, error = read_until_error(log_path)
    assert isinstance(error, UnsupportedError)
    assert error.site == EventSite(LOG_NAME, start, "START_V3_EVENT")


@pytest.mark.parametrize("type_code", [15, 16, 19, 23, 30, 40, 164, 255])
@pytest.mark.parametrize("version", [1, 3])
def test_an_event_of_a_later_version_within_an_old_log_is_refused(
    version: int, type_code: int, log_path: Path
) -> None:
    """Else its rows would be lost: of an old log only statements are read."""
    log = log_of(version)
    position = None if version == 1 else len(log)
    log_path.write_bytes(log + old_event(type_code, bytes(80), position=position))
    _, error = read_until_error(log_path)
    assert isinstance(error, CorruptEventError)
    assert "MySQL 4.1 and older" in error.message
    assert error.site is not None
    assert error.site.start_pos == len(log)


def test_events_of_old_servers_are_those_of_the_manifest() -> None:
    need_corpus()
    entries = [entry for entry in corpus_entries() if entry["binlog_version"] in (1, 2, 3)]
    assert len(entries) >= 2
    for entry in entries:
        found = Counter(
            row["event_type"].removesuffix("_EVENT").lower()
            for row in events_in(CORPUS / entry["file"])
        )
        assert found == {name.lower(): count for name, count in entry["events"].items()}
        assert sum(found.num_changes for found in list_tables(CORPUS / entry["file"])) == 0


WRITE_V0 = 20


def log_with_rows_of_version_0() -> bytes:
    """Return a log of three transactions; the one in the middle has a row of version 0."""
    writer = LogWriter()
    for table_id, type_code in ((1, WRITE_V2), (2, WRITE_V0), (1, WRITE_V2)):
        writer.begin()
        writer.table_map(table_id, f"t{table_id}", [LoggedColumn("id", 3)])
        writer.rows(table_id, Rows(type_code, [[b"\x07\0\0\0"]], [True]))
        writer.commit()
    return bytes(writer.data)


def test_rows_of_version_0_are_refused(log_path: Path) -> None:
    log_path.write_bytes(log_with_rows_of_version_0())
    for table in (None, "d.t2"):
        with pytest.raises(UnsupportedError, match=r"d\.t2: rows of version 0 \(MySQL 5\.1\.0"):
            list(read_batches(log_path, table=table))


def test_rows_of_version_0_of_another_table_do_not_stop_a_read(log_path: Path) -> None:
    log_path.write_bytes(log_with_rows_of_version_0())
    assert read_until_error(log_path, table="d.t1") == (2, None)


def test_logs_of_development_trees_are_refused() -> None:
    need_corpus()
    [path] = CORPUS.glob("*/*ver_5_1-wl2325_r.001")
    for read in (lambda: list(read_batches(path)), lambda: list_tables(path)):
        with pytest.raises(UnsupportedError, match=r"server 5\.2\.2-a_drop6p13-debug-log"):
            read()


def test_a_begin_of_an_old_log_is_passed_over(log_path: Path) -> None:
    """The header of such a log does not say how long those of its statements are."""
    log = log_of(3)
    body = bytes.fromhex("01000000 00000000 04 0000") + b"test\0BEGIN"
    log_path.write_bytes(log + old_event(QUERY, body, position=len(log)))
    with pytest.raises(SchemaMismatchError, match="expected rows of it, found none"):
        read_batches(log_path, table="test.a")
