"""A program with two streams of a directory of logs, made to be killed and started again.

One stream writes Parquet with Spark's own sink, the other a Delta table from `foreachBatch`. A
stream that ends with an error is started again; what happens is printed on standard output, a line
of JSON each. Argument: what to do, as JSON, see `Plan`.
"""

import json
import os
import signal
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path

import pyarrow as pa
from deltalake import CommitProperties, DeltaTable, Transaction, write_deltalake
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

SINKS = ("parquet", "delta")
METADATA = (
    "_change_type,_commit_version,_row_number,_gtid,_log_file,_start_pos,_database_name"
    ",_table_name,_xa"
)
KILL_ORDER = "kill-when-written"
TRIGGER = "100 milliseconds"
POLL_SECONDS = 1


@dataclass(frozen=True)
class Plan:
    """What the program does.

    Attributes:
        logs: directory of them.
        home: directory of checkpoints and sinks.
        options: of the source.
        task_failures: how often a task may fail before its stream ends.
        drains: whether it ends when all is read that there is, and then gives what Spark reads of
            the Parquet sink as the file `parquet.arrow`.
    """

    logs: str
    home: str
    options: dict[str, str] = field(default_factory=dict)
    task_failures: int = 1
    drains: bool = False

    def to_json(self) -> str:
        """Return the argument of the program."""
        return json.dumps(asdict(self))


def tell(event: str, **facts: object) -> None:
    sys.stdout.write(json.dumps({"event": event, **facts}) + "\n")
    sys.stdout.flush()


class DeltaSink:
    """Appends batches to a Delta table, each once: the table knows which it has.

    Where it finds the file `kill-when-written`, it kills the program when a batch is written, and
    Spark does not know it yet.
    """

    def __init__(self, home: Path) -> None:
        self._path = str(home / "delta")
        self._order = home / KILL_ORDER

    def write(self, batch: DataFrame, number: int) -> None:
        """Append a batch, unless it is there."""
        if DeltaTable.is_deltatable(self._path):
            last = DeltaTable(self._path).transaction_version("stream")
            if last is not None and number <= last:
                tell("known", batch=number)
                return
        write_deltalake(
            self._path,
            batch.toArrow(),
            mode="append",
            commit_properties=CommitProperties(app_transactions=[Transaction("stream", number)]),
        )
        if self._order.exists():
            self._order.unlink()
            tell("kills itself", batch=number)
            os.kill(os.getpid(), signal.SIGKILL)


def start_session(task_failures: int) -> SparkSession:
    """Return a session of two threads."""
    return (
        SparkSession.builder.master(f"local[2,{task_failures}]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.session.timeZone", "UTC")
        .getOrCreate()
    )


class Stream:
    """One of the streams: begun, and begun again when it ends with an error."""

    def __init__(self, spark: SparkSession, plan: Plan, sink: str) -> None:
        self._spark = spark
        self._plan = plan
        self._sink = sink
        self._home = Path(plan.home)
        self._delta = DeltaSink(self._home)
        self._query: StreamingQuery | None = None
        self.is_done = False

    def go_on(self) -> None:
        """Begin, or look how it is for a moment.

        An error is printed, and the work is tried again the next time.
        """
        try:
            if self._query is None:
                self._query = self._start()
                tell("started", sink=self._sink)
            self.is_done = bool(self._query.awaitTermination(POLL_SECONDS))
        except PySparkException as error:
            self._query = None
            tell("error", sink=self._sink, text=str(error))

    def _start(self) -> StreamingQuery:
        frame = (
            self._spark.readStream.format("mysql_binlog")
            .options(metadataColumns=METADATA, **self._plan.options)
            .load(self._plan.logs)
        )
        if self._sink == "parquet":
            path = str(self._home / "parquet")
            writer = frame.writeStream.format("parquet").option("path", path)
        else:
            writer = frame.writeStream.foreachBatch(self._delta.write)
        writer = writer.option("checkpointLocation", str(self._home / f"{self._sink}-checkpoint"))
        if self._plan.drains:
            return writer.trigger(availableNow=True).start()
        return writer.trigger(processingTime=TRIGGER).start()


def main(plan: Plan) -> None:
    """Run the streams until all is read, or for ever."""
    spark = start_session(plan.task_failures)
    streams = [Stream(spark, plan, sink) for sink in SINKS]
    while not all(stream.is_done for stream in streams):
        for stream in streams:
            if not stream.is_done:
                stream.go_on()
    rows = spark.read.parquet(str(Path(plan.home) / "parquet")).toArrow()
    with pa.ipc.new_file(str(Path(plan.home) / "parquet.arrow"), rows.schema) as writer:
        writer.write_table(rows)
    tell("done", rows=rows.num_rows)
    spark.stop()


if __name__ == "__main__":
    main(Plan(**json.loads(sys.argv[1])))
