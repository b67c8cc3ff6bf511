"""Tables and databases whose names differ in case alone, and statements in any case."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pyspark_adapter import read_batches, rows_at
from pyspark_adapter.cli.main import main
from pyspark_adapter.errors import BinlogWarning
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.splits.log_splits import OffsetRange, plan_splits
from pyspark_adapter.splits.read_split import plan_read, read_split
from samples.truth import fetch_rows
from tests.live.servers import connected_server
from tests.live.servers.state import ServerState
from tests.support.splits import options_for

pytestmark = pytest.mark.live

CREATE = "(id INT PRIMARY KEY, owed INT, paid INT)"
# About other tables, on a server where names of other case are those of others.
OTHERS = (
    "ALTER TABLE shop.K CHANGE owed o2 INT, CHANGE paid owed INT",
    "ALTER TABLE shop.K CHANGE o2 paid INT",
    "ALTER TABLE shop.K ADD note INT NOT NULL DEFAULT 7 FIRST",
    "TRUNCATE TABLE shop.K",
    "RENAME TABLE shop.K TO shop.L, Shop.k TO Shop.l",
    "CREATE TABLE shop.K (x INT)",
    "DROP TABLE shop.K",
    "DROP TABLE Shop.l",
    "DROP DATABASE Shop",
)


def log_of(state: ServerState, number: int) -> Path:
    return Path(state.binlog_dir) / f"{state.binlog_base}.{number:06}"


def in_splits(logs: Sequence[Path], columns: Iterable[str], **options: Any) -> list[dict[str, Any]]:
    """Return what the tasks of a Spark read give."""
    parsed = options_for(300, **options)
    request = plan_read(find_log_files(logs, parsed), parsed)
    splits = plan_splits([(log, OffsetRange(4)) for log in request.log_files], request)
    assert len(splits) > 3
    batches = [batch for split in splits for batch in read_split(split, request)]
    rows: list[dict[str, Any]] = pa.Table.from_batches(batches).select([*columns]).to_pylist()
    return rows


@pytest.mark.parametrize("server", ["mysql-latest", "mariadb-11.8"])
def test_tables_of_two_cases(
    servers_folder: Path, server: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = {"binlog-row-metadata": "MINIMAL"}
    with connected_server(servers_folder, server, f"case-{server}", options) as (state, owner):

        def run(*statements: str) -> None:
            for statement in statements:
                fetch_rows(owner, statement)

        for log_number, form in enumerate(("ROW", "MIXED", "STATEMENT"), 1):
            run("DROP DATABASE IF EXISTS shop", "FLUSH BINARY LOGS")
            run("CREATE DATABASE shop", "CREATE DATABASE Shop")
            run(*(f"CREATE TABLE {name} {CREATE}" for name in ("shop.K", "shop.k", "Shop.k")))
            run(f"SET SESSION binlog_format = '{form}'", "INSERT INTO shop.K VALUES (1, 1, 1)")
            run("SET SESSION binlog_format = 'ROW'", "INSERT INTO shop.k VALUES (1, 1000, 6)")
            run("INSERT INTO Shop.k VALUES (9, 9, 9)", *OTHERS)
            run("ALTER TABLE shop.k ADD later INT", "INSERT INTO shop.k VALUES (2, 2000, 7, 8)")
            run("UPDATE shop.k SET paid = 5 WHERE id = 1", "FLUSH BINARY LOGS")
            columns = [name for name, *_ in fetch_rows(owner, "SHOW COLUMNS FROM shop.k")]
            rows = fetch_rows(owner, "SELECT * FROM shop.k ORDER BY id")
            expected = [dict(zip(columns, map(number, row), strict=True)) for row in rows]
            with warnings.catch_warnings():
                warnings.simplefilter("error", BinlogWarning)
                check_reads([log_of(state, 2 * log_number)], expected, capsys)


def number(value: Any) -> int | None:
    return None if value is None else int(str(value))


def check_reads(
    logs: Sequence[Path], expected: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    """Check the changes, schema changes and rows of shop.k."""
    names = [*expected[0]]
    of_table: dict[str, Any] = {"schema_changes": True, "on_statement_events": "error"}
    for choice in (
        {"table": "shop.k"},
        {"tables": "shop.k"},
        {"databases": "shop", "tables": "*.k"},
    ):
        given = of_table | choice
        found = read_batches(logs, **given).to_table().to_pylist()
        assert in_splits(logs, found[0], **given) == found
        kinds = [row["_change_type"] for row in found]
        assert [k for k in kinds if k in ("create", "alter", "drop", "truncate", "rename")] == [
            "create",
            "alter",
        ]
        last = {}
        for row in found:
            values = json.loads(row["row"]) if row.get("row") else row
            if row["_change_type"] in ("insert", "update_postimage"):
                last[values["id"]] = {name: values.get(name) for name in names}
        assert [last[key] for key in sorted(last)] == expected
    options = BinlogOptions.from_python({"table": "shop.k"})
    removals = plan_read(find_log_files(logs, options), options).removals
    assert removals is not None
    assert removals.last == ""
    rows = rows_at(logs, table="shop.k").rows
    assert sorted(rows.to_pylist(), key=lambda row: row["id"]) == expected
    index = logs[0].parent.with_name(f"index-{logs[0].name}")
    paths = [*map(str, logs)]
    assert main(["index", *paths, "--index", str(index), "--quiet"]) == 0
    given = of_table | {"table": "shop.k"}
    found = read_batches(logs, **given).to_table()
    assert read_batches(logs, **given, index=str(index)).to_table() == found
    assert in_splits(logs, found.column_names, **given, index=str(index)) == found.to_pylist()
    for command in (["undo", "--force"], ["history", "--key", "1"]):
        capsys.readouterr()
        assert main([*command, "--table", "shop.k", *paths]) == 0
        shown = "".join(capsys.readouterr())
        assert "shop.K" not in shown
        assert "Shop" not in shown


@pytest.mark.parametrize("server", ["mysql-5.7", "mariadb-11.8"])
def test_a_server_that_folds_names(servers_folder: Path, server: str) -> None:
    options = {"lower-case-table-names": "1"}
    if server.startswith("mariadb"):
        options["binlog-row-metadata"] = "MINIMAL"
    with connected_server(servers_folder, server, f"folds-{server}", options) as (state, owner):
        for statement in (
            "CREATE DATABASE Shop",
            f"CREATE TABLE Shop.K {CREATE}",
            "INSERT INTO shop.k VALUES (1, 1000, 6)",
            "TRUNCATE TABLE SHOP.K",
            "ALTER TABLE sHop.K ADD later INT FIRST",
            "INSERT INTO Shop.K VALUES (3, 2, 2000, 7)",
            "FLUSH BINARY LOGS",
        ):
            fetch_rows(owner, statement)
        [truth] = fetch_rows(owner, "SELECT * FROM shop.k")
        columns = [name for name, *_ in fetch_rows(owner, "SHOW COLUMNS FROM shop.k")]
        for read in (
            lambda **o: read_batches(log_of(state, 1), **o).to_table().to_pylist(),
            lambda **o: in_splits([log_of(state, 1)], ["_change_type", *columns], **o),
        ):
            with pytest.warns(BinlogWarning, match=r"Shop\.K .*taken as the same table"):
                found = read(table="shop.k", schema_changes=True)
            kinds = [row["_change_type"] for row in found]
            assert kinds == ["create", "insert", "truncate", "alter", "insert"]
            assert [found[-1][name] for name in columns] == [*map(number, truth)]
