"""How jobs scale: with cores, with many logs, and with a huge log; `python -m bench.scale`.

It makes the logs: copies of a sample, renumbered, and a sparse log of rows with values of 1,000,000
zero bytes, which take no space on disk.
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
from pyspark_adapter.kernels.warm import warm_kernels
from tests.support.sparse_logs import TABLE, write_sparse_log

CORES = (1, 2)
LEN_VALUE = MEGABYTE
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
        schema: columns to read; None for all.
        num_rows: that there are.
    """

    name: str
    path: Path
    num_bytes: int
    table: str
    schema: str | None
    num_rows: int


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


def measure(case: Case, cores: int) -> dict[str, Any]:
    """Run a job in a session of its own.

    Raises:
        RuntimeError: if it did not return all rows.
    """
    arguments = [str(case.path), "--cores", str(cores), "--table", case.table]
    if case.schema is not None:
        arguments += ["--schema", case.schema]
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
        for cores in CORES:
            report = measure(case, cores)
            seconds = report["seconds"]
            one = one or seconds
            cells = [
                case.name,
                cores,
                f"{report['partitions']:,}",
                f"{report['planning_seconds']:.2f} s",
                f"{seconds:.2f} s",
                f"{case.num_bytes / MEGABYTE / seconds:,.0f}",
                f"{one / seconds:.2f}",
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
    options = parser.parse_args(arguments)
    warm_kernels()
    with tempfile.TemporaryDirectory() as temporary:
        many = make_many(Path(temporary, "many"), options.logs)
        huge = make_huge(Path(temporary, "huge"), int(options.gigabytes * 1e9))
        print(describe_machine(), flush=True)
        print(describe_scale([many, huge]))


if __name__ == "__main__":
    main()
