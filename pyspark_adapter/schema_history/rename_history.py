"""The names that a table had before it was renamed (option followRenames)."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from pyspark_adapter.ddl.sql_definitions import AlterTable, RenameTables, UnknownChange
from pyspark_adapter.events.statements import Statement, StatementKind
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.schema_history.packed import Packed
from pyspark_adapter.schema_history.schema_change import parsed_statement
from pyspark_adapter.schema_history.temporary_tables import TemporaryTables
from pyspark_adapter.warn import warn

_WHOLE_LOG: Final = sys.maxsize
_Place = tuple[int, int]  # the index of a log, and an offset in it


class RenameHistory:
    """Takes the statements of logs and finds the former names of one table.

    A `StatementSink`. Without statements the table has no former name. A server with
    `lower_case_table_names=1` logs names in lower case, however statements spell them, so a former
    name counts in lower case as well.

    Args:
        table: the table, as it is called after all logs.

    Attributes:
        kinds: of the statements to call `take` with.
    """

    kinds = StatementKind.DEFINES

    def __init__(self, table: TableName) -> None:
        self._table = table
        self._log = -1
        self._temporary = TemporaryTables()
        self._logs: Packed[dict[str, int]] = Packed({})  # indices of the logs by their paths
        self._renames: list[tuple[int, int, TableName, TableName]] = []

    def __getstate__(self) -> dict[str, Any]:
        """Return what tasks need; most renames are of other tables."""
        return {"_logs": self._logs, "_spans": self._spans}

    def begin_log(self, path: str) -> None:
        """Start the next log."""
        self._log += 1
        self._logs.value[path] = self._log

    def take(self, statement: Statement) -> None:
        """Take the next statement."""
        where = self._log, statement.site.start_pos
        for found in self._temporary.take(statement, parsed_statement(statement)):
            if isinstance(found, RenameTables):
                self._renames += ((*where, old, new) for old, new in found.names)
            elif isinstance(found, AlterTable) and found.new_name is not None:
                self._renames.append((*where, found.table, found.new_name))
            elif (
                isinstance(found, UnknownChange)
                and found.reason
                and found.table is not None
                and found.table.may_be(self._table)
            ):
                warn(f"{found.reason}: names of {self._table} before it are not followed")

    def former_names(self, path: str) -> Mapping[TableName, Sequence[range]]:
        """Return the former names of the table in a log, to be asked after all statements.

        Rows of the table's own name always count, whatever table had it.

        Returns:
            For each name the offsets at which its rows are rows of the table.
        """
        log = self._logs.value.get(path) if self._spans else None
        if log is None:
            return {}
        return {
            name: [
                range(start if first == log else 0, end if last == log else _WHOLE_LOG)
                for (first, start), (last, end) in spans
                if first <= log <= last
            ]
            for name, spans in self._spans.items()
            if any(first <= log <= last for (first, _), (last, _) in spans)
        }

    @cached_property
    def _spans(self) -> dict[TableName, list[tuple[_Place, _Place]]]:
        """From and up to where each former name was that of the table; the last span first."""
        spans: defaultdict[TableName, list[tuple[_Place, _Place]]] = defaultdict(list)
        ends: dict[TableName, _Place] = {}  # of spans whose start is not found yet
        for log, pos, old, new in reversed(self._renames):
            formers = {name: ends.pop(name) for name in (new, new.lower()) if name in ends}
            for name, end in formers.items():
                spans[name].append(((log, pos), end))
            if formers or new.may_be(self._table):
                for name in {old, old.lower()} - {self._table}:
                    ends.setdefault(name, (log, pos))
                continue
            for name in (old, old.lower()):  # which was another table's before
                if name in ends:
                    spans[name].append(((log, pos + 1), ends.pop(name)))
        for name, end in ends.items():
            spans[name].append(((0, 0), end))
        return dict(spans)
