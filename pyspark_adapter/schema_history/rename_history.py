"""The names that a table had before it was renamed (option followRenames)."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cached_property
from typing import Final

from pyspark_adapter.ddl.sql_definitions import AlterTable, RenameTables
from pyspark_adapter.events.statements import Statement, StatementKind
from pyspark_adapter.options.table_name import TableName
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
        self._paths: list[str] = []
        self._renames: list[tuple[int, int, TableName, TableName]] = []

    def begin_log(self, path: str) -> None:
        """Start the next log."""
        self._paths.append(path)

    def take(self, statement: Statement) -> None:
        """Take the next statement."""
        _, found, _ = parsed_statement(statement)
        names: tuple[tuple[TableName, TableName], ...] = ()
        if isinstance(found, RenameTables):
            names = found.names
        elif isinstance(found, AlterTable) and found.new_name is not None:
            names = ((found.table, found.new_name),)
        where = len(self._paths) - 1, statement.site.start_pos
        self._renames += ((*where, old, new) for old, new in names)

    def former_names(self, path: str) -> Mapping[TableName, int]:
        """Return the former names of the table in a log, to be asked after all statements.

        Rows of the table's own name always count, whatever table had it.

        Returns:
            For each name the offset before which its rows are rows of the table.
        """
        return self._by_path.get(path, {})

    @cached_property
    def _by_path(self) -> dict[str, dict[TableName, int]]:
        ends: dict[TableName, tuple[int, int]] = {}
        for index, position, old, new in reversed(self._renames):
            end = index, position
            is_former = any(end <= ends.get(name, (-1, 0)) for name in (new, new.lower()))
            if is_former or new.may_be(self._table):
                for name in {old, old.lower()} - {self._table}:
                    ends.setdefault(name, end)
        return {
            path: {
                name: position if log == index else _WHOLE_LOG
                for name, (index, position) in ends.items()
                if log <= index
            }
            for log, path in enumerate(self._paths)
        }
