"""Where `replicate` spends its time under load, and how far the Delta table is behind.

As a program, it starts a server of its own: `python -m bench.replicate DIR --rate 20000`. One table
of orders gets transactions of 500 changes: 300 inserts, 150 updates and 50 deletes. Lag is the age
of the oldest insert of a batch when the batch is in the Delta table.
"""

import argparse
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from deltalake.table import TableMerger

from bench.server import Server, running_server
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.replication import replica as replica_module
from pyspark_adapter.replication.changes import net_changes
from pyspark_adapter.replication.replica import Replica
from pyspark_adapter.replication.server_tables import TableServer
from pyspark_adapter.server.server import LiveServer
from pyspark_adapter.sources.locations import Location

NUM_INSERTS, NUM_UPDATES, NUM_DELETES = 300, 150, 50
NUM_CHANGES = NUM_INSERTS + NUM_UPDATES + NUM_DELETES
FIRST_ROWS = 100_000
WARM_ROUNDS = 2
LAG_BAR = 3.0
PAUSE_SECONDS = 1.0  # of the command by default, from round to round
# Parts of a round. Those of `CHANGE_PARTS` grow with the number of changes.
PARTS = {
    "definitions": "SHOW CREATE TABLE of each table",
    "read": "the pass over the log, until the tables of the round are known",
    "net": "changes are decoded, the last one of each key is found",
    "write": "the merge into the Delta table",
    "state": "the state is stored",
    "pause": "between rounds",
    "other": "the rest",
}
CHANGE_PARTS = {"read", "net", "write"}
CREATE = """CREATE TABLE shop.orders (id INT PRIMARY KEY, customer BIGINT, status VARCHAR(20),
    total DECIMAL(12,2), at DOUBLE, note VARCHAR(80))"""
NOTE = "left at the door of the neighbours, who are at home in the evening"


class Client(threading.Thread):
    """Changes orders at a rate, if the server can.

    Attributes:
        num_changes: so far.
        next_id: of the next order.
    """

    def __init__(self, server: Server, rate: int) -> None:
        super().__init__(daemon=True)
        self.num_changes = 0
        self._server = server
        self._pause = NUM_CHANGES / rate
        self._stopped = threading.Event()
        self.next_id = 0

    def run(self) -> None:
        """Commit until stopped."""
        with closing(self._server.connect("shop")) as connection, connection.cursor() as cursor:
            due = time.monotonic()
            while not self._stopped.wait(max(0.0, due - time.monotonic())):
                cursor.execute("BEGIN")
                self.insert(cursor, NUM_INSERTS)
                first = self.next_id - FIRST_ROWS
                updated = f"id >= {first} AND id < {first + NUM_UPDATES}"
                cursor.execute(f"UPDATE orders SET status = 'sent' WHERE {updated}")
                deleted = f"id >= {first - NUM_DELETES} AND id < {first}"
                cursor.execute(f"DELETE FROM orders WHERE {deleted}")
                cursor.execute("COMMIT")
                self.num_changes += NUM_CHANGES
                due += self._pause

    def insert(self, cursor: Any, count: int) -> None:
        """Insert orders."""
        end = self.next_id + count
        at = time.time()
        rows = (f"({i}, {i}, 'new', {i}.25, {at}, '{NOTE}')" for i in range(self.next_id, end))
        cursor.execute(f"INSERT INTO orders VALUES {', '.join(rows)}")
        self.next_id = end

    def busy(self) -> float:
        """Return the seconds of the processor that this thread took."""
        assert self.ident is not None
        return time.clock_gettime(time.pthread_getcpuclockid(self.ident))

    def stop(self) -> None:
        """Stop changing."""
        self._stopped.set()
        self.join()


class Profile:
    """Seconds of each part of the program, and lags.

    Attributes:
        seconds: by part.
        lags: of each batch, in seconds.
    """

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.lags: list[float] = []
        self._oldest = 0.0

    @contextmanager
    def timed(self, part: str, *within: str) -> Iterator[None]:
        """Count the time of a block, without that of the parts within it."""
        started = time.perf_counter() - sum(self.seconds[name] for name in within)
        yield
        ended = time.perf_counter() - sum(self.seconds[name] for name in within)
        self.seconds[part] += ended - started

    def install(self) -> None:
        """Look at what the program calls, for the rest of the process."""
        execute = TableMerger.execute

        def timed_method(owner: type, name: str, part: str, *within: str) -> None:
            method = getattr(owner, name)

            def run(*arguments: Any) -> Any:
                with self.timed(part, *within):
                    return method(*arguments)

            setattr(owner, name, run)

        timed_method(TableServer, "names", "definitions")
        timed_method(TableServer, "definitions", "definitions")
        timed_method(Replica, "read", "read")
        timed_method(Replica, "save", "state")

        def timed_net(rows: pa.Table, key: Sequence[str]) -> Any:
            with self.timed("net"):
                net = net_changes(rows, key)
            assert net is not None
            inserted = net.filter(pc.equal(net["_change_type"], "insert"))
            self._oldest = pc.min(inserted["at"]).as_py() or time.time()
            return net

        def timed_execute(merger: TableMerger) -> Any:
            with self.timed("write"):
                done = execute(merger)
            self.lags.append(time.time() - self._oldest)
            return done

        setattr(replica_module, net_changes.__name__, timed_net)
        TableMerger.execute = timed_execute


def measure(server: Server, rate: int, seconds: float) -> str:
    """Run the program under load; return lines of figures."""
    client = Client(server, rate)
    with closing(server.connect()) as connection, connection.cursor() as cursor:
        cursor.execute("CREATE DATABASE shop")
        cursor.execute(CREATE)
        cursor.execute("USE shop")
        while client.next_id < FIRST_ROWS:
            client.insert(cursor, FIRST_ROWS // 20)
        cursor.execute("SELECT @@port")
        ((port,),) = cursor.fetchall()
    profile = Profile()
    profile.install()
    access = {"host": "127.0.0.1", "port": port, "user": server.user, "password": server.password}
    source = LiveServer.from_options(BinlogOptions.from_python(access))
    with tempfile.TemporaryDirectory() as folder:
        replica = Replica(source, Location.parse(folder), ["shop"])
        replica.round(has_failed=False)
        client.start()
        for _ in range(WARM_ROUNDS):
            replica.round(has_failed=False)
        profile.seconds.clear()
        profile.lags.clear()
        first, num_rounds = client.num_changes, 0
        started = time.monotonic()
        busy = time.process_time() - client.busy()
        while time.monotonic() < started + seconds:
            due = time.monotonic() + PAUSE_SECONDS
            replica.round(has_failed=False)
            num_rounds += 1
            with profile.timed("pause"):
                time.sleep(max(0.0, due - time.monotonic()))
        elapsed = time.monotonic() - started
        num_changes = client.num_changes - first
        busy = time.process_time() - client.busy() - busy
        client.stop()
    share, per_second = busy / elapsed, num_changes / busy
    return (
        f"{describe(profile, num_changes, elapsed, num_rounds)}\n{share:.0%} of a processor,"
        f" without server and client: {per_second:,.0f} changes/s"
    )


def describe(profile: Profile, num_changes: int, elapsed: float, num_rounds: int) -> str:
    """Return lines: the load, each part of a round, and the lag.

    Args:
        profile: of some rounds.
        num_changes: in the log meanwhile.
        elapsed: seconds.
        num_rounds: rounds.
    """
    seconds = {part: profile.seconds[part] for part in PARTS}
    seconds["other"] = elapsed - sum(seconds.values())
    lines = [f"{num_changes / elapsed:,.0f} changes/s for {elapsed:.0f} s, {num_rounds} rounds"]
    for part, what in PARTS.items():
        spent = seconds[part]
        rate = f"; {num_changes / spent:,.0f} changes/s" if part in CHANGE_PARTS and spent else ""
        lines.append(
            f"  {part:11} {spent / num_rounds:6.2f} s a round, {spent / elapsed:4.0%}{rate}: {what}"
        )
    lags = f"lag {median(profile.lags):.1f} s, at most {max(profile.lags):.1f} s (bar {LAG_BAR})"
    return "\n".join([*lines, lags])


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.replicate", description=__doc__)
    parser.add_argument("servers", type=Path)
    parser.add_argument("--rate", type=int, default=20_000, help="changes in a second")
    parser.add_argument("--seconds", type=float, default=60)
    asked = parser.parse_args()
    with running_server(asked.servers, {}) as server:
        print(measure(server, asked.rate, asked.seconds))


if __name__ == "__main__":
    main()
