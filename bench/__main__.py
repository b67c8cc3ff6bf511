"""Our speed beside that of the peers, in one run: `python -m bench --servers-dir DIR`.

Makes the logs if they are not there, then prints three tables as rates and ratios: the core on one
core beside its peers, Spark beside mysqlbinlog, and what a session pays for its first job.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.core_reader import MODES
from bench.make_logs import make_logs
from bench.manifest import LogRecord, read_manifest
from bench.peers import BASELINE, check_rows, measure_peers, mysqlbinlog_version
from bench.server import client_program
from bench.timing import (
    MEGABYTE,
    PROJECT_FOLDER,
    Measurement,
    describe_machine,
    format_table,
    run_child,
    warm_page_cache,
)
from bench.workloads import WORKLOADS
from pyspark_adapter.engine import warm_kernels

READERS = {
    "typed": "pyspark_adapter, typed rows",
    "json": "pyspark_adapter, rows as JSON",
    "tables": "pyspark_adapter, list_tables",
}
SAMPLE = PROJECT_FOLDER / "samples" / "mysql-9.7-shop.000001"

# What the project has promised itself: ratios to mysqlbinlog -v, seconds, bytes.
CORE_BARS = {"bulk": 10.0, "oltp": 5.0, "upd": 10.0}
SPARK_BAR = 1.5
FIRST_JOB_BAR = 1.5
WORKER_BAR = 300 * MEGABYTE


def measure_core(
    folder: Path, records: Mapping[str, LogRecord], names: Sequence[str], repeats: int
) -> Iterator[Measurement]:
    """Yield a measurement for each log and way to read it.

    Raises:
        RuntimeError: we did not read the rows that the server wrote.
    """
    for name in names:
        path = folder / records[name].log_file
        warm_page_cache(path)
        for mode in MODES:
            arguments = (str(path.resolve()), "--mode", mode, "--repeats", str(repeats))
            report = run_child("bench.core_reader", *arguments)
            measured = Measurement(READERS[mode], name, **report)
            check_rows(measured, records[name].rows)
            yield measured


def run_spark(*arguments: str) -> dict[str, Any]:
    """Run `bench.spark_reader` in a process of its own, on all cores, and return its report."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.spark_reader", *arguments],
        cwd=PROJECT_FOLDER,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        check=True,
    )
    report: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return report


def describe_spark(
    logs: Mapping[str, Path],
    records: Mapping[str, LogRecord],
    baseline: Mapping[str, float],
    repeats: int,
) -> str:
    """Return the lines about Spark.

    Args:
        logs: path of each log by name.
        records: what the server wrote.
        baseline: seconds of mysqlbinlog -v for each.
        repeats: runs, of which the best counts.

    Raises:
        RuntimeError: Spark did not read the rows that the server wrote.
    """
    warm = run_spark("warm", *(str(path) for path in logs.values()), "--repeats", str(repeats))
    for name, seconds in warm["seconds"].items():
        num_bytes = records[name].num_bytes
        measured = Measurement("Spark", name, seconds, num_bytes, warm["rows"][name], 0)
        check_rows(measured, records[name].rows)
    theirs = sum(baseline.values())
    ours = sum(warm["seconds"].values())
    lines = [
        f"Spark, local[2], noop sink, warm, {' + '.join(logs)}; {BASELINE}: {theirs:.2f} s",
        *(
            f"  typed rows of {name}: {seconds:.2f} s, ratio {baseline[name] / seconds:.2f}"
            for name, seconds in warm["seconds"].items()
        ),
        f"  typed rows, one job after the other: {ours:.2f} s, ratio {theirs / ours:.2f}"
        f" (bar {SPARK_BAR})",
        f"  rows as JSON, one job: {warm['json_seconds']:.2f} s,"
        f" ratio {theirs / warm['json_seconds']:.2f}",
    ]
    trivial = [run_spark("first-trivial") for _ in range(repeats)]
    first = [run_spark("first-ours", str(SAMPLE)) for _ in range(repeats)]
    trivial_seconds = min(report["seconds"] for report in trivial)
    first_seconds = min(report["seconds"] for report in first)
    idle = min(report["worker_peak"] for report in trivial)
    lines += [
        f"First job of a session, compiled kernels cached: {first_seconds:.2f} s,"
        f" {first_seconds - trivial_seconds:.2f} s above a trivial source's"
        f" (bar {FIRST_JOB_BAR})",
        f"Memory of a worker: {warm['worker_peak'] / MEGABYTE:.0f} MB,"
        f" {(warm['worker_peak'] - idle) / MEGABYTE:.0f} MB above an idle one"
        f" (bar {WORKER_BAR / MEGABYTE:.0f})",
    ]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the logs, measure, and print."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--servers-dir", type=Path, required=True, help="folder of the servers")
    parser.add_argument("--logs", type=Path, default=Path("bench/logs"), help="folder of the logs")
    parser.add_argument("--megabytes", type=float, default=100, help="size of a log, in 10^6 bytes")
    parser.add_argument("--repeats", type=int, default=3, help="runs, of which the best counts")
    options = parser.parse_args(arguments)
    names = [kind.name for kind in WORKLOADS]
    make_logs(options.servers_dir, options.logs, options.megabytes, wide=False)
    warm_kernels()
    records = read_manifest(options.logs)
    logs = {name: (options.logs / records[name].log_file).resolve() for name in names}

    program = client_program("mysqlbinlog", options.servers_dir)
    print(describe_machine([mysqlbinlog_version(program)]), flush=True)
    peers = list(
        measure_peers(options.logs, options.servers_dir, names=names, repeats=options.repeats)
    )
    ours = list(measure_core(options.logs, records, names, options.repeats))
    table = [*ours, *peers]
    print(format_table(table, BASELINE, lambda m: m.megabytes_per_second, "MB/s"))
    print(format_table(table, BASELINE, lambda m: m.rows_per_second, "rows/s"))
    print(format_table(table, BASELINE, lambda m: m.peak_rss / MEGABYTE, "peak MB"))
    bars = ", ".join(f"{name} {ratio:.0f}" for name, ratio in CORE_BARS.items())
    print(f"bars of typed rows, as ratios to {BASELINE}: {bars}\n", flush=True)
    baseline = {m.log: m.seconds for m in peers if m.reader == BASELINE}
    print(describe_spark(logs, records, baseline, options.repeats))


if __name__ == "__main__":
    main()
