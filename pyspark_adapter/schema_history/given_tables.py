"""The tables of the option ddl, as statements of the logs change them."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pyspark_adapter.ddl.table_definition import TableDefinition
from pyspark_adapter.errors import EventSite
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.sources.log_file import log_number


@dataclass(frozen=True, slots=True)
class GivenFrom:
    """The definition of a table from a place of the logs on.

    Attributes:
        log: index of the log.
        pos: offset in it, in bytes.
        definition: None if it is not known.
        doubt: why it is not known, or the members of some columns; empty for none.
        assumed: the statement that the file is only assumed to be newer than; empty for none.
    """

    log: int
    pos: int
    definition: TableDefinition | None
    doubt: str = ""
    assumed: str = ""


@dataclass(frozen=True)
class GivenTables:
    """The tables that a user defines (option ddl), at each place of the logs.

    Attributes:
        tables: as the file has them. An empty database name means any database.
        changed: what statements make of them, in order; tables that no statement changes are
            absent.
        logs: indices of the logs by their paths.
        place: number of the log, and offset in it, that the file describes; None if unknown.
    """

    tables: Mapping[TableName, TableDefinition | None] = field(default_factory=dict)
    changed: Mapping[TableName, Sequence[GivenFrom]] = field(default_factory=dict)
    logs: Mapping[str, int] = field(default_factory=dict)
    place: tuple[int, int] | None = None

    def find(self, table: TableName) -> TableDefinition | None:
        """Return a table as the file defines it; None if it does not."""
        return self.tables.get(table) or self.tables.get(TableName("", table.table_name))

    def at(self, table: TableName, path: str, pos: int) -> GivenFrom | None:
        """Return the definition of a table at an offset of a log; None if no statement changes it.

        Args:
            table: as the log names it.
            path: of the log; empty for the end of all logs.
            pos: the offset in bytes.
        """
        found = self.changed.get(table, ())
        place = self.logs.get(path, sys.maxsize), pos
        index = bisect_right(found, place, key=lambda given: (given.log, given.pos))
        return found[index - 1] if index else None

    def within(self, path: str, start: int, stop: int | None) -> GivenTables:
        """Return only what `at` needs for offsets of one log, without the tables of the file.

        Args:
            path: of the log.
            start: the first offset in bytes.
            stop: the offset after the last one; None for the end of the log.
        """
        changed: dict[TableName, Sequence[GivenFrom]] = {}
        if path not in self.logs:
            return GivenTables()
        for table, found in self.changed.items():
            first, last = (
                bisect_right(found, (self.logs[path], pos), key=lambda g: (g.log, g.pos))
                for pos in (start, sys.maxsize if stop is None else stop)
            )
            if part := found[max(first - 1, 0) : last]:
                changed[table] = part
        return GivenTables({}, changed, {path: self.logs[path]})


def place_of(site: EventSite) -> tuple[int, int]:
    """Return the number of the log of an event, and the offset of the event."""
    return log_number(site.log_file), site.start_pos
