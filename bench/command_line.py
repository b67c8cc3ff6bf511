"""The command line on the benchmark logs: rates of its commands, and the time to the first line.

Alone: `python -m bench.command_line --servers-dir DIR [--logs DIR]`.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.manifest import read_manifest
from bench.peers import BASELINE, MYSQLBINLOG_FLAGS, mysqlbinlog_command
from bench.processor_time import command_seconds
from bench.server import client_program
from bench.timing import PROJECT_FOLDER, on_cores, warm_page_cache

SCAN_BAR = 1_000  # MB/s
LINES_BAR = 3.0  # ratio to mysqlbinlog -v
UNDO_BAR = 200  # MB/s
FIRST_LINE_BAR = 1.0  # seconds
COMMANDS: Mapping[str, tuple[str, ...]] = {
    "tables": ("tables",),
    "stats": ("stats",),
    "transactions": ("transactions",),
    "rows": ("rows", "--format", "jsonl"),
    "undo": ("undo", "--force"),
}
_WORKLOADS = ("bulk", "oltp", "upd")
# How often a command gets the same log. What one log more costs is the rate without the start. The
# commands that decode no rows need many logs, since the start differs by as much as one log takes.
_COPIES, _MANY_COPIES = 5, 21


def describe_command_line(program: Path, logs: Mapping[str, Path], repeats: int) -> str:
    """Return lines: megabytes per second of processor time, and the time to the first line.

    A ratio of 1 or more holds its bar.

    Args:
        program: mysqlbinlog.
        logs: by workload.
        repeats: runs; the best counts.
    """
    lines = [
        "Command line, MB/s on one core beyond the start (in brackets: of the bar)",
        f"  bars: {SCAN_BAR:,} MB/s; rows: {LINES_BAR} times {BASELINE}; undo: {UNDO_BAR} MB/s;"
        f" first line: {FIRST_LINE_BAR} s",
    ]
    starts: list[float] = []
    for name in _WORKLOADS:
        path = logs[name]
        warm_page_cache(path)
        megabytes = path.stat().st_size / 1e6
        theirs = mysqlbinlog_command(program, path, MYSQLBINLOG_FLAGS[BASELINE])
        baseline = megabytes / _seconds(theirs, repeats)
        bars = {"rows": LINES_BAR * baseline, "undo": UNDO_BAR}
        cells = []
        for command, words in COMMANDS.items():
            copies = _COPIES if command in ("rows", "undo") else _MANY_COPIES
            one = _seconds(_ours(words, [path]), repeats)
            all_copies = _seconds(_ours(words, [path] * copies), repeats)
            rate = megabytes * (copies - 1) / (all_copies - one)
            starts.append(one - megabytes / rate)
            bar = bars.get(command, SCAN_BAR)
            cells.append(f"{command} {rate:,.0f} ({rate / bar:.2f})")
        lines.append(f"  {name}: {', '.join(cells)}; {BASELINE} {baseline:,.0f}")
    lines.append(f"  start: {min(starts):.2f} s of processor time")
    first = min(_first_line(_ours(COMMANDS["rows"], [logs["oltp"]])) for _ in range(repeats))
    lines.append(f"  first line of rows: {first:.2f} s ({FIRST_LINE_BAR / first:.2f})")
    return "\n".join(lines)


def _ours(words: Sequence[str], paths: Sequence[Path]) -> list[str]:
    options = [*words, "--quiet", *(str(path.resolve()) for path in paths)]
    return [sys.executable, "-m", "pyspark_adapter", *options]


def _seconds(command: Sequence[str], repeats: int) -> float:
    """Return the processor time of the best run of a command, whose output is dropped."""
    with on_cores(1):
        return min(command_seconds(command) for _ in range(repeats))


def _first_line(command: Sequence[str]) -> float:
    """Return the seconds from the start of a command to its first line, with compiled modules."""
    started = time.monotonic()
    settings = {name: v for name, v in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, cwd=PROJECT_FOLDER, env=settings
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        seconds = time.monotonic() - started
        process.kill()
    return seconds


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure logs that exist, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--servers-dir", type=Path, required=True)
    parser.add_argument("--logs", type=Path, default=Path("bench/logs"), help="folder of the logs")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args(arguments)
    program = client_program("mysqlbinlog", options.servers_dir)
    records = read_manifest(options.logs)
    logs = {name: (options.logs / records[name].log_file).resolve() for name in _WORKLOADS}
    print(describe_command_line(program, logs, options.repeats))


if __name__ == "__main__":
    main()
