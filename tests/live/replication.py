"""Servers that are read over the replication protocol, and what they say of their readers."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pymysql

from pyspark_adapter.server.server import LiveServer
from pyspark_adapter.sources.locations import StoredBytes
from pyspark_adapter.sources.log_file import LogFile, open_log
from samples.truth import fetch_rows
from tests.live.servers import Feature, ServerState, connect, running_server, server_named

SERVERS = ("mysql-latest", "mysql-5.6", "mariadb-10.11", "mariadb-11.8")
DATABASE = "repl"
TABLE = f"{DATABASE}.notes"
USER, PASSWORD = "reader", "geheim-\u00e9"  # not of latin1 as PyMySQL would send it
# What MySQL 5.6 needs for rows of 50 MB, and MariaDB for writing 150 MB without needing its older
# logs longer than a test waits; the newest MySQL does not know it.
FOR_LARGE_ROWS: dict[str, str | None] = {"loose-innodb-log-file-size": "512M"}
DEADLINE = 240.0  # seconds, for what takes none or one on a machine that has nothing else to do


@dataclass(frozen=True)
class Source:
    """A running server."""

    state: ServerState
    connection: Any

    @property
    def is_mysql(self) -> bool:
        return self.state.server.startswith("mysql")

    @property
    def is_new_mysql(self) -> bool:
        """Whether it is a MySQL that has other words than all others."""
        return server_named(self.state.server).has(Feature.NEW_WORDS)

    @property
    def has_users(self) -> bool:
        """Whether it knows users; the package of MySQL 5.6 has no tables of them."""
        return self.state.server != "mysql-5.6"

    @property
    def options(self) -> dict[str, Any]:
        user = {"user": USER, "password": PASSWORD} if self.has_users else {"user": "root"}
        return {"host": self.state.host, "port": self.state.port, **user}

    @property
    def server(self) -> LiveServer:
        """The server as the package takes it."""
        return LiveServer(**self.options)

    @property
    def log_names(self) -> list[str]:
        return [row[0] for row in self.ask("SHOW BINARY LOGS")]

    def ask(self, sql: str) -> list[Any]:
        """Return the rows of a statement."""
        return list(fetch_rows(self.connection, sql))

    def bytes_on_disk(self, log_name: str) -> bytes:
        """Return a log as it lies on the server's disk, with the flag that it is open cleared."""
        data = bytearray((Path(self.state.binlog_dir) / log_name).read_bytes())
        data[21] &= ~1
        return bytes(data)

    def log_file(self, log_name: str) -> LogFile:
        """Return a log as the package lists it."""
        [found] = [log for log in self.server.log_files() if log.name == log_name]
        return found

    def dump_threads(self) -> list[int]:
        """Return the numbers of the connections to which logs are sent, or whose end is under way.

        MariaDB may have some of before: it looks for the end of a connection when it sends more.
        """
        rows = self.ask("SHOW PROCESSLIST")
        return [int(row[0]) for row in rows if "Binlog Dump" in row[4] or row[4] == "Killed"]

    def kill(self, thread: int) -> None:
        """End a connection to which a log is sent."""
        self.ask(f"KILL {thread}")
        wait_for(lambda: thread not in self.dump_threads())

    def replicas(self) -> list[Any]:
        """Return what the server says of its replicas."""
        return self.ask("SHOW REPLICAS" if self.is_new_mysql else "SHOW SLAVE HOSTS")

    def settle(self) -> None:
        """Wait until MariaDB writes nothing more into the last log by itself."""

        def has_checkpoint() -> bool:
            last = self.log_names[-1]
            events = self.ask(f"SHOW BINLOG EVENTS IN '{last}'")
            return any((row[2], row[5]) == ("Binlog_checkpoint", last) for row in events)

        if not self.is_mysql:
            wait_for(has_checkpoint)

    def rotate(self) -> None:
        """Begin another log."""
        self.ask("FLUSH BINARY LOGS")
        self.settle()

    def create_table(self) -> None:
        """Create the table that `write_rows` fills."""
        self.ask(f"CREATE TABLE {TABLE} (id INT PRIMARY KEY AUTO_INCREMENT, note LONGTEXT)")

    def write_rows(self, num_rows: int, len_row: int) -> None:
        """Insert rows, each in a transaction of its own."""
        for _ in range(num_rows):
            self.ask(f"INSERT INTO {TABLE} (note) VALUES (REPEAT('n', {len_row}))")  # noqa: S608

    def write_elsewhere(self) -> None:
        """Insert a long row over a connection of its own."""
        with closing(connect(self.state)) as connection:
            fetch_rows(connection, f"INSERT INTO {TABLE} (note) VALUES (REPEAT('n', 9999))")  # noqa: S608

    def write_log(self, num_rows: int, len_row: int) -> str:
        """Write rows into a log of their own, which is closed then, and return its name."""
        self.rotate()
        log_name = self.log_names[-1]
        self.write_rows(num_rows, len_row)
        self.rotate()
        return str(log_name)

    def reset(self) -> None:
        """Remove all logs, and start with the first."""
        self.ask("RESET BINARY LOGS AND GTIDS" if self.is_new_mysql else "RESET MASTER")
        self.settle()

    def purge_before(self, log_name: str) -> None:
        """Remove the logs before one; those that the server still needs, once it does not.

        A log that MariaDB 11.8 finds in use it does not look at again before another is sent.
        """

        def is_first() -> bool:
            self.ask(f"PURGE BINARY LOGS TO '{log_name}'")
            return bool(self.log_names[0] == log_name)

        wait_for(lambda: not self.dump_threads())
        wait_for(is_first)


@contextmanager
def source(
    folder: Path, name: str, instance: str, options: dict[str, str | None], **more: Any
) -> Iterator[Source]:
    """Run a server with a table and a user for replicas."""
    with (
        running_server(folder, name, instance, options=options, **more) as state,
        closing(connect(state)) as connection,
    ):
        found = Source(state, connection)
        found.ask(f"CREATE DATABASE {DATABASE}")
        found.create_table()
        if found.has_users:
            found.ask(f"CREATE USER {USER}@'%' IDENTIFIED BY '{PASSWORD}'")
            # MySQL 5.5.9 lists its logs for SUPER only.
            also = ", SUPER" if server_named(name).release < (5, 6) else ""
            found.ask(f"GRANT REPLICATION SLAVE, REPLICATION CLIENT{also} ON *.* TO {USER}@'%'")
        yield found


def read_rest(file: StoredBytes, piece: int = 1 << 20) -> bytes:
    """Return what is left of an open log, and close it."""
    buffer = memoryview(bytearray(piece))
    found = bytearray()
    with closing(file):
        while count := file.readinto(buffer):
            found += buffer[:count]
    return bytes(found)


def read_all(log_file: LogFile, piece: int = 1 << 20) -> bytes:
    return read_rest(open_log(log_file), piece)


def wait_for(is_so: Callable[[], Any]) -> None:
    """Wait until something is so."""
    end = monotonic() + DEADLINE
    while not is_so():
        assert monotonic() < end, "it did not come so in time"
        sleep(0.02)


def can_connect(state: ServerState, **arguments: Any) -> bool:
    """Return whether the server accepts a user."""
    try:
        pymysql.connect(host=state.host, port=state.port, **arguments).close()
    except pymysql.MySQLError:
        return False
    return True
