"""A random workload: statements of all kinds over random tables."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from tests.live.servers import Feature
from tests.replay.foreign_keys import ForeignKey
from tests.replay.kinds import WIDER
from tests.replay.row_statements import RowStatements
from tests.replay.session import Facts, Session
from tests.replay.tables import GENERATED, TRIGGERS, Column, Key, Table, TableMaker, quote
from tests.replay.timeline import Altered, Created, Dropped, Emptied, Ended, Prepared
from tests.truth.cells import Cell

MOST_TABLES = 12
MOST_ROWS = 150  # of a table, about


class Workload:
    """Statements, made and sent one after the other."""

    def __init__(
        self,
        session: Session,
        source: random.Random,
        maker: TableMaker,
        settings: Mapping[str, Sequence[str]],
    ) -> None:
        self._session = session
        self._source = source
        self._maker = maker
        self._settings = settings
        # Whether others may work between an XA transaction's two ends.
        self._can_detach = maker.server.has(Feature.DETACHED_XA)
        self._tables: dict[str, Table] = {}
        self._fixed: set[str] = set()  # those that triggers and foreign keys need
        self._barred: set[str] = set()  # by a transaction in two phases
        self._statements = RowStatements(source, session.connection, maker.server.flavor)
        self._num_xids = 0

    def run(self, num_steps: int) -> None:
        """Make tables, do a number of things, and look at the result."""
        self.begin()
        self.go_on(num_steps)
        self.end()

    def begin(self) -> None:
        """Make tables."""
        self._make_linked_tables()
        for key in Key:
            if key is not Key.INVISIBLE:
                self._create(self._maker.table(key))

    def go_on(self, num_steps: int, *, defines: bool = True) -> None:
        """Do a number of things.

        Args:
            num_steps: their number.
            defines: whether tables are created, altered, truncated and dropped as well.
        """
        steps: list[tuple[Callable[[], None], int]] = [
            (self._single, 60),
            (self._transaction, 30),
            (self._xa_transaction, 6),
            (self._thin_out, 5),
        ]
        if defines:
            steps += [
                (self._create_any, 2),
                (self._copy_table, 1),
                (self._truncate, 1),
                (self._drop, 1),
                (self._alter, 2),
            ]
        names, weights = zip(*steps, strict=True)
        for step in self._source.choices(names, weights, k=num_steps):
            self._choose_settings()
            step()

    def choose_from(self, settings: Mapping[str, Sequence[str]]) -> None:
        """Choose from other values for variables of the session, the first of each now."""
        self._settings = settings
        for variable, values in settings.items():
            self._session.execute(f"SET SESSION {variable} = {values[0]}")

    def drop_children(self) -> None:
        """Drop the tables to which foreign keys carry changes over."""
        for name in ("child", "orphan"):
            self._session.execute(f"DROP TABLE {name}")
            del self._tables[name]
            self._session.mark(Dropped(name))

    @property
    def tables(self) -> list[str]:
        return list(self._tables)

    def end(self) -> None:
        """Look at the result."""
        self._session.look(list(self._tables))

    # Tables.

    def _make_linked_tables(self) -> None:
        """Make tables with foreign keys, and one whose triggers write into others."""
        maker = self._maker
        parent = replace(
            maker.table(Key.PRIMARY, num_columns=3),
            name="parent",
            options="",
            is_transactional=True,
        )
        self._create(parent)
        for name, deletes in (("child", True), ("orphan", False)):
            foreign_key = ForeignKey("parent_id", "parent", "id", deletes)
            columns = (
                Column("parent_id", "INT", range(1, 40)),
                Column("n", "INT", range(100)),
                maker.column(),
            )
            table = Table(name, Key.PRIMARY, columns, (foreign_key.declaration,))
            self._create(table, foreign_key)
        watched = maker.table(Key.PRIMARY, num_columns=3)
        watched = replace(watched, name="watched", options="", is_transactional=True)
        what = Column("what", "VARCHAR(20)", ("x",), "")
        audit = Table("audit", Key.NONE, (Column("n", "INT", range(9)), what))
        total = Table("total", Key.PRIMARY, (Column("n", "INT", range(9)), what))
        for table in (watched, audit, total):
            self._create(table)
        self._fixed = {"parent", "child", "orphan", "watched", "audit", "total"}
        for trigger in TRIGGERS:
            self._session.execute(trigger)
        self._session.version()

    def _create(self, table: Table, foreign_key: ForeignKey | None = None) -> None:
        if table.key is Key.INVISIBLE:
            self._session.execute("SET sql_generate_invisible_primary_key = ON")
        assert self._session.execute(table.create), table.create
        if table.key is Key.INVISIBLE:
            self._session.execute("SET sql_generate_invisible_primary_key = OFF")
        self._tables[table.name] = table
        self._session.mark(self._created(table, foreign_key))

    def _created(self, table: Table, foreign_key: ForeignKey | None = None) -> Created:
        session = self._session
        described = session.describe(table.name)
        defaults = {"hidden": "5", "code": "c", "day": "2026-01-01"}
        defaults |= {c.name: c.default for c in table.columns if c.default is not None}
        cells = {
            name: session.default_cell(defaults[name], facts)
            for name, facts in described.items()
            if name in defaults and not table.is_copied
        }
        generated: dict[str, Callable[[Cell], Cell]] = {}
        if self._maker.server.flavor == "mariadb" and not table.is_copied:
            for name in described.keys() & GENERATED.keys():
                generated[name] = _generator(session, described[name], GENERATED[name][1])
        return Created(
            table.name, tuple(described), table.key_columns, cells, foreign_key, generated
        )

    def _create_any(self) -> None:
        if len(self._tables) < MOST_TABLES + len(self._fixed):
            self._create(self._maker.table())

    def _copy_table(self) -> None:
        """CREATE TABLE ... SELECT, whose rows are logged."""
        table = self._any_table()
        if len(self._tables) >= MOST_TABLES + len(self._fixed):
            return
        name = self._maker.name("copy")
        before = self._session.version()
        limit = self._source.randint(0, 20)
        if self._session.execute(
            f"CREATE TABLE {quote(name)} SELECT * FROM {quote(table.name)} LIMIT {limit}"
        ):
            copied = Table(name, Key.NONE, table.columns, is_copied=True)
            self._tables[name] = copied
            self._session.mark(self._created(copied), before)
            self._session.version()

    def _any_table(self, *, droppable: bool = False, transactional: bool = False) -> Table:
        tables = [table for name, table in self._tables.items() if name not in self._barred]
        if droppable:
            tables = [table for table in tables if table.name not in self._fixed]
        if transactional:
            tables = [table for table in tables if table.is_transactional]
        return self._source.choice(tables)

    def _partner(self, table: Table) -> Table:
        """Return a table to change in the same statement."""
        return self._any_table(transactional=True) if table.is_transactional else table

    def _truncate(self) -> None:
        table = self._any_table(droppable=True)
        self._session.execute(f"TRUNCATE TABLE {quote(table.name)}")
        self._session.mark(Emptied(table.name))

    def _drop(self) -> None:
        if len(self._tables) <= len(self._fixed) + 4:
            return
        table = self._any_table(droppable=True)
        self._session.execute(f"DROP TABLE {quote(table.name)}")
        del self._tables[table.name]
        self._session.mark(Dropped(table.name))

    def _alter(self) -> None:
        """Add, drop or widen a column; a log has one shape of a table, so a new one begins."""
        table = self._any_table(droppable=True)
        if table.is_copied:
            return
        columns = list(table.columns)
        own = [c for c in columns if c.name not in ("n", "word")]
        widenable = [c for c in own if c.sql_type in WIDER]
        choice = self._source.random()
        if widenable and choice < 0.4:
            old = self._source.choice(widenable)
            new = replace(old, sql_type=WIDER[old.sql_type])
            columns[columns.index(old)] = new
            change = f"MODIFY COLUMN {new.declaration}"
        elif own and choice < 0.6:
            old = self._source.choice(own)
            columns.remove(old)
            change = f"DROP COLUMN {quote(old.name)}"
        else:
            new = self._maker.column()
            place = self._source.choice(["", " FIRST", f" AFTER {quote(columns[0].name)}"])
            columns.append(new)
            change = f"ADD COLUMN {new.declaration}{place}"
        self._session.look(list(self._tables))
        self._session.execute("FLUSH BINARY LOGS")
        if not self._session.execute(f"ALTER TABLE {quote(table.name)} {change}"):
            return
        self._tables[table.name] = table.with_columns(columns)
        self._session.mark(Altered(self._created(self._tables[table.name])))

    # Transactions.

    def _choose_settings(self) -> None:
        for variable, values in self._settings.items():
            if self._source.random() < 0.2:
                self._session.execute(f"SET SESSION {variable} = {self._source.choice(values)}")

    def _single(self) -> None:
        self._change(self._any_table())
        self._session.version()

    def _transaction(self) -> None:
        """Changes with savepoints, committed or not.

        Tables that cannot roll back are left out: with one of them in a transaction, the log holds
        the changes that a rollback undid, and before it no sign that they were undone.
        """
        source, session = self._source, self._session
        session.execute(source.choice(["BEGIN", "START TRANSACTION"]))
        savepoints: list[str] = []
        for _ in range(self._choose_length()):
            choice = source.random()
            if choice < 0.2:
                name = f"s{source.randint(1, 3)}"
                session.execute(f"SAVEPOINT {name}")
                savepoints = [*(other for other in savepoints if other != name), name]
            elif choice < 0.4 and savepoints:
                place = source.randrange(len(savepoints))
                session.execute(f"ROLLBACK TO SAVEPOINT {savepoints[place]}")
                savepoints = savepoints[: place + 1]
            else:
                self._change(self._any_table(transactional=True))
        session.execute("ROLLBACK" if source.random() < 0.25 else "COMMIT")
        session.version()

    def _choose_length(self) -> int:
        """Return how much a transaction does."""
        return self._source.randint(1, 8)

    def _xa_transaction(self) -> None:
        """A transaction in two phases or one; between two, others work where they can."""
        source, session = self._source, self._session
        self._num_xids += 1
        parts = f"x{self._num_xids}", "branch", source.randint(1, 9)
        xid = "'{}','{}',{}".format(*parts)
        logged_name = f"X'{parts[0].encode().hex()}',X'{parts[1].encode().hex()}',{parts[2]}"
        touched = [
            table
            for table in self._tables.values()
            if table.name not in self._fixed and table.is_transactional
        ]
        touched = source.sample(touched, k=min(len(touched), 2))
        names = {table.name for table in touched}
        self._barred = set(self._tables) - names
        session.execute(f"XA START {xid}")
        for _ in range(source.randint(0, 4)):
            self._change(source.choice(touched))
        session.execute(f"XA END {xid}")
        self._barred = set()
        choice = source.random()
        start = session.version()
        if choice < 0.3:
            session.execute(f"XA COMMIT {xid} ONE PHASE")
            end = session.version()
            # The log says so at its end, and names it at its beginning.
            if self._maker.server.has(Feature.LOGGED_XA):
                session.mark(Prepared(xid, logged_name, end), start)
                session.mark(Ended(xid, is_committed=True), end)
            return
        if choice < 0.4:
            session.execute(f"XA ROLLBACK {xid}")
            session.version()
            return
        session.execute(f"XA PREPARE {xid}")
        end = session.version()
        session.mark(Prepared(xid, logged_name, end), start)
        if self._can_detach:
            self._barred = names
            for _ in range(source.randint(0, 5)):
                self._single()
            self._barred = set()
        is_committed = source.random() < 0.6
        before = session.version()
        session.execute(f"XA {'COMMIT' if is_committed else 'ROLLBACK'} {xid}")
        session.mark(Ended(xid, is_committed), before)
        session.version()

    def _change(self, table: Table) -> None:
        """Send a statement that changes rows."""
        self._session.execute(self._statements.change(table, self._partner(table)))

    def _thin_out(self) -> None:
        """Delete rows of a table that has many."""
        name = quote(self._any_table().name)
        [(count,)] = self._session.query(f"SELECT COUNT(*) FROM {name}")
        if int(count) > MOST_ROWS:
            self._session.execute(f"DELETE FROM {name} LIMIT {int(count) - MOST_ROWS // 2}")
            self._session.version()


def _generator(
    session: Session, facts: Facts, compute: Callable[[int], str]
) -> Callable[[Cell], Cell]:
    """Return what gives the cell of a generated column from that of the column n."""
    return lambda n: None if n is None else session.default_cell(compute(int(str(n))), facts)
