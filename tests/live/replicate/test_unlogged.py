"""What sessions with `binlog_format=STATEMENT`, or images that lack columns, leave out."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import replicate
from pyspark_adapter.errors import BinlogWarning, StatementEventError
from pyspark_adapter.replication.run import Round
from tests.live.replicate.lakes import check_rows, do
from tests.live.servers import ServerState, running_server

pytestmark = pytest.mark.live

AS_TEXT = "SET SESSION binlog_format = STATEMENT"
AS_ROWS = "SET SESSION binlog_format = ROW, binlog_row_image ="
TABLES = ("a", "b", "keyless", "m")
NAMES = [f"text.{name}" for name in TABLES]
SETUP = (
    "DROP DATABASE IF EXISTS text",
    "CREATE DATABASE text",
    "CREATE TABLE text.a (id INT PRIMARY KEY, v INT)",
    "CREATE TABLE text.b (id INT PRIMARY KEY, v INT, w TEXT)",
    "CREATE TABLE text.keyless (id INT, v INT)",
    "CREATE TABLE text.m (id INT PRIMARY KEY, v INT) ENGINE=MyISAM",
    "CREATE FUNCTION text.f() RETURNS INT DETERMINISTIC MODIFIES SQL DATA BEGIN"
    " UPDATE text.a SET v = v + 1000; RETURN 1; END",
    *(f"INSERT INTO text.{t} (id, v) VALUES (1, 1), (2, 2), (3, 3)" for t in TABLES),  # noqa: S608
    "UPDATE text.b SET w = 'text'",
)
# Statements of a round, and the tables that are copied after them.
CASES = (
    (["INSERT INTO text.a VALUES (4, 4)", "CREATE TABLE text.other (id INT)"], {"a", "other"}),
    (["USE text", "UPDATE b SET v = v + 10 WHERE id < 3", "DELETE FROM b WHERE id = 3"], {"b"}),
    (["UPDATE text.a JOIN text.b USING (id) SET a.v = 7, b.v = 8"], {"a", "b"}),
    (
        [
            "INSERT INTO text.b (id, v) SELECT id + 100, v FROM text.a",
            "DELETE text.a FROM text.a JOIN text.keyless USING (id) WHERE a.id = 1",
            "ALTER TABLE text.a ADD w INT DEFAULT 5",
            "UPDATE text.a SET w = 6 WHERE id = 2",
        ],
        {"a", "b", "keyless"},
    ),
    ([f"{AS_ROWS} NOBLOB", "UPDATE text.b SET v = 5"], {"b"}),
    ([f"{AS_ROWS} MINIMAL", "INSERT INTO text.b (v, id) VALUES (1, 5)"], {"b"}),
)


@pytest.mark.parametrize(
    ("name", "table_format"), [("mysql-latest", "delta"), ("mariadb-11.8", "iceberg")]
)
def test_tables_that_a_statement_names_are_copied(
    name: str, table_format: str, servers_folder: Path, tmp_path: Path
) -> None:
    with running_server(servers_folder, name, "replicate-text") as server:
        check(server, table_format, tmp_path, has_mixed=name.startswith("mariadb"))


def check(server: ServerState, table_format: str, tmp_path: Path, *, has_mixed: bool) -> None:
    do(server, *SETUP)
    given: dict[str, Any] = {n: getattr(server, n) for n in ("host", "port", "user", "password")}
    cases = [*CASES]
    tables = set(TABLES)  # that the round copies

    def after_round(found: Round) -> None:
        assert (found.error, found.num_copied) == (None, len(tables))
        check_rows(server, tmp_path, NAMES, table_format)
        said = "\n".join(str(one.message) for one in caught)
        named = {t for t in tables if f"table text.{t} is copied again" in said}
        assert named == tables - {"other"} or tables == {*TABLES}
        caught.clear()
        if cases:
            statements, found_tables = cases.pop(0)
            do(server, AS_TEXT, *statements)
            tables.clear()
            tables.update(found_tables)

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", BinlogWarning)
        replicate(
            ["text"],
            str(tmp_path),
            rounds=len(CASES) + 1,
            pause=0,
            format=table_format,
            after_round=after_round,
            **given,
        )
    if has_mixed:  # rows are logged and taken back; MySQL refuses it together with GTIDs
        do(server, "BEGIN", "UPDATE text.b SET v = 0", "UPDATE text.m SET v = 9", "ROLLBACK")
    replicate(["text"], str(tmp_path), rounds=1, format=table_format, **given)
    check_rows(server, tmp_path, NAMES, table_format)

    # The log has the text of the call alone.
    do(server, AS_TEXT, "DO text.f()")
    with pytest.raises(StatementEventError, match="--reload"):
        replicate(["text"], str(tmp_path), rounds=1, format=table_format, **given)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BinlogWarning)
        replicate(["text"], str(tmp_path), rounds=1, format=table_format, reload=True, **given)
    check_rows(server, tmp_path, NAMES, table_format)
