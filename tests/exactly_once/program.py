"""The program with the streams, as a process: begun, looked at, killed."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.exactly_once.processes import (
    POLL_SECONDS,
    Process,
    Role,
    end_program,
    kill,
    processes_of,
    role_of,
    start_program,
)
from tests.exactly_once.stream_program import Plan

END_SECONDS = 10.0  # some processes hang when what they talk to is killed
# In the text of an error that is ours, and not of a process that is gone.
OURS = "pyspark_adapter"
# In the text of one that is due to a log that is rewritten from its start.
REWRITTEN = ("has lost its beginning", "has been cut", "TruncatedEventError")
MOST_SHOWN = 3000
# Spark waits ten seconds for a process that it begins; a machine with much to do takes longer.
SLOW = "Python worker failed to connect back"


class ProgramError(AssertionError):
    """The program did what nobody asked of it."""


class Program:
    """A run of the program.

    Args:
        plan: what it does.
        folder: for what it prints.
        number: of the run.
        is_mirrored: whether logs are rewritten after their writer was killed.

    Attributes:
        plan: what it does.
        num_errors_allowed: streams that may end with an error, since processes were killed.
    """

    def __init__(self, plan: Plan, folder: Path, number: int, *, is_mirrored: bool) -> None:
        self.plan = plan
        self.num_errors_allowed = 0
        self._forgiven = REWRITTEN if is_mirrored else ()
        self._out = folder / f"program-{number}.out"
        self._err = folder / f"program-{number}.err"
        arguments = ["-m", "tests.exactly_once.stream_program", plan.to_json()]
        self._process = start_program(arguments, self._out, self._err)

    @property
    def return_code(self) -> int | None:
        """How the program has ended; None while it runs."""
        return self._process.poll()

    def events(self, name: str) -> list[dict[str, Any]]:
        """Return the events of one kind that it has printed."""
        lines = self._out.read_text().splitlines(keepends=True)
        events = [json.loads(line) for line in lines if line.endswith("\n")]
        return [event for event in events if event["event"] == name]

    def check(self) -> None:
        """Check that streams have ended no more often than their processes were killed.

        Raises:
            ProgramError: they have, or one has given another reason.
        """
        errors = [event for event in self.events("error") if SLOW not in event["text"]]
        for event in errors:
            text = event["text"]
            is_ours = OURS in text and not any(forgiven in text for forgiven in self._forgiven)
            if is_ours or len(errors) > self.num_errors_allowed:
                text = text[:MOST_SHOWN]
                raise ProgramError(f"the stream into {event['sink']} ended with: {text}")

    def last_errors(self) -> str:
        """Return the end of what it has written as errors."""
        return self._err.read_text(errors="replace")[-4000:]

    def processes(self, role: Role) -> list[Process]:
        there = processes_of(self._process.pid)
        return [process for process in there if role_of(process, there) is role]

    def kill(self, role: Role) -> bool:
        """Kill one process that does something, if there is one; rather one that runs."""
        found = sorted(self.processes(role), key=lambda process: process.state != "R")
        return bool(found) and kill(found[0])

    def kill_all(self) -> None:
        end_program(self._process)

    def wait_for_end(self) -> int:
        """Wait until all processes have ended by themselves, and return how many had to be killed.

        Those whose program was killed have to notice it.
        """
        for _ in until(END_SECONDS):
            if self.return_code is not None and not processes_of(self._process.pid):
                return 0
        left = len(processes_of(self._process.pid))
        self.kill_all()
        return left


def until(seconds: float) -> Iterator[None]:
    """Yield, time and again, until seconds are over."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        yield
        time.sleep(POLL_SECONDS)


def wait_for(condition: Callable[[], bool], seconds: float, what: str) -> None:
    """Wait until something is so; raises ProgramError."""
    for _ in until(seconds):
        if condition():
            return
    raise ProgramError(f"waited {seconds:.0f} s for {what}")
