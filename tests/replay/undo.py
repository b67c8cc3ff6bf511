"""Undo and redo of a workload: a server takes its changes back, and makes them again."""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pymysql

from pyspark_adapter import BinlogError
from pyspark_adapter.sql_text.script import redo_statements, undo_statements
from tests.live.servers import Feature, ServerState, connect, server_named
from tests.replay.applier import ReplayError, shown
from tests.replay.configurations import Configuration
from tests.replay.kinds import column_kinds
from tests.replay.replay import prepare
from tests.replay.session import Session
from tests.replay.tables import TRIGGERS, TableMaker
from tests.replay.timeline import Selected
from tests.replay.workload import Workload

NUM_PLACES = 3
FORMS: tuple[dict[str, Any], ...] = (
    {},
    {"rows_per_statement": 1, "transaction_rows": 1},
    {"rows_per_statement": 3, "transaction_rows": 20},
)
# In the head of a script, and at the end of an UPDATE or DELETE.
ANNOUNCED = re.compile(r"(?<=[ ,:])([\d,]+) rows? (?:inserted|updated|deleted)")
LIMIT = re.compile(r" LIMIT (\d+);$")
SEVERAL_ROWS = 1242


@dataclass(frozen=True)
class Place:
    """A place in the logs, and what the server had there."""

    position: str
    tables: tuple[Selected, ...]


@dataclass(frozen=True)
class Undone:
    """What was undone and made again, and found right."""

    num_undone: int
    num_redone: int
    num_compared: int
    seconds: float

    def __str__(self) -> str:
        return (
            f"{self.num_undone:,} row changes undone and {self.num_redone:,} made again,"
            f" {self.num_compared:,} rows compared; {self.seconds:.1f} s"
        )


def prove_undo(
    state: ServerState, configuration: Configuration, seed: int, num_steps: int
) -> Undone:
    """Run a workload, take suffixes of it back, and make them again; raises ReplayError.

    The first half of the workload makes and alters tables, so that their definitions come from the
    log. The second half changes rows only, with full images.
    """
    started = time.monotonic()
    database = f"undo_{seed}"
    # Bytes of some types are in documents only where a column puts them: no SQL makes them.
    configuration = replace(configuration, has_opaque_documents=False)
    command = (
        f"python -m tests.replay --proofs undo --only {configuration.name} --seeds {seed}"
        f" --steps {num_steps}"
    )
    with closing(connect(state)) as connection:
        connection.decoders = {}
        session = Session(state, connection)
        prepare(session, configuration, database)
        first_log = session.log()
        source = random.Random(seed)  # noqa: S311 - to be the same each time is the purpose
        forms = random.Random(seed)  # noqa: S311
        workload = _workload(session, source, configuration)
        try:
            places = list(_run(session, workload, configuration, num_steps))
        finally:
            session.write(Path(state.binlog_dir).parent / f"{configuration.name}-undo-{seed}.sql")
        logs = [
            log
            for log in sorted(first_log.parent.glob(f"{state.binlog_base}.[0-9]*"))
            if first_log.name <= log.name <= session.log().name and log.suffix[1:].isdigit()
        ]
        session.query("SET sql_log_bin = 0")
        counts: Counter[str] = Counter()
        try:
            _check_triggers(session, logs, places, database)
            for trigger in TRIGGERS:
                session.query(f"DROP TRIGGER {trigger.split()[2]}")
            for place in reversed(places[:-1]):
                options: dict[str, Any] = {
                    "starting_position": place.position,
                    "ending_position": places[-1].position,
                    "databases": database,
                }
                for way, statements, wanted in (
                    ("undo", undo_statements, place),
                    ("redo", redo_statements, places[-1]),
                ):
                    try:
                        lines = list(statements(logs, **options, **forms.choice(FORMS)))
                        counts[way] += _execute(session.connection, lines)
                    except (BinlogError, pymysql.MySQLError) as error:
                        raise ReplayError(f"{way} from {place.position}: {error}", 0, "") from error
                    counts["rows"] += _compare(session, way, wanted)
        except ReplayError as error:
            raise ReplayError(f"{error}\n  again: {command}", 0, error.table) from error
        session.query(f"DROP DATABASE {database}")
        session.query("SET sql_log_bin = 1")
    seconds = time.monotonic() - started
    return Undone(counts["undo"], counts["redo"], counts["rows"], seconds)


def _workload(session: Session, source: random.Random, configuration: Configuration) -> Workload:
    maker = TableMaker(
        source,
        column_kinds(configuration, source),
        server_named(configuration.server),
        has_other_engines=not configuration.has_gtids,
        favoured=configuration.favoured,
    )
    return Workload(session, source, maker, configuration.settings)


def _run(
    session: Session, workload: Workload, configuration: Configuration, num_steps: int
) -> Iterable[Place]:
    """Run a workload; yield places in its second half, the last one at its end."""
    workload.begin()
    workload.go_on(num_steps // 2)
    if not configuration.has(Feature.LOGGED_CASCADES):
        workload.drop_children()
    full = {"binlog_row_image": ("FULL",)} if configuration.has(Feature.ROW_IMAGES) else {}
    workload.choose_from({**configuration.settings, **full})
    for _ in range(NUM_PLACES):
        yield _place(session, workload)
        workload.go_on(num_steps // 2 // NUM_PLACES, defines=False)
    yield _place(session, workload)


def _place(session: Session, workload: Workload) -> Place:
    log, offset = divmod(session.version(), 1 << 40)
    name = f"{session.state.binlog_base}.{log:06}"
    tables = tuple(session.select(table) for table in workload.tables)
    return Place(f"{name}:{offset}", tables)


def _check_triggers(
    session: Session, logs: Sequence[Path], places: Sequence[Place], database: str
) -> None:
    """Check that a script changes nothing where a table has triggers; raises ReplayError."""
    lines = list(
        undo_statements(
            logs,
            starting_position=places[0].position,
            ending_position=places[-1].position,
            databases=database,
        )
    )
    if not any("`watched`" in line for line in lines):
        return
    try:
        _execute(session.connection, lines)
    except pymysql.MySQLError as error:
        if error.args[0] != SEVERAL_ROWS:
            raise
    else:
        raise ReplayError("undo: a table with triggers was changed", 0, "watched")
    _compare(session, "undo with triggers", places[-1])


def _execute(connection: Any, lines: Iterable[str]) -> int:
    """Execute a script; return the number of its row changes; raises ReplayError."""
    count = announced = 0
    for line in lines:
        if line.startswith("--"):
            announced += sum(int(n.replace(",", "")) for n in ANNOUNCED.findall(line))
            continue
        connection.query(line)
        if line.startswith(("INSERT", "UPDATE", "DELETE")):
            number = connection.affected_rows()
            count += number
            limit = LIMIT.search(line)
            wanted = range(1, 10_000) if limit is None else range(int(limit[1]), int(limit[1]) + 1)
            if number not in wanted:
                raise ReplayError(f"{number} rows changed by {shown(line)}", 0, "")
    if count != announced:
        raise ReplayError(f"{count} rows changed, {announced} announced", 0, "")
    return count


def _compare(session: Session, way: str, place: Place) -> int:
    """Compare what a server has with a place; return the number of rows; raises ReplayError."""
    count = 0
    for wanted in place.tables:
        found = session.select(wanted.table)
        expected, rows = Counter(wanted.rows), Counter(found.rows)
        if expected != rows:
            text = f"{way}: {wanted.table}{wanted.names}: expected"
            text += f" {shown(list(expected - rows)[:1])}, found {shown(list(rows - expected)[:1])}"
            raise ReplayError(text, 0, wanted.table)
        count += len(wanted.rows)
    return count
