"""Compares our stream with Debezium's embedded engine on one server: rows per second, and lag.

`python -m bench.debezium SERVERS_DIR` needs Maven and Java. Both read over the network, to values
that a program can use: Debezium to structs of Kafka Connect, ours to rows of Spark.

- Rows per second: the log of a workload is there, and both read its rows in turn, `--repeats`
  times. Debezium's rate is that of the second half of the rows, read by compiled code; ours is that
  of whole batches, with their plan. The best run counts.
- Lag: seconds from COMMIT to the row, of rows that a client commits one at a time.
"""

import argparse
import contextlib
import json
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from typing import Any, Final

from pyspark.sql import DataFrame, Observation, SparkSession
from pyspark.sql import functions as F  # noqa: N812

from bench import debezium_engine
from bench.make_logs import FAST_OPTIONS, LOGGED_OPTIONS, fill
from bench.processor_time import processor_seconds
from bench.server import Server, running_server
from bench.stream_latency import Client
from bench.timing import MEGABYTE, describe_machine
from bench.workloads import DATABASE_NAME, Bulk, Oltp, Upd, Workload
from pyspark_adapter.spark.export import start_session

_WORKLOADS: Final[tuple[type[Workload], ...]] = (Bulk, Oltp, Upd)
_TICKS: Final = "stream"
_TRIGGERS: Final = ("1 second", "0 seconds")
_WARM_SECONDS: Final = 15.0
_SECONDS_TO_START: Final = 60


@dataclass(frozen=True)
class Rate:
    """One reader on one workload.

    Attributes:
        rows: that it counted, by operation.
        rows_per_second: wall time.
        busy: seconds of the processor, of all its processes.
    """

    rows: Mapping[str, int]
    rows_per_second: float
    busy: float


class Engine:
    """Debezium's embedded engine with its state in a folder."""

    def __init__(self, server: Server, database: str, table: str, folder: Path) -> None:
        """Write the settings: Debezium's defaults, without the initial snapshot."""
        self._server = server
        self._database = database
        self._properties = folder / "engine.properties"
        self._offsets = folder / "offsets"
        self._first: bytes = b""
        self._settings = {
            **debezium_engine.settings_of(folder, server.port, server.user, server.password),
            "offset.flush.interval.ms": 1000,
            "topic.prefix": "bench",
            "database.include.list": database,
            "table.include.list": f"{database}.{table},{database}.marks",
            "tombstones.on.delete": "false",
        }

    def start(self, mark: int) -> subprocess.Popen[str]:
        """Start the program; it ends behind the row of `marks` with this id, or any if it is 0."""
        file = self._properties
        return debezium_engine.start("Engine", file, self._settings, mark, subprocess.DEVNULL)

    def begin_here(self) -> None:
        """Have it read from now on: it notes where it is once it streams.

        Raises:
            RuntimeError: it ended before.
        """
        program = self.start(0)
        deadline = time.monotonic() + _SECONDS_TO_START
        number = 0
        while program.poll() is None and time.monotonic() < deadline:
            number -= 1
            run(self._server, f"INSERT INTO {self._database}.marks VALUES ({number})")
            time.sleep(0.2)
        result(program)
        self._first = self._offsets.read_bytes()

    def again(self) -> None:
        """Have it read from the beginning that `begin_here` noted."""
        self._offsets.write_bytes(self._first)


def result(program: subprocess.Popen[str]) -> dict[str, Any]:
    """Return what the program prints at its end.

    Raises:
        RuntimeError: it has failed.
    """
    printed, _ = program.communicate(timeout=600)
    if program.returncode:
        raise RuntimeError(f"Debezium's engine ended with {program.returncode}")
    reported: dict[str, Any] = json.loads(printed.splitlines()[-1])
    return reported


def run(server: Server, statement: str) -> Any:
    """Run a statement and return its rows."""
    with closing(server.connect()) as connection, connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchall()


def stream_of(spark: SparkSession, server: Server, table: str, **options: str) -> DataFrame:
    """Return our stream of a table, over the network."""
    settings = {
        "host": "127.0.0.1",
        "port": str(server.port),
        "user": server.user,
        "password": server.password,
        "table": table,
    }
    return spark.readStream.format("mysql_binlog").options(**settings, **options).load()


def read_ours(spark: SparkSession, server: Server, table: str, place: str) -> Rate:
    """Read the rows of a table from a place to the end of the log, into Spark's sink `noop`."""
    rows: Counter[str] = Counter()

    def see(batch: DataFrame, _number: int) -> None:
        counts = Observation()
        operations = {
            "insert": F.count_if(F.col("_change_type") == "insert"),
            "update": F.count_if(F.col("_change_type") == "update_postimage"),
            "delete": F.count_if(F.col("_change_type") == "delete"),
        }
        seen = batch.observe(counts, *(it.alias(name) for name, it in operations.items()))
        seen.write.format("noop").mode("overwrite").save()
        rows.update(counts.get)

    frame = stream_of(spark, server, table, startingOffsets=place)
    busy = sum(processor_seconds().values())
    query = frame.writeStream.foreachBatch(see).trigger(availableNow=True).start()
    query.awaitTermination()
    busy = sum(processor_seconds().values()) - busy
    millis = sum(it["durationMs"]["triggerExecution"] for it in query.recentProgress)
    return Rate(+rows, rows.total() / millis * 1000, busy)


def measure_rates(
    spark: SparkSession, server: Server, kind: type[Workload], megabytes: float, repeats: int
) -> tuple[Rate, Rate]:
    """Return the best of Debezium and of ours on a workload.

    Raises:
        RuntimeError: one of them did not read the rows that the server has written.
    """
    run(server, f"DROP DATABASE IF EXISTS {DATABASE_NAME}")
    run(server, f"RESET BINARY LOGS AND GTIDS TO {kind.number}")
    run(server, f"CREATE DATABASE {DATABASE_NAME}")
    run(server, f"CREATE TABLE {DATABASE_NAME}.marks (id BIGINT PRIMARY KEY)")
    with (
        closing(kind(lambda: server.connect(DATABASE_NAME), megabytes)) as workload,
        tempfile.TemporaryDirectory() as folder,
    ):
        for statement in kind.ddl:
            workload.execute(statement)
        workload.execute("SET SESSION sql_log_bin = 0")
        workload.prepare()
        workload.execute("SET SESSION sql_log_bin = 1")
        engine = Engine(server, DATABASE_NAME, kind.name, Path(folder))
        engine.begin_here()
        log, position = run(server, "SHOW BINARY LOG STATUS")[0][:2]
        expected = fill(server, workload, int(megabytes * MEGABYTE))
        run(server, f"INSERT INTO {DATABASE_NAME}.marks VALUES (1)")
        place = json.dumps({"log_file": log, "pos": position})
        theirs, ours = [], []
        for _ in range(repeats):
            engine.again()
            found = result(engine.start(1))
            theirs.append(Rate(found["rows"], found["rows_per_second"], found["busy"]))
            ours.append(read_ours(spark, server, f"{DATABASE_NAME}.{kind.name}", place))
        for rate in [*theirs, *ours]:
            if Counter(rate.rows) != expected:
                raise RuntimeError(f"{kind.name}: read {dict(rate.rows)}, not {dict(expected)}")
    return max(theirs, key=_speed), max(ours, key=_speed)


def _speed(rate: Rate) -> float:
    return rate.rows_per_second


@contextlib.contextmanager
def client_of(server: Server) -> Iterator[Client]:
    """Give a client that commits rows until the block ends."""
    run(server, f"TRUNCATE {_TICKS}.ticks")
    client = Client(server)
    client.start()
    yield client
    client.stop()


def lag_of_theirs(server: Server, seconds: float) -> list[float]:
    """Return the lags of Debezium."""
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine(server, _TICKS, "ticks", Path(folder))
        engine.begin_here()
        program = engine.start(1)
        with client_of(server) as client:
            time.sleep(_WARM_SECONDS)
            begin = time.time()
            time.sleep(seconds)
        run(server, f"INSERT INTO {_TICKS}.marks VALUES (1)")
        arrived = result(program)["ticks"]
    return [arrived[str(k)] / 1000 - at for k, at in client.committed.items() if at > begin]


def lag_of_ours(spark: SparkSession, server: Server, seconds: float, trigger: str) -> list[float]:
    """Return the lags of our stream with a trigger."""
    seen: dict[int, float] = {}

    def see(batch: DataFrame, _number: int) -> None:
        ids = batch.select("id").toArrow().column("id").to_pylist()
        seen.update(dict.fromkeys(ids, time.time()))

    frame = stream_of(spark, server, f"{_TICKS}.ticks", startingOffsets="latest")
    query = frame.writeStream.foreachBatch(see).trigger(processingTime=trigger).start()
    with client_of(server) as client:
        time.sleep(_WARM_SECONDS)
        begin = time.time()
        time.sleep(seconds)
    wanted = {k: at for k, at in client.committed.items() if at > begin}
    while not wanted.keys() <= seen.keys() and query.isActive:
        time.sleep(0.1)
    query.stop()
    return [seen[k] - at for k, at in wanted.items()]


def _print_lag(reader: str, lags: list[float]) -> None:
    cuts = quantiles(lags, n=100, method="inclusive")
    print(f"{reader:32}{cuts[49]:8.3f} s{cuts[98]:8.3f} s{max(lags):8.3f} s{len(lags):7,}")


def main() -> None:
    """Measure and print both tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.debezium", description=__doc__)
    parser.add_argument("servers", type=Path)
    parser.add_argument("--megabytes", type=float, default=50, help="of each log")
    parser.add_argument("--repeats", type=int, default=3, help="runs; the best counts")
    parser.add_argument("--seconds", type=float, default=30, help="of each lag")
    options = parser.parse_args()
    debezium_engine.build()
    spark = start_session("2")
    print(describe_machine())
    with running_server(options.servers, {**LOGGED_OPTIONS, **FAST_OPTIONS}) as server:
        print(f"{'rows/s':10}{'Debezium':>10}{'ours':>12}{'ratio':>8}{'processor':>22}{'ratio':>8}")
        for kind in _WORKLOADS:
            theirs, ours = measure_rates(spark, server, kind, options.megabytes, options.repeats)
            print(
                f"{kind.name:10}{theirs.rows_per_second:10,.0f}{ours.rows_per_second:12,.0f}"
                f"{ours.rows_per_second / theirs.rows_per_second:8.2f}"
                f"{theirs.busy:12.2f} s{ours.busy:8.2f} s{theirs.busy / ours.busy:8.2f}",
                flush=True,
            )
        run(server, f"CREATE DATABASE {_TICKS}")
        run(server, f"CREATE TABLE {_TICKS}.marks (id BIGINT PRIMARY KEY)")
        run(server, f"CREATE TABLE {_TICKS}.ticks (id INT PRIMARY KEY, word VARCHAR(20))")
        print(f"{'lag':32}{'p50':>10}{'p99':>10}{'most':>10}{'rows':>7}")
        _print_lag("Debezium", lag_of_theirs(server, options.seconds))
        for trigger in _TRIGGERS:
            lags = lag_of_ours(spark, server, options.seconds, trigger)
            _print_lag(f"ours, trigger of {trigger}", lags)
    spark.stop()


if __name__ == "__main__":
    main()
