"""The latency of a stream from commit to row, with a trigger of one second.

As a program, it prints one line of JSON: `python -m bench.stream_latency SERVERS_DIR --seconds 60`.
All times are of this machine: a client records when COMMIT has returned, and `foreachBatch` when it
has the row.
"""

import argparse
import json
import random
import threading
import time
from contextlib import closing
from datetime import datetime
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

from bench.server import Server, running_server
from pyspark_adapter.spark.export import start_session

TRIGGER = "1 second"
PAUSES = (0.02, 0.15)  # seconds between commits, random, to spread them over the trigger interval
WARM_SECONDS = 15.0  # after the first batch; commits and batches in them do not count
MAX_BATCHES = "10000"  # that Spark keeps the times of


class Client(threading.Thread):
    """Commits rows at random intervals.

    Attributes:
        committed: commit time of each row by its id, in seconds since 1970.
    """

    def __init__(self, server: Server) -> None:
        super().__init__(daemon=True)
        self.committed: dict[int, float] = {}
        self._server = server
        self._stopped = threading.Event()

    def run(self) -> None:
        """Commit until stopped."""
        source = random.Random(1)  # noqa: S311
        number = 0
        with closing(self._server.connect()) as connection, connection.cursor() as cursor:
            while not self._stopped.wait(source.uniform(*PAUSES)):
                number += 1
                cursor.execute("INSERT INTO stream.ticks VALUES (%s, 'tick')", (number,))
                self.committed[number] = time.time()

    def stop(self) -> None:
        """Stop committing."""
        self._stopped.set()
        self.join()


def measure(
    spark: SparkSession, server: Server, seconds: float
) -> tuple[list[float], list[int], list[int]]:
    """Return the latency of each row in seconds, and the times of batches in milliseconds.

    Returns:
        Seconds of each row; for each batch, the time of the whole trigger and of `latestOffset`;
        all sorted, without those of the first WARM_SECONDS.
    """
    with closing(server.connect()) as connection, connection.cursor() as cursor:
        cursor.execute("CREATE DATABASE stream")
        cursor.execute("CREATE TABLE stream.ticks (id INT PRIMARY KEY, word VARCHAR(20))")
        cursor.execute("INSERT INTO stream.ticks VALUES (0, 'there')")  # the table's first shape
    seen: dict[int, float] = {}

    def see(batch: DataFrame, _number: int) -> None:
        ids = batch.select("id").toArrow().column("id").to_pylist()
        now = time.time()
        seen.update(dict.fromkeys(ids, now))

    frame = spark.readStream.format("mysql_binlog").option("table", "stream.ticks")
    client = Client(server)
    query = (
        frame.load(str(server.binlog_folder))
        .writeStream.foreachBatch(see)
        .trigger(processingTime=TRIGGER)
        .start()
    )
    while not seen and query.isActive:
        time.sleep(0.1)
    client.start()
    begin = time.time() + WARM_SECONDS
    while time.time() < begin + seconds and query.isActive:
        time.sleep(0.5)
    client.stop()
    while len(seen) <= len(client.committed) and query.isActive:
        time.sleep(0.1)
    durations = [
        p["durationMs"]
        for p in query.recentProgress
        if p["numInputRows"] and datetime.fromisoformat(p["timestamp"]).timestamp() > begin
    ]
    query.stop()
    waited = [seen[i] - at for i, at in client.committed.items() if at > begin]
    return (
        sorted(waited),
        sorted(d["triggerExecution"] for d in durations),
        sorted(d["latestOffset"] for d in durations),
    )


def main() -> None:
    """Measure and print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("servers", type=Path)
    parser.add_argument("--seconds", type=float, default=60)
    arguments = parser.parse_args()
    spark = start_session("2")
    spark.conf.set("spark.sql.shuffle.partitions", "2")
    spark.conf.set("spark.sql.streaming.numRecentProgressUpdates", MAX_BATCHES)
    with running_server(arguments.servers, {"binlog-row-metadata": "FULL"}) as server:
        rows, batches, looks = measure(spark, server, arguments.seconds)
    spark.stop()
    print(json.dumps({"rows": rows, "batches": batches, "looks": looks}))


if __name__ == "__main__":
    main()
