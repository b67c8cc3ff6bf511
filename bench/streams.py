"""The cost of a stream: latency from commit to row, and processor time while idle."""

import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench.timing import PROJECT_FOLDER, run_module
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.stream.log_directory import LogDirectory
from pyspark_adapter.stream.log_stream import BatchLimit, LogStream

SAMPLE = PROJECT_FOLDER / "samples" / "mysql-9.7-shop.000001"
BACKLOGS = (1, 100, 10_000)
NUM_LOOKS = 1000

# Targets.
LATENCY_BAR = 2.0  # seconds
IDLE_BAR = 0.010


def describe_streams(servers: Path, seconds: float) -> str:
    """Return lines: seconds from commit to row, and the cost of an idle stream."""
    arguments = (str(servers), "--seconds", str(seconds))
    report = run_module("bench.stream_latency", *arguments, stderr=subprocess.DEVNULL)
    rows, looks = report["rows"], report["looks"]
    lines = [
        f"Stream, trigger of 1 s, {len(rows):,} rows from commit to foreachBatch:"
        f" p50 {at(rows, 0.5):.2f} s, p99 {at(rows, 0.99):.2f} s, most {rows[-1]:.2f} s"
        f" (bar {LATENCY_BAR:.0f})",
        f"  a batch takes {at(report['batches'], 0.5):.0f} ms (p50), its latestOffset"
        f" {at(looks, 0.5):.0f} ms (p50), {at(looks, 0.99):.0f} ms (p99)",
        f"While nothing is new (bar {IDLE_BAR * 1000:.0f} ms)",
    ]
    for num_logs in BACKLOGS:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for number in range(1, num_logs + 1):
                shutil.copy(SAMPLE, folder / f"binlog.{number:06}")
            spark = run_module("bench.warm_session", "idle", name, stderr=subprocess.DEVNULL)
            begun, idle = measure_looks(folder)
        triggers, looks = spark["trigger"], spark["look"]
        lines.append(
            f"  {num_logs:6,} logs: a trigger of Spark {at(triggers, 0.5) * 1e3:.2f} ms (p50),"
            f" {at(triggers, 0.99) * 1e3:.2f} ms (p99), our part {at(looks, 0.5) * 1e6:.0f} us;"
            f" without Spark {at(idle, 0.5) * 1e6:.0f} us (p50), {at(idle, 0.99) * 1e6:.0f} us"
            f" (p99), the first look {begun:.3f} s"
        )
    return "\n".join([*lines, ""])


def measure_looks(folder: Path) -> tuple[float, list[float]]:
    """Return the seconds of the first look at some logs, and of looks without anything new."""
    options = BinlogOptions()
    stream = LogStream(LogDirectory([str(folder)], options), options)
    start = time.perf_counter()
    end = stream.latest_offset(stream.initial_offset(), BatchLimit())
    begun = time.perf_counter() - start
    idle = []
    for _ in range(NUM_LOOKS):
        start = time.perf_counter()
        found = stream.latest_offset(end, BatchLimit())
        idle.append(time.perf_counter() - start)
        if found != end:
            raise RuntimeError(f"expected nothing new, found {found}")
    return begun, sorted(idle)


def at(values: Sequence[float], share: float) -> float:
    """Return a quantile of a sorted list."""
    return values[min(int(len(values) * share), len(values) - 1)]
