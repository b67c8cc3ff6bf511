"""All benchmarks in one run: `python -m bench --servers-dir DIR`.

Makes missing logs, then prints rates, and ratios to those of the peers: our reader on one core,
JSON documents, the command line, a cold start, Spark, the first job of a
session, one large log in Spark and where its processor time goes, and the latency of a stream from
commit to row.
"""

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from bench.cold_start import describe_cold_start
from bench.command_line import describe_command_line
from bench.core_reader import CHECKED
from bench.documents import DOCUMENT_WORKLOADS
from bench.large import Large
from bench.large_job import describe_large
from bench.make_logs import make_logs
from bench.manifest import LogRecord, read_manifest
from bench.many_tables import describe_many_tables
from bench.minimal import Minimal
from bench.peers import BASELINE, check_rows, measure_peers, mysqlbinlog_version
from bench.server import client_program
from bench.spark_jobs import describe_spark
from bench.spark_profile import describe_profile
from bench.spark_releases import describe_releases
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

READERS: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("pyspark_adapter, typed rows", "typed", {}),
    ("  with bounds checks of numba", "typed", CHECKED),
    ("  after a pass for all shapes", "shapes", {}),
    ("pyspark_adapter, rows as JSON", "json", {}),
    ("pyspark_adapter, list_tables", "tables", {}),
)

# Targets: ratios to mysqlbinlog -v.
CORE_BARS = {"bulk": 10.0, "oltp": 5.0, "upd": 10.0}
SCHEMA_BAR = 100_000  # events per second
WIDE_BAR = 0.5  # of the MB/s of a table of 14 columns
MINIMAL_BAR = 0.6  # the same
# A virtual machine has phases of seconds or minutes in which all takes 1.5 times as long, in
# processor time too. A round goes through all readers.
ROUNDS = 3
STREAM_SECONDS = 60  # of commits, each timed until its row arrives
DOCUMENT_BAR = 200  # MB of binary documents per second; no target for floating-point numbers


def measure_reader(
    folder: Path,
    record: LogRecord,
    reader: tuple[str, str, Mapping[str, str]],
    name: str,
    repeats: int,
) -> Measurement:
    """Run our reader on a log in a new process.

    Args:
        folder: folder of the log.
        record: the log.
        reader: label, mode and environment of `bench.core_reader`.
        name: name of the workload.
        repeats: runs; the best counts.

    Raises:
        RuntimeError: if it did not read the rows that the server wrote.
    """
    path = folder / record.log_file
    warm_page_cache(path)
    label, mode, settings = reader
    arguments = (str(path.resolve()), "--mode", mode, "--repeats", str(repeats))
    measured = Measurement(
        label, name, **run_child("bench.core_reader", *arguments, settings=settings)
    )
    check_rows(measured, record.rows)
    return measured


def measure_core(
    folder: Path, records: Mapping[str, LogRecord], names: Sequence[str], repeats: int
) -> Iterator[Measurement]:
    """Yield a measurement for each log and reader of ours; raises as `measure_reader`."""
    for name in names:
        for reader in READERS:
            yield measure_reader(folder, records[name], reader, name, repeats)


def best_of_rounds(measure: Callable[[], Iterable[Measurement]]) -> list[Measurement]:
    """Return the best of each measurement, which are the same ones in each round."""
    rounds = [list(measure()) for _ in range(ROUNDS)]
    return [min(same, key=lambda m: m.seconds) for same in zip(*rounds, strict=True)]


def describe_other_rows(
    folder: Path, records: Mapping[str, LogRecord], table: Sequence[Measurement], repeats: int
) -> str:
    """Return lines: the speed of typed rows of other kinds, and its ratio to that of `bulk`."""
    reader = READERS[0]
    (bulk,) = (m for m in table if m.log == "bulk" and m.reader == reader[0])
    lines = []
    for kind, subject, bar in (
        (Wide, "of 200 columns", WIDE_BAR),
        (Minimal, "with few columns (MINIMAL)", MINIMAL_BAR),
    ):
        record = records[kind.name]
        measured = [
            measure_reader(folder, record, reader, kind.name, repeats) for _ in range(ROUNDS)
        ]
        rate = max(m.megabytes_per_second for m in measured)
        lines.append(
            f"Typed rows {subject}: {rate:,.0f} MB/s, {rate / bulk.megabytes_per_second:.2f} of the"
            f" speed of bulk (bar {bar})"
        )
    return "\n".join(lines)


def describe_documents(folder: Path, records: Mapping[str, LogRecord], repeats: int) -> str:
    """Return lines: the speed of JSON documents to text and to VARIANT, by kind of document."""
    lines = ["JSON documents, MB/s of their binary form"]
    for form, mode in (("text", "documents"), ("VARIANT", "variants")):
        rates = []
        for kind in DOCUMENT_WORKLOADS:
            record = records[kind.name]
            measured = measure_reader(folder, record, (mode, mode, {}), kind.name, repeats)
            rate = record.document_bytes / MEGABYTE / measured.seconds
            rates.append(f"{kind.name} {rate:,.0f}")
        bar = f" (bar {DOCUMENT_BAR}, except doubles)" if mode == "documents" else ""
        lines.append(f"  to {form}: {', '.join(rates)}{bar}")
    return "\n".join([*lines, ""])


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the logs, measure, and print."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--servers-dir", type=Path, required=True, help="folder of the servers")
    parser.add_argument("--logs", type=Path, default=Path("bench/logs"), help="folder of the logs")
    parser.add_argument("--megabytes", type=float, default=100, help="size of a log, in 10^6 bytes")
    parser.add_argument("--repeats", type=int, default=3, help="runs; the best counts")
    options = parser.parse_args(arguments)
    names = [kind.name for kind in WORKLOADS]
    make_logs(options.servers_dir, options.logs, options.megabytes)
    records = read_manifest(options.logs)
    logs = {name: (options.logs / records[name].log_file).resolve() for name in names}

    program = client_program("mysqlbinlog", options.servers_dir)
    print(describe_machine([mysqlbinlog_version(program)]), flush=True)
    folder, repeats = options.logs, options.repeats
    table = best_of_rounds(
        lambda: [
            *measure_core(folder, records, names, repeats),
            *measure_peers(folder, options.servers_dir, names=names, repeats=repeats),
        ]
    )
    print(format_table(table, BASELINE, lambda m: m.megabytes_per_second, "MB/s"))
    print(format_table(table, BASELINE, lambda m: m.rows_per_second, "rows/s"))
    print(format_table(table, BASELINE, lambda m: m.peak_rss / MEGABYTE, "peak MB"))
    bars = ", ".join(f"{name} {ratio:.0f}" for name, ratio in CORE_BARS.items())
    print(f"bars of typed rows, as ratios to {BASELINE}: {bars}\n", flush=True)
    print(describe_other_rows(folder, records, table, repeats), flush=True)
    print(describe_documents(folder, records, repeats), flush=True)
    print(describe_command_line(program, logs, repeats) + "\n", flush=True)
    print(describe_cold_start(logs, repeats) + "\n", flush=True)
    schema = run_child("bench.schema_reader", str(logs["oltp"]), "--repeats", str(repeats))
    print(
        f"Compiled schema, one event of oltp at a time: {schema['events_per_second']:,.0f} events/s"
        f" of {schema['bytes_per_event']:.0f} bytes (bar {SCHEMA_BAR:,})\n",
        flush=True,
    )
    baseline = {m.log: m.seconds for m in table if m.reader == BASELINE}
    print(describe_spark(logs, records, baseline, repeats) + "\n", flush=True)
    print(describe_releases(logs, repeats) + "\n", flush=True)
    large = (options.logs / records[Large.name].log_file).resolve()
    print(describe_large(large, records[Large.name], program, repeats) + "\n", flush=True)
    print(describe_profile(large, repeats) + "\n", flush=True)
    print(describe_many_tables(repeats) + "\n", flush=True)
    print(describe_streams(options.servers_dir, STREAM_SECONDS))


if __name__ == "__main__":
    main()
