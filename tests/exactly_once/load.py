"""Load on a server: a random workload that runs until it is stopped."""

from __future__ import annotations

import random
import threading
from contextlib import closing

from tests.live.random_values import Value
from tests.live.servers import ServerState, connect, server_named
from tests.replay.configurations import Configuration
from tests.replay.kinds import column_kinds
from tests.replay.replay import prepare
from tests.replay.session import Facts, Session
from tests.replay.tables import TableMaker
from tests.replay.workload import Workload

DATABASE = "streamed"
# Column types that JSON rows give without loss, whose text is the servers' own.
TYPES = (
    *("TINYINT", "SMALLINT UNSIGNED", "INT", "BIGINT", "BIGINT UNSIGNED"),
    *("DECIMAL(10,2)", "DECIMAL(38,30)", "DATETIME(6)"),
    *("VARCHAR(63) CHARACTER SET utf8mb4", "TEXT CHARACTER SET ascii"),
    *("VARBINARY(255)", "TINYBLOB"),
)
LARGE_SHARE = 0.04  # of transactions
LEN_LARGE = 250  # changes of a large one, at most


class TellingSession(Session):
    """A session that keeps the facts of columns that it has seen.

    Attributes:
        facts: of each column, by table and name; widening leaves the form of its values.
    """

    def __init__(self, state: ServerState, connection: object) -> None:
        self.facts: dict[tuple[str, str], Facts] = {}
        super().__init__(state, connection)

    def describe(self, table: str) -> dict[str, Facts]:
        """Return what is known of each column."""
        described = super().describe(table)
        self.facts |= {(table, name): facts for name, facts in described.items()}
        return described


class MixedWorkload(Workload):
    """A workload with some transactions that are far larger than the others."""

    def _choose_length(self) -> int:
        if self._source.random() < LARGE_SHARE:
            return self._source.randint(LEN_LARGE // 5, LEN_LARGE)
        return super()._choose_length()


class Load:
    """A workload in a thread of its own."""

    def __init__(
        self, state: ServerState, configuration: Configuration, seed: int, rate: float
    ) -> None:
        self._state = state
        self._configuration = configuration
        self._source = random.Random(seed)  # noqa: S311 - to be the same each time is the purpose
        self._pause = 1 / rate
        self._stopped = threading.Event()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="load", daemon=True)
        self._began = threading.Event()
        self.session: TellingSession
        self.num_steps = 0

    def start(self) -> None:
        """Begin, and return when there are tables; raises Exception."""
        self._thread.start()
        self._began.wait()
        self.check()

    def check(self) -> None:
        """Raise the error that the workload has ended with, if so."""
        if self._error is not None:
            raise self._error

    def stop(self) -> None:
        """Let the workload end, and look at all tables; raises Exception."""
        self._stopped.set()
        self._thread.join()
        self.check()

    def _run(self) -> None:
        try:
            with closing(connect(self._state)) as connection:
                self._work(connection)
        except Exception as error:  # noqa: BLE001 - is raised again where the thread is looked at
            self._error = error
        finally:
            self._began.set()

    def _work(self, connection: object) -> None:
        connection.decoders = {}  # type: ignore[attr-defined]
        self.session = TellingSession(self._state, connection)
        prepare(self.session, self._configuration, DATABASE)
        workload = self._workload()
        workload.begin()
        self._began.set()
        while not self._stopped.wait(self._pause):
            workload.go_on(1)
            self.num_steps += 1
        workload.end()

    def _workload(self) -> Workload:
        configuration = self._configuration
        kinds: dict[str, list[Value]] = column_kinds(configuration, self._source)
        maker = TableMaker(
            self._source,
            {sql_type: kinds[sql_type] for sql_type in TYPES},
            server_named(configuration.server),
            has_other_engines=not configuration.has_gtids,
        )
        return MixedWorkload(self.session, self._source, maker, configuration.settings)
