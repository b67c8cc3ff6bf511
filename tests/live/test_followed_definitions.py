"""Definitions that are followed in the log are those that a server shows after each statement."""

import json
import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from pymysql import Error

from pyspark_adapter import read_batches
from pyspark_adapter.charsets.charset import decode_text
from pyspark_adapter.ddl.table_definition import TableDefinition
from pyspark_adapter.errors import EventSite
from pyspark_adapter.events.frame_reader import FrameReader
from pyspark_adapter.events.statements import Statement
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.format.event_types import STATEMENT_EVENTS
from pyspark_adapter.format.schema import EventParser
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.timeline.catalog import Catalog
from pyspark_adapter.timeline.ddl import Ddl
from samples.truth import fetch_rows
from tests.live.servers import ServerState, connected_server

pytestmark = pytest.mark.live

DATABASE = "names"
NUM_STATEMENTS = 80
# Each with what it logs of tables by default: MINIMAL and nothing.
SERVERS = ("mysql-latest", "mariadb-11.8")
TYPES = [
    "INT",
    "INT UNSIGNED NOT NULL",
    "BIGINT UNSIGNED",
    "SMALLINT UNSIGNED NOT NULL DEFAULT 7",
    "TINYINT(1)",
    "DECIMAL(12,4) UNSIGNED",
    "DOUBLE",
    "FLOAT(7,3)",
    "VARCHAR(30)",
    "VARCHAR(300) CHARACTER SET latin1",
    "CHAR(7) COLLATE utf8mb4_bin NOT NULL DEFAULT ''",
    "TEXT CHARSET ascii COMMENT 'it''s, (a) \\\\ text'",
    "VARBINARY(20)",
    "MEDIUMBLOB",
    "ENUM('a', 'b,c', 'd''e', 'č') NOT NULL DEFAULT 'a'",
    "SET('x', 'y(z') CHARACTER SET utf8mb4",
    "TIMESTAMP(3) NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3)",
    "DATETIME(6) DEFAULT '2026-01-01 00:00:00'",
    "TIME",
    "YEAR",
    "BIT(11) DEFAULT b'101'",
    "LONG VARCHAR",
    "NATIONAL VARCHAR(5)",
    "DATE DEFAULT (CURRENT_DATE)",
    "DOUBLE DEFAULT -1.5e-3 INVISIBLE",
    "BOOL DEFAULT TRUE CHECK (TRUE)",
]


@pytest.fixture(scope="module", params=SERVERS)
def server(
    request: pytest.FixtureRequest, servers_folder: Path
) -> Iterator[tuple[ServerState, Any]]:
    name: str = request.param
    with connected_server(servers_folder, name, f"names-{name}") as server:
        yield server


def column_names(connection: Any, table: str) -> list[str]:
    found = fetch_rows(
        connection,
        "SELECT column_name FROM information_schema.columns WHERE table_schema = %s"
        " AND table_name = %s ORDER BY ordinal_position",
        DATABASE,
        table,
    )
    return [name for (name,) in found]


def shown(connection: Any, table: str) -> list[tuple[Any, ...]]:
    """Return name, type, sign, character set, members and nullability as the server shows them."""
    rows = fetch_rows(
        connection,
        "SELECT column_name, data_type, column_type, character_set_name, is_nullable"
        " FROM information_schema.columns WHERE table_schema = %s AND table_name = %s"
        " ORDER BY ordinal_position",
        DATABASE,
        table,
    )
    return [
        (name, kind, "unsigned" in column_type, charset, nullable == "YES")
        for name, kind, column_type, charset, nullable in rows
    ]


def derived(definition: TableDefinition) -> list[tuple[Any, ...]]:
    return [
        (
            column.name,
            column.sql_type.lower(),
            column.is_unsigned,
            "utf8mb3" if column.charset == "utf8" else column.charset,
            column.is_nullable,
        )
        for column in definition.columns
    ]


class Statements:
    """A random series of definitions, valid for the table as the server shows it."""

    def __init__(self, connection: Any, seed: int, *, is_mysql: bool) -> None:
        self.source = random.Random(seed)  # noqa: S311
        self.connection = connection
        self.is_mysql = is_mysql
        self.table = "t0"
        self.number = 0

    def new_name(self) -> str:
        """Return the name of a column to come."""
        self.number += 1
        return self.source.choice([f"c{self.number}", f"`C {self.number}`", f"`č``{self.number}`"])

    def place(self, names: list[str]) -> str:
        """Return a place for a column, or none."""
        return self.source.choice(["", "FIRST", f"AFTER {quote(self.source.choice(names))}"])

    def next(self) -> str:
        """Return a statement."""
        pick = self.source.choice
        names = [name for name in column_names(self.connection, self.table) if name != "id"]
        if not names:
            return f"ALTER TABLE {self.table} ADD COLUMN {self.new_name()} INT"
        one, kind, table = quote(pick(names)), pick(TYPES), self.table
        forms = [
            f"ALTER TABLE {table} ADD {self.new_name()} {kind} {self.place(names)}",
            f"ALTER TABLE {DATABASE}.{table} ADD COLUMN ({self.new_name()} {kind},"
            f" {self.new_name()} {pick(TYPES)})",
            f"ALTER TABLE {table} ADD {self.new_name()} {kind} FIRST, ADD INDEX (id),"
            f" ADD {self.new_name()} {pick(TYPES)} {self.place(names)}",
            f"ALTER TABLE {table} CHANGE {one} {self.new_name()} {kind} {self.place([names[0]])}"
            if quote(names[0]) != one
            else f"ALTER TABLE {table} CHANGE {one} {self.new_name()} {kind}",
            f"ALTER TABLE {table} MODIFY COLUMN {one} {kind}",
            f"ALTER TABLE {table} RENAME COLUMN {one} TO {self.new_name()}",
            f"ALTER TABLE {table} DEFAULT CHARACTER SET {pick(['latin1', 'utf8mb4', 'ascii'])}",
            f"/* who */ ALTER TABLE {table} COMMENT = 'ADD x INT', ALGORITHM = COPY",
        ]
        if len(names) > 2:
            first, second = (quote(name) for name in self.source.sample(names, 2))
            forms += [f"ALTER TABLE {table} DROP {first}, DROP COLUMN {second}"] * 3
            forms.append(
                f"ALTER TABLE {table} RENAME COLUMN {first} TO {second},"
                f" RENAME COLUMN {second} TO {first}"
            )
        self.number += 1
        other = f"t{self.number}"
        forms += [
            f"RENAME TABLE {table} TO {other}",
            f"ALTER TABLE {table} ADD {self.new_name()} INT, RENAME TO {other}",
            f"CREATE TABLE {other} LIKE {table}",
            f"CREATE TABLE IF NOT EXISTS {table} (other INT)",
            f"CREATE TABLE {other} AS SELECT * FROM {table}",  # noqa: S608
        ]
        statement = pick(forms)
        if other in statement:
            self.table = other
        return statement


def quote(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


@pytest.mark.parametrize("seed", range(2))
def test_definitions_follow_the_server(server: tuple[ServerState, Any], seed: int) -> None:
    state, connection = server
    is_mysql = state.server.startswith("mysql")
    fetch_rows(connection, "SET sql_mode = ''")  # NOT NULL without a default gets one
    fetch_rows(connection, f"DROP DATABASE IF EXISTS {DATABASE}")
    fetch_rows(connection, "FLUSH BINARY LOGS")
    status = "SHOW BINARY LOG STATUS" if is_mysql else "SHOW MASTER STATUS"
    [(log_name, *_)] = fetch_rows(connection, status)
    fetch_rows(connection, f"CREATE DATABASE {DATABASE} CHARACTER SET utf8mb4")
    fetch_rows(connection, f"USE {DATABASE}")
    fetch_rows(connection, "CREATE TABLE t0 (id INT NOT NULL, a VARCHAR(9), b INT UNSIGNED)")

    statements = Statements(connection, seed, is_mysql=is_mysql)
    states: list[tuple[int, str, list[tuple[Any, ...]]]] = []
    names: list[list[str]] = []
    for i in range(NUM_STATEMENTS):
        # Rows would not fit into all types that columns get.
        fetch_rows(connection, f"DELETE FROM {statements.table}")  # noqa: S608
        fetch_rows(connection, statements.next())
        table = statements.table
        fetch_rows(connection, f"INSERT INTO {table} (id) VALUES ({i})")  # noqa: S608
        [(_, position, *_)] = fetch_rows(connection, status)
        states.append((int(position), table, shown(connection, table)))
        names.append(column_names(connection, table))
    fetch_rows(connection, "FLUSH BINARY LOGS")

    path = Path(state.binlog_dir) / log_name
    check_definitions(path, states)
    check_rows(path, names)


def check_definitions(path: Path, states: list[tuple[int, str, list[tuple[Any, ...]]]]) -> None:
    """Compare the catalog with the server's own after each statement."""
    catalog = Catalog()
    left = list(states)
    for statement in statements_in(path):
        while left and statement.site.start_pos >= left[0][0]:
            _, table, expected = left.pop(0)
            definition = catalog.definition_of(TableName(DATABASE, table))
            assert definition is not None
            for found, wanted in zip(derived(definition), expected, strict=True):
                assert found[:4] == wanted[:4]
                assert found[4] in (wanted[4], None)
        ddl = Ddl(statement)
        if ddl.parsed.change is not None:
            catalog.follow(ddl.parsed.change, ddl.parsed.session)
    assert len(left) <= 1


def statements_in(path: Path) -> Iterator[Statement]:
    """Yield the statements of a log, those that begin and end transactions among them."""
    [log_file] = find_log_files(path)
    frames = FrameReader(log_file, BinlogOptions())
    for frame in frames:
        if frame.plain_type in STATEMENT_EVENTS:
            assert frames.format_description is not None
            parsed = EventParser(frames.format_description).parse(frame.event)
            yield Statement.from_event(parsed, EventSite(log_file.name, frame.start_pos))


def check_rows(path: Path, names: list[list[str]]) -> None:
    """Compare the columns of each row with those that the table had when it was inserted."""
    found: dict[int, list[str]] = {}
    for batch in read_batches(path):
        for change_type, row in zip(
            batch.column("_change_type").to_pylist(), batch.column("row").to_pylist(), strict=True
        ):
            columns = json.loads(row)
            if change_type == "insert":
                found[columns["id"]] = list(columns)
    assert found == dict(enumerate(names))


CLIENTS = ("gbk", "sjis", "cp932", "big5", "gb2312", "euckr", "ujis", "eucjpms", "greek", "hebrew")
# First bytes of characters, and what may be the second byte of one or a sign of SQL.
BYTES = b"\x81\x8e\x8f\xa1\xfe\xff\\'`\" A0|*/"
FORMS = (
    b"(a VARBINARY(9) DEFAULT _binary'%b', b INT)",
    b"(a INT COMMENT '%b', b INT)",
    b"(a INT /* %b */, b INT)",
)


def test_invalid_text_ends_where_it_ends_for_the_server(server: tuple[ServerState, Any]) -> None:
    """Comments and binary literals have bytes that are not valid in the character set."""
    state, connection = server
    status = "SHOW BINARY LOG STATUS" if state.server.startswith("mysql") else "SHOW MASTER STATUS"
    fetch_rows(connection, "FLUSH BINARY LOGS")
    [(log_name, *_)] = fetch_rows(connection, status)
    fetch_rows(connection, f"DROP DATABASE IF EXISTS {DATABASE}")
    fetch_rows(connection, f"CREATE DATABASE {DATABASE}")
    fetch_rows(connection, f"USE {DATABASE}")
    source = random.Random(7)  # noqa: S311
    expected: dict[TableName, list[str]] = {}
    num_invalid = 0
    for charset in CLIENTS:
        fetch_rows(connection, f"SET NAMES {charset}")
        for k in range(30):
            name = f"{charset}{k}"
            literal = bytes(source.choices(BYTES, k=source.randrange(1, 6)))
            definition = source.choice(FORMS) % literal
            with suppress(Error):  # most: a quote that has no end
                connection.query(f"CREATE TABLE {name} ".encode() + definition)
                expected[TableName(DATABASE, name)] = column_names(connection, name)
                num_invalid += is_invalid(literal, charset)
    fetch_rows(connection, "SET NAMES utf8mb4")
    fetch_rows(connection, "FLUSH BINARY LOGS")
    assert num_invalid > 50

    catalog = Catalog()
    for statement in statements_in(Path(state.binlog_dir) / log_name):
        ddl = Ddl(statement)
        if ddl.parsed.change is not None:
            catalog.follow(ddl.parsed.change, ddl.parsed.session)
    found = {
        table: [column.name for column in definition.columns]
        for table, definition in catalog.tables.items()
        if definition is not None
    }
    assert found == expected


def is_invalid(text: bytes, charset: str) -> bool:
    try:
        decode_text(text, charset)
    except UnicodeDecodeError:
        return True
    return False


def test_a_generated_key_stays_the_first_column(servers_folder: Path) -> None:
    """MySQL puts no column before it, whatever the statement and the session say."""
    with connected_server(servers_folder, "mysql-latest", "names-key") as (state, connection):
        for statement in (f"CREATE DATABASE {DATABASE}", f"USE {DATABASE}"):
            fetch_rows(connection, statement)
        [(log_name, *_)] = fetch_rows(connection, "SHOW BINARY LOG STATUS")
        names: list[list[str]] = []
        for k, mode in enumerate(["ON", "OFF"]):
            fetch_rows(connection, "SET sql_generate_invisible_primary_key = ON")
            fetch_rows(connection, f"CREATE TABLE k{k} (id BIGINT UNSIGNED NOT NULL)")
            fetch_rows(connection, f"SET sql_generate_invisible_primary_key = {mode}")
            for change in (
                "ADD b BIGINT UNSIGNED NOT NULL DEFAULT 7 FIRST",
                "MODIFY id BIGINT UNSIGNED NOT NULL FIRST",
                "ADD c BIGINT UNSIGNED NOT NULL DEFAULT 8 AFTER my_row_id, ADD d INT",
            ):
                fetch_rows(connection, f"ALTER TABLE k{k} {change}")
                fetch_rows(connection, f"INSERT INTO k{k} (id) VALUES ({len(names)})")  # noqa: S608
                names.append(column_names(connection, f"k{k}"))
        fetch_rows(connection, "FLUSH BINARY LOGS")
        path = Path(state.binlog_dir) / log_name
        check_rows(path, names)
