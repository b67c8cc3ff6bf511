"""The names that a table had before it was renamed (option followRenames)."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Final

from pyspark_adapter.definitions.sql_definitions import AlterTable, RenameTables, parse_definition
from pyspark_adapter.definitions.sql_session import SqlSession
from pyspark_adapter.definitions.sql_tokens import NotUnderstoodError
from pyspark_adapter.definitions.table_completion import TableCompletion
from pyspark_adapter.errors import BinlogError, EventSite
from pyspark_adapter.events.statements import Statement
from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.options.table_name import TableName

# By log and name: the position up to which rows of that name are rows of the table.
FormerNames = Mapping[str, Mapping[TableName, int]]

_WHOLE_LOG: Final = sys.maxsize


class RenameCollector(TableCompletion):
    """Takes note of the tables that statements rename, and completes nothing."""

    def __init__(self) -> None:
        super().__init__({}, is_silent=True)
        self._paths: list[str] = []
        self._renames: list[tuple[int, int, TableName, TableName]] = []

    def begin_log(self, path: str, start: int = 0) -> None:
        """Take note that the statements to come are of the next log."""
        del start
        self._paths.append(path)

    def complete(self, table_map: TableMap, site: EventSite) -> TableMap:
        """Return the table map as it is."""
        del site
        return table_map

    def take(self, statement: Statement) -> None:
        """Follow a statement."""
        try:
            session = SqlSession.from_event(statement.body)
            text = session.decode(statement.text)
        except (BinlogError, NotUnderstoodError):
            return
        if session.has_no_effect:
            return
        found = parse_definition(text, statement.database, session.dialect)
        names: tuple[tuple[TableName, TableName], ...] = ()
        if isinstance(found, RenameTables):
            names = found.names
        elif isinstance(found, AlterTable) and found.new_name is not None:
            names = ((found.table, found.new_name),)
        place = len(self._paths) - 1, statement.site.start_pos
        self._renames += ((*place, old, new) for old, new in names)

    def former_names(self, table: TableName) -> FormerNames:
        """Return the former names of a table, which are those of its former names as well.

        Rows of the table's own name count everywhere, whatever table it was.
        """
        ends: dict[TableName, tuple[int, int]] = {}
        for index, position, old, new in reversed(self._renames):
            is_ours = new == table or ((index, position) <= ends.get(new, (-1, 0)))
            if is_ours and old != table and old not in ends:
                ends[old] = index, position
        return {
            path: {
                name: position if log == index else _WHOLE_LOG
                for name, (index, position) in ends.items()
                if log <= index
            }
            for log, path in enumerate(self._paths)
        }
