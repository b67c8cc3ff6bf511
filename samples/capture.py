"""Runs the SQL of a sample on a new server: the log, and the server's account of it."""

import contextlib
import shutil
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pymysql.err import MySQLError

from samples.sample import SQL_FOLDER, LogEnd, Sample, TextFrom
from samples.sql_script import split_statements
from samples.tool_runner import run_tool_on_file, run_tool_on_server
from samples.truth import TableTruth, fetch_tables
from tests.live.servers import Instance, ServerState, connect, running_server

FIRST_LOG = "binlog.000001"
# Fixed times and modes: a log that is made again differs in little except identifiers.
SESSION = (
    "SET time_zone = '+00:00'",
    "SET timestamp = 1772366400",  # 2026-03-01 12:00:00 UTC
    "SET sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'",
)
# MySQL reads its UUID, the first part of its GTIDs, from this file.
UUID_FILE = "auto.cnf"
UUID_NAMESPACE = uuid.UUID("b1706109-5a3f-5c1e-9d2b-000000000000")
# Statements whose row count is a number of changed rows, not of rows sent.
CHANGING = ("INSERT", "UPDATE", "DELETE", "REPLACE", "LOAD", "CREATE", "EXECUTE")


class ScriptError(RuntimeError):
    """A statement of a sample that the server refused."""


@dataclass(frozen=True)
class Capture:
    """A log and its truth.

    Attributes:
        log: The bytes of the log.
        server_version: Version text of the server.
        tool_text: What the official tool prints of the log.
        num_changes: Row changes that the server reported to the client.
        tables: All tables in their final state.
    """

    log: bytes
    server_version: str
    tool_text: bytes
    num_changes: int
    tables: list[TableTruth]


@contextlib.contextmanager
def opened(state: ServerState) -> Iterator[Any]:
    """Connect for the length of a `with` block, with the session settings of all samples."""
    with contextlib.closing(connect(state)) as connection:
        with connection.cursor() as cursor:
            for statement in SESSION:
                cursor.execute(statement)
        yield connection


def run_script(connection: Any, sample: Sample) -> int:
    """Run the sample's SQL and return the number of row changes the server reported.

    Raises:
        ScriptError: A statement failed; the text has the file and the statement.
    """
    num_changes = 0
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {sample.database} CHARACTER SET utf8mb4")
        cursor.execute(f"USE {sample.database}")
        for name in sample.sql:
            for statement in split_statements((SQL_FOLDER / name).read_text(encoding="utf-8")):
                try:
                    cursor.execute(statement)
                except MySQLError as error:
                    raise ScriptError(f"sql/{name}: {error}\nin: {statement[:300]}") from error
                if statement.upper().startswith(CHANGING) and cursor.rowcount > 0:
                    num_changes += cursor.rowcount
    return num_changes


def capture(sample: Sample, servers: Path) -> Capture:
    """Make a sample's log on a fresh server.

    Args:
        sample: What to make.
        servers: Work folder of the servers.
    """
    instance = f"samples-{sample.name}"
    server_uuid = uuid.uuid5(UUID_NAMESPACE, sample.name)
    data_files = {UUID_FILE: f"[auto]\nserver-uuid={server_uuid}\n", **sample.data_files}
    with running_server(
        servers, sample.server, instance, options=sample.options, data_files=data_files, keep=True
    ) as state:
        with opened(state) as connection:
            num_changes = run_script(connection, sample)
        with opened(state) as connection:
            tables = fetch_tables(connection)
            if sample.end is LogEnd.ROTATE:
                connection.query("FLUSH BINARY LOGS")
        path = Path(state.binlog_dir) / FIRST_LOG
        text = b""
        if sample.text_from is TextFrom.SERVER:
            text = run_tool_on_server(servers, sample.tool, state, FIRST_LOG)
        log = path.read_bytes()
    # The server is down here: only now is a log complete that ends by shutdown.
    if sample.end is LogEnd.STOP:
        log = path.read_bytes()
    if not text:
        text = run_tool_on_file(servers, sample.tool, log, must_succeed=not sample.tool_fails)
    shutil.rmtree(Instance(servers, instance).home)
    return Capture(log, state.version, text, num_changes, tables)
