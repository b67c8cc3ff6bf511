"""Records the messages of Debezium's embedded engine, for tests to compare ours with.

`python -m bench.debezium_messages SERVERS_DIR FOLDER` needs Maven and Java. For a server of each
family it changes rows with values of all types, and keeps the log and the engine's messages.
"""

import argparse
import gzip
import json
import random
import shutil
import subprocess
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any, Final

from bench import debezium_engine
from tests.live.random_values import Sql
from tests.live.servers import ServerState, connect
from tests.live.servers.instance import running_server
from tests.replay.configurations import Configuration
from tests.replay.kinds import column_kinds

CONNECTORS: Final = {"mysql-latest": debezium_engine.MYSQL, "mariadb-11.8": debezium_engine.MARIADB}
# Settings of the engine, by the name of a recording.
MODES: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "default": {"converter.schemas.enable": "false"},
        "connect": {
            "converter.schemas.enable": "true",
            "decimal.handling.mode": "string",
            "time.precision.mode": "connect",
            "binary.handling.mode": "base64",
            "include.query": "true",
        },
        "isostring": {
            "converter.schemas.enable": "false",
            "decimal.handling.mode": "double",
            "time.precision.mode": "isostring",
            "bigint.unsigned.handling.mode": "precise",
            "binary.handling.mode": "hex",
            "tombstones.on.delete": "false",
        },
    }
)
# With some of MariaDB's own types, the engine ends no more.
_KINDS: Final = {"mysql-latest": 1000, "mariadb-11.8": 36}
# Debezium 3.5 decodes these otherwise than the server.
WRONG_TEXT: Final = (
    *("latin1", "hp8", "sjis", "koi8u", "euckr", "tis620", "keybcs2", "armscii8", "dec8", "swe7"),
    "geostd8",
)
_MARKS: Final = "CREATE TABLE marks (id INT, n INT AUTO_INCREMENT PRIMARY KEY)"
_COLUMNS: Final = 6  # of a table
_ROWS: Final = 10
_LONGEST: Final = 400  # literal of a value
_TABLES: Final = (
    "CREATE TABLE keyed (a INT, b VARCHAR(20), v INT, PRIMARY KEY (b, a))",
    "CREATE TABLE keyless (a INT, b VARCHAR(20))",
    "CREATE TABLE `un-iqué` (a INT, b VARCHAR(20) NOT NULL, UNIQUE KEY (b))",
    "CREATE TABLE zeros (id INT PRIMARY KEY, d DATE NOT NULL, t DATETIME NOT NULL, n DATE, y YEAR)",
)
_CHANGES: Final = (
    "INSERT INTO keyed VALUES (1, 'x', 1), (2, 'y', 2)",
    "UPDATE keyed SET a = 5 WHERE a = 1",
    "UPDATE keyed SET v = 9",
    "DELETE FROM keyed",
    "INSERT INTO keyless VALUES (1, 'x'), (2, 'y')",
    "UPDATE keyless SET a = 3 WHERE a = 1",
    "DELETE FROM keyless",
    "INSERT INTO `un-iqué` VALUES (1, 'x'), (2, 'y')",
    "UPDATE `un-iqué` SET b = 'z' WHERE a = 1",
    "INSERT INTO zeros VALUES (1, 0, 0, 0, 1901), (2, 19691231, 19691231235959, NULL, 0)",
)


class Recorder:
    """The engine, for the database `d` of a server, from when this object is made."""

    def __init__(self, state: ServerState, folder: Path) -> None:
        debezium_engine.build()
        self._state, self._folder = state, folder
        with self._start(folder, 1, {}) as program:
            while program.poll() is None:
                self.mark(1)
                time.sleep(0.5)
        if program.returncode:
            raise RuntimeError((folder / "errors").read_text())

    def mark(self, number: int) -> None:
        """Insert a row of `marks`, at which the engine can end."""
        with closing(connect(self._state, database="d")) as connection:
            connection.cursor().execute("INSERT INTO marks (id) VALUES (%s)", [number])

    def messages(self, mark: int, settings: Mapping[str, str]) -> str:
        """Return the messages up to a mark: lines of objects of topic, key, value and headers."""
        with TemporaryDirectory() as copy:
            folder = Path(copy)
            for name in ("offsets", "history"):
                shutil.copy(self._folder / name, folder)
            program = self._start(folder, mark, settings)
            printed, _ = program.communicate(timeout=120)
            if program.returncode:
                raise RuntimeError((folder / "errors").read_text())
            return printed

    def _start(self, folder: Path, mark: int, settings: Mapping[str, str]) -> subprocess.Popen[str]:
        state = self._state
        given = {
            **debezium_engine.settings_of(folder, state.port, state.user, state.password),
            "connector.class": CONNECTORS[state.server],
            "offset.flush.interval.ms": 0,
            "topic.prefix": "server",
            "database.include.list": "d",
            **settings,
        }
        with (folder / "errors").open("w") as errors:
            return debezium_engine.start("Recorder", folder / "properties", given, mark, errors)


def record(servers: Path, server: str, folder: Path) -> None:
    """Record a log, the types of the columns of its tables, and messages by mode."""
    folder.mkdir(parents=True)
    source = random.Random(5)  # noqa: S311 - to record the same again
    kinds = {
        kind: [value for value in values if value is not None and len(_literal(value)) < _LONGEST]
        for kind, values in column_kinds(Configuration("debezium", server), source).items()
        if not any(f"CHARACTER SET {charset}" in kind for charset in WRONG_TEXT)
    }
    names = list(kinds)[: _KINDS[server]]
    tables = {f"t{n}": names[n : n + _COLUMNS] for n in range(0, len(names), _COLUMNS)}
    options = {"max-binlog-size": "1G"}
    if "mysql" in server:
        options["binlog-rows-query-log-events"] = "ON"
    with (
        TemporaryDirectory() as work,
        running_server(servers, server, "debezium", options=options) as state,
        closing(connect(state)) as connection,
        connection.cursor() as cursor,
    ):
        for statement in ("SET sql_mode = ''", "CREATE DATABASE d", "USE d", _MARKS, *_TABLES):
            cursor.execute(statement)
        for table, columns in tables.items():
            shown = [f"c{n} {kind}" for n, kind in enumerate(columns)]
            cursor.execute(f"CREATE TABLE {table} (id INT PRIMARY KEY, {', '.join(shown)})")
        recorder = Recorder(state, Path(work))
        for table, columns in tables.items():
            for row in range(_ROWS):
                values = [_literal(source.choice([*kinds[kind], None])) for kind in columns]
                cursor.execute(f"INSERT INTO {table} VALUES ({row}, {', '.join(values)})")
            for n, kind in enumerate(columns):
                value = _literal(source.choice(kinds[kind]))
                cursor.execute(f"UPDATE {table} SET c{n} = {value} WHERE id = {n}")
            cursor.execute(f"DELETE FROM {table} WHERE id < 4")
        for statement in _CHANGES:
            cursor.execute(statement)
        recorder.mark(2)
        name = f"{state.binlog_base}.000001"
        _keep(folder / f"{name}.gz", (Path(state.binlog_dir) / name).read_bytes())
        for mode, settings in MODES.items():
            _keep(folder / f"{mode}.jsonl.gz", recorder.messages(2, settings).encode())
    _keep(folder / "columns.json.gz", json.dumps(tables).encode())


def _keep(path: Path, data: bytes) -> None:
    path.write_bytes(gzip.compress(data, mtime=0))


def _literal(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, Sql):
        return value.expression
    if isinstance(value, bytes):
        return f"x'{value.hex()}'"
    return f"_utf8mb4 x'{value.encode().hex()}'" if isinstance(value, str) else str(value)


def main() -> None:
    """Record both."""
    parser = argparse.ArgumentParser(prog="python -m bench.debezium_messages", description=__doc__)
    parser.add_argument("servers", type=Path)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    for server in CONNECTORS:
        record(options.servers.resolve(), server, options.folder / server)


if __name__ == "__main__":
    main()
