"""Filters: one log with several transactions, some of them unreadable."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import (
    BinlogError,
    ChecksumMismatchError,
    CorruptEventError,
    OptionError,
    UnsupportedError,
    list_tables,
    read_batches,
)
from pyspark_adapter.errors import StatementEventError
from tests.inputs import sample_path
from tests.support.log_writer import (
    DELETE_V2,
    QUERY,
    UPDATE_V2,
    WRITE_V2,
    LoggedColumn,
    LogWriter,
    Rows,
)
from tests.support.logs import events_of, read_sample

INT = LoggedColumn("id", 3)
TEXT = LoggedColumn("word", 252, b"\x02", collation=255)
OLD_DECIMAL = LoggedColumn("price", 0)  # before MySQL 5.0: its width is not in the log
NAME = "binlog.000007"
# Of a header.
SERVER_ID = 5


def integer(number: int) -> bytes:
    return number.to_bytes(4, "little")


def word(data: bytes) -> bytes:
    return len(data).to_bytes(2, "little") + data


class Log:
    """A log that is being written; `starts` has the offsets of its transactions."""

    def __init__(self, *, has_checksums: bool = False) -> None:
        self.writer = LogWriter(has_checksums=has_checksums)
        self.starts: list[int] = []

    def begin(self) -> None:
        self.starts.append(len(self.writer.data))
        self.writer.begin()

    def insert(self, table: str, columns: list[LoggedColumn], *cells: bytes) -> int:
        """Add a row; return the offset of its rows event."""
        self.writer.table_map(9, table, columns)
        place = len(self.writer.data)
        self.writer.rows(9, Rows(WRITE_V2, [cells], [True] * len(columns)))
        return place

    def transaction(self, table: str, columns: list[LoggedColumn], *cells: bytes) -> int:
        """Add a transaction of one row; return the offset of its rows event."""
        self.begin()
        place = self.insert(table, columns, *cells)
        self.writer.commit()
        return place

    def save(self, folder: Path) -> Path:
        """Write the log so far."""
        path = folder / NAME
        path.write_bytes(self.writer.data)
        return path


def rows_of(path: Path | list[Path], **options: Any) -> list[tuple[str, str]]:
    """Return table and row of each row image."""
    columns = ("_table_name", "_row_number")
    batches = read_batches(path, metadata_columns=columns, **options)
    return [(row["_table_name"], row["row"]) for batch in batches for row in batch.to_pylist()]


GOOD = [("good", '{"id": 1}'), ("good", '{"id": 2}')]


# Why a transaction of another table is unreadable, and the error without filters.
def unknown_type(log: Log) -> None:
    log.transaction("bad", [INT, OLD_DECIMAL], integer(7), b"")


def bad_text(log: Log) -> None:
    log.transaction("bad", [TEXT], word(b"\xff"))


def cut_value(log: Log) -> None:
    log.transaction("bad", [TEXT], (999).to_bytes(2, "little") + b"short")


DAMAGES = [
    (unknown_type, UnsupportedError),
    (bad_text, CorruptEventError),
    (cut_value, CorruptEventError),
]


@pytest.mark.parametrize(("damage", "error"), DAMAGES)
@pytest.mark.parametrize("window_bytes", [1024, 4 << 20])
def test_a_transaction_that_is_left_out_is_not_decoded(
    tmp_path: Path, damage: Callable[[Log], None], error: type[BinlogError], window_bytes: int
) -> None:
    log = Log()
    log.transaction("good", [INT], integer(1))
    damage(log)
    options: dict[str, Any] = {"window_bytes": window_bytes}
    bad = log.starts[1]
    before = {"ending_position": f"{NAME}:{bad}"}
    assert rows_of(log.save(tmp_path), **before, **options) == GOOD[:1]
    log.transaction("good", [INT], integer(2))
    path = log.save(tmp_path)
    with pytest.raises(error):
        rows_of(path, **options)
    assert rows_of(path, **before, **options) == GOOD[:1]
    for place in (bad + 1, log.starts[2]):
        assert rows_of(path, starting_position=f"{NAME}:{place}", **options) == GOOD[1:]


@pytest.mark.parametrize("damage", [unknown_type, bad_text])
@pytest.mark.parametrize("name", ["databases", "tables"])
def test_a_table_that_is_left_out_is_not_decoded(
    tmp_path: Path, damage: Callable[[Log], None], name: str
) -> None:
    log = Log()
    log.transaction("good", [INT], integer(1))
    damage(log)
    log.transaction("good", [INT], integer(2))
    path = log.save(tmp_path)
    if name == "tables":
        assert rows_of(path, tables="d.g*") == GOOD
        assert [str(found.table) for found in list_tables(path, tables="d.g*")] == ["d.good"]
    else:
        assert rows_of(path, databases="x,`d*`") == []


def test_a_kind_that_is_left_out_is_not_decoded(tmp_path: Path) -> None:
    log = Log()
    log.begin()
    log.writer.table_map(9, "t", [TEXT])
    log.writer.rows(9, Rows(DELETE_V2, [[word(b"\xff")]], [True], flags=0))
    log.writer.rows(9, Rows(WRITE_V2, [[word(b"a")]], [True], flags=0))
    log.writer.rows(9, Rows(UPDATE_V2, [[word(b"b")], [word(b"c")]], [True], [True]))
    log.writer.commit()
    path = log.save(tmp_path)
    assert [row for _, row in rows_of(path, change_types="insert,update_postimage")] == [
        '{"word": "a"}',
        '{"word": "c"}',
    ]
    with pytest.raises(CorruptEventError):
        rows_of(path, change_types="delete")
    numbers = [
        row["_row_number"]
        for batch in read_batches(path, change_types="update_preimage")
        for row in batch.to_pylist()
    ]
    assert numbers == [2]


def test_servers_are_those_of_the_events(tmp_path: Path) -> None:
    log = Log()
    log.transaction("good", [INT], integer(1))
    place = log.transaction("good", [INT], integer(2))
    log.writer.data[place + SERVER_ID : place + SERVER_ID + 4] = b"\xff\xff\xff\xff"
    path = log.save(tmp_path)
    assert rows_of(path, server_ids="1-7") == GOOD[:1]
    assert rows_of(path, server_ids="0, 4294967295") == GOOD[1:]
    assert rows_of(path, server_ids="2-4294967294") == []


def test_checksums_of_what_is_left_out_are_verified(tmp_path: Path) -> None:
    log = Log(has_checksums=True)
    log.transaction("good", [INT], integer(1))
    place = log.transaction("bad", [INT], integer(2))
    log.writer.data[place + 30] ^= 1
    path = log.save(tmp_path)
    for options in ({"tables": "d.good"}, {"ending_position": f"{NAME}:{log.starts[1]}"}):
        with pytest.raises(ChecksumMismatchError):
            rows_of(path, **options)


def test_an_open_transaction_that_is_left_out_is_an_error(tmp_path: Path) -> None:
    log = Log()
    log.transaction("good", [INT], integer(1))
    log.begin()
    log.insert("bad", [INT], integer(2))
    path = log.save(tmp_path)
    with pytest.raises(BinlogError, match="transaction"):
        rows_of(path, tables="d.good")


def test_logs_outside_of_the_positions_are_not_read(tmp_path: Path) -> None:
    log = Log()
    log.transaction("good", [INT], integer(1))
    log.transaction("good", [INT], integer(2))
    damaged = b"\xfebin" + b"x" * 100
    paths = [tmp_path / f"binlog.{number:06}" for number in (999999, 1000000, 1000001)]
    for path, data in zip(paths, (damaged, bytes(log.writer.data), damaged), strict=True):
        path.write_bytes(data)
    second = log.starts[1]
    assert (
        rows_of(
            paths, starting_position="binlog.1000000:4", ending_position=f"binlog.1000000:{second}"
        )
        == GOOD[:1]
    )
    with pytest.raises(BinlogError):
        rows_of(paths, starting_position="binlog.1000000:4")
    for place in ("binlog.1000002:4", "binlog.1000001:4"):
        assert rows_of(paths[:2], starting_position=place) == []
    assert list_tables(paths[:2], ending_position="binlog.000007:4") == []


@pytest.mark.parametrize("name", ["starting_position", "ending_position"])
@pytest.mark.parametrize("place", ["relay.000007:4", "binlog:4", "binlog.000007.gz:4"])
def test_positions_in_logs_of_another_name_are_refused(
    tmp_path: Path, name: str, place: str
) -> None:
    log = Log()
    log.transaction("good", [INT], integer(1))
    path = log.save(tmp_path)
    options: dict[str, Any] = {name: place}
    with pytest.raises(OptionError, match=f"{name}: expected a log named like binlog"):
        read_batches(path, **options)
    with pytest.raises(OptionError):
        list_tables(path, **options)


def test_statements_go_by_transaction_server_and_table(tmp_path: Path) -> None:
    log = Log()
    log.transaction("good", [INT], integer(1))
    log.starts.append(len(log.writer.data))
    log.writer.statement("TRUNCATE TABLE t")
    log.transaction("good", [INT], integer(2))
    path = log.save(tmp_path)
    strict: dict[str, Any] = {"on_statement_events": "error"}
    place, after = (f"{NAME}:{log.starts[k]}" for k in (1, 2))
    told: list[dict[str, Any]] = [
        {},
        {"starting_position": place},
        {"tables": "d.t"},
        {"ending_position": after},
    ]
    for options in told:
        with pytest.raises(StatementEventError):
            rows_of(path, **strict, **options)
        found = list_tables(path, **options)
        assert [f.num_statements for f in found if f.table.table_name == "t"] == [1]
    passed: list[dict[str, Any]] = [
        {"starting_position": after},
        {"ending_position": place},
        {"tables": "d.good"},
        {"databases": "x"},
        {"server_ids": "2"},
    ]
    for options in passed:
        rows_of(path, **strict, **options)
        found = list_tables(path, **options)
        assert [f for f in found if f.table.table_name == "t"] == []


def test_definitions_count_where_nothing_is_asked_for(tmp_path: Path) -> None:
    log = Log()
    log.writer.has_metadata = False
    log.writer.statement("CREATE TABLE good (id INT)")
    log.transaction("good", [INT], integer(1))
    path = log.save(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rows_of(path, starting_position=f"{NAME}:{log.starts[0]}") == GOOD[:1]
        assert rows_of(path, ending_position=f"{NAME}:{log.starts[0]}") == []


# Each GTID event and what follows it is a transaction, up to the next one or the end of the log.
def test_events_of_chosen_transactions() -> None:
    name = "mysql-9.7-transactions"
    events = events_of(read_sample(name))
    starts = [event.start_pos for event in events if event.type_name == "GTID_EVENT"]
    assert len(starts) > 3
    path = sample_path(name)
    everything = [row for batch in read_batches(path, view="events") for row in batch.to_pylist()]
    first, second = starts[1], starts[3]
    of_first = [row for row in everything if first <= row["start_pos"] < starts[2]]
    bounds = {
        "starting_position": f"{path.name}:{first}",
        "ending_position": f"{path.name}:{first + 1}",
    }
    assert events_with(path, **bounds) == of_first
    since = events_with(path, starting_position=f"{path.name}:{second}")
    assert since == [row for row in everything if row["start_pos"] >= second]
    gtid = next(iter(read_batches(path, starting_position=bounds["starting_position"])))["_gtid"][0]
    of_gtid = events_with(path, include_gtids=str(gtid))
    assert of_gtid
    assert {row["event_type"] for row in of_gtid} >= {"GTID_EVENT", "XID_EVENT"}
    kept = events_with(path, exclude_gtids=str(gtid))
    assert sorted(kept + of_gtid, key=lambda row: row["start_pos"]) == everything
    assert events_with(path, server_ids="77777") == []


def test_events_of_a_transaction_without_a_begin(tmp_path: Path) -> None:
    log = Log()
    start = len(log.writer.data)
    log.insert("t", [INT], integer(1))
    log.writer.event(QUERY, bytes(13) + b"\0" + b"SELECT 1")
    path = log.save(tmp_path)
    before = {"starting_position": f"{NAME}:{start}", "ending_position": f"{NAME}:{start + 1}"}
    types = [row["event_type"] for row in events_with(path, **before)]
    assert types == ["TABLE_MAP_EVENT", "WRITE_ROWS_EVENT"]


def events_with(path: Path, **options: Any) -> list[dict[str, Any]]:
    batches = read_batches(path, view="events", **options)
    return [row for batch in batches for row in batch.to_pylist()]
