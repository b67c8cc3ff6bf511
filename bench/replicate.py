"""Where `examples/replicate/` spends its time under load, and how far the Delta table is behind.

As a program, it starts a server of its own: `python -m bench.replicate DIR --rate 20000`. One table
of orders gets transactions of 500 changes: 300 inserts, 150 updates and 50 deletes. Lag is the age
of the oldest insert of a batch when the batch is in the Delta table.
"""

import argparse
import os
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from statistics import median
from types import SimpleNamespace
from typing import Any

import pyarrow.compute as pc
from deltalake.table import TableMerger
from pyspark.sql import DataFrame, SparkSession

from bench.server import Server, running_server
from bench.timing import PROJECT_FOLDER
from pyspark_adapter import latest_changes, session, tables_of

sys.path.append(str(PROJECT_FOLDER / "examples" / "replicate"))

import replicate
import server_tables

NUM_INSERTS, NUM_UPDATES, NUM_DELETES = 300, 150, 50
NUM_CHANGES = NUM_INSERTS + NUM_UPDATES + NUM_DELETES
FIRST_ROWS = 100_000
WARM_ROUNDS = 2
LAG_BAR = 15.0
WRITING_BAR = 3.0
# Parts of a round. Those of `CHANGE_PARTS` grow with the number of changes.
PARTS = {
    "definitions": "SHOW CREATE TABLE of each table",
    "stream": "start and end of Spark's query: its plan, checkpoint, and Python processes",
    "read": "the pass over the log, until the tables of the batch are known",
    "net": "Spark decodes the changes, finds the last one of each key, brings it to the driver",
    "write": "the merge into the Delta table",
    "batch": "the rest of a batch: the Delta table is opened, the state is stored",
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

        timed_method(server_tables.Server, "definitions", "definitions")
        timed_method(replicate.Replica, "apply", "batch", "read", "net", "write")
        timed_method(replicate.Replica, "follow", "stream", "batch", "read", "net", "write")

        @contextmanager
        def timed_tables_of(batch: DataFrame) -> Iterator[Any]:
            with ExitStack() as stack:
                with self.timed("read"):
                    tables = stack.enter_context(tables_of(batch))
                yield tables

        def timed_latest_changes(rows: DataFrame, key: Sequence[str]) -> Any:
            def to_arrow() -> Any:
                with self.timed("net"):
                    net = latest_changes(rows, key).toArrow()
                inserted = net.filter(pc.equal(net["status"], "new"))
                self._oldest = pc.min(inserted["at"]).as_py() or time.time()
                return net

            return SimpleNamespace(toArrow=to_arrow)

        def timed_execute(merger: TableMerger) -> Any:
            with self.timed("write"):
                done = execute(merger)
            self.lags.append(time.time() - self._oldest)
            return done

        timed = {"tables_of": timed_tables_of, "latest_changes": timed_latest_changes}
        for name, found in timed.items():
            setattr(replicate, name, found)
        TableMerger.execute = timed_execute


def measure(spark: SparkSession, server: Server, rate: int, seconds: float) -> str:
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
    access = {"host": "127.0.0.1", "port": port, "user": server.user}
    source = server_tables.Server(**access, password=server.password, database="shop")
    with tempfile.TemporaryDirectory() as folder:
        replica = replicate.Replica(source, Path(folder), has_history=False)
        replica.round(spark, has_failed=False)
        client.start()
        for _ in range(WARM_ROUNDS):
            replica.round(spark, has_failed=False)
        profile.seconds.clear()
        profile.lags.clear()
        first, started, num_rounds = client.num_changes, time.monotonic(), 0
        while time.monotonic() < started + seconds:
            replica.round(spark, has_failed=False)
            num_rounds += 1
            with profile.timed("pause"):
                time.sleep(replicate.PAUSE_SECONDS)
        elapsed = time.monotonic() - started
        num_changes = client.num_changes - first
        client.stop()
    return describe(profile, num_changes, elapsed, num_rounds)


def describe(profile: Profile, num_changes: int, elapsed: float, num_rounds: int) -> str:
    """Return lines: the load, each part of a round, both ratios, and the lag.

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
    # All that comes before the merge, as a reader of the log alone would need it.
    before = seconds["stream"] + seconds["read"] + seconds["net"]
    lines.append(
        f"writing / reading {seconds['write'] / seconds['read']:.2f} (bar {WRITING_BAR}); writing /"
        f" (stream + reading + net) {seconds['write'] / before:.2f}"
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
    conf = {"spark.sql.session.timeZone": "UTC", "spark.ui.showConsoleProgress": "false"}
    spark = session("bench", conf | {"spark.sql.shuffle.partitions": str(os.cpu_count())})
    with running_server(asked.servers, {}) as server:
        print(measure(spark, server, asked.rate, asked.seconds))
    sys.stdout.flush()
    os._exit(0)  # stopping the session takes longer than most jobs


if __name__ == "__main__":
    main()
