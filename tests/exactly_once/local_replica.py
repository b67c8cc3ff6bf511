"""`replicate` in this process, stopped between any two of its steps."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.replication import delta_tables, iceberg_commits
from pyspark_adapter.replication import replica as replica_module
from pyspark_adapter.replication.changes import Changes
from pyspark_adapter.replication.lake import State
from pyspark_adapter.replication.replica import Replica
from pyspark_adapter.server.server import LiveServer
from pyspark_adapter.sources.locations import Location
from tests.exactly_once.replica_load import DATABASE, PASSWORD, USER
from tests.live.servers import ServerState

STOP_SHARE: Final = 0.03  # of the steps
MOST_FAILURES: Final = 10
SETTLE_SECONDS: Final = 0.2


class Stopped(BaseException):
    """The program is killed here."""


class LocalReplica(Replica):
    """The program, stopped at random."""

    def __init__(self, *arguments: Any, seed: int, stop_share: float, **options: Any) -> None:
        self._source = random.Random(seed)  # noqa: S311 - to do the same again
        self._stop_share = stop_share
        super().__init__(*arguments, prunes=True, **options)

    def maybe_stop(self) -> None:
        if self._source.random() < self._stop_share:
            self.close()
            raise Stopped

    def save(self, state: State) -> None:
        """Store which tables follow the log, and up to where it was read."""
        self.maybe_stop()
        super().save(state)
        self.maybe_stop()

    def merge(self, changes: Changes) -> bool:
        """Apply the changes of a table."""
        self.maybe_stop()
        is_merged = super().merge(changes)
        self.maybe_stop()
        return is_merged


def server_of(state: ServerState) -> LiveServer:
    """Return how the program reaches a server."""
    access = {"host": state.host, "port": state.port, "user": USER, "password": PASSWORD}
    return LiveServer.from_options(BinlogOptions.from_python(access))


class LocalRuns:
    """The program, begun again whenever it was stopped."""

    def __init__(
        self, state: ServerState, lake: str, seed: int, table_format: str = "delta"
    ) -> None:
        self._state = state
        self._format = table_format
        self._lake = Location.parse(lake)
        self._source = random.Random(seed)  # noqa: S311 - to do the same again
        self.num_stops = 0
        self.num_failed = 0

    def stop_often(
        self, count: int, is_enough: Callable[[], bool], after_round: Callable[[str], None]
    ) -> None:
        """Run until it was stopped so often, and longer until enough was done to the server."""
        while self.num_stops < count or not is_enough():
            try:
                self._run(None, STOP_SHARE, after_round)
            except Stopped:
                self.num_stops += 1

    def finish(self) -> None:
        """Read the rest."""
        self._run(2, 0, lambda _: None)

    def _run(
        self, num_rounds: int | None, stop_share: float, after_round: Callable[[str], None]
    ) -> None:
        program = LocalReplica(
            server_of(self._state),
            self._lake,
            [DATABASE],
            has_history=True,
            table_format=self._format,
            seed=self._source.getrandbits(32),
            stop_share=stop_share,
        )
        try:
            self._rounds(program, num_rounds, after_round)
        finally:
            program.close()

    def _rounds(
        self, program: LocalReplica, num_rounds: int | None, after_round: Callable[[str], None]
    ) -> None:
        num_failed = 0
        while num_rounds is None or num_rounds > 0:
            try:
                program.round(has_failed=num_failed > 0)
            except Exception:  # a table was altered meanwhile
                num_failed += 1
                self.num_failed += 1
                if num_failed == MOST_FAILURES:
                    raise
                continue
            num_failed = 0
            num_rounds = num_rounds and num_rounds - 1
            if program.state.offset is not None:
                after_round(program.state.offset.log_name)


def settle_quickly() -> None:
    """Wait less before a copy, and take few rows and files for many, until the process ends."""
    replica_module.SETTLE_SECONDS = SETTLE_SECONDS  # type: ignore[attr-defined]
    delta_tables._SMALL_ROWS = 20  # type: ignore[misc]
    delta_tables._MOST_SMALL = 3  # type: ignore[misc]
    iceberg_commits._MOST_SMALL = 3  # type: ignore[misc]
