"""Cost of a large log in our code, without Spark: kernels, the Python around them, hand-over.

As a program, it prints one line of JSON:
`python -m bench.decode_profile LOG --batches FILE`. It reads the log as the tasks of a job do,
split by split, on one core. All times are processor times, the best of several runs.

- `survey`: schema discovery (`read_schema`).
- `decode`: all rows to record batches. `kernels` is the part spent in compiled functions.
- `hand_over`: as many bytes of record batches, written as an Arrow stream into a socket that
  another process reads; PySpark does the same with a batch. The batches are those of FILE, the
  first of the log, repeated.
"""

import argparse
import json
import socket
import time
from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pyarrow as pa

from bench.workloads import DATABASE_NAME
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.kernels.entry_points import Kernel
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.splits.log_splits import plan_splits
from pyspark_adapter.splits.read_split import plan_read, read_split

# Batches that are handed over repeatedly; few enough to stay in the processor's cache.
NUM_PREPARED = 8
_LEN_READ = 1 << 20


class KernelClock:
    """Counts the processor time spent in compiled functions."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def install(self) -> None:
        """Count the calls of all kernels from here on."""
        call = Kernel.__call__

        def counted(kernel: Kernel, *arguments: Any) -> Any:
            started = time.thread_time()
            try:
                return call(kernel, *arguments)
            finally:
                self.seconds += time.thread_time() - started

        Kernel.__call__ = counted  # type: ignore[method-assign, assignment]


def read_all(path: str, table: str) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a table, split by split."""
    options = BinlogOptions(table=TableName.parse(table), schema_at="first")
    (log_file,) = find_log_files(path, options)
    request = plan_read([log_file], options)
    for split in plan_splits([(log_file, None)], request):
        yield from read_split(split, request)


def prepare(path: str, table: str, target: Path) -> None:
    """Write the first batches of a log as an Arrow stream."""
    batches = read_all(path, table)
    first = next(batches)
    with pa.ipc.new_stream(str(target), first.schema) as writer:
        writer.write_batch(first)
        for _, batch in zip(range(NUM_PREPARED - 1), batches, strict=False):
            writer.write_batch(batch)


def _empty(receiver: socket.socket) -> None:
    buffer = bytearray(_LEN_READ)
    while receiver.recv_into(buffer):
        pass


def hand_over(batches: Sequence[pa.RecordBatch], num_rows: int) -> float:
    """Return the processor seconds to write this many rows as a stream into a socket."""
    sender, receiver = socket.socketpair()
    process = get_context("fork").Process(target=_empty, args=(receiver,))
    process.start()
    receiver.close()
    started = time.process_time()
    with sender, sender.makefile("wb") as file:
        with pa.ipc.new_stream(file, batches[0].schema) as writer:
            while num_rows > 0:
                for batch in batches:
                    writer.write_batch(batch)
                    num_rows -= batch.num_rows
        file.flush()
        seconds = time.process_time() - started
        sender.shutdown(socket.SHUT_WR)
    process.join()
    return seconds


def main(arguments: Sequence[str] | None = None) -> None:
    """Take the times and report to the parent process."""
    parser = argparse.ArgumentParser(prog="python -m bench.decode_profile", description=__doc__)
    parser.add_argument("log", type=Path)
    parser.add_argument("--batches", type=Path, required=True, help="written, as an Arrow stream")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args(arguments)
    pa.set_cpu_count(1)
    path, table = str(options.log), f"{DATABASE_NAME}.{options.log.stem}"
    prepare(path, table, options.batches)  # which loads the kernels
    clock = KernelClock()
    clock.install()
    surveys, decodes, writes = [], [], []
    with pa.memory_map(str(options.batches)) as file:
        batches = list(pa.ipc.open_stream(file))
        for _ in range(options.repeats):
            started = time.process_time()
            plan_read(
                find_log_files(path, BinlogOptions()), BinlogOptions(table=TableName.parse(table))
            )
            surveys.append(time.process_time() - started)
            clock.seconds, started, num_rows = 0.0, time.process_time(), 0
            for batch in read_all(path, table):
                num_rows += batch.num_rows
            decodes.append((time.process_time() - started, clock.seconds))
            writes.append(hand_over(batches, num_rows))
    decode, kernels = min(decodes)
    report = {"survey": min(surveys), "decode": decode, "kernels": kernels}
    print(json.dumps(report | {"hand_over": min(writes), "num_rows": num_rows}))


if __name__ == "__main__":
    main()
