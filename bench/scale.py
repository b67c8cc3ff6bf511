"""How jobs scale: with cores, with logs, and with bytes; `python -m bench.scale`.

It makes the logs: copies of a sample, renumbered, and sparse logs of rows with values of 1,000,000
zero bytes, which take no space on disk: a huge one, and an archive of as many as `--archive` says.
"""

import argparse
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.spark_jobs import SAMPLE
from bench.timing import MEGABYTE, describe_machine, run_module
from pyspark_adapter import read_batches
from tests.support.sparse_logs import TABLE, write_sparse_log

CORES = (1, 2)
LEN_VALUE = MEGABYTE
LEN_ARCHIVED = 127 * MEGABYTE  # of each log: less than a split
SAMPLE_TABLE = "shop.orders"
# Without the values: else most of the time is the copy of zeros from Python to Spark.
SPARSE_COLUMNS = "id int, _commit_version bigint, _commit_timestamp timestamp, _start_pos bigint"


@dataclass(frozen=True)
class Case:
    """A job.

    Attributes:
        name: in the table.
        path: a log or a folder with logs.
        num_bytes: of all logs.
        table: whose rows are read.
        schema: columns to read, with their types; None for all.
        num_rows: that there are.
        cores: of the sessions that read it.
        columns: names of the columns to read, whose types the read finds; None for all.
    """

    name: str
    path: Path
    num_bytes: int
    table: str
    schema: str | None
    num_rows: int
    cores: Sequence[int] = CORES
    columns: str | None = None


def make_many(folder: Path, count: int) -> Case:
    """Make a folder of `count` small logs."""
    folder.mkdir()
    data = SAMPLE.read_bytes()
    for number in range(1, count + 1):
        (folder / f"binlog.{number:06}").write_bytes(data)
    num_rows = sum(batch.num_rows for batch in read_batches(SAMPLE, table=SAMPLE_TABLE))
    name = f"{count:,} logs of {len(data) // 1000} kB"
    return Case(name, folder, count * len(data), SAMPLE_TABLE, None, count * num_rows)


def make_huge(folder: Path, num_bytes: int) -> Case:
    """Make a folder with one log of about `num_bytes`."""
    folder.mkdir()
    log = write_sparse_log(folder / "binlog.000001", num_bytes, LEN_VALUE)
    name = f"one log of {num_bytes / 1e9:g} GB"
    return Case(name, log.path, log.num_bytes, TABLE, SPARSE_COLUMNS, len(log.starts))


def make_archive(folder: Path, count: int) -> list[Case]:
    """Make a folder of logs that are a task each; one job on it finds its columns, one has them."""
    folder.mkdir()
    num_bytes = num_rows = 0
    for number in range(1, count + 1):
        log = write_sparse_log(folder / f"binlog.{number:06}", LEN_ARCHIVED, LEN_VALUE)
        num_bytes += log.num_bytes
        num_rows += len(log.starts)
    name = f"{count:,} logs of {LEN_ARCHIVED // MEGABYTE} MB"
    cores = CORES[-1:]
    return [
        Case(f"{name}, a schema", folder, num_bytes, TABLE, SPARSE_COLUMNS, num_rows, cores),
        Case(name, folder, num_bytes, TABLE, None, num_rows, cores, "id"),
    ]


def measure(case: Case, cores: int) -> dict[str, Any]:
    """Run a job in a session of its own.

    Raises:
        RuntimeError: if it did not return all rows.
    """
    arguments = [str(case.path), "--cores", str(cores), "--table", case.table]
    if case.schema is not None:
        arguments += ["--schema", case.schema]
    if case.columns is not None:
        arguments += ["--columns", case.columns]
    report = run_module("bench.scale_reader", *arguments, stderr=subprocess.DEVNULL)
    if report["rows"] != case.num_rows:
        raise RuntimeError(f"{case.name}: {case.num_rows} rows expected, {report['rows']} read")
    return report


def describe_scale(cases: Sequence[Case]) -> str:
    """Return a Markdown table: a line for each job and number of cores."""
    lines = [
        "| warm, noop sink | cores | tasks | planned in | run in | MB/s | times one core"
        " | Python planning | Python worker | shuffled |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for case in cases:
        one = 0.0
        for cores in case.cores:
            report = measure(case, cores)
            seconds = report["seconds"]
            one = seconds if cores == 1 else one
            cells = [
                case.name,
                cores,
                f"{report['partitions']:,}",
                f"{report['planning_seconds']:.2f} s",
                f"{seconds:.2f} s",
                f"{case.num_bytes / MEGABYTE / seconds:,.0f}",
                f"{one / seconds:.2f}" if one else "",
                f"{report['planning_peak'] / MEGABYTE:.0f} MB",
                f"{report['worker_peak'] / MEGABYTE:.0f} MB",
                f"{report['shuffle_bytes']:,} bytes",
            ]
            lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the logs, measure, and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description=__doc__)
    parser.add_argument("--logs", type=int, default=1000, help="how many small logs")
    parser.add_argument("--gigabytes", type=float, default=20, help="size of the huge log, 10^9")
    parser.add_argument("--archive", type=int, default=0, help="how many logs of 127 MB")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as temporary:
        many = make_many(Path(temporary, "many"), options.logs)
        huge = make_huge(Path(temporary, "huge"), int(options.gigabytes * 1e9))
        print(describe_machine(), flush=True)
        cases = [many, huge]
        if options.archive:
            cases += make_archive(Path(temporary, "archive"), options.archive)
        print(describe_scale(cases))


if __name__ == "__main__":
    main()
