"""Our speed beside that of the peers, in one run: `python -m bench --servers-dir DIR`.

Makes the logs if they are not there, then prints rates and ratios: the core on one core beside its
peers, JSON documents, Spark beside mysqlbinlog, what a session pays for its first job, one large
log in Spark, where its processor time goes, and how long a stream takes from commit to row.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bench.core_reader import CHECKED
from bench.documents import DOCUMENT_WORKLOADS
from bench.large import Large
from bench.large_job import describe_large
from bench.make_logs import make_logs
from bench.manifest import LogRecord, read_manifest
from bench.peers import BASELINE, check_rows, measure_peers, mysqlbinlog_version
from bench.server import client_program
from bench.spark_jobs import describe_spark
from bench.spark_profile import describe_profile
from bench.streams import describe_streams
from bench.timing import (
    MEGABYTE,
    Measurement,
    describe_machine,
    format_table,
    run_child,
    warm_page_cache,
)
from bench.workloads import WORKLOADS, Wide
from pyspark_adapter.engine import warm_kernels

READERS: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("pyspark_adapter, typed rows", "typed", {}),
    ("  checked by numba as well", "typed", CHECKED),
    ("  all shapes looked for before", "shapes", {}),
    ("pyspark_adapter, rows as JSON", "json", {}),
    ("pyspark_adapter, list_tables", "tables", {}),
)

# What the project has promised itself: ratios to mysqlbinlog -v, and events.
CORE_BARS = {"bulk": 10.0, "oltp": 5.0, "upd": 10.0}
SCHEMA_BAR = 100_000  # events per second
WIDE_BAR = 0.5  # of the speed per byte of a table of 14 columns
STREAM_SECONDS = 60  # of commits, each timed until its row is there
DOCUMENT_BAR = 200  # MB of binary documents per second; of floating numbers none is promised


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
        for reader, mode, settings in READERS:
            arguments = (str(path.resolve()), "--mode", mode, "--repeats", str(repeats))
            report = run_child("bench.core_reader", *arguments, settings=settings)
            measured = Measurement(reader, name, **report)
            check_rows(measured, records[name].rows)
            yield measured


def describe_wide(
    folder: Path, records: Mapping[str, LogRecord], ours: Sequence[Measurement], repeats: int
) -> str:
    """Return a line: the speed of typed rows of 200 columns beside that of rows of 14.

    Raises:
        RuntimeError: we did not read the rows that the server wrote.
    """
    reader, mode, settings = READERS[0]
    name = Wide.name
    path = folder / records[name].log_file
    warm_page_cache(path)
    arguments = (str(path.resolve()), "--mode", mode, "--repeats", str(repeats))
    report = run_child("bench.core_reader", *arguments, settings=settings)
    wide = Measurement(reader, name, **report)
    check_rows(wide, records[name].rows)
    (narrow,) = (m for m in ours if m.log == "bulk" and m.reader == reader)
    ratio = wide.megabytes_per_second / narrow.megabytes_per_second
    return (
        f"Typed rows of 200 columns: {wide.megabytes_per_second:,.0f} MB/s, {ratio:.2f} of the"
        f" speed of 14 columns (bar {WIDE_BAR})"
    )


def describe_documents(folder: Path, records: Mapping[str, LogRecord], repeats: int) -> str:
    """Return lines: the speed at which JSON documents become text and VARIANT, by kind.

    Raises:
        RuntimeError: we did not read the rows that the server wrote.
    """
    lines = ["JSON documents, MB/s of their binary form"]
    for form, mode in (("text", "documents"), ("VARIANT", "variants")):
        rates = []
        for kind in DOCUMENT_WORKLOADS:
            record = records[kind.name]
            path = folder / record.log_file
            warm_page_cache(path)
            arguments = (str(path.resolve()), "--mode", mode, "--repeats", str(repeats))
            report = run_child("bench.core_reader", *arguments)
            measured = Measurement(mode, kind.name, **report)
            check_rows(measured, record.rows)
            rate = record.document_bytes / MEGABYTE / measured.seconds
            rates.append(f"{kind.name} {rate:,.0f}")
        bar = f" (bar {DOCUMENT_BAR}, doubles apart)" if mode == "documents" else ""
        lines.append(f"  to {form}: {', '.join(rates)}{bar}")
    return "\n".join([*lines, ""])


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the logs, measure, and print."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--servers-dir", type=Path, required=True, help="folder of the servers")
    parser.add_argument("--logs", type=Path, default=Path("bench/logs"), help="folder of the logs")
    parser.add_argument("--megabytes", type=float, default=100, help="size of a log, in 10^6 bytes")
    parser.add_argument("--repeats", type=int, default=3, help="runs, of which the best counts")
    options = parser.parse_args(arguments)
    names = [kind.name for kind in WORKLOADS]
    make_logs(options.servers_dir, options.logs, options.megabytes)
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
    print(describe_wide(options.logs, records, ours, options.repeats), flush=True)
    print(describe_documents(options.logs, records, options.repeats), flush=True)
    schema = run_child("bench.schema_reader", str(logs["oltp"]), "--repeats", str(options.repeats))
    print(
        f"Compiled schema, one event of oltp at a time: {schema['events_per_second']:,.0f} events/s"
        f" of {schema['bytes_per_event']:.0f} bytes (bar {SCHEMA_BAR:,})\n",
        flush=True,
    )
    baseline = {m.log: m.seconds for m in peers if m.reader == BASELINE}
    print(describe_spark(logs, records, baseline, options.repeats) + "\n", flush=True)
    large = (options.logs / records[Large.name].log_file).resolve()
    print(describe_large(large, records[Large.name], program, options.repeats) + "\n", flush=True)
    print(describe_profile(large, options.repeats) + "\n", flush=True)
    print(describe_streams(options.servers_dir, STREAM_SECONDS))


if __name__ == "__main__":
    main()
