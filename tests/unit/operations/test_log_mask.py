"""Copies of logs in which values are replaced: none of them is left, and nothing else changes."""

import json
import shutil
from collections import defaultdict
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from pyspark_adapter import BinlogError, BinlogWarning
from pyspark_adapter.cli.main import main
from pyspark_adapter.events.frame_reader import FrameReader
from pyspark_adapter.events.table_map import Column, find_table_map
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.format.event_types import QUERY_TEXT_EVENTS, ROWS_EVENTS
from pyspark_adapter.format.header import MAGIC
from pyspark_adapter.format.schema import EventType
from pyspark_adapter.operations import log_mask
from pyspark_adapter.operations.log_check import check_logs
from pyspark_adapter.operations.log_mask import Columns, mask_logs
from pyspark_adapter.operations.masked_values import Masker, can_mask, is_text
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.reader import read_batches
from tests.inputs import SAMPLES, UNREADABLE, sample_path
from tests.support.indexes import make_index
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows

KEY = b"of these tests, 16 bytes or more"
SHOP = sample_path("mysql-9.7-shop")
# Samples in which something cannot be masked, and what the error says.
REFUSED = {
    "mysql-9.7-compressed-transactions": "expected plain values to replace, found compressed ones",
    "mariadb-11.8-compressed": "expected plain values to replace, found compressed ones",
    "mysql-8.0-few": "expected plain values to replace, found compressed ones",
    "mysql-9.7-partial-json": "is updated in parts",
    "mysql-9.7-alter": "is renamed to",
}
Output = pytest.CaptureFixture[str]


def maskable(path: Path) -> Columns:
    """Return the columns of a log that can be masked, of tables whose columns it names."""
    found: dict[TableName, set[str]] = defaultdict(set)
    frames = FrameReader(find_log_files(path)[0], BinlogOptions())
    for frame in frames:
        if frame.plain_type == EventType.table_map:
            table_map = find_table_map(frame.event, frames.parser)
            if table_map.has_logged_names:
                names = {c.label.lower() for c in table_map.columns if not can_mask(c)}
                known = found.get(table_map.table)
                found[table_map.table] = names if known is None else known & names
    return {table: frozenset(names) for table, names in found.items() if names}


def named() -> list[str]:
    paths = {name: sample_path(name) for name in set(SAMPLES) - UNREADABLE}
    return sorted(name for name, path in paths.items() if name not in REFUSED and maskable(path))


def rows_of(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for batch in read_batches(path, on_statement_events="ignore", invalid_text="REPLACE"):
        found += batch.to_pylist()
    return found


def events_of(path: Path) -> list[tuple[int, int, bytes]]:
    """Return (position, type code, bytes) of each event."""
    frames = FrameReader(find_log_files(path)[0], BinlogOptions())
    return [(frame.start_pos, frame.type_code, frame.event) for frame in frames]


@pytest.mark.parametrize("name", named())
def test_no_value_is_left_and_nothing_else_changes(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = sample_path(name)
    logs, options, columns = find_log_files(path), BinlogOptions(), maskable(path)
    taken: dict[tuple[Any, ...], bytes] = {}
    texts: set[bytes] = set()
    mask = Masker.mask

    def record(self: Masker, column: Column, value: bytes) -> bytes:
        masked = mask(self, column, value)
        kind = (column.type_code, column.metadata, column.collation)
        assert taken.setdefault((*kind, value), masked) == masked
        if is_text(column) and len(value) >= 8 and len(set(value)) > 1:
            texts.add(value)
        return masked

    monkeypatch.setattr(Masker, "mask", record)
    done = mask_logs(logs, options, columns, KEY, tmp_path, keeps_definitions=True)
    copy = tmp_path / path.name
    data, original = copy.read_bytes(), path.read_bytes()
    assert len(data) == len(original)
    assert done.num_values >= len(taken) > 0
    definitions = b"".join(e for _, kind, e in events_of(copy) if kind == EventType.query)
    assert [text for text in texts if text in data and text not in definitions] == []
    for old, new in zip(events_of(path), events_of(copy), strict=True):
        may_change = old[1] in ROWS_EVENTS | QUERY_TEXT_EVENTS | {EventType.query}
        may_change |= old[0] == len(MAGIC)
        assert old == new or may_change, old[:2]
    problems = [
        [one.problems for one in check_logs(find_log_files(p), options)] for p in (path, copy)
    ]
    assert problems[0] == problems[1]
    rows = rows_of(path)
    masked_rows = rows_of(copy)
    assert len(rows) == len(masked_rows)
    for before, after in zip(rows, masked_rows, strict=True):
        names = columns.get(TableName(before["_database_name"], before["_table_name"]), frozenset())
        first, second = json.loads(before.pop("row")), json.loads(after.pop("row"))
        assert before == after
        assert list(first) == list(second)
        for column, value in first.items():
            if column.lower() not in names:
                assert second[column] == value, column
            else:  # zero dates are null, and are replaced by others
                assert value is None or second[column] is not None


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_masked_is_refused(name: str, tmp_path: Path, capsys: Output) -> None:
    path = sample_path(name)
    columns = [
        f"`{table.database_name}`.`{table.table_name}`.`{column}`"
        for table, names in maskable(path).items()
        for column in names
    ]
    words = ["mask", str(path), "--output", str(tmp_path), "--columns", ",".join(columns)]
    assert main([*words, "--keep-definitions"]) == 1
    assert REFUSED[name] in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def write_log(path: Path, statement: str, value: bytes) -> None:
    """Write a log of a statement, and of a row with a value in the column `note`."""
    log = LogWriter(has_metadata=False)
    log.statement(statement)
    log.begin()
    log.table_map(9, "t", [LoggedColumn("", 15, b"\x28\0")])
    log.rows(9, Rows(WRITE_V2, [[bytes([len(value)]) + value]], [True]))
    log.commit()
    path.write_bytes(log.data)


@pytest.mark.parametrize(
    ("statement", "stays"),
    [
        ("CREATE TABLE t (note VARCHAR(40))", True),
        ("CREATE DATABASE d", True),
        ("TRUNCATE TABLE t", True),
        ("INSERT INTO t VALUES ('carl@example.org')", False),
        ("CREATE USER carl@example.org IDENTIFIED BY 'secret'", False),
        ("CREATE TABLE copy AS SELECT 'carl@example.org' AS note", False),
        ("CREATE PROCEDURE p() INSERT INTO t VALUES ('carl@example.org')", False),
        ("SET", False),
    ],
)
def test_statements_that_are_no_definitions_are_blanked(
    statement: str, stays: bool, tmp_path: Path, capsys: Output
) -> None:
    log = tmp_path / "log.000001"
    write_log(log, statement, b"ann@example.org")
    definition = tmp_path / "t.sql"
    definition.write_text("CREATE TABLE d.t (note VARCHAR(40));")
    assert masked(tmp_path, "--columns", "d.t.note", "--ddl", str(definition), log=log) == 0
    data = (tmp_path / "copy" / log.name).read_bytes()
    assert (statement.encode() in data) == stays
    assert (b"DO 0 " in data) == (not stays and len(statement) > 4)
    assert b"ann@example.org" not in data
    assert b"carl" not in data
    assert f"{0 if stays else 1} statements are blanked" in capsys.readouterr().err


def masked(tmp_path: Path, *words: str, log: Path = SHOP) -> int:
    return main(["mask", str(log), "--output", str(tmp_path / "copy"), *words])


def test_a_key_gives_the_same_copy_again(tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_bytes(KEY)
    copies = []
    for number, more in enumerate([["--key", str(key)], ["--key", str(key)], []]):
        folder = tmp_path / str(number)
        assert masked(folder, "--columns", "shop.customers.email", *more) == 0
        copies.append((folder / "copy" / SHOP.name).read_bytes())
    assert copies[0] == copies[1] != copies[2]


def test_an_index_of_the_log_is_not_used_for_its_copy(tmp_path: Path) -> None:
    folder = make_index(tmp_path / "index", SHOP, step=600)
    assert masked(tmp_path, "--columns", "shop.orders.order_id") == 0
    copy = tmp_path / "copy" / SHOP.name
    key = read_batches(copy, table="shop.orders").to_table()["order_id"].to_pylist()[0]
    asked: dict[str, Any] = {"table": "shop.orders", "keys": [[key]]}
    rows = read_batches(copy, **asked).to_table()
    with pytest.warns(BinlogWarning, match="is of another log of this name, and is not used"):
        assert read_batches(copy, index=str(folder), **asked).to_table() == rows
    assert len(rows)
    make_index(folder, copy, step=600)
    assert read_batches(copy, index=str(folder), **asked).to_table() == rows
    assert copy.read_bytes()[25:].startswith(SHOP.read_bytes()[25:].split(b"\0", 1)[0] + b"\0")


def test_joins_still_work(tmp_path: Path) -> None:
    assert masked(tmp_path, "--columns", "shop.customers.customer_id,shop.orders.customer_id") == 0
    seen: dict[bool, list[Any]] = {}
    for is_masked, path in ((False, SHOP), (True, tmp_path / "copy")):
        rows = [(r["_table_name"], json.loads(r["row"]).get("customer_id")) for r in rows_of(path)]
        numbers: dict[Any, int] = {None: -1}
        seen[is_masked] = [(name, numbers.setdefault(i, len(numbers))) for name, i in rows]
    assert seen[True] == seen[False]


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ("shop.customers.mail", "expected a column mail, found customer_id, email"),
        ("shop.custommers.email", "table shop.custommers: expected rows of it, found none"),
        ("shop.orders.status", "column status of type ENUM cannot be masked"),
        ("shop.customers", "expected database.table.column, got shop.customers"),
    ],
)
def test_columns_that_are_not_there_are_errors(
    columns: str, words: str, tmp_path: Path, capsys: Output
) -> None:
    assert masked(tmp_path, "--columns", columns) in (1, 2)
    assert words in capsys.readouterr().err
    assert not list(tmp_path.glob("copy/*"))


def test_values_in_definitions_are_refused_and_nothing_is_written(
    tmp_path: Path, capsys: Output
) -> None:
    """The second log has the value."""
    definition = "CREATE TABLE u (note VARCHAR(40) DEFAULT 'bob@example.org')"
    logs = [tmp_path / "log.000001", tmp_path / "log.000002"]
    write_log(logs[0], "CREATE TABLE t (note VARCHAR(40))", b"ann@example.org")
    write_log(logs[1], definition, b"bob@example.org")
    words = ["mask", *map(str, logs), "--output", str(tmp_path / "copy"), "--columns", "d.t.note"]
    assert main(words) == 1
    assert "a value of column note is also in a definition of a table" in capsys.readouterr().err
    assert list((tmp_path / "copy").iterdir()) == []
    assert main([*words, "--keep-definitions"]) == 0
    assert b"ann@example.org" not in (tmp_path / "copy/log.000001").read_bytes()


def test_files_that_exist_are_kept(tmp_path: Path, capsys: Output) -> None:
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy" / SHOP.name).write_bytes(b"mine")
    assert masked(tmp_path, "--columns", "shop.customers.email") == 2
    assert "exists; choose another folder" in capsys.readouterr().err
    assert (tmp_path / "copy" / SHOP.name).read_bytes() == b"mine"


def test_masked_logs_are_all_there_or_none(tmp_path: Path) -> None:
    logs = [Path(shutil.copy(SHOP, tmp_path / f"binlog.00000{k}")) for k in (1, 2)]
    folder, events = tmp_path / "out", log_mask._Pass.events

    def failing(self: Any, log_file: Any) -> Any:
        if log_file.name == logs[1].name:
            assert (folder / logs[0].name).exists()
            raise BinlogError("damaged")
        return events(self, log_file)

    columns = ["--columns", "shop.customers.email"]
    with patch.object(log_mask._Pass, "events", failing):
        assert main(["mask", *columns, "--output", str(folder), *map(str, logs)]) == 1
    assert not [*folder.iterdir()]


def test_names_come_from_definitions_of_the_log(tmp_path: Path) -> None:
    log = sample_path("mysql-9.7-types-minimal-metadata")
    of_table = [r for r in rows_of(log) if r["_table_name"] == "strings_utf8"]
    table, name = f"{of_table[0]['_database_name']}.strings_utf8", "v86"
    rows = [json.loads(r["row"]) for r in of_table]
    assert masked(tmp_path, "--columns", f"{table}.{name}", "--keep-definitions", log=log) == 0
    copies = [
        json.loads(r["row"])
        for r in rows_of(tmp_path / "copy")
        if r["_table_name"] == "strings_utf8"
    ]
    assert [row["id"] for row in copies] == [row["id"] for row in rows]
    assert any(a[name] != b[name] for a, b in zip(copies, rows, strict=True))
