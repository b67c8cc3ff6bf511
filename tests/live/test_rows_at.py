"""The rows of a table at a moment are those that the server selected then."""

from __future__ import annotations

import os
import random
import re
import subprocess
from contextlib import closing
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from deltalake import write_deltalake

from pyspark_adapter import OptionError, UnsupportedError, rows_at
from pyspark_adapter.cli.main import main
from samples.truth import fetch_rows
from tests.live.servers import connect, connected_server
from tests.live.servers.installation import Installation

pytestmark = pytest.mark.live

TABLE = "past.things"
# To try more servers, seeds, statements and moments by hand.
SERVERS = os.environ.get("ROWS_AT_SERVERS", "mysql-latest,mariadb-11.8").split(",")
SEED = int(os.environ.get("ROWS_AT_SEED", "20261125"))
NUM_STATEMENTS = int(os.environ.get("ROWS_AT_STATEMENTS", "260"))
NUM_MOMENTS = int(os.environ.get("ROWS_AT_MOMENTS", "12"))
CREATE = f"""CREATE TABLE {TABLE} (
    id INT, kind VARCHAR(10), n BIGINT UNSIGNED, d DECIMAL(8,3), note TEXT, data VARBINARY(20),
    day DATE, at DATETIME(6), seen TIMESTAMP(3) NULL, clock TIME(2), color ENUM('red', 'it''s'),
    bits BIT(11), f DOUBLE, doc JSON, PRIMARY KEY (kind, id)) CHARACTER SET utf8mb4"""
COPIES = ("n", "d", "note", "data", "day", "at", "seen", "clock", "color", "bits", "f", "doc")
VALUES = {
    "n": ["0", "18446744073709551615", "NULL"],
    "d": ["-1.5", "99999.999", "0"],
    "note": ["'it''s (1),(2);\\n\\\\ \\\"x\\\" größe 雪'", "''", "NULL", "'NULL'"],
    "data": ["X'00ff0a0d1a27225c'", "''", "NULL"],
    "day": ["'2026-02-28'", "NULL"],
    "at": ["'2026-01-02 03:04:05.25'", "NULL"],
    "seen": ["'2026-03-04 05:06:07.008'", "NULL"],
    "clock": ["'-12:34:56.70'", "NULL"],
    "color": ["'it''s'", "'red'", "NULL"],
    "bits": ["b'10000000101'", "NULL"],
    "f": ["-1.5e300", "0.1", "NULL"],
    "doc": ["""'{"a": [1, "x\\\\n"]}'""", "NULL"],
}
ALTERS = [
    "ADD COLUMN more{k} INT NOT NULL DEFAULT {k} FIRST",
    "ADD COLUMN text{k} VARCHAR(20) DEFAULT 'it''s' AFTER n",
    "MODIFY note MEDIUMTEXT, RENAME COLUMN n TO n{k}",
    "ADD INDEX i{k} (day), DROP PRIMARY KEY, ADD PRIMARY KEY (id, kind)",
    "DROP COLUMN d",
]


def random_statement(source: random.Random, names: list[str]) -> str:
    def key() -> str:
        return f"kind = '{source.choice(['a', 'A', 'b'])}' AND id = {source.randint(1, 30)}"

    choice = source.random()
    name = source.choice(names)
    if choice < 0.5:
        values = ", ".join(source.choice(VALUES[name]) for name in names)
        kind, number = source.choice("abc"), source.randint(1, 30)
        columns = ", ".join(f"`{name}`" for name in names)
        into = f"INSERT IGNORE INTO {TABLE} (kind, id, {columns})"
        return f"{into} VALUES ('{kind}', {number}, {values})"
    if choice < 0.7:
        return f"UPDATE {TABLE} SET `{name}` = {source.choice(VALUES[name])} WHERE {key()}"
    if choice < 0.9:
        return f"UPDATE IGNORE {TABLE} SET id = id + 1 WHERE id > 3 ORDER BY id DESC LIMIT 5"
    return f"DELETE FROM {TABLE} WHERE {key()}"


def shown(value: Any) -> str | None:
    """Return a value as the query below selects it."""
    if value is None:
        return None
    if isinstance(value, bytes):
        return value.hex().upper()
    if isinstance(value, datetime):
        return f"{value.astimezone(UTC) if value.tzinfo else value:%Y-%m-%d %H:%M:%S.%f}"
    if isinstance(value, float):
        return repr(value)
    return f"{value:f}" if isinstance(value, Decimal) else str(value)


def texts(rows: pa.Table) -> list[list[str | None]]:
    """Return rows as the query below selects them."""
    return sorted([[shown(value) for value in row.values()] for row in rows.to_pylist()], key=repr)


def selected(connection: Any) -> tuple[list[str], list[list[str | None]]]:
    """Return the columns of the table, and its rows as text."""
    columns = [
        (str(row[0]), str(row[1]))
        for row in fetch_rows(
            connection,
            "SELECT column_name, data_type FROM information_schema.columns WHERE table_schema ="
            " 'past' AND table_name = 'things' ORDER BY ordinal_position",
        )
    ]
    forms = {"varbinary": "HEX(`{}`)", "bit": "`{}` + 0", "datetime": "CAST(`{}` AS CHAR)"}
    forms |= {"timestamp": "CAST(`{0}` AS DATETIME(6))"}
    names = ", ".join(forms.get(kind, "`{}`").format(name) for name, kind in columns)
    rows = [list(row) for row in fetch_rows(connection, f"SELECT {names} FROM {TABLE}")]
    for i, (_, kind) in enumerate(columns):
        for row in rows:
            row[i] = None if row[i] is None else str(row[i])
            if kind == "double" and row[i] is not None:
                row[i] = repr(float(row[i]))
    return [name for name, _ in columns], sorted(rows, key=repr)


def position_of(connection: Any, server: str) -> str:
    word = "BINARY LOG" if server == "mysql-latest" else "MASTER"
    [row] = fetch_rows(connection, f"SHOW {word} STATUS")
    return f"{row[0]}:{row[1]}"


def gtids_of(connection: Any, server: str) -> str:
    """Return the executed GTIDs; empty if the server names no transactions."""
    is_mysql = server.startswith("mysql")
    name = "gtid_executed" if is_mysql else "gtid_binlog_pos"
    [[text]] = fetch_rows(connection, f"SELECT @@GLOBAL.{name}")
    return (
        str(text).replace("\n", "") if is_mysql else re.sub(r"-(\d+)(?=,|$)", r"-1-\1", str(text))
    )


def dump(folder: Path, server: str, socket: str, *table: str) -> bytes:
    """Return a table, named by database and name, as the server's own tool dumps it."""
    is_new = server in ("mariadb-11.4", "mariadb-11.8")
    name = "mariadb-dump" if is_new else "mysqldump"
    program = Installation(folder.resolve(), server).program(name)
    word = "--source-data=2" if server == "mysql-latest" else "--master-data=2"
    command = [
        *program.command,
        "--no-defaults",
        f"--socket={socket}",
        "-uroot",
        "--single-transaction",
    ]
    return subprocess.run(
        [*command, word, *table], check=True, capture_output=True, env=program.environment
    ).stdout


def check_distributed(state: Any, connection: Any, server: str, tmp_path: Path) -> None:
    """Compare rows before and after distributed transactions are prepared and end."""
    one = ["INSERT INTO xa.t VALUES (10, 1)", "UPDATE xa.t SET v = 5 WHERE id = 1"]
    two = ["INSERT INTO xa.t VALUES (11, 1)", "DELETE FROM xa.t WHERE id = 2"]
    create = "CREATE TABLE xa.t (id INT PRIMARY KEY, v INT)"
    for text in ("CREATE DATABASE xa", create, "INSERT INTO xa.t VALUES (1, 1), (2, 2)"):
        fetch_rows(connection, text)
    moments: list[tuple[str, list[tuple[Any, ...]]]] = []
    gtids: list[str] = []
    with closing(connect(state)) as other:
        for texts in (
            ["XA START 'x'", *one, "XA END 'x'", "XA PREPARE 'x'"],
            ["INSERT INTO xa.t VALUES (12, 3)"],
            ["XA COMMIT 'x'"],
            ["XA START 'x'", *two, "XA END 'x'", "XA PREPARE 'x'"],
            ["XA ROLLBACK 'x'"],
            [
                "XA START 'y'",
                "DELETE FROM xa.t WHERE id = 2",
                "XA END 'y'",
                "XA COMMIT 'y' ONE PHASE",
            ],
        ):
            for text in texts:
                fetch_rows(other if len(texts) > 1 or "XA" in text else connection, text)
            rows = sorted(map(tuple, fetch_rows(connection, "SELECT id, v FROM xa.t")))
            moments.append((position_of(connection, server), rows))
            gtids.append(gtids_of(connection, server))
    logs = str(Path(state.binlog_dir) / f"{state.binlog_base}.[0-9]*")
    past, ddl = str(tmp_path / "xa.parquet"), tmp_path / "xa.ddl.sql"
    pq.write_table(rows_at(logs, table="xa.t", ending_position=moments[0][0]).rows, past)
    ddl.write_text(f"{create};")
    named = str(tmp_path / "named.parquet")  # its position is not known, but its GTIDs
    pq.write_table(pq.read_table(past).replace_schema_metadata(), named)
    for number, ((position, rows), done) in enumerate(zip(moments, gtids, strict=True)):
        ends: list[dict[str, Any]] = [{"ending_position": position}]
        ends += [{"include_gtids": done}] if done else []
        for end in ends:
            froms: list[dict[str, Any]] = [{}, {"baseline": past}]
            named_from = {"baseline": named, "exclude_gtids": gtids[0], "ddl": ddl}
            froms += [named_from] if done else []
            for way in froms:
                if way and number > 1:  # they are after the commit of what was prepared before
                    with pytest.raises(UnsupportedError, match=r"XA COMMIT .* before the baseline"):
                        rows_at(logs, table="xa.t", **end, **way)
                    continue
                found = rows_at(logs, table="xa.t", **end, **way).rows.to_pylist()
                assert sorted(tuple(map(str, row.values())) for row in found) == rows
    for at in (None, datetime.now(UTC)):
        with pytest.raises(UnsupportedError, match=r"XA COMMIT .* before the baseline"):
            rows_at(logs, table="xa.t", baseline=past, at=at)


@pytest.mark.parametrize("server", SERVERS)
def test_rows_at_random_moments_are_those_of_the_server(
    servers_folder: Path, server: str, tmp_path: Path
) -> None:
    source = random.Random(SEED)  # noqa: S311 - to be the same each time is the purpose
    with connected_server(servers_folder, server, f"past-{server}") as (state, connection):
        connection.decoders = {}
        for text in ("CREATE DATABASE past", "SET time_zone = '+00:00'", CREATE):
            fetch_rows(connection, text)
        names, alters = list(COPIES), iter(enumerate(ALTERS))
        moments = {*source.sample(range(NUM_STATEMENTS), NUM_MOMENTS), NUM_STATEMENTS - 1}
        found: list[tuple[str, str, Any]] = []
        definitions: dict[str, str] = {}
        baseline = tmp_path / "things.sql"
        for number in range(NUM_STATEMENTS):
            if number == NUM_STATEMENTS // 5:
                baseline.write_bytes(dump(servers_folder, server, state.socket, "past", "things"))
                dumped_at = position_of(connection, server)
                fetch_rows(connection, "FLUSH BINARY LOGS")
            if number > NUM_STATEMENTS // 5 and number % (NUM_STATEMENTS // 7) == 0:
                k, alter = next(alters, (0, "ENGINE=InnoDB"))
                fetch_rows(connection, f"ALTER TABLE {TABLE} {alter.format(k=k)}")
                if "TO n" in alter:
                    names.remove("n")
                if "DROP COLUMN d" in alter:
                    names.remove("d")
            if number == NUM_STATEMENTS * 9 // 10:
                fetch_rows(connection, f"TRUNCATE TABLE {TABLE}")
            for _ in range(2):
                image = source.choice(["FULL", "MINIMAL", "NOBLOB"])
                fetch_rows(connection, f"SET binlog_row_image = {image}")
                fetch_rows(connection, random_statement(source, names))
            if number in moments or number == NUM_STATEMENTS // 5:
                [[now]] = fetch_rows(connection, "SELECT UTC_TIMESTAMP(6)")
                [[_, definition]] = fetch_rows(connection, f"SHOW CREATE TABLE {TABLE}")
                definitions[position_of(connection, server)] = f"USE past;\n{definition};\n"
                found.append((position_of(connection, server), f"{now}Z", selected(connection)))
        fetch_rows(connection, "FLUSH BINARY LOGS")
        logs = str(Path(state.binlog_dir) / f"{state.binlog_base}.[0-9]*")
        for position, now, (columns, rows) in found:
            is_before = position.partition(":")[0] == dumped_at.partition(":")[0]
            ways: list[dict[str, Any]] = [{"ending_position": position}]
            if not is_before:
                ways.append({"ending_position": position, "baseline": baseline})
            if server.startswith("mysql"):  # the other logs whole seconds
                ways.append({"at": now})
            for way in ways:
                given = rows_at(logs, table=TABLE, **way)
                assert given.is_whole
                assert not given.num_unknown
                assert given.rows.column_names == columns, way
                assert texts(given.rows) == rows, way
        assert sum(len(rows) for _, _, (_, rows) in found) > 100
        # A file of one moment is the baseline of a later one.
        later = [known for known in found if known[0].split(":")[0] != dumped_at.split(":")[0]]
        past, ddl = str(tmp_path / "past.parquet"), tmp_path / "things-then.sql"
        begin = ["as-of", logs, "--table", TABLE, "--output", past, "--until-position"]
        assert main([*begin, later[0][0], "--from", str(baseline)]) == 0
        for number, (position, _, (columns, rows)) in enumerate(later[1:3]):
            ddl.write_text(definitions[later[0][0]])
            words = ["--from", past, "--ddl", str(ddl), "--output", str(tmp_path / f"{number}")]
            assert main([*begin[:4], *words, "--until-position", position]) == 0
            table = pq.read_table(tmp_path / f"{number}")
            assert (table.column_names, texts(table)) == (columns, rows)
        with pytest.raises(OptionError, match="before the baseline"):
            rows_at(logs, table=TABLE, ending_position=found[0][0], baseline=baseline)
        # So is a Delta table of all types.
        lake, at = str(tmp_path / "lake"), later[0][0]
        past_rows = rows_at(logs, table=TABLE, ending_position=at, baseline=baseline).rows
        write_deltalake(lake, past_rows)
        for position, _, (columns, rows) in later[1:2]:
            way = {"ending_position": position, "starting_position": at, "ddl": str(ddl)}
            given = rows_at(logs, table=TABLE, baseline=lake, **way)
            assert (given.rows.column_names, texts(given.rows)) == (columns, rows)
        check_distributed(state, connection, server, tmp_path)
