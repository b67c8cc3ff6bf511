"""How fast `replicate` copies a large table, and rounds of many small tables.

`python -m bench.replicate_copy DIR --rows 10000000 --tables 300` starts a server of its own. The
large table has the columns of `bench.replicate`. Times are those of a round, without the second
that it waits before a copy. Processor time is that of this process, without the server's.
"""

import argparse
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from bench.replicate import CREATE, NOTE
from bench.server import Server, running_server
from pyspark_adapter.operations import server_tables
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.replication.replica import Replica
from pyspark_adapter.server.server import LiveServer
from pyspark_adapter.sources.locations import Location

FIRST_ROWS = 100_000


def fill(cursor: Any, num_rows: int) -> None:
    """Create the large table."""
    cursor.execute("SET sql_log_bin = 0, cte_max_recursion_depth = 1000000")
    cursor.execute("CREATE DATABASE shop")
    cursor.execute(CREATE)
    cursor.execute(
        f"INSERT INTO shop.orders WITH RECURSIVE n AS (SELECT 0 AS i UNION ALL SELECT i + 1 FROM n"
        f" WHERE i < {FIRST_ROWS - 1}) SELECT i, i, 'new', i + 0.25, i / 7, '{NOTE}' FROM n"
    )
    done = FIRST_ROWS
    while done < num_rows:
        cursor.execute(
            f"INSERT INTO shop.orders SELECT id + {done}, customer, status, total, at, note"
            f" FROM shop.orders WHERE id < {min(done, num_rows - done)}"
        )
        done *= 2


def copied(server: LiveServer, database: str) -> tuple[float, float, Replica]:
    """Copy a database; return seconds and those of the processor."""
    folder = tempfile.mkdtemp(prefix="replicate-copy-")
    replica = Replica(server, Location.parse(folder), [database])
    started, busy = time.perf_counter(), time.process_time()
    replica.round(has_failed=False)
    seconds = time.perf_counter() - started - server_tables.SETTLE_SECONDS
    return seconds, time.process_time() - busy, replica


def measure(server: Server, num_rows: int, num_tables: int) -> None:
    """Measure and print."""
    with closing(server.connect()) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT @@port")
        ((port,),) = cursor.fetchall()
        access = {"host": "127.0.0.1", "port": port}
        access |= {"user": server.user, "password": server.password}
        source = LiveServer.from_options(BinlogOptions.from_python(access))
        if num_rows:
            fill(cursor, num_rows)
            seconds, busy, replica = copied(source, "shop")
            replica.close()
            rate = num_rows / seconds
            print(
                f"copy of {num_rows:,} rows: {seconds:.1f} s, {rate:,.0f} rows/s, {busy:.1f} s CPU"
            )
        if num_tables:
            cursor.execute("SET sql_log_bin = 1")
            cursor.execute("CREATE DATABASE many")
            for number in range(num_tables):
                cursor.execute(
                    f"CREATE TABLE many.t{number} (id INT PRIMARY KEY, note VARCHAR(80))"
                )
                cursor.execute(f"INSERT INTO many.t{number} VALUES (1, 'a'), (2, 'b'), (3, 'c')")
            seconds, busy, replica = copied(source, "many")
            print(f"copy of {num_tables} tables: {seconds:.1f} s, {busy:.1f} s CPU")
            for _ in range(2):
                for number in range(num_tables):
                    cursor.execute(f"UPDATE many.t{number} SET note = CONCAT(note, 'x')")
                started, busy = time.perf_counter(), time.process_time()
                replica.round(has_failed=False)
                seconds, busy = time.perf_counter() - started, time.process_time() - busy
                print(f"round of {num_tables} changed tables: {seconds:.1f} s, {busy:.1f} s CPU")
            replica.close()


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.replicate_copy", description=__doc__)
    parser.add_argument("servers", type=Path)
    parser.add_argument("--rows", type=int, default=10_000_000, help="of the large table")
    parser.add_argument("--tables", type=int, default=300, help="small tables")
    asked = parser.parse_args()
    with running_server(asked.servers, {}) as server:
        measure(server, asked.rows, asked.tables)


if __name__ == "__main__":
    main()
