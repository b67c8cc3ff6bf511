"""The peers on the benchmark logs. Their row counts prove that they did the work.

Alone: `python -m bench.peers --servers-dir DIR`. `python -m bench` adds the project's reader.
"""

import argparse
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bench.manifest import LogRecord, read_manifest
from bench.other_languages import build_programs, measure_programs
from bench.server import client_program
from bench.timing import (
    MEGABYTE,
    Measurement,
    describe_machine,
    format_table,
    peak_rss,
    run_child,
    time_command,
    warm_page_cache,
)

BASELINE = "mysqlbinlog -v"
# Without the BASE64 copy of each event is the fastest way to rows as text that it offers.
MYSQLBINLOG_FLAGS: Mapping[str, tuple[str, ...]] = {
    BASELINE: ("-v",),
    "mysqlbinlog -v, checksums": ("-v", "--verify-binlog-checksum"),
    "mysqlbinlog -v, no BASE64": ("-v", "--base64-output=decode-rows"),
}
REPLICATION = "python-mysql-replication"

_OPERATION_LINES = {
    "insert": b"\n### INSERT INTO ",
    "update": b"\n### UPDATE ",
    "delete": b"\n### DELETE FROM ",
}
_LEN_CHUNK = 1 << 20


def mysqlbinlog_command(program: Path, path: Path, flags: Sequence[str]) -> list[str]:
    """Return the command that prints a log as text."""
    return [str(program), "--no-defaults", *flags, str(path)]


def measure_mysqlbinlog(
    program: Path, reader: str, name: str, path: Path, repeats: int
) -> Measurement:
    """Time one variant of mysqlbinlog, start-up included, and count its rows in a further run."""
    flags = MYSQLBINLOG_FLAGS[reader]
    warm_page_cache(path)
    rows, most_memory = count_printed_rows(program, path, flags)
    seconds = time_command(mysqlbinlog_command(program, path, flags), repeats)
    return Measurement(reader, name, seconds, path.stat().st_size, rows, most_memory)


def measure_replication(name: str, path: Path, repeats: int, len_slice: int) -> Measurement:
    """Time python-mysql-replication on the transactions up to `len_slice` bytes of a log."""
    warm_page_cache(path)
    arguments = (str(path.resolve()), "--bytes", str(len_slice), "--repeats", str(repeats))
    return Measurement(
        reader=REPLICATION, log=name, **run_child("bench.replication_peer", *arguments)
    )


def count_printed_rows(
    program: Path, path: Path, flags: Sequence[str]
) -> tuple[dict[str, int], int]:
    """Return the row changes mysqlbinlog prints, by operation, and its peak memory in bytes.

    Raises:
        subprocess.CalledProcessError: if mysqlbinlog failed.
    """
    counts: Counter[str] = Counter()
    most_memory = 0
    command = mysqlbinlog_command(program, path, flags)
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None  # a pipe was asked for
        tail = b""
        while chunk := process.stdout.read(_LEN_CHUNK):
            most_memory = max(most_memory, peak_rss(process.pid))
            # Only whole lines, each with the line break before it.
            lines, _, rest = (tail + chunk).rpartition(b"\n")
            tail = b"\n" + rest
            for operation, start in _OPERATION_LINES.items():
                counts[operation] += lines.count(start)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return {operation: n for operation, n in counts.items() if n}, most_memory


def measure_peers(
    folder: Path,
    servers_folder: Path,
    *,
    names: Sequence[str] = (),
    repeats: int = 3,
    len_slice: int = 20 * MEGABYTE,
) -> Iterator[Measurement]:
    """Yield a measurement per peer and log, all logs of the manifest unless some are named.

    Raises:
        RuntimeError: a log is not there, or a peer did not read the rows the server wrote.
    """
    records = read_manifest(folder)
    if not records:
        raise RuntimeError(f"no logs in {folder}; make them with python -m bench.make_logs")
    program = client_program("mysqlbinlog", servers_folder)
    if unknown := sorted(set(names) - set(records)):
        raise RuntimeError(f"no log {unknown[0]!r} in {folder}, only {', '.join(records)}")
    programs, left_out = build_programs()
    for line in left_out:
        print(line, file=sys.stderr)
    for name in names or records:
        record, path = records[name], folder / records[name].log_file
        for reader in MYSQLBINLOG_FLAGS:
            measured = measure_mysqlbinlog(program, reader, name, path, repeats)
            check_rows(measured, record.rows)
            yield measured
        for measured in measure_programs(programs, name, path, repeats):
            check_rows(measured, record.rows)
            yield measured
        measured = measure_replication(name, path, repeats, len_slice)
        check_rows(measured, _expected_rows(program, path, record, measured.num_bytes))
        yield measured


def check_rows(measured: Measurement, expected: Mapping[str, int]) -> None:
    """Compare what a reader counted with what the log holds.

    Raises:
        RuntimeError: if they differ.
    """
    if Counter(measured.rows) != Counter(expected):
        raise RuntimeError(
            f"{measured.reader} read {dict(measured.rows)} from {measured.log},"
            f" which holds {dict(expected)}"
        )


def mysqlbinlog_version(program: Path) -> str:
    """Return name and version as the program gives them."""
    text = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    return f"mysqlbinlog {text.split('Ver ')[1].split()[0]}"


def _expected_rows(
    program: Path, path: Path, record: LogRecord, num_bytes: int
) -> Mapping[str, int]:
    """Return the rows of the first `num_bytes` of a log: the server's, or the count of the text."""
    if num_bytes == record.num_bytes:
        return record.rows
    flags = ("-v", "--base64-output=decode-rows", f"--stop-position={num_bytes}")
    return count_printed_rows(program, path, flags)[0]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the peers and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.peers", description=__doc__)
    parser.add_argument("--servers-dir", type=Path, required=True, help="folder of the servers")
    parser.add_argument("--logs", type=Path, default=Path("bench/logs"), help="folder of the logs")
    parser.add_argument("--log", action="append", default=[], help="only this log; repeatable")
    parser.add_argument("--repeats", type=int, default=3, help="runs; the best counts")
    parser.add_argument(
        "--slice", type=float, default=20, help="megabytes for python-mysql-replication"
    )
    options = parser.parse_args(arguments)
    measurements = list(
        measure_peers(
            options.logs,
            options.servers_dir,
            names=options.log,
            repeats=options.repeats,
            len_slice=int(options.slice * MEGABYTE),
        )
    )
    program = client_program("mysqlbinlog", options.servers_dir)
    print(describe_machine([mysqlbinlog_version(program)]))
    print(format_table(measurements, BASELINE, lambda m: m.megabytes_per_second, "MB/s"))
    print(format_table(measurements, BASELINE, lambda m: m.rows_per_second, "rows/s"))
    print(format_table(measurements, BASELINE, lambda m: m.peak_rss / MEGABYTE, "peak MB"))


if __name__ == "__main__":
    main()
