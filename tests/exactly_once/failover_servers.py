"""A source and a replica, which change places when the source is killed."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

import pymysql

from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.gtid_position import GtidPosition
from pyspark_adapter.stream.log_directory import LogDirectory
from samples.truth import fetch_rows
from tests.live.servers import Instance, ServerState, connect
from tests.live.servers.instance import free_port

USER, PASSWORD = "repl", "p"
DEADLINE = 240.0  # a stream takes seconds for a batch where nothing else runs
_COMMON = {
    "sync-binlog": "1",
    "innodb-flush-log-at-trx-commit": "1",
    "max-binlog-size": "65536",
    "skip-name-resolve": None,
}
_OF_MYSQL = {
    "gtid-mode": "ON",
    "enforce-gtid-consistency": "ON",
    "plugin-load-add": "semisync_source.so;semisync_replica.so",
    "skip-replica-start": None,
    # With more it may apply the first transaction of a promoted source before the DDL before it.
    "replica-parallel-workers": "1",
}
_OF_MARIADB = {
    "log-slave-updates": None,
    "gtid-strict-mode": "1",
    "skip-slave-start": None,
    "rpl-semi-sync-master-wait-point": "AFTER_SYNC",
}
# Without an answer of the replica a transaction waits: what is committed, the replica has.
_WAIT = 3_600_000
# Microseconds in which a source has written transactions and not synced them. A replica would be
# behind, if it waited so for each.
_SYNC_DELAY = 10_000


class Node:
    """A server, which is the source or the replica."""

    def __init__(self, servers: Path, server: str, number: int) -> None:
        self._server = server
        self.is_mysql = server.startswith("mysql")
        self.number = number
        self.port = free_port()
        self._instance = Instance(servers, f"failover-{server}-{number}")
        self._num_starts = 0
        self.state: ServerState

    def start(self, *, fresh: bool) -> None:
        """Start it, at the port that it had; `fresh` without data, as another server.

        Another server has another id: a replica leaves out the transactions that have its own, and
        so would lack those that were first committed on the server in whose place it is.
        """
        own = _OF_MYSQL if self.is_mysql else _OF_MARIADB
        self._num_starts += fresh
        options: Mapping[str, str | None] = {
            **_COMMON,
            **own,
            "server-id": str(self.number + 10 * self._num_starts),
            "port": str(self.port),
        }
        files = None
        if fresh and self.is_mysql:
            uuid = UUID(int=(self.number << 64) + self._num_starts)
            files = {"auto.cnf": f"[auto]\nserver-uuid={uuid}\n"}
        self.state = self._instance.start(
            self._server, options=options, fresh=fresh, data_files=files
        )

    def kill(self) -> None:
        """End it as a crash does."""
        self._instance.kill()

    def discard(self) -> None:
        """End it for good."""
        if self._instance.state() is not None:
            self._instance.kill()
        self._instance.discard()

    def ask(self, *statements: str) -> list[Any]:
        """Run statements; return the rows of the last one."""
        rows: list[Any] = []
        with closing(connect(self.state)) as connection:
            for sql in statements:
                rows = list(fetch_rows(connection, sql))
        return rows

    def gtids(self) -> GtidPosition:
        """Return the transactions that it has."""
        name = "gtid_executed" if self.is_mysql else "gtid_binlog_pos"
        return GtidPosition.parse(self.ask(f"SELECT @@GLOBAL.{name}")[0][0])

    def gtids_on_disk(self) -> GtidPosition:
        """Return the transactions in its logs, while it does not run."""
        logs = LogDirectory([self.state.binlog_dir], BinlogOptions())
        return logs.gtids() or GtidPosition()

    def lead(self) -> None:
        """Make it the source."""
        if self.is_mysql:
            self.ask(
                "STOP REPLICA",
                "RESET REPLICA ALL",
                "SET GLOBAL rpl_semi_sync_replica_enabled = 0",
                f"SET GLOBAL rpl_semi_sync_source_timeout = {_WAIT}",
                "SET GLOBAL rpl_semi_sync_source_enabled = 1",
                f"SET GLOBAL binlog_group_commit_sync_delay = {_SYNC_DELAY}",
            )
        else:
            self.ask(
                "STOP SLAVE",
                "RESET SLAVE ALL",
                "SET GLOBAL rpl_semi_sync_slave_enabled = 0",
                f"SET GLOBAL rpl_semi_sync_master_timeout = {_WAIT}",
                "SET GLOBAL rpl_semi_sync_master_enabled = 1",
            )

    def follow(self, source: Node, *, fresh: bool) -> None:
        """Make it a replica."""
        where = f"_HOST = '127.0.0.1', {{0}}_PORT = {source.port}, {{0}}_USER = '{USER}'"
        where = "{0}" + where + f", {{0}}_PASSWORD = '{PASSWORD}', {{0}}_CONNECT_RETRY = 1"
        if self.is_mysql:
            self.ask(
                "SET GLOBAL rpl_semi_sync_source_enabled = 0",
                "SET GLOBAL rpl_semi_sync_replica_enabled = 1",
                "SET GLOBAL binlog_group_commit_sync_delay = 0",
                f"CHANGE REPLICATION SOURCE TO {where.format('SOURCE')},"
                " SOURCE_AUTO_POSITION = 1, GET_SOURCE_PUBLIC_KEY = 1",
                "START REPLICA",
            )
        else:
            position = "" if fresh else self.ask("SELECT @@GLOBAL.gtid_binlog_pos")[0][0]
            self.ask(
                "SET GLOBAL rpl_semi_sync_master_enabled = 0",
                "SET GLOBAL rpl_semi_sync_slave_enabled = 1",
                f"SET GLOBAL gtid_slave_pos = '{position}'",
                f"CHANGE MASTER TO {where.format('MASTER')}, MASTER_USE_GTID = slave_pos",
                "START SLAVE",
            )

    def wait_for_replica(self) -> None:
        """Wait until a replica answers for the transactions of this source."""
        name = "source" if self.is_mysql else "master"
        sql = f"SHOW GLOBAL STATUS LIKE 'Rpl_semi_sync_{name}_clients'"
        wait_until(lambda: int(self.ask(sql)[0][1]) > 0)

    def apply_rest(self) -> None:
        """Wait until all that the dead source had sent is applied."""
        if self.is_mysql:
            self.ask("STOP REPLICA IO_THREAD")

            def is_done() -> bool:
                received = self.ask("SHOW REPLICA STATUS")[0]
                return not GtidPosition.parse(received[51]).minus(self.gtids())

            wait_until(is_done)
        else:
            self.ask("STOP SLAVE IO_THREAD")

            def is_read() -> bool:
                with closing(connect(self.state)) as connection:
                    cursor = connection.cursor(pymysql.cursors.DictCursor)
                    cursor.execute("SHOW SLAVE STATUS")
                    found = cursor.fetchall()[0]
                received = GtidPosition.parse(found["Gtid_IO_Pos"] or "")
                return not received.minus(self.gtids())

            wait_until(is_read)


def wait_until(is_so: Any) -> None:
    end = time.monotonic() + DEADLINE
    while not is_so():
        assert time.monotonic() < end, "it did not come so in time"
        time.sleep(0.05)
