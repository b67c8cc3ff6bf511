"""One replay: a workload on a server, and its log applied to nothing."""

from __future__ import annotations

import random
import time
from collections import Counter
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

from pyspark_adapter import BinlogError
from tests.live.servers import Feature, ServerState, connect, running_server, server_named
from tests.oracle.comparison import first_difference, rows_with_places
from tests.oracle.rows import images_of
from tests.replay.applier import Applier, ReplayError
from tests.replay.changes import count_statements, read_all
from tests.replay.configurations import Configuration
from tests.replay.documents import DocumentPatcher
from tests.replay.kinds import column_kinds
from tests.replay.session import Session
from tests.replay.tables import TableMaker
from tests.replay.timeline import Emptied
from tests.replay.workload import Workload

NUM_AROUND = 3  # statements shown before the one that may have failed


@dataclass(frozen=True)
class Replayed:
    """What was replayed and found right.

    Attributes:
        num_statements: that were sent.
        num_refused: of them, ended in an error that may be.
        num_changes: of rows, applied.
        num_compared: rows compared with the server's.
        num_bytes: of logs.
        seconds: that the server, the reader and the comparison took.
    """

    num_statements: int
    num_refused: int
    num_changes: int
    num_compared: int
    num_bytes: int
    seconds: tuple[float, float, float]

    def __str__(self) -> str:
        server, reader, applier = self.seconds
        return (
            f"{self.num_statements:,} statements ({self.num_refused:,} refused),"
            f" {self.num_bytes:,} bytes, {self.num_changes:,} changes,"
            f" {self.num_compared:,} rows compared;"
            f" server {server:.1f} s, reader {reader:.1f} s, comparison {applier:.1f} s"
        )


class Servers:
    """Servers of configurations, each started when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._states: dict[tuple[str, ...], ServerState] = {}
        self._stack = ExitStack()

    def __enter__(self) -> Servers:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def state_of(self, configuration: Configuration) -> ServerState:
        """Return how to reach the server of a configuration."""
        options = configuration.options
        key = (configuration.server, *(f"{name}={value}" for name, value in options.items()))
        if key not in self._states:
            instance = "-".join(["replay", configuration.server, *options.values()])
            running = running_server(
                self._folder, configuration.server, instance, options=dict(options)
            )
            self._states[key] = self._stack.enter_context(running)
        return self._states[key]


def replay(
    state: ServerState,
    configuration: Configuration,
    seed: int,
    num_steps: int,
    *,
    by_schema: bool = True,
) -> Replayed:
    """Run a workload and replay its log; raises ReplayError.

    Args:
        state: of the server.
        configuration: of it.
        seed: of all choices.
        num_steps: single statements and transactions to send.
        by_schema: whether the schema reads the log, too; it has to give the same.
    """
    database = f"replay_{seed}"
    started = time.monotonic()
    with closing(connect(state)) as connection:
        connection.decoders = {}
        session = Session(state, connection)
        prepare(session, configuration, database)
        first_log = session.log()
        source = random.Random(seed)  # noqa: S311 - to be the same each time is the purpose
        kinds = column_kinds(configuration, source)
        maker = TableMaker(
            source,
            kinds,
            server_named(configuration.server),
            has_other_engines=not configuration.has_gtids,
            favoured=configuration.favoured,
        )
        workload = Workload(session, source, maker, configuration.settings)
        try:
            workload.run(num_steps)
        finally:
            session.write(Path(state.binlog_dir).parent / f"{configuration.name}-{seed}.sql")
        last_log = session.log()
        session.query("FLUSH BINARY LOGS")
        session.query(f"DROP DATABASE {database}")
    written = time.monotonic()
    logs = [
        log
        for log in sorted(first_log.parent.glob(f"{state.binlog_base}.[0-9]*"))
        if first_log.name <= log.name <= last_log.name and log.suffix[1:].isdigit()
    ]
    command = (
        f"python -m tests.replay --only {configuration.name} --seeds {seed} --steps {num_steps}"
    )
    try:
        changes = read_all(logs, database)
    except BinlogError as error:
        raise ReplayError(f"{error}\n  again: {command}", 0, "") from error
    read = time.monotonic()
    try:
        with closing(connect(state)) as connection:
            patcher = DocumentPatcher(connection)
            follows = not configuration.has(Feature.LOGGED_CASCADES)
            applier = Applier(patcher, follows_foreign_keys=follows)
            applier.run(changes, session.marks)
        compare_truncations(session, count_statements(logs, database))
        for log in logs if by_schema else ():
            compare_with_schema(log)
    except ReplayError as error:
        text = f"{error}{report(session, error)}\n  again: {command}"
        raise ReplayError(text, error.version, error.table) from error
    applied = time.monotonic()
    return Replayed(
        len(session.statements),
        sum(session.errors.values()),
        applier.num_changes,
        applier.num_compared,
        sum(log.stat().st_size for log in logs),
        (written - started, read - written, applied - read),
    )


def compare_truncations(session: Session, found: Counter[str]) -> None:
    """Compare how often tables were truncated; the log has no rows of that; raises ReplayError."""
    expected = Counter(
        mark.event.table for mark in session.marks if isinstance(mark.event, Emptied)
    )
    for table in expected | found:
        if expected[table] != found[table]:
            message = f"{table}: truncated {expected[table]} times, found {found[table]}"
            raise ReplayError(message, 0, table)


def compare_with_schema(log: Path) -> None:
    """Compare the rows of a log with those that the schema decodes; raises ReplayError."""
    rows = rows_with_places(log)
    difference = first_difference(log, rows)
    if difference or len(rows) != len([*images_of(log)]):
        raise ReplayError(f"{log.name}: the schema differs: {difference or 'other rows'}", 0, "")


def prepare(session: Session, configuration: Configuration, database: str) -> None:
    """Set the server, and begin a new log and a database."""
    variables = {**configuration.variables}
    if configuration.has(Feature.COMPRESSED_EVENTS):
        variables.setdefault("log_bin_compress", "OFF")
    if configuration.has(Feature.METADATA):
        logged = {"NONE": "NO_LOG"}.get(configuration.metadata, configuration.metadata)
        variables["binlog_row_metadata"] = logged
    for name, value in variables.items():
        session.query(f"SET GLOBAL {name} = {value}")
    session.query("SET innodb_lock_wait_timeout = 2")
    session.query(f"DROP DATABASE IF EXISTS {database}")
    session.query("FLUSH BINARY LOGS")
    session.query(f"CREATE DATABASE {database}")
    session.query(f"USE {database}")


def report(session: Session, error: ReplayError) -> str:
    """Return the statements around an error."""
    first, last = session.statements_at(error.version)
    if last - first > 50 or first >= len(session.statements):
        return ""
    first = max(0, first - NUM_AROUND)
    lines = [
        f"\n  statement {number}: {session.statements[number][:500]}"
        for number in range(first, min(last, len(session.statements)))
    ]
    return "".join(lines)
