"""Statements in logs that SQL about rows depends on: definitions, ends of XA, lost changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from pyspark_adapter.ddl.constraints import FIRST_TO_LOG_CASCADES
from pyspark_adapter.ddl.sql_definitions import (
    AlterTable,
    CreateTable,
    Definition,
    DropDatabase,
    DropTables,
    RenameTables,
    UnknownChange,
)
from pyspark_adapter.ddl.table_definition import Alteration, TableDefinition
from pyspark_adapter.errors import EventSite, one_line
from pyspark_adapter.events.row_filter import RowFilter, TableFilter
from pyspark_adapter.events.statements import UNLOGGED_CHANGES, Statement, StatementKind
from pyspark_adapter.format.schema import FormatDescription
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.timeline.followed_log import FollowedLog


@dataclass(frozen=True, slots=True)
class TouchedTables:
    """What a statement does to tables.

    Attributes:
        tables: whose definition changes, or with whose rows a partition is exchanged; as the
            statement spells them.
        model: the table of CREATE TABLE ... LIKE; None for others.
        databases: names of the database that it drops; none for others.
        may_be_any: whether it is not understood, and no table is known.
        is_of_indexes: whether it changes indexes alone, and so neither rows nor columns.
    """

    tables: tuple[TableName, ...] = ()
    model: TableName | None = None
    databases: tuple[str, ...] = ()
    may_be_any: bool = False
    is_of_indexes: bool = False

    def includes(
        self, keeps: Callable[[TableName], bool], keeps_database: Callable[[str], bool]
    ) -> bool:
        """Return whether it touches one of the tables that functions choose."""
        return (
            self.may_be_any
            or any(map(keeps, self.tables))
            or any(map(keeps_database, self.databases))
        )


def touched_tables(change: Definition) -> TouchedTables:
    """Return what a statement does to definitions."""
    match change:
        case CreateTable(table, like=like):
            return TouchedTables((table,), like)
        case AlterTable(table, alteration, None):
            is_of_indexes = bool(alteration.indexes) and alteration == Alteration(
                indexes=alteration.indexes,
                # Names of constraints, which may be those of indexes.
                dropped_foreign_keys=alteration.dropped_foreign_keys,
            )
            return TouchedTables((table, *alteration.exchanged), is_of_indexes=is_of_indexes)
        case AlterTable(table, _, new_name) if new_name is not None:
            return TouchedTables((table, new_name))
        case RenameTables(names):
            return TouchedTables(tuple(table for pair in names for table in pair))
        case DropTables(tables):
            return TouchedTables(tables)
        case UnknownChange(table):
            return TouchedTables(may_be_any=True) if table is None else TouchedTables((table,))
        case DropDatabase(names):
            return TouchedTables(databases=names)
    return TouchedTables()


_ONE_PHASE: Final = " ONE PHASE"


# A position in the logs: the index of the log, and the offset of an event.
Position = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Uncovered:
    """A statement in the range that may do something to chosen tables, or a loss of changes.

    Attributes:
        text: what it is.
        position: where it is.
        begins: the chosen tables, if it creates them, or alters what such a statement has created.
        names_none: whether it names no chosen table, as DROP DATABASE.
    """

    site: EventSite
    text: str
    position: Position
    begins: frozenset[TableName] = frozenset()
    names_none: bool = False


@dataclass(slots=True)
class Findings:
    """What the logs hold besides rows, filled in while they are read.

    Attributes:
        log_index: of the log that is read.
        statements: definitions, and changes that are logged as statements.
        outcomes: of the distributed transactions that end in the logs: whether they commit.
        prepared: names of the chosen ones.
        parents: by child, the tables whose changes foreign keys carry over to it, of children
            whose definition is known.
        references: the same of foreign keys in the definitions of columns, which not all servers
            know.
        knows_references: whether a server of the range does.
        logs_cascades: whether the server logs what foreign keys do.
    """

    log_index: int = 0
    statements: list[Uncovered] = field(default_factory=list)
    outcomes: dict[str, bool] = field(default_factory=dict)
    prepared: set[str] = field(default_factory=set)
    parents: dict[TableName, frozenset[TableName]] = field(default_factory=dict)
    references: dict[TableName, frozenset[TableName]] = field(default_factory=dict)
    knows_references: bool = False
    logs_cascades: bool = True

    @property
    def are_outcomes_known(self) -> bool:
        """Whether the logs so far say how all chosen distributed transactions end."""
        return self.prepared <= self.outcomes.keys()

    def note(
        self,
        site: EventSite,
        text: str,
        begins: frozenset[TableName] = frozenset(),
        names_none: bool = False,
    ) -> None:
        """Note a statement that SQL of rows does not cover."""
        position = self.log_index, site.start_pos
        self.statements.append(Uncovered(site, text, position, begins, names_none))

    def note_server(self, description: FormatDescription) -> None:
        """Note whether the server of a log logs the effects of foreign keys."""
        version = description.server_version.split(".")
        numbers = [int(part) if part.isdecimal() else 0 for part in version[:2]]
        self.logs_cascades &= not description.is_mariadb and tuple(numbers) >= FIRST_TO_LOG_CASCADES
        self.knows_references |= numbers >= ([10, 5] if description.is_mariadb else [9, 0])

    def note_parents(self, tables: Iterable[tuple[TableName, TableDefinition]]) -> None:
        """Note the foreign keys of tables, as these are at the end of a log."""
        for table, definition in tables:
            if definition.foreign_keys:
                self.parents[table] = frozenset(key.parent for key in definition.foreign_keys)
            parents = [column.reference.parent for column in definition.columns if column.reference]
            if parents:
                self.references[table] = frozenset(
                    replace(parent, database_name=parent.database_name or table.database_name)
                    for parent in parents
                )


# The statements that `StatementNotes` reads.
NOTED_KINDS: Final = StatementKind.DEFINES | UNLOGGED_CHANGES | StatementKind.NOTED


class StatementNotes:
    """Notes what rows do not show.

    These are statements of chosen transactions, how distributed transactions end, and what the
    server lost.

    Args:
        findings: filled in.
        log: which knows the temporary tables before each statement.
    """

    def __init__(
        self, findings: Findings, options: BinlogOptions, log: FollowedLog, row_filter: RowFilter
    ) -> None:
        self._findings = findings
        self._options = options
        self._log = log
        self._filter = row_filter
        self._tables = TableFilter(options)
        self._begun: set[TableName] = set()  # created within the range

    def read(self, statement: Statement) -> None:
        """Note what the next statement of the log does."""
        if statement.kind & StatementKind.NOTED:
            self._note_end(statement)
            return
        if not statement.is_selected:
            return
        text = one_line(statement.summary)
        if statement.kind & StatementKind.DEFINES:
            tables = self._chosen(statement)
            if tables is not None:
                self._findings.note(statement.site, text, *tables)
                return
        if statement.kind & UNLOGGED_CHANGES:
            table = statement.table
            if table is None or self._is_about(statement, table):
                self._findings.note(statement.site, text, names_none=table is None)

    def _note_end(self, statement: Statement) -> None:
        if not statement.text:
            rows = self._filter
            start_pos = statement.site.start_pos
            if start_pos >= rows.first_pos and (rows.end_pos is None or start_pos < rows.end_pos):
                self._findings.note(statement.site, "an incident: the server lost changes")
            return
        if statement.is_selected:
            verb, xid = xa_of(statement)
            is_one_phase = verb == "XA COMMIT" and statement.text.endswith(b"PHASE")
            if verb == "XA PREPARE" or is_one_phase:
                self._findings.prepared.add(xid)
            elif verb == "XA COMMIT" and xid not in self._findings.prepared:
                reason = f"{one_line(f'XA COMMIT {xid}')}, which was prepared before the range"
                self._findings.note(statement.site, reason)
        note_outcome(self._findings, statement)

    def _chosen(self, statement: Statement) -> tuple[frozenset[TableName], bool] | None:
        """Return what a definition begins, and whether it names no chosen table.

        None if it does nothing to chosen tables.
        """
        begins: set[TableName] = set()
        touches, names, only_begins = False, False, not statement.kind & UNLOGGED_CHANGES
        ddl = self._log.ddl(statement)
        for change in self._log.base_changes(ddl):
            touched = touched_tables(change)
            if touched.is_of_indexes or not touched.includes(
                lambda table: self._is_about(statement, table), self._keeps_database
            ):
                continue
            touches = True
            tables = {table for table in touched.tables if self._is_about(statement, table)}
            names |= bool(tables)
            begins |= tables
            match change:
                case CreateTable(replaces=False):
                    # Of a table that may have been there before, nothing else begins here.
                    if not change.if_absent or ddl.parsed.session.says_if_carried_out:
                        self._begun |= tables
                case RenameTables():
                    only_begins &= self._rename(change)
                case AlterTable():
                    only_begins &= self._begun.issuperset(touched.tables)
                case _:
                    only_begins = False
        if not touches:
            return None
        return frozenset(begins if only_begins and names else ()), not names

    def _is_about(self, statement: Statement, table: TableName) -> bool:
        return self._log.is_about((table,), self._tables.keeps, statement)

    def _rename(self, change: RenameTables) -> bool:
        """Rename tables; return whether all of them were created within the range."""
        only_begun = True
        for old, new in change.names:
            if old in self._begun:
                self._begun.remove(old)
                self._begun.add(new)
            else:
                only_begun = False
                self._begun.discard(new)
        return only_begun

    def _keeps_database(self, database: str) -> bool:
        """Return whether tables of a database may be chosen."""
        databases, tables = self._options.databases, self._options.tables
        return (databases is None or any(pattern.matches(database) for pattern in databases)) and (
            tables is None or any(pattern.database.matches(database) for pattern in tables)
        )


def note_outcome(findings: Findings, statement: Statement) -> None:
    """Note how a distributed transaction ends, if a statement says that."""
    verb, xid = xa_of(statement)
    if verb in ("XA COMMIT", "XA ROLLBACK"):
        findings.outcomes[xid] = verb == "XA COMMIT"


def xa_of(statement: Statement) -> tuple[str, str]:
    """Return what a statement does to a distributed transaction, as `XA COMMIT`, and its name."""
    text = statement.text.decode(errors="backslashreplace")
    xa, _, rest = text.partition(" ")
    verb, _, xid = rest.partition(" ")
    return f"{xa} {verb}", xid.removesuffix(_ONE_PHASE)
