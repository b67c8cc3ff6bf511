"""Measures readers: best of several runs, on one core, each reader in its own process."""

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

MEGABYTE = 1_000_000
PROJECT_FOLDER = Path(__file__).resolve().parent.parent
VERSIONED_PACKAGES = ("numpy", "numba", "pyarrow", "pyspark", "PyMySQL", "mysql-replication")

# No environment variables in addition to those of this process.
NO_SETTINGS: Mapping[str, str] = MappingProxyType({})

Result = TypeVar("Result")


@dataclass(frozen=True)
class Measurement:
    """One reader on one log.

    Attributes:
        reader: what was timed, a row of the table.
        log: name of the workload, a column of the table.
        seconds: wall time of the best run.
        num_bytes: bytes of log read in that time.
        rows: row changes the reader itself counted, by operation.
        peak_rss: the most resident memory of its process, in bytes.
    """

    reader: str
    log: str
    seconds: float
    num_bytes: int
    rows: Mapping[str, int]
    peak_rss: int

    @property
    def megabytes_per_second(self) -> float:
        """Return 10^6 bytes of log per second."""
        return self.num_bytes / MEGABYTE / self.seconds

    @property
    def rows_per_second(self) -> float:
        """Return row changes per second, an update counted once."""
        return sum(self.rows.values()) / self.seconds


def best_of(repeats: int, run: Callable[[], Result]) -> tuple[float, Result]:
    """Return the wall seconds of the fastest of `repeats` >= 1 runs, and the last result."""
    seconds = []
    for _ in range(repeats):
        started = time.perf_counter()
        result = run()
        seconds.append(time.perf_counter() - started)
    return min(seconds), result


@contextmanager
def on_cores(count: int) -> Iterator[None]:
    """Pin this process, and children started in the block, to its last cores."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[-count:])
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def warm_page_cache(path: Path) -> None:
    """Read a file into the page cache, so no run waits for the disk."""
    with path.open("rb") as file:
        while file.read(1 << 22):
            pass


def peak_rss(pid: int | str = "self") -> int:
    """Return the peak resident memory of a running process, in bytes.

    From /proc, because `ru_maxrss` of a child starts at the size of its parent.
    """
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0


def time_command(command: Sequence[str], repeats: int) -> float:
    """Return the wall seconds of the fastest run of a program; its output is discarded.

    Raises:
        subprocess.CalledProcessError: the program failed.
    """
    with on_cores(1):
        seconds, _ = best_of(
            repeats, lambda: subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        )
    return seconds


def run_module(
    module: str,
    *arguments: str,
    settings: Mapping[str, str] = NO_SETTINGS,
    stderr: int | None = None,
) -> dict[str, Any]:
    """Run a module in a new Python process, and return the JSON of its last line.

    Args:
        module: of this folder, such as `bench.core_reader`.
        arguments: of the program.
        settings: additional environment variables.
        stderr: as for `subprocess.run`.

    Raises:
        subprocess.CalledProcessError: the child failed.
    """
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=PROJECT_FOLDER,
        env={**os.environ, **settings},
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        check=True,
    )
    reported: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return reported


def run_child(
    module: str, *arguments: str, settings: Mapping[str, str] = NO_SETTINGS
) -> dict[str, Any]:
    """Do as `run_module`, on one core.

    The child measures itself between its imports and its end; see `print_child_result`.
    """
    with on_cores(1):
        return run_module(module, *arguments, settings=settings)


def print_child_result(*, seconds: float, num_bytes: int, rows: Mapping[str, int]) -> None:
    """Print the fields of a Measurement, for `run_child`; includes the peak memory."""
    fields = {"seconds": seconds, "num_bytes": num_bytes, "rows": rows, "peak_rss": peak_rss()}
    print(json.dumps(fields))


def describe_machine(tool_versions: Sequence[str] = ()) -> str:
    """Return two lines: the machine and its load, then the versions of the programs."""
    models = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    cores = len(os.sched_getaffinity(0))
    load = os.getloadavg()[0]
    machine = f"{models[0] if models else platform.machine()}, {cores} cores, load {load:.1f}"
    versions = [f"Python {platform.python_version()}"]
    for package in VERSIONED_PACKAGES:
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            versions.append(f"{package} not installed")
    return f"{machine}\n{', '.join([*versions, *tool_versions])}"


def format_table(
    measurements: Sequence[Measurement],
    baseline: str,
    rate: Callable[[Measurement], float],
    unit: str,
) -> str:
    """Return a text table: a line per reader; per log its rate and the ratio to the baseline's."""
    readers = list(dict.fromkeys(m.reader for m in measurements))
    logs = list(dict.fromkeys(m.log for m in measurements))
    rates = {(m.reader, m.log): rate(m) for m in measurements}
    width = max(map(len, [*readers, unit]))
    lines = [unit.ljust(width) + "".join(f"{log:>12}{'ratio':>8}" for log in logs)]
    for reader in readers:
        cells = [_cells(rates.get((reader, log)), rates.get((baseline, log))) for log in logs]
        lines.append(reader.ljust(width) + "".join(cells))
    return "\n".join(lines)


def _cells(value: float | None, base: float | None) -> str:
    """Return the two cells of a log; a dash if it was not measured."""
    if value is None:
        return f"{'-':>12}{'-':>8}"
    ratio = "-" if base is None else f"{value / base:.{2 if value > base / 10 else 3}f}"
    return f"{value:>12,.{1 if value < 100 else 0}f}{ratio:>8}"
