"""The statements of a window, in their place among its rows events (`scan.scanner`)."""

from __future__ import annotations

import json
import random
import struct
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import StatementEventError, read_batches
from pyspark_adapter.ddl.sql_definitions import parse_definition
from pyspark_adapter.events.statements import StatementKind
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.scan.scanner import Scanner
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows

MOST = 64  # statements of a window here
METADATA = "_change_type,_row_number,_commit_version,_start_pos,_statement"


@pytest.fixture(autouse=True)
def few_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a window end after few statements."""
    monkeypatch.setattr("pyspark_adapter.scan.scanner._MAX_STATEMENTS", MOST)


def insert(writer: LogWriter, *numbers: int) -> None:
    """Append rows of one column."""
    writer.table_map(100, "t", [LoggedColumn("id", 3)])
    writer.rows(100, Rows(WRITE_V2, [[struct.pack("<i", n)] for n in numbers], [True]))


def mixed_log(path: Path) -> tuple[Path, list[int | str]]:
    """Write rows and ALTERs in any order; return also what they are, in order."""
    choose = random.Random(28)  # noqa: S311
    writer, expected = LogWriter(), list[int | str]()
    for k in range(6 * MOST):
        if choose.random() < 0.2:
            (writer.begin if choose.random() < 0.9 else writer.commit)()
        if choose.random() < 0.6:
            text = f"ALTER TABLE t COMMENT '{k}'"
            writer.statement(text)
            expected.append(text)
        else:
            insert(writer, k, -k)
            expected += [k, -k]
    writer.commit()
    path.write_bytes(writer.data)
    return path, expected


@pytest.mark.parametrize("window_bytes", [4096, 1 << 24])
def test_rows_and_statements_are_given_in_the_order_of_the_log(
    tmp_path: Path, window_bytes: int
) -> None:
    path, expected = mixed_log(tmp_path / "binlog.000001")
    batches = read_batches(
        path, table="d.t", window_bytes=window_bytes, schema_changes=True, metadata_columns=METADATA
    )
    rows = [row for batch in batches for row in batch.to_pylist()]
    assert [row["_statement"] if row["id"] is None else row["id"] for row in rows] == expected


def test_an_error_of_a_statement_comes_after_the_rows_before_it(tmp_path: Path) -> None:
    writer = LogWriter()
    writer.begin()
    insert(writer, 1)
    writer.statement("ALTER TABLE t COMMENT 'x'")
    insert(writer, 2)
    writer.statement("DELETE FROM other")
    insert(writer, 3)
    writer.statement("DELETE FROM t WHERE id > 1")
    insert(writer, 4)
    writer.commit()
    path = tmp_path / "binlog.000001"
    path.write_bytes(writer.data)
    batches = read_batches(path, table="d.t", schema_changes=True, on_statement_events="error")
    given = list[int | None]()
    ids = (number for batch in batches for number in batch.column("id").to_pylist())
    with pytest.raises(StatementEventError, match="DELETE FROM t WHERE"):
        given.extend(ids)
    assert given == [1, None, 2, 3]


def test_a_window_holds_few_statements(tmp_path: Path) -> None:
    """They are Python objects, which take far more memory than their bytes in the window."""
    path, expected = mixed_log(tmp_path / "binlog.000001")
    [log_file] = find_log_files(path)
    windows = Scanner(log_file, BinlogOptions(), kinds=StatementKind.DEFINES)
    counts = [len(window.statements) for window in windows]
    assert max(counts) == MOST
    assert sum(counts) == sum(isinstance(found, str) for found in expected)


def test_a_statement_is_parsed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It names columns, and is a row of the output, which comes after its window is scanned."""
    parsed: list[str] = []

    def note(text: str, *others: Any) -> Any:
        parsed.append(text)
        return parse_definition(text, *others)

    monkeypatch.setattr("pyspark_adapter.timeline.ddl.parse_definition", note)
    writer, expected = LogWriter(has_metadata=False), ["CREATE TABLE t (id INT)"]
    writer.statement(expected[0])
    for k in range(30):
        insert(writer, k)
        expected.append(f"ALTER TABLE t COMMENT '{k}'")
        writer.statement(expected[-1])
    path = tmp_path / "binlog.000001"
    path.write_bytes(writer.data)
    batches = read_batches(path, schema_changes=True, metadata_columns="_statement,_start_pos")
    rows = [row for batch in batches for row in batch.to_pylist()]
    assert [row["_statement"] for row in rows if row["_statement"]] == expected
    assert json.loads(rows[1]["row"]) == {"id": 0}
    assert parsed == expected


def test_a_table_map_says_nothing_of_a_statement_before_it(tmp_path: Path) -> None:
    """A capital letter proves that names of other case are of other tables, from there on."""
    writer = LogWriter()
    writer.statement("CREATE TABLE t (id INT)")
    writer.table_map(7, "Other", [LoggedColumn("id", 3)])
    writer.rows(7, Rows(WRITE_V2, [[bytes(4)]], [True]))
    writer.statement("CREATE TABLE u (id INT)")
    path = tmp_path / "binlog.000001"
    path.write_bytes(writer.data)
    batches = read_batches(path, row="arrow", metadata_columns=METADATA)
    texts = [text for batch in batches for text in batch.column("definition").to_pylist()]
    assert [json.loads(text)[6] for text in texts if text is not None] == [False, True]
