"""The load of a server that `replicate` copies: rows of all types, and DDL."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import pymysql

from tests.live.random_values import Sql, Value
from tests.live.servers import ServerState, connect, server_named
from tests.replay.configurations import Configuration
from tests.replay.kinds import column_kinds

DATABASE: Final = "shop"
USER: Final = "replicator"
PASSWORD: Final = "secret"  # noqa: S105 - of a server that lives as long as the test
RATE: Final = 8  # statements in a second
DDL_SHARE: Final = 0.05
# Of columns that are added and NULL in the rows that are there.
ADDED: Final = (
    *("INT", "BIGINT UNSIGNED", "DECIMAL(38,30)", "DATETIME(6)", "TIMESTAMP(3)", "TIME(6)", "JSON"),
    *("GEOMETRY", "VARBINARY(255)", "VECTOR(3)", "DOUBLE", "YEAR", "BIT(64)"),
)
KEYLESS: Final = "keyless"
ODD: Final = "`od/d näme.`"
SWAPPED: Final = ("c0", "c1")
CHOICES: Final = "choices"
GENERATED: Final = "computed"
CHOICE: Final = "ENUM('a', 'b', 'c')"
MEMBERS: Final = ("'a', 'b', 'c'", "'c', 'a'", "'b', 'c', 'a'")
# Of MariaDB; as text, since the server has them as text.
OWN_VALUES: Final[dict[str, list[int | str | bytes | Sql]]] = {
    "UUID": [f"{n:08x}-1122-4{n % 4096:03x}-9000-00000000{n % 7:02x}00" for n in range(0, 99, 7)],
    "INET4": ["0.0.0.0", "10.1.0.0", "255.255.255.255", "1.2.3.4"],  # noqa: S104
    "INET6": ["::", "::1", "::1.2.3.4", "1:2:3:4:5:6:7::", "2001:db8::ff00:42:8329"],
}
ROW_IS_TOO_LARGE: Final = 1118
NUM_COLUMNS: Final = 60  # of a table with columns of all types, unless its rows get too long
MOST_NEW: Final = 6  # tables that are created later; each is a job of Spark in many rounds
CLIENT_ERRORS: Final = range(2000, 3000)  # of the connection, not of the server


class ReplicaLoad:
    """Random statements, DDL among them, in a thread of its own."""

    def __init__(self, state: ServerState, seed: int) -> None:
        self._source = random.Random(seed)  # noqa: S311 - to do the same again
        configuration = Configuration("replica", state.server)
        self._kinds = {
            kind: [v for v in values if isinstance(v, int | str | bytes | Sql)]
            for kind, values in column_kinds(configuration, self._source).items()
        }
        if server_named(state.server).flavor == "mariadb":
            self._kinds |= OWN_VALUES
        self._connection = connect(state)
        self._columns: dict[str, dict[str, str]] = {}
        self._has_primary_key = False  # of by_unique
        self._number = 0
        self.num_ddl = 0
        self.num_statements = 0
        self._state = state
        self._stopped = threading.Event()
        self._ddl_lock = threading.Lock()  # held during DDL, whose end has to be known
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="load", daemon=True)

    def begin(self) -> None:
        """Create user, database and tables with rows of all types."""
        self._do(f"CREATE DATABASE {DATABASE}")
        self._do(f"USE {DATABASE}")
        self._do(f"CREATE USER {USER}@'%' IDENTIFIED BY '{PASSWORD}'")
        rights = "SELECT, LOCK TABLES, REPLICATION SLAVE, REPLICATION CLIENT"
        self._do(f"GRANT {rights} ON *.* TO {USER}@'%'")
        self._do("SET sql_mode = ''")
        names = list(self._kinds)
        self._kinds[CHOICE] = ["a", "b", "c"]
        for first in range(0, len(names), NUM_COLUMNS):
            self._create_some(f"types{first}", names[first : first + NUM_COLUMNS])
        self._create("plain", ["INT", "VARCHAR(63) CHARACTER SET utf8mb4"])
        self._create("by_text", ["INT"], "k VARCHAR(20), n INT, PRIMARY KEY (n, k)")
        self._create("by_unique", ["INT"], "k BIGINT UNSIGNED NOT NULL UNIQUE")
        self._create(KEYLESS, ["INT", *self._source.sample(names, 3)], "k INT")
        self._create(ODD, ["INT", "INT"])
        self._create(CHOICES, [CHOICE, "INT"])
        generated = "g0 BIGINT AS (c0 * 2) STORED, g1 VARCHAR(20) AS (CONCAT(c0, '!')) VIRTUAL"
        self._create(GENERATED, ["INT"], f"id INT AUTO_INCREMENT PRIMARY KEY, {generated}")
        for table in [*self._columns] * 20:
            self._insert(table)
        self._thread.start()

    @contextmanager
    def restarting(self) -> Iterator[None]:
        """Let the server be killed, in the middle of a change but not of DDL, and started again."""
        with self._ddl_lock:
            yield

    def _connect(self) -> None:
        """Connect again, once the server is started."""
        with self._ddl_lock:
            self._connection = connect(self._state, database=DATABASE)
        self._do("SET sql_mode = ''")

    def stop(self) -> None:
        """End, and raise what went wrong."""
        self._stopped.set()
        self._thread.join()
        self._connection.close()
        if self._error is not None:
            raise self._error

    def _do(self, sql: str, *values: Value) -> None:
        with self._connection.cursor() as cursor:
            cursor.execute(sql, values or None)

    def _create(self, table: str, kinds: Sequence[str], key: str = "") -> None:
        columns = {f"c{i}": kind for i, kind in enumerate(kinds)}
        key = key or "id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY"
        shown = [f"{name} {kind}" for name, kind in columns.items()]
        self._do(f"CREATE TABLE {table} ({', '.join([key, *shown])})")
        self._columns[table] = columns

    def _create_some(self, table: str, kinds: Sequence[str]) -> None:
        """Create a table, or several if its rows would be too long."""
        try:
            self._create(table, kinds)
        except pymysql.err.OperationalError as error:
            if error.args[0] != ROW_IS_TOO_LARGE:
                raise
            half = len(kinds) // 2
            self._create_some(f"{table}a", kinds[:half])
            self._create_some(f"{table}b", kinds[half:])

    def _insert(self, table: str) -> None:
        names, shown, values = [], [], []
        keys: dict[str, list[str]] = {"by_text": ["k", "n"], "by_unique": ["k"], KEYLESS: ["k"]}
        for name in keys.get(table, []):
            self._number += 1
            names.append(name)
            shown.append(f"{self._number}")
        for name, kind in self._columns[table].items():
            names.append(name)
            text, value = self._value(kind)
            shown.append(text)
            values += value
        sql = f"INSERT IGNORE INTO {table} ({', '.join(names)}) VALUES ({', '.join(shown)})"
        self._do(sql, *values)

    def _value(self, kind: str) -> tuple[str, list[Value]]:
        value = self._source.choice([*self._kinds[kind], None])
        if isinstance(value, Sql):
            return value.expression.replace("%", "%%"), []
        return "%s", [value]

    def _change(self, table: str) -> None:
        name, kind = self._source.choice(list(self._columns[table].items()))
        text, value = self._value(kind)
        limit = self._source.randint(1, 5)
        if self._source.random() < 0.3:
            self._do(f"DELETE FROM {table} ORDER BY RAND() LIMIT {limit}")
        elif table == "by_text" and self._source.random() < 0.5:
            self._do(f"UPDATE IGNORE {table} SET n = n + 1 ORDER BY n LIMIT {limit}")
        else:
            sql = f"UPDATE IGNORE {table} SET {name} = {text} ORDER BY RAND() LIMIT {limit}"
            self._do(sql, *value)

    def _alter(self) -> None:
        """Do a statement of DDL."""
        self._number += 1
        source, number = self._source, self._number
        fixed = ("types", ODD, CHOICES, GENERATED)
        table = source.choice([name for name in self._columns if not name.startswith(fixed)])
        columns = self._columns[table]
        name = source.choice(list(columns))
        match source.randrange(15):
            case 0:
                kind = source.choice(["INT", "VARCHAR(63) CHARACTER SET utf8mb4"])
                default = source.choice(["", " DEFAULT 7", " NOT NULL"])
                self._do(f"ALTER TABLE {table} ADD COLUMN a{number} {kind}{default} FIRST")
                columns[f"a{number}"] = kind
            case 12 | 13:  # NULL in all rows
                kind = source.choice(ADDED)
                self._do(f"ALTER TABLE {table} ADD COLUMN a{number} {kind} NULL")
                columns[f"a{number}"] = kind
            case 14 if columns[name] in ("INT", "BIGINT"):
                self._do(f"CREATE INDEX i{number} ON {table} ({name})")
            case 1 if len(columns) > 1:
                self._do(f"ALTER TABLE {table} DROP COLUMN {name}")
                del columns[name]
            case 2:
                self._do(f"ALTER TABLE {table} RENAME COLUMN {name} TO r{number}")
                columns[f"r{number}"] = columns.pop(name)
            case 3 if columns[name] == "INT":
                self._do(f"ALTER TABLE {table} MODIFY {name} BIGINT")
                columns[name] = "BIGINT"
            case 4 if columns[name] in ("INT", "BIGINT"):
                self._do(f"ALTER TABLE {table} MODIFY {name} VARCHAR(63) CHARACTER SET utf8mb4")
                columns[name] = "VARCHAR(63) CHARACTER SET utf8mb4"
            case 5:
                self._do(f"TRUNCATE TABLE {source.choice(list(self._columns))}")
            case 6 if sum(name.startswith("new") for name in self._columns) < MOST_NEW:
                self._create(f"new{number}", ["INT", "DATE"])
            case 7 if table.startswith("new"):
                self._do(f"DROP TABLE {table}")
                del self._columns[table]
                if source.random() < 0.5:
                    self._create(table, ["INT", "DATE"])
            case 8 if table.startswith("new"):
                self._do(f"RENAME TABLE {table} TO new{number}")
                self._columns[f"new{number}"] = self._columns.pop(table)
            case 9:  # the same columns under each other's names
                first, second = source.sample(SWAPPED, 2)
                self._do(
                    f"ALTER TABLE {ODD} RENAME COLUMN {first} TO {second},"
                    f" RENAME COLUMN {second} TO {first}"
                )
            case 10:  # numbers in the log mean other members from here on
                self._do(f"UPDATE {CHOICES} SET c0 = 'a'")
                members = source.choice(MEMBERS)
                self._do(f"ALTER TABLE {CHOICES} MODIFY c0 ENUM({members})")
            case 11:
                change = "DROP PRIMARY KEY" if self._has_primary_key else "ADD PRIMARY KEY (k)"
                self._do(f"ALTER TABLE by_unique {change}")
                self._has_primary_key = not self._has_primary_key
            case _:
                self._do("FLUSH BINARY LOGS")

    def _run(self) -> None:
        try:
            while not self._stopped.wait(1 / RATE):
                try:
                    self._step()
                except (pymysql.err.OperationalError, pymysql.err.InterfaceError) as error:
                    if error.args[0] and error.args[0] not in CLIENT_ERRORS:
                        raise
                    self._connect()
        except Exception as error:  # noqa: BLE001 - is raised again by `stop`
            self._error = error

    def _step(self) -> None:
        choice = self._source.random()
        table = self._source.choice(list(self._columns))
        if choice < DDL_SHARE:
            with self._ddl_lock:
                self._alter()
            self.num_ddl += 1
        elif choice < 0.6 or not self._columns[table]:
            self._insert(table)
        else:
            # Updates of generated columns are logged in a way of their own.
            self._change(table if choice < 0.9 else GENERATED)
        self.num_statements += 1
