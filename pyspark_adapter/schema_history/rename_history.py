"""The names that a table had before it was renamed (option followRenames)."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

from pyspark_adapter.ddl.sql_definitions import AlterTable, RenameTables
from pyspark_adapter.events.statements import Statement, StatementKind
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.schema_history.packed import Packed
from pyspark_adapter.schema_history.schema_change import parsed_statement

_WHOLE_LOG: Final = sys.maxsize


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
        self._logs: Packed[dict[str, int]] = Packed({})  # indices of the logs by their paths
        self._renames: list[tuple[int, int, TableName, TableName]] = []

    def __getstate__(self) -> dict[str, Any]:
        """Return what tasks need; most renames are of other tables."""
        return {"_logs": self._logs, "_ends": self._ends}

    def begin_log(self, path: str) -> None:
        """Start the next log."""
        self._log += 1
        self._logs.value[path] = self._log

    def take(self, statement: Statement) -> None:
        """Take the next statement."""
        _, found, _ = parsed_statement(statement)
        names: tuple[tuple[TableName, TableName], ...] = ()
        if isinstance(found, RenameTables):
            names = found.names
        elif isinstance(found, AlterTable) and found.new_name is not None:
            names = ((found.table, found.new_name),)
        where = self._log, statement.site.start_pos
        self._renames += ((*where, old, new) for old, new in names)

    def former_names(self, path: str) -> Mapping[TableName, int]:
        """Return the former names of the table in a log, to be asked after all statements.

        Rows of the table's own name always count, whatever table had it.

        Returns:
            For each name the offset before which its rows are rows of the table.
        """
        log = self._logs.value.get(path, sys.maxsize) if self._ends else sys.maxsize
        return {
            name: position if log == index else _WHOLE_LOG
            for name, (index, position) in self._ends.items()
            if log <= index
        }

    @cached_property
    def _ends(self) -> dict[TableName, tuple[int, int]]:
        """For each former name, the index of the log in which it ends, and the offset there."""
        ends: dict[TableName, tuple[int, int]] = {}
        for index, position, old, new in reversed(self._renames):
            end = index, position
            is_former = any(end <= ends.get(name, (-1, 0)) for name in (new, new.lower()))
            if is_former or new.may_be(self._table):
                for name in {old, old.lower()} - {self._table}:
                    ends.setdefault(name, end)
        return ends
