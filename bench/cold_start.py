"""What a new machine pays: the start of a command, a first read, and code for all processors.

The last compares the library that came with the package with code that numba compiles for this very
processor, in turns.
"""

import json
import subprocess
import sys
from pathlib import Path

from bench.processor_time import command_seconds
from bench.timing import PROJECT_FOLDER
from bench.workloads import DATABASE_NAME

START_BAR, FIRST_BAR = 0.35, 0.5  # seconds of processor time
RATE_BAR = 0.97  # of the rate of code for this processor
_SAMPLE = str(PROJECT_FOLDER / "samples" / "mysql-9.7-shop.000001")

# Prints the processor time of the first read of a process, and of the best later one.
_READ = """
import json, sys, time

log, table, repeats, is_native = sys.argv[1:]
started = time.process_time()
if is_native == "yes":
    from pyspark_adapter.kernels import library
    library._features = frozenset  # none of the libraries is for such a processor
from pyspark_adapter import read_batches

times = [started]
for _ in range(1 + int(repeats)):
    for batch in read_batches(log, table=table):
        pass
    times.append(time.process_time())
taken = [after - before for before, after in zip(times, times[1:])]
print(json.dumps([taken[0], min(taken[1:])]))
"""


def _read_seconds(log: Path, table: str, repeats: int, *, is_native: bool) -> list[float]:
    command = [sys.executable, "-c", _READ, str(log), table, str(repeats)]
    done = subprocess.run(
        [*command, "yes" if is_native else "no"], capture_output=True, check=True, text=True
    )
    first, best = json.loads(done.stdout)
    return [float(first), float(best)]


def describe_cold_start(logs: dict[str, Path], repeats: int) -> str:
    """Return lines: the start of `rows`, and for each log the first read and the ratio of rates.

    Args:
        logs: by workload.
        repeats: reads of each process, and turns; the best counts.
    """
    rows = [sys.executable, "-m", "pyspark_adapter", "rows", _SAMPLE]
    start = min(command_seconds(rows, {}, subprocess.DEVNULL) for _ in range(max(repeats, 3)))
    lines = [
        "Processor time on a machine that has compiled nothing",
        f"  rows of a sample: {start:.2f} s (bar {START_BAR})",
    ]
    for name, log in logs.items():
        table = f"{DATABASE_NAME}.{name}"
        shipped, native = [], []
        for _ in range(max(repeats, 3)):
            shipped.append(_read_seconds(log, table, repeats, is_native=False))
            native.append(_read_seconds(log, table, repeats, is_native=True)[1])
        first = min(first - best for first, best in shipped)
        ratio = min(native) / min(best for _, best in shipped)
        lines.append(
            f"  {name}: a first read takes {first:.2f} s more than a later one (bar {FIRST_BAR});"
            f" rate {ratio:.2f} of that of code for this processor (bar {RATE_BAR})"
        )
    return "\n".join(lines)
