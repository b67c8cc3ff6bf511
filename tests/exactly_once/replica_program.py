"""The command `replicate` as a process that can be killed."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from pyspark_adapter.sources.locations import Location
from tests.exactly_once.processes import (
    Role,
    end_program,
    kill,
    processes_of,
    role_of,
    start_program,
)
from tests.exactly_once.program import ProgramError, until
from tests.exactly_once.replica_load import DATABASE, PASSWORD, USER
from tests.live.servers import ServerState
from tests.support.power_loss import Shadow, leave

CATALOG: Final = "lakehouse"  # of lakes in object storage
WAIT_SECONDS: Final = 600.0  # only ever reached by a fault


class Replication:
    """The program as a process, begun again when it was killed.

    Args:
        state: of the server.
        folder: for what it prints, and for the tables if they are there.
        lake: of the tables.
        table_format: of the lake.

    Attributes:
        kills: how many there were so far, by target.
    """

    def __init__(
        self, state: ServerState, folder: Path, lake: Location, table_format: str = "delta"
    ) -> None:
        self._log = "_delta_log" if table_format == "delta" else "metadata"
        self._lake = Path(lake.path) if lake.is_local else None
        self._catalog = folder / f"{CATALOG}.db"
        self._out = folder / "out.txt"
        access = ["--host", state.host, "--port", str(state.port)]
        access += ["--user", USER, "--to", str(lake), "--format", table_format]
        access += ["--history", "--prune", *([] if lake.is_local else ["--catalog", CATALOG])]
        self._shadow = Shadow(folder / "synced")
        watched = ["-m", "tests.support.power_loss", str(folder / "synced")]
        program = watched if lake.is_local else ["-m", "pyspark_adapter"]
        self._arguments = [*program, "replicate", *access, DATABASE]
        self._process: subprocess.Popen[bytes] | None = None
        self._is_killed = False
        # Of each log of a table: when it was changed, and its commits. There get to be many.
        self._counts: dict[Path, tuple[int, int]] = {}
        self.kills: Counter[str] = Counter()

    def start(self, *arguments: str) -> None:
        """Start the program, unless it runs."""
        if self._process is not None and self._process.poll() is None:
            return
        self._process = start_program(
            [*self._arguments, *arguments], self._out, self._out, password=PASSWORD
        )

    def _num_commits(self) -> int:
        """Return how many there were of all tables; those of removed tables count no more."""
        if self._lake is None:
            return sum(self._commits_in_catalog())
        counts: dict[Path, tuple[int, int]] = {}
        for folder in self._lake.glob(f"*/*/{self._log}"):
            with suppress(OSError):  # the table is gone
                changed = folder.stat().st_mtime_ns
                counts[folder] = self._counts.get(folder, (0, 0))
                if counts[folder][0] != changed:
                    # Each has a number; Iceberg keeps few of them.
                    numbers = [
                        int(path.name[:20].partition("-")[0].partition(".")[0])
                        for path in folder.glob("0*.json")
                    ]
                    counts[folder] = changed, max(numbers, default=0)
        self._counts = counts
        return sum(count for _, count in counts.values())

    def _commits_in_catalog(self) -> list[int]:
        """Return how many each table of the catalog has."""
        if not self._catalog.exists():
            return []
        with suppress(sqlite3.OperationalError), closing(sqlite3.connect(self._catalog)) as found:
            rows = found.execute("SELECT metadata_location FROM iceberg_tables").fetchall()
            return [int(text.rpartition("/")[2].partition("-")[0]) for (text,) in rows]
        return []  # its tables are not made yet

    def excuse(self) -> None:
        """Let the program end with an error, since the server was killed."""
        self._is_killed = True
        self.kills["server"] += 1

    def kill(self, role: Role) -> None:
        """Kill a process of the program, or all if there is none of the role."""
        assert self._process is not None
        there = processes_of(self._process.pid)
        chosen = [process for process in there if role_of(process, there) is role]
        if role is Role.DRIVER or not chosen:
            self._is_killed = True
        for process in chosen[:1] or there:
            kill(process)
        self.kills[role.value if chosen else "all"] += 1
        if self._is_killed:
            self.end()

    def lose_power(self, chance: random.Random) -> None:
        """Leave of the lake what was synced, and by chance more."""
        assert self._process is not None
        assert self._lake is not None
        self._process.send_signal(signal.SIGSTOP)
        os.waitpid(self._process.pid, os.WUNTRACED)  # until it has stopped
        left = self._lake.with_name("left")
        leave(self._lake, self._shadow, left, chance)
        self._is_killed = True
        self.kills["power"] += 1
        self.end()
        shutil.rmtree(self._lake)
        left.rename(self._lake)
        self._shadow.begin(self._lake)

    @property
    def copied_again(self) -> list[str]:
        """The warnings that a table had lost files, and was copied for it."""
        lines = self._out.read_text(errors="replace").splitlines()
        return [line for line in lines if "copied again" in line]

    def end(self) -> None:
        """Kill all processes."""
        assert self._process is not None
        end_program(self._process)

    def finish(self) -> None:
        """Let it read the rest; raises ProgramError."""
        self.start("--rounds", "2")
        assert self._process is not None
        if self._process.wait(WAIT_SECONDS):
            raise ProgramError(self._printed())

    def wait(self, condition: Callable[[], bool], what: str) -> None:
        """Wait until something is so; start the program when it has ended; raises ProgramError."""
        for _ in until(WAIT_SECONDS):
            if condition():
                return
            assert self._process is not None
            if self._process.poll() is not None:
                if not self._is_killed:
                    break
                self._is_killed = False
                self.start()
        raise ProgramError(f"waited for {what}: {self._printed()}")

    def wait_for_copies(self, count: int) -> None:
        """Wait until some tables are copied."""

        def num_copies() -> int:
            if self._lake is None:
                return len(self._commits_in_catalog())
            return len(list(self._lake.glob(f"{DATABASE}/*/{self._log}")))

        self.wait(lambda: num_copies() >= count, "copies")

    def wait_for_commits(self, count: int) -> None:
        """Wait until there were so many more commits of tables."""
        wanted = self._num_commits() + count
        self.wait(lambda: self._num_commits() >= wanted, "commits")
        if count:
            self._is_killed = False

    def wait_until(self, moment: float) -> None:
        self.wait(lambda: time.monotonic() > moment, "a moment")

    @property
    def failures(self) -> list[str]:
        """The rounds that failed: the text of each error."""
        lines = self._out.read_text(errors="replace").splitlines()
        return [line for line in lines if " failed and is tried again: " in line]

    def _printed(self) -> str:
        return self._out.read_text(errors="replace")[-5000:]
