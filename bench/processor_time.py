"""Processor time of this process and its descendants, from /proc, by component."""

import os
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import NamedTuple

from bench.timing import NO_SETTINGS, PROJECT_FOLDER

_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")

# The role of a Python process of Spark, by the module that it runs: its last argument.
_PYTHONS = {
    "pyspark.worker": "workers",
    "pyspark.sql.worker.create_data_source": "schema",
    "pyspark.sql.worker.plan_data_source_read": "plan",
}
# The role of a JVM thread, by the start of its name.
_THREADS = {
    "Executor task": "jvm tasks",
    "GC Thread": "jvm gc",
    "G1 ": "jvm gc",
    "C1 ": "jvm jit",
    "C2 ": "jvm jit",
}

# Role and ticks of each Python by its id. Spark ends one that had no work for a minute, and its
# parent does not count what it used.
_pythons: dict[int, tuple[str, int]] = {}

Seconds = Mapping[str, float]


class _Process(NamedTuple):
    parent: int
    own_ticks: int
    reaped_ticks: int  # of children that have ended


def processor_seconds() -> Seconds:
    """Return the user and system seconds that each component of a Spark session has used so far.

    Keys are `driver` (this process), `jvm tasks`, `jvm gc`, `jvm jit`, `jvm other`, `schema` and
    `plan` (the Pythons that plan a read), `workers`, and `other`.
    """
    processes = _processes()
    ticks: Counter[str] = Counter()
    for pid in _family_of(processes):
        process = processes[pid]
        try:
            command = Path(f"/proc/{pid}/cmdline").read_bytes().rstrip(b"\0").split(b"\0")
            if pid == os.getpid():
                ticks["driver"] += process.own_ticks
            elif command[0].endswith(b"java"):
                ticks += _jvm_ticks(pid, process.own_ticks)
            else:
                name = _PYTHONS.get(command[-1].decode(errors="replace"), "other")
                _pythons[pid] = name, process.own_ticks + process.reaped_ticks
        except OSError:
            continue  # has ended
    for name, num_ticks in _pythons.values():
        ticks[name] += num_ticks
    return {name: n / _TICKS_PER_SECOND for name, n in ticks.items()}


def family() -> set[int]:
    """Return the ids of this process and its descendants."""
    return _family_of(_processes())


def used_since(before: Seconds) -> Seconds:
    """Return the seconds of each component since `processor_seconds` returned `before`."""
    now = processor_seconds()
    return {name: seconds - before.get(name, 0) for name, seconds in now.items()}


def command_seconds(
    command: Sequence[str], settings: Mapping[str, str] = NO_SETTINGS, stderr: int | None = None
) -> float:
    """Run a program, discard its output, and return the user and system seconds it used.

    Args:
        command: run in the folder of the project.
        settings: additional environment variables.
        stderr: as for `subprocess.run`.

    Raises:
        subprocess.CalledProcessError: the program failed.
    """
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run(
        command,
        cwd=PROJECT_FOLDER,
        env={**os.environ, **settings},
        stdout=subprocess.DEVNULL,
        stderr=stderr,
        check=True,
    )
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _jvm_ticks(pid: int, own_ticks: int) -> Counter[str]:
    """Return the ticks of a JVM by role of its threads; ended threads count as `jvm other`."""
    ticks: Counter[str] = Counter()
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            name, _, fields = (task / "stat").read_text().partition("(")[2].rpartition(")")
        except OSError:
            continue
        kind = next((kind for start, kind in _THREADS.items() if name.startswith(start)), None)
        if kind is not None:
            ticks[kind] += sum(map(int, fields.split()[11:13]))
    ticks["jvm other"] = own_ticks - ticks.total()
    return ticks


def _processes() -> dict[int, _Process]:
    found = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        utime, stime, reaped_utime, reaped_stime = map(int, fields[11:15])
        found[int(folder.name)] = _Process(
            int(fields[1]), utime + stime, reaped_utime + reaped_stime
        )
    return found


def _family_of(processes: Mapping[int, _Process]) -> set[int]:
    family = {os.getpid()}
    while True:
        more = {pid for pid, process in processes.items() if process.parent in family} - family
        if not more:
            return family
        family |= more
