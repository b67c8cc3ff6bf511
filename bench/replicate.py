"""`replicate` under load: how far the lake is behind, and memory, over time.

`python -m bench.replicate DIR --tables 500 --rate 20000 --seconds 600 --kills 3 --picture lag.png`
starts a server of its own, and the program. Statements change 20 rows each: half of them insert,
three tenths update, and a fifth deletes. The program and the server are killed in turns, and
started again. In the end the lake is compared with the server.
"""

import argparse
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import pymysql

from bench.timing import PROJECT_FOLDER
from tests.live.servers import Instance, connect
from tests.live.servers.instance import free_port

SERVER = "mysql-latest"
NUM_ROWS = 20  # that a statement changes
KEPT_ROWS = 2000  # of a table at its begin
USER = "replicator"
CREATE = """CREATE TABLE shop.orders (id INT PRIMARY KEY, customer BIGINT, status VARCHAR(20),
    total DECIMAL(12,2), at DOUBLE, note VARCHAR(80))"""
NOTE = "left at the door of the neighbours, who are at home in the evening"
OPTIONS = {"performance-schema": "ON", "sync-binlog": "1", "innodb-flush-log-at-trx-commit": "1"}
SENT = """SELECT SUM(COUNT_STAR), SUM(SUM_ROWS_SENT), SUM(SUM_ROWS_EXAMINED)
    FROM performance_schema.events_statements_summary_by_user_by_event_name WHERE USER = %s"""


class Client(threading.Thread):
    """Changes tables at a rate, if the server can; waits while it is down.

    Attributes:
        num_changes: so far.
    """

    def __init__(self, state: Any, num_tables: int, rate: int) -> None:
        super().__init__(daemon=True)
        self.num_changes = 0
        self._state = state
        self._pause = NUM_ROWS / rate
        self._stopped = threading.Event()
        self._bounds = [[0, 0] for _ in range(num_tables)]  # of the ids of each table
        self._source = random.Random(1)  # noqa: S311 - to do the same again

    def create(self) -> None:
        """Create the tables, with rows."""
        with closing(connect(self._state)) as connection, connection.cursor() as cursor:
            cursor.execute("CREATE DATABASE shop")
            cursor.execute(f"CREATE USER {USER}")
            cursor.execute(
                f"GRANT SELECT, LOCK TABLES, REPLICATION SLAVE, REPLICATION CLIENT ON *.* TO {USER}"
            )
            for table in range(len(self._bounds)):
                cursor.execute(CREATE.replace("orders", f"orders{table}"))
                cursor.execute(self._insert(table, KEPT_ROWS))

    def run(self) -> None:
        """Change rows until stopped."""
        while not self._stopped.is_set():
            try:
                with closing(connect(self._state)) as connection, connection.cursor() as cursor:
                    self._change(cursor)
            except (pymysql.MySQLError, OSError):
                time.sleep(0.1)

    def _change(self, cursor: Any) -> None:
        due = time.monotonic()
        while not self._stopped.wait(max(0.0, due - time.monotonic())):
            table = self._source.randrange(len(self._bounds))
            cursor.execute(self._statement(table, self._source.random()))
            self.num_changes += NUM_ROWS
            due += self._pause

    def _statement(self, table: int, choice: float) -> str:
        if choice < 0.5:
            return self._insert(table, NUM_ROWS)
        bounds = self._bounds[table]
        if choice < 0.8 or bounds[1] - bounds[0] < KEPT_ROWS:
            first = self._source.randrange(bounds[0], bounds[1] - NUM_ROWS)
            where = f"id >= {first} AND id < {first + NUM_ROWS}"
            return f"UPDATE shop.orders{table} SET status = 'sent', total = total + 1 WHERE {where}"
        bounds[0] += NUM_ROWS
        return f"DELETE FROM shop.orders{table} WHERE id < {bounds[0]}"

    def _insert(self, table: int, count: int) -> str:
        first = self._bounds[table][1]
        self._bounds[table][1] = first + count
        rows = (f"({i}, {i}, 'new', {i}.25, {i}e3, '{NOTE}')" for i in range(first, first + count))
        return f"INSERT IGNORE INTO shop.orders{table} VALUES {', '.join(rows)}"

    def stop(self) -> None:
        """Stop changing."""
        self._stopped.set()
        self.join()


@dataclass
class Samples:
    """What was seen once a second: seconds since the begin, MiB of memory, and seconds of lag."""

    at: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    lag: list[float] = field(default_factory=list)
    kills: list[tuple[float, str]] = field(default_factory=list)


class Run:
    """A server, the program and the load."""

    def __init__(
        self, servers: Path, folder: Path, num_tables: int, rate: int, table_format: str
    ) -> None:
        self._instance = Instance(servers, "bench-replicate")
        self._options = {"port": str(free_port()), **OPTIONS}
        self._state = self._instance.start(SERVER, options=self._options, fresh=True)
        self._folder, self._format = folder, table_format
        self.client = Client(self._state, num_tables, rate)
        self.client.create()
        self.samples = Samples()
        self._started = time.monotonic()
        self._up_to = time.time()  # the changes before are in the lake

    def _command(self, *more: str) -> list[str]:
        lake = ["--to", str(self._folder / "lake"), "--format", self._format]
        server = ["--host", "127.0.0.1", "--port", self._options["port"], "--user", USER]
        return [sys.executable, "-m", "pyspark_adapter", "replicate", "shop", *lake, *server, *more]

    def start(self) -> subprocess.Popen[bytes]:
        """Start the program."""
        metrics = ["--metrics", str(self._folder / "metrics.prom")]
        log = (self._folder / "log").open("ab")
        return subprocess.Popen(self._command(*metrics), cwd=PROJECT_FOLDER, stderr=log, stdout=log)

    def follow(self, seconds: float, num_kills: int) -> None:
        """Sample memory and lag; kill program and server in turns."""
        program = self.start()
        self._wait_for_copies()
        self._started = time.monotonic()
        self.client.start()
        kills = [seconds * (n + 1) / (num_kills + 1) for n in range(num_kills)]
        while (now := time.monotonic() - self._started) < seconds:
            if kills and now > kills[0]:
                what = "server" if len(kills) % 2 == 0 else "program"
                self.samples.kills.append((kills.pop(0), what))
                if what == "program":
                    program.kill()
                    program.wait()
                    program = self.start()
                else:
                    self._instance.kill()
                    self._instance.start(SERVER, options=self._options)
            self._sample(program.pid)
            time.sleep(1)
        self.client.stop()
        before, rounds = self._sent(), self._metric("rounds_total")
        time.sleep(20)
        after, more = self._sent(), self._metric("rounds_total")
        program.terminate()
        program.wait()
        self.idle = [(b - a) / max(more - rounds, 1) for a, b in zip(before, after, strict=True)]

    def verify(self) -> str:
        """Compare the lake with the server; return the last lines."""
        done = subprocess.run(
            self._command("--verify"), cwd=PROJECT_FOLDER, capture_output=True, text=True
        )
        equal = done.stdout.count(": equal")
        return f"{equal} tables are equal, exit code {done.returncode}"

    def stop(self) -> None:
        """Stop the server."""
        self._instance.stop()
        self._instance.discard()

    def _metric(self, name: str) -> float:
        text = (self._folder / "metrics.prom").read_text()
        found = re.search(rf"replicate_{name} ([\d.e+]+)", text)
        return float(found[1]) if found else 0.0

    def _wait_for_copies(self) -> None:
        while not (self._folder / "metrics.prom").exists() or self._metric("tables") == 0:
            time.sleep(0.2)

    def _sample(self, pid: int) -> None:
        status = Path(f"/proc/{pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+)", status)
        if ended := self._metric("last_round_timestamp_seconds"):  # a new program has none yet
            self._up_to = ended - self._metric("lag_seconds")
        samples = self.samples
        samples.at.append(time.monotonic() - self._started)
        samples.memory.append(int(found[1]) / 1024 if found else 0)
        samples.lag.append(time.time() - self._up_to)

    def _sent(self) -> list[float]:
        with closing(connect(self._state)) as connection, connection.cursor() as cursor:
            cursor.execute(SENT, (USER,))
            return [float(value or 0) for value in cursor.fetchone()]


def draw(samples: Samples, path: Path) -> None:
    """Draw lag and memory over time."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    figure, (upper, lower) = pyplot.subplots(2, sharex=True, figsize=(8, 4.5))
    upper.plot(samples.at, samples.lag, linewidth=1)
    upper.set_ylabel("lag, seconds")
    lower.plot(samples.at, samples.memory, linewidth=1)
    lower.set_ylabel("memory, MiB")
    lower.set_xlabel("seconds")
    for axes in (upper, lower):
        axes.set_ylim(bottom=0)
        for at, what in samples.kills:
            axes.axvline(
                at, color="red" if what == "server" else "gray", linestyle=":", linewidth=1
            )
    for at, what in samples.kills:
        upper.annotate(
            f"{what} killed",
            (at, upper.get_ylim()[1]),
            fontsize=7,
            ha="right",
            va="top",
            rotation=90,
        )
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and draw."""
    parser = argparse.ArgumentParser(prog="python -m bench.replicate", description=__doc__)
    parser.add_argument("servers", type=Path)
    parser.add_argument("--tables", type=int, default=1)
    parser.add_argument("--rate", type=int, default=20_000, help="changes in a second")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--kills", type=int, default=0, help="of program and server, in turns")
    parser.add_argument("--format", default="delta", choices=["delta", "iceberg"])
    parser.add_argument("--picture", type=Path)
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        run = Run(asked.servers.resolve(), Path(folder), asked.tables, asked.rate, asked.format)
        try:
            run.follow(asked.seconds, asked.kills)
            samples = run.samples
            print(
                f"{run.client.num_changes / asked.seconds:,.0f} changes/s to {asked.tables} tables"
            )
            print(f"lag {median(samples.lag):.1f} s, at most {max(samples.lag):.1f} s")
            print(
                f"memory {median(samples.memory):,.0f} MiB, at most {max(samples.memory):,.0f} MiB"
            )
            queries, sent, examined = run.idle
            print(
                f"a round without changes: {queries:,.0f} queries, {sent:,.0f} rows sent,"
                f" {examined:,.0f} examined"
            )
            print(run.verify())
        finally:
            run.stop()
        if asked.picture:
            draw(samples, asked.picture)


if __name__ == "__main__":
    main()
