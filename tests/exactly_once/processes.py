"""The processes of a Spark program by role; Linux only."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from tests.inputs import ROOT

PROC = Path("/proc")
POLL_SECONDS = 0.05
# Spark waits 15 s for a process to connect back; a busy machine takes longer.
SETTINGS = {"PYSPARK_PYTHON": sys.executable, "SPARK_AUTH_SOCKET_TIMEOUT": "120"}
DAEMON = "pyspark.daemon pyspark.worker"
PLANNER = "pyspark.sql.streaming.python_streaming_source_runner"


class Role(Enum):
    """What a process does."""

    DRIVER = "driver"  # the program itself
    JVM = "jvm"
    PLANNER = "planner"  # runs the stream reader's planning, one for each stream
    DAEMON = "daemon"  # forks the workers
    WORKER = "worker"  # reads partitions for tasks
    OTHER = "other"


class Process(NamedTuple):
    """A process at some moment.

    Attributes:
        pid: its number.
        parent: the number of the one that began it.
        session: what all processes of a program share, even if their parents are gone.
        state: a letter, `R` while it runs, `Z` when it has ended.
        command: with its arguments.
    """

    pid: int
    parent: int
    session: int
    state: str
    command: str


def start_program(
    arguments: Sequence[str], out: Path, err: Path, *, password: str = ""
) -> subprocess.Popen[bytes]:
    """Start a Spark program of this project, in a session of its own."""
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    with out.open("ab") as out_file, err.open("ab") as err_file:
        return subprocess.Popen(
            [sys.executable, *arguments],
            env=os.environ | SETTINGS | {"PYTHONPATH": path, "MYSQL_PWD": password},
            cwd=out.parent,
            stdin=subprocess.DEVNULL,
            stdout=out_file,
            stderr=err_file,
            start_new_session=True,
        )


def end_program(program: subprocess.Popen[bytes]) -> None:
    """Kill all processes of a program."""
    while there := processes_of(program.pid):
        for process in there:
            kill(process)
        program.poll()
        time.sleep(POLL_SECONDS)
    program.wait()


def processes_of(session: int) -> list[Process]:
    """Return the processes of a session that have not ended."""
    folders = (folder for folder in PROC.iterdir() if folder.name.isdigit())
    found = (process for folder in folders if (process := _look_at(folder)) is not None)
    return [p for p in found if p.session == session and p.state != "Z"]


def _look_at(folder: Path) -> Process | None:
    with suppress(OSError):
        command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        # Behind the name, which may hold anything.
        state, parent, _, session, *_ = (folder / "stat").read_text().rpartition(") ")[2].split()
        return Process(int(folder.name), int(parent), int(session), state, command)
    return None


def role_of(process: Process, all_of_session: list[Process]) -> Role:
    """Return what a process of a Spark program does."""
    if process.pid == process.session:
        return Role.DRIVER
    if PLANNER in process.command:
        return Role.PLANNER
    if DAEMON in process.command:
        parents = [p for p in all_of_session if p.pid == process.parent]
        is_forked = any(DAEMON in parent.command for parent in parents)
        return Role.WORKER if is_forked else Role.DAEMON
    if "java" in process.command.partition(" ")[0]:
        return Role.JVM
    return Role.OTHER


def kill(process: Process) -> bool:
    try:
        os.kill(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True
