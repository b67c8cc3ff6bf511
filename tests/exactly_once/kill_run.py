"""One run of the proof: a server under load, streams of its logs, and kills."""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pyarrow as pa
from deltalake import DeltaTable

from tests.exactly_once.checkpoint import committed_place, count_batches
from tests.exactly_once.configurations import MIRRORED, OPTIONS, SLOW
from tests.exactly_once.found import Found
from tests.exactly_once.kept_logs import KeptLogs
from tests.exactly_once.kills import ENDING, ROLES, Kill
from tests.exactly_once.load import Load
from tests.exactly_once.mirror import Mirror
from tests.exactly_once.program import Program, ProgramError, until, wait_for
from tests.exactly_once.proof import count_printed, prove
from tests.exactly_once.slow_copy import SlowCopy
from tests.exactly_once.stream_program import KILL_ORDER, SINKS, Plan
from tests.live.servers import Feature, ServerState, running_server, server_named
from tests.replay.configurations import Configuration

WAIT_SECONDS = 600.0  # for a batch, or the end; only ever reached by a fault
RATE = 15.0  # statements and transactions in a second
OPTIONS_OF_STREAMS: tuple[Mapping[str, str], ...] = (
    {},
    {"maxBytesPerTrigger": "400000", "maxPartitionBytes": "64k"},
    {"maxFilesPerTrigger": "5"},
)
ROTATION_SHARE = 0.01  # of the moments at which the run looks around
PURGE_SHARE = 0.05
PROGRAMS = {"mysql": "mysqlbinlog", "mariadb": "mariadb-binlog"}


def run_kills(
    servers: Path, configuration: Configuration, seed: int, kills: Sequence[Kill]
) -> Found:
    """Start a server, and run on it; raises ProgramError, ProofError, ReplayError.

    A failed run leaves its files in a folder next to that of the server.
    """
    instance = f"exactly-once-{configuration.name}"
    folder = servers / "run" / f"{instance}-{seed}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    options = {**configuration.options, **OPTIONS}
    with running_server(servers, configuration.server, instance, options=options) as state:
        try:
            found = KillRun(state, configuration, servers, folder, seed).run(kills)
        except AssertionError as error:
            error.add_note(f"see {folder}")
            raise
    shutil.rmtree(folder)
    return found


class KillRun:
    """A run."""

    def __init__(
        self,
        state: ServerState,
        configuration: Configuration,
        servers: Path,
        folder: Path,
        seed: int,
    ) -> None:
        self._configuration = configuration
        self._servers = servers
        self._folder = folder
        self._source = random.Random(seed)  # noqa: S311 - to do the same again
        self._state = state
        self._load = Load(state, configuration, seed, RATE)
        self._logs = KeptLogs(state, folder / "kept")
        self._copier: Mirror | SlowCopy | None = None
        if configuration.name == MIRRORED:
            self._copier = Mirror(state, servers, folder / "logs")
        elif configuration.name == SLOW:
            self._copier = SlowCopy(state, folder / "logs", seed)
        self._programs: list[Program] = []
        self._found = Found()

    def run(self, kills: Sequence[Kill]) -> Found:
        """Kill, and prove that nothing is lost or doubled.

        Raises:
            ProgramError: a stream ended for another reason, or did not continue.
            ProofError, ReplayError: a sink does not hold each change once.
        """
        started = time.monotonic()
        self._load.start()
        if self._copier is not None:
            self._copier.start()
        try:
            for kill in kills:
                self._kill(kill)
                self._found.kills[kill.value] += 1
            self._load.stop()
            for program in self._programs:
                program.kill_all()
            self._wait_for_copies()
            self._drain()
        finally:
            for program in self._programs:
                program.kill_all()
            if self._copier is not None:
                self._copier.stop()
        self._prove()
        self._found.seconds = time.monotonic() - started
        return self._found

    def _begin(self) -> Program:
        """Return the program that runs, or begin it with options of its own."""
        source = self._source
        if self._programs and self._programs[-1].return_code is None:
            return self._programs[-1]
        options = OPTIONS_OF_STREAMS[len(self._programs) % len(OPTIONS_OF_STREAMS)]
        return self._start(options, task_failures=source.choice([1, 3]))

    def _start(
        self, options: Mapping[str, str], *, task_failures: int = 1, drains: bool = False
    ) -> Program:
        logs = self._state.binlog_dir if self._copier is None else str(self._copier.folder)
        plan = Plan(logs, str(self._folder), dict(options), task_failures, drains)
        is_mirrored = isinstance(self._copier, Mirror)
        program = Program(plan, self._folder, len(self._programs), is_mirrored=is_mirrored)
        self._programs.append(program)
        return program

    def _kill(self, kill: Kill) -> None:
        program = self._begin()
        batches = self._num_batches()
        wanted = self._source.choice([0, 1, 1, 2])  # none: it may be about to do some again
        self._wait(lambda: len(program.events("started")) >= len(SINKS), "the streams")
        self._wait(lambda: self._num_batches() >= batches + wanted, "a batch")
        moment = time.monotonic() + self._source.uniform(0, 1.5)
        self._wait(lambda: time.monotonic() > moment, "the moment")
        program.num_errors_allowed += 1 if kill in (Kill.PLANNER, Kill.WORKER) else len(SINKS)
        if kill is Kill.ALL:
            program.kill_all()
        elif kill is Kill.WRITTEN:
            (self._folder / KILL_ORDER).touch()
            self._wait(lambda: bool(program.events("kills itself")), "a batch of Delta")
        elif kill is Kill.MIRROR:
            assert isinstance(self._copier, Mirror)
            self._copier.stop()
            self._copier.start()
        else:
            self._wait(lambda: program.kill(ROLES[kill]), f"a process to kill: {kill.value}")
        if kill in ENDING:
            self._found.num_left += program.wait_for_end()

    def _num_batches(self) -> int:
        return sum(count_batches(path) for path in self._checkpoints())

    def _checkpoints(self) -> list[Path]:
        return [self._folder / f"{sink}-checkpoint" for sink in SINKS]

    def _wait(self, condition: Callable[[], bool], what: str) -> None:
        """Wait until something is so; rotate and purge logs meanwhile."""
        for _ in until(WAIT_SECONDS):
            self._load.check()
            if self._copier is not None:
                self._copier.check()
            program = self._programs[-1]
            program.check()
            if condition():
                return
            if program.return_code is not None:
                raise ProgramError(f"the program has ended: {program.last_errors()}")
            if self._source.random() < ROTATION_SHARE:
                self._logs.rotate()
            if self._source.random() < PURGE_SHARE:
                self._purge()
        raise ProgramError(f"waited {WAIT_SECONDS:.0f} s for {what}")

    def _purge(self) -> None:
        """Remove the logs that both streams have read."""
        places = [committed_place(path) for path in self._checkpoints()]
        if None not in places:
            first = min(place.log_file for place in places if place is not None)
            self._found.num_purged += self._logs.purge(first)
            for copy in self._copies() if self._copier is not None else ():
                if copy.name < first:
                    copy.unlink()

    def _copies(self) -> list[Path]:
        """Return the logs that are streamed, in order."""
        return self._logs.there() if self._copier is None else sorted(self._copier.folder.iterdir())

    def _wait_for_copies(self) -> None:
        last = self._logs.there()[-1]
        size = last.stat().st_size
        wait_for(
            lambda: (copy := self._copies()[-1]).name == last.name and copy.stat().st_size == size,
            WAIT_SECONDS,
            "the copy of the last log",
        )

    def _drain(self) -> None:
        """Let the streams read the rest."""
        program = self._start({"maxBytesPerTrigger": "500000"}, drains=True)
        wait_for(
            lambda: program.return_code is not None or bool(program.events("error")),
            WAIT_SECONDS,
            "the end of the logs",
        )
        program.check()
        if program.return_code or not program.events("done"):
            raise ProgramError(f"the program has ended: {program.last_errors()}")

    def _prove(self) -> None:
        logs = self._logs.all()
        flavor = server_named(self._configuration.server).flavor
        printed = count_printed(self._servers, logs, PROGRAMS[flavor])
        for sink in SINKS:
            self._found.proven[sink] = prove(
                self._read(sink),
                printed,
                self._load.session,
                logs_cascades=self._configuration.has(Feature.LOGGED_CASCADES),
            )
            self._found.num_batches[sink] = count_batches(self._folder / f"{sink}-checkpoint")
        self._found.num_known = sum(len(program.events("known")) for program in self._programs)
        self._found.num_logs = len(logs)
        self._found.num_steps = self._load.num_steps

    def _read(self, sink: str) -> pa.Table:
        if sink == "delta":
            return DeltaTable(str(self._folder / sink)).to_pyarrow_table()
        with pa.OSFile(str(self._folder / f"{sink}.arrow"), "rb") as file:
            return pa.ipc.open_file(file).read_all()
