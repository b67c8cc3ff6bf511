"""Reports of other readers' users, rebuilt: the last image of each row is what SELECT shows.

Each script in `reports/` is named after its report, and is run on servers with default settings.
Every row of a table is written after the last change of the table's definition.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import read_batches
from samples.truth import fetch_rows
from tests.inputs import ROOT
from tests.live.servers import ServerState, connect, running_server
from tests.truth.cells import Cell, arrow_cell, select_form, selected_cell

pytestmark = pytest.mark.live

SCRIPTS = sorted(Path(__file__).with_name("reports").glob("*.sql"))
SERVERS = {"mysql": "mysql-latest", "mariadb": "mariadb-11.8"}
CASES = [
    pytest.param(SERVERS[flavor], script, id=f"{script.stem}-{flavor}")
    for flavor in SERVERS
    for script in SCRIPTS
    if flavor in re.findall(r"servers: (.+)", script.read_text())[0]
]
METADATA = ("_change_type", "_absent_columns")
Row = dict[str, Cell]


@pytest.fixture(scope="module")
def server_of(servers_folder: Path) -> Iterator[Callable[[str], ServerState]]:
    """A function that starts a server the first time, and not again for each report."""
    with ExitStack() as stack:
        start = partial(running_server, servers_folder)
        yield cache(lambda name: stack.enter_context(start(name, f"reports-{name}")))


def selected(connection: Any, database: str, table: str) -> dict[Cell, Row]:
    """Return the rows of a table by `id`, as the server selects them."""
    columns = fetch_rows(
        connection,
        "SELECT column_name, data_type, character_set_name FROM information_schema.columns"
        " WHERE table_schema = %s AND table_name = %s",
        database,
        table,
    )
    quoted = ["`" + name.replace("`", "``") + "`" for name, _, _ in columns]
    forms = [
        select_form(kind, charset).format(name)
        for name, (_, kind, charset) in zip(quoted, columns, strict=True)
    ]
    rows = {}
    for found in fetch_rows(connection, f"SELECT {', '.join(forms)} FROM {table}"):  # noqa: S608
        pairs = zip(columns, found, strict=True)
        row = {name: selected_cell(kind, value) for (name, kind, _), value in pairs}
        rows[row["id"]] = row
    return rows


def replayed(log: Path, table: str) -> dict[Cell, Row]:
    """Return the rows that the changes of a table leave, by `id`."""
    rows: dict[Cell, Row] = {}
    old: Row = {}
    for batch in read_batches(log, table=table, metadata_columns=METADATA):
        for found in batch.to_pylist():
            kind, absent = found["_change_type"], found["_absent_columns"] or ()
            row = {
                name: arrow_cell(value)
                for name, value in found.items()
                if not name.startswith("_") and name not in absent
            }
            if kind in ("update_preimage", "delete"):
                old = rows.pop(row["id"], {}) | row
            if kind in ("insert", "update_postimage"):
                row = row if kind == "insert" else old | row
                rows[row["id"]] = row
    return rows


@pytest.mark.parametrize(("server", "script"), CASES)
def test_rows_are_those_of_select(
    server_of: Callable[[str], ServerState], server: str, script: Path
) -> None:
    state, text = server_of(server), script.read_text()
    database = re.sub(r"\W", "_", script.stem)
    with closing(connect(state)) as connection:
        connection.decoders = {}
        begin = ["SET time_zone = '+00:00'", "FLUSH BINARY LOGS", f"CREATE DATABASE {database}"]
        for statement in [*begin, f"USE {database}"]:
            fetch_rows(connection, statement)
        log = max(Path(state.binlog_dir).glob("*[0-9]"))
        for statement in re.sub(r"^-- .*\n", "", text, flags=re.MULTILINE).split(";\n")[:-1]:
            fetch_rows(connection, statement)
        for table, _ in fetch_rows(connection, "SHOW FULL TABLES WHERE table_type = 'BASE TABLE'"):
            expected = selected(connection, database, table)
            rows = replayed(log, f"{database}.{table}")
            names = [*next(iter(expected.values()))]
            assert {key: {n: row[n] for n in names} for key, row in rows.items()} == expected


def test_each_report_is_listed() -> None:
    traps = (ROOT / "tests" / "TRAPS.md").read_text()
    assert [script.stem for script in SCRIPTS if f"{script.stem}.sql" not in traps] == []
