"""Spark jobs compared with mysqlbinlog; `spark_reader` runs the jobs."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.core_reader import CHECKED
from bench.manifest import LogRecord
from bench.peers import BASELINE, check_rows
from bench.timing import MEGABYTE, NO_SETTINGS, PROJECT_FOLDER, Measurement, run_module

SAMPLE = PROJECT_FOLDER / "samples" / "mysql-9.7-shop.000001"

# Targets: ratio to mysqlbinlog -v, seconds, bytes.
SPARK_BAR = 1.5
PARQUET_BAR = 2
FIRST_JOB_BAR = 1.5
WORKER_BAR = 300 * MEGABYTE
# What docs/guides/batch.md advises.
TUNED = {
    "PYSPARK_SUBMIT_ARGS": "--conf spark.python.unix.domain.socket.enabled=true"
    " --driver-java-options -XX:+UseParallelGC pyspark-shell"
}


def run_spark(*arguments: str, settings: Mapping[str, str] = NO_SETTINGS) -> dict[str, Any]:
    """Run `bench.spark_reader` on all cores, without the output of Spark; return its report."""
    module = "bench.spark_reader"
    return run_module(module, *arguments, settings=settings, stderr=subprocess.DEVNULL)


def warm_jobs(
    logs: Mapping[str, Path],
    records: Mapping[str, LogRecord],
    repeats: int,
    settings: Mapping[str, str] = NO_SETTINGS,
) -> dict[str, Any]:
    """Run the jobs of a warm session, which has read all logs before; return its report.

    Args:
        logs: path of each log by name.
        records: what the server wrote.
        repeats: runs; the best counts.
        settings: environment variables of the session and its workers.

    Raises:
        RuntimeError: Spark did not read the rows that the server wrote.
    """
    paths = [str(path) for path in logs.values()]
    report = run_spark("warm", *paths, "--repeats", str(repeats), settings=settings)
    for name, seconds in report["seconds"].items():
        num_bytes = records[name].num_bytes
        check_rows(
            Measurement("Spark", name, seconds, num_bytes, report["rows"][name], 0),
            records[name].rows,
        )
    return report


def describe_spark(
    logs: Mapping[str, Path],
    records: Mapping[str, LogRecord],
    baseline: Mapping[str, float],
    repeats: int,
) -> str:
    """Return the lines about Spark.

    Args:
        logs, records, repeats: as for `warm_jobs`.
        baseline: seconds of mysqlbinlog -v for each log.

    Raises:
        RuntimeError: as of `warm_jobs`.
    """
    warm = warm_jobs(logs, records, repeats)
    tuned = sum(warm_jobs(logs, records, repeats, TUNED)["seconds"].values())
    checked = warm_jobs(logs, records, repeats, CHECKED)
    theirs = sum(baseline.values())
    ours = sum(warm["seconds"].values())
    trivial = [run_spark("first-trivial") for _ in range(repeats)]
    first = [run_spark("first-ours", str(SAMPLE)) for _ in range(repeats)]
    trivial_seconds = min(report["seconds"] for report in trivial)
    first_seconds = min(report["seconds"] for report in first)
    idle = min(report["worker_peak"] for report in trivial)
    return "\n".join(
        [
            f"Spark, local[2], noop sink, warm, {' + '.join(logs)}; {BASELINE}: {theirs:.2f} s",
            *(
                f"  typed rows of {name}: {seconds:.2f} s, ratio {baseline[name] / seconds:.2f}"
                for name, seconds in warm["seconds"].items()
            ),
            f"  typed rows, one job after the other: {ours:.2f} s, ratio {theirs / ours:.2f}"
            f" (bar {SPARK_BAR})",
            f"  the same with the settings of docs/guides/batch.md: {tuned:.2f} s,"
            f" ratio {theirs / tuned:.2f}",
            f"  the same, every access checked by numba: {sum(checked['seconds'].values()):.2f} s;"
            f" processor time of workers {checked['worker_seconds']:.2f} s,"
            f" without {warm['worker_seconds']:.2f} s",
            f"  rows as JSON, one job: {warm['json_seconds']:.2f} s,"
            f" ratio {theirs / warm['json_seconds']:.2f}",
            *_describe_parquet(warm["parquet"]),
            f"First job of a session, compiled kernels cached: {first_seconds:.2f} s,"
            f" {first_seconds - trivial_seconds:.2f} s above a trivial source's"
            f" (bar {FIRST_JOB_BAR})",
            f"Memory of a worker: {warm['worker_peak'] / MEGABYTE:.0f} MB,"
            f" {(warm['worker_peak'] - idle) / MEGABYTE:.0f} MB above an idle one"
            f" (bar {WORKER_BAR / MEGABYTE:.0f})",
        ]
    )


def _describe_parquet(jobs: Mapping[str, Sequence[float]]) -> list[str]:
    """Return the lines about the writers of Parquet files."""
    frame, tasks = jobs["by_data_frame"], jobs["by_tasks"]
    lines = [
        f"  Parquet {name.replace('_', ' ')}: {seconds:.2f} s, {used:.2f} s of processor time"
        for name, (seconds, used) in jobs.items()
    ]
    ratios = f"{frame[0] / tasks[0]:.2f}, of processor time {frame[1] / tasks[1]:.2f}"
    return [*lines, f"  ratio of the two: {ratios} (bar {PARQUET_BAR})"]
