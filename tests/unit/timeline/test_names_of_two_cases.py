"""Statements about names that differ in case alone: batches, streams, tasks, rows at a moment.

What the names mean is in `timeline/cases/case_of_names.txt`; here all ways to read agree on it.
"""

from __future__ import annotations

import json
import struct
import warnings
from contextlib import nullcontext
from pathlib import Path

import pytest

from pyspark_adapter import BinlogWarning, read_batches, rows_at
from pyspark_adapter.errors import SchemaMismatchError
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.support.streams import FollowedStream, rows_of

ID = LoggedColumn("id", 3)
READ = {"schema_changes": True, "row": "json", "tables": "d.t"}


def write(path: Path, *parts: str, number: int = 0, has_names: bool = True) -> None:
    """Write statements, and inserts as `INTO T`."""
    writer = LogWriter(has_metadata=has_names)
    for part in parts:
        if not part.startswith("INTO "):
            # A server with lower_case_table_names=1 logs the name of a dropped database as `d`.
            writer.statement(part, "D" if part == "DROP DATABASE D" else "d")
            continue
        number += 1
        writer.begin()
        writer.table_map(9, part.removeprefix("INTO "), [ID])
        writer.rows(9, Rows(WRITE_V2, [[struct.pack("<i", number)]], [True]))
        writer.commit()
    path.write_bytes(writer.data)


@pytest.mark.parametrize("has_capital", [True, False])
@pytest.mark.parametrize("in_tasks", [True, False])
def test_a_stream_gives_what_a_batch_gives(
    tmp_path: Path, has_capital: bool, in_tasks: bool
) -> None:
    """The proof is in a log before the statement, which is all that its batch reads."""
    logs = [tmp_path / f"l.{number:06}" for number in (1, 2, 3)]
    write(logs[0], "CREATE TABLE t (id INT)", "INTO t", *["INTO T"] * has_capital)
    stream = FollowedStream(tmp_path, **READ)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", BinlogWarning)
        stream.poll(in_tasks=in_tasks)
        write(logs[1], "TRUNCATE TABLE T", "INTO t", "ALTER TABLE t ADD x INT", number=5)
        stream.poll(in_tasks=in_tasks)
        stream.restart()
        write(logs[2], "DROP TABLE T")
        while stream.poll(in_tasks=in_tasks):
            pass
    batch = rows_of(*logs, **READ)
    assert stream.rows == batch
    kinds = [row.split("'")[3] for row in batch if "'_statement': None" not in row]
    of_t = ["create", "alter"]
    assert kinds == (of_t if has_capital else ["create", "truncate", "alter", "drop"])
    said = " ".join(str(warning.message) for warning in caught)
    assert ("spells the name of table d.t in another case" in said) is not has_capital


@pytest.mark.parametrize("statement", ["DROP TABLE T", "TRUNCATE TABLE D.t", "DROP DATABASE D"])
def test_rows_at_a_moment(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "l.000001"
    write(path, "CREATE TABLE t (id INT PRIMARY KEY)", "INTO t", statement, "INTO T", "INTO t")
    with warnings.catch_warnings():
        warnings.simplefilter("error", BinlogWarning)
        found = rows_at(path, table="d.t")
    assert sorted(found.rows["id"].to_pylist()) == [1, 3]
    write(path, "CREATE TABLE t (id INT PRIMARY KEY)", "INTO t", statement)
    with (
        pytest.warns(BinlogWarning, match=f"{statement}: spells .* taken as the same table"),
        pytest.raises(SchemaMismatchError, match="dropped at")
        if statement.startswith("DROP")
        else nullcontext(),
    ):
        assert rows_at(path, table="d.t").rows.num_rows == 0


@pytest.mark.parametrize("first", ["u", "t"])
def test_a_read_that_meets_the_proof_on_its_way(tmp_path: Path, first: str) -> None:
    """The statements before were applied as if both names were of one table."""
    path = tmp_path / "l.000001"
    defined = ("CREATE TABLE u (b INT)", "CREATE TABLE T (a INT)", "ALTER TABLE t CHANGE a x INT")
    write(path, *defined, f"INTO {first}", "INTO t", "INTO T", "INTO u", has_names=False)
    with pytest.warns(BinlogWarning, match="d.t: neither the log nor") as caught:
        rows = read_batches(path).to_table().column("row").to_pylist()
    assert [[*json.loads(row)] for row in rows[1:]] == [["col_1"], ["a"], ["b"]]
    assert len(caught) == 1
