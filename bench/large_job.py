"""A large log and a small one in a warm Spark session, with the peers and a trivial source.

Alone: `python -m bench.large_job --servers-dir DIR`.
"""

import argparse
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.large import Large
from bench.log_file import copy_beginning
from bench.make_logs import make_logs
from bench.manifest import LogRecord, read_manifest
from bench.peers import (
    BASELINE,
    REPLICATION,
    check_rows,
    count_printed_rows,
    measure_replication,
    mysqlbinlog_command,
    mysqlbinlog_version,
)
from bench.processor_time import command_seconds
from bench.server import client_program
from bench.timing import (
    MEGABYTE,
    Measurement,
    best_of,
    describe_machine,
    on_cores,
    run_module,
    warm_page_cache,
)

# Targets: ratios, seconds.
BASELINE_BAR = 2.0
REPLICATION_BAR = 25.0
CORES_BAR = 1.7
SMALL_BAR = 1.5
SMALL_SECONDS_BAR = 1.0

NUM_SMALL_JOBS = 15
# python-mysql-replication would take minutes for the whole log.
LEN_SLICE = 20 * MEGABYTE


def run_session(*arguments: str) -> dict[str, Any]:
    """Run `bench.warm_session` without the output of Spark, and return its report."""
    return run_module("bench.warm_session", *arguments, stderr=subprocess.DEVNULL)


def time_large(path: Path, record: LogRecord, cores: int, repeats: int) -> dict[str, Any]:
    """Run the jobs of a session with this many cores on the large log, and return its report.

    Raises:
        RuntimeError: Spark did not read the rows that the server wrote.
    """
    report = run_session("large", str(path), "--cores", str(cores), "--repeats", str(repeats))
    rows = report["rows"]
    check_rows(Measurement("Spark", path.stem, report["seconds"], 0, rows, 0), record.rows)
    return report


def time_small(path: Path, repeats: int) -> tuple[dict[str, Any], int]:
    """Return the seconds of jobs on the first megabyte of a log, and its exact bytes."""
    with tempfile.TemporaryDirectory() as folder:
        small = copy_beginning(path, MEGABYTE, Path(folder))
        report = run_session("small", str(small), "--repeats", str(repeats))
        return report, small.stat().st_size


def describe_large(path: Path, record: LogRecord, program: Path, repeats: int) -> str:
    """Return the lines about one large log in Spark.

    Args:
        path: of the log.
        record: what the server wrote.
        program: mysqlbinlog.
        repeats: runs; the best counts.

    Raises:
        RuntimeError: a reader did not read the rows that the server wrote.
    """
    warm_page_cache(path)
    command = mysqlbinlog_command(program, path, ("-v",))

    def time_baseline() -> tuple[float, float]:
        return best_of(1, lambda: command_seconds(command))

    runs = [time_baseline()]
    slice_ = measure_replication(path.stem, path, repeats, LEN_SLICE)
    flags = ("-v", "--base64-output=decode-rows", f"--stop-position={slice_.num_bytes}")
    check_rows(slice_, count_printed_rows(program, path, flags)[0])
    replication = slice_.seconds * record.num_bytes / slice_.num_bytes
    two = time_large(path, record, 2, repeats)
    runs.append(time_baseline())  # in turns with our jobs: see `best_of_rounds`
    one = time_large(path, record, 1, repeats)
    with on_cores(1):
        alone = time_large(path, record, 1, repeats)
    runs.append(time_baseline())
    theirs, used_by_them = map(min, zip(*runs, strict=True))
    small, num_bytes = time_small(path, NUM_SMALL_JOBS)
    ours, used = two["seconds"], sum(two["used"].values())
    return "\n".join(
        [
            f"Spark, noop sink, warm, one log of {record.num_bytes / MEGABYTE:,.0f} MB",
            f"  typed rows, local[2]: {ours:.2f} s,"
            f" {record.num_bytes / MEGABYTE / ours:,.0f} MB/s,"
            f" {sum(record.rows.values()) / ours:,.0f} rows/s",
            f"  {BASELINE}: {theirs:.2f} s, ratio {theirs / ours:.2f} (bar {BASELINE_BAR})",
            f"  {REPLICATION}: {replication:.0f} s by the bytes, from {slice_.seconds:.2f} s for"
            f" the first {slice_.num_bytes / MEGABYTE:.0f} MB,"
            f" ratio {replication / ours:.0f} (bar {REPLICATION_BAR:.0f})",
            f"  processor time: {used:.2f} s, {BASELINE} {used_by_them:.2f} s,"
            f" ratio {used / used_by_them:.2f} (bar 1)",
            f"  local[1] on one core: {alone['seconds']:.2f} s,"
            f" ratio {alone['seconds'] / ours:.2f} (bar {CORES_BAR});"
            f" on all cores: {one['seconds']:.2f} s, ratio {one['seconds'] / ours:.2f}",
            f"A job on {num_bytes / MEGABYTE:.2f} MB, warm: {small['ours']:.3f} s"
            f" (bar {SMALL_SECONDS_BAR:.0f}), a trivial source {small['trivial']:.3f} s,"
            f" ratio {small['ours'] / small['trivial']:.2f} (bar {SMALL_BAR})",
        ]
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the log if it is missing, measure, and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.large_job", description=__doc__)
    parser.add_argument("--servers-dir", type=Path, required=True, help="folder of the servers")
    parser.add_argument("--logs", type=Path, default=Path("bench/logs"), help="folder of the logs")
    parser.add_argument("--megabytes", type=float, default=100, help="size of the other logs")
    parser.add_argument("--repeats", type=int, default=3, help="runs; the best counts")
    options = parser.parse_args(arguments)
    make_logs(options.servers_dir, options.logs, options.megabytes, (Large,))
    record = read_manifest(options.logs)[Large.name]
    program = client_program("mysqlbinlog", options.servers_dir)
    print(describe_machine([mysqlbinlog_version(program)]), flush=True)
    path = (options.logs / record.log_file).resolve()
    print(describe_large(path, record, program, options.repeats))


if __name__ == "__main__":
    main()
