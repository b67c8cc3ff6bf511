"""The names that a table had before it was renamed (option followRenames)."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from pyspark_adapter.ddl.sql_definitions import AlterTable, Definition, RenameTables
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.timeline.name_case import NameCase
from pyspark_adapter.timeline.table_states import Position

_WHOLE_LOG: Final = sys.maxsize
_START: Final = (0, 0)

# From and up to where each former name was that of the table, as indices of logs and offsets; the
# last one first.
Spans = Mapping[TableName, Sequence[tuple[tuple[int, int], tuple[int, int]]]]


def former_names(
    changes: Iterable[tuple[Position, Definition]], table: TableName, case: NameCase
) -> Spans:
    """Return where a table had other names.

    Args:
        changes: of base tables, in order.
        table: the table, as it is called after all of them.
        case: says which names rows may have of a table of a statement.
    """
    renames: list[tuple[int, int, TableName, TableName]] = []
    for (log, pos, _), change in changes:
        if isinstance(change, RenameTables):
            renames += ((log, pos, old, new) for old, new in change.names)
        elif isinstance(change, AlterTable) and change.new_name is not None:
            renames.append((log, pos, change.table, change.new_name))
    spans: defaultdict[TableName, list[tuple[tuple[int, int], tuple[int, int]]]]
    spans = defaultdict(list)
    ends: dict[TableName, tuple[int, int]] = {}  # of spans whose start is not found yet
    for log, pos, old, new in reversed(renames):
        formers = {name: ends.pop(name) for name in case.spellings(new) if name in ends}
        for name, end in formers.items():
            spans[name].append(((log, pos), end))
        if formers or table in case.spellings(new):
            for name in {*case.spellings(old)} - {table}:
                ends.setdefault(name, (log, pos))
            continue
        for name in case.spellings(old):  # which was another table's before
            if name in ends:
                spans[name].append(((log, pos + 1), ends.pop(name)))
    for name, end in ends.items():
        spans[name].append((_START, end))
    return dict(spans)


def names_in(spans: Spans, log: int) -> dict[TableName, list[range]]:
    """Return the former names of a table in a log, with the offsets at which they are its names.

    Rows of the table's own name always count, whatever table had it.
    """
    return {
        name: [
            range(start if first == log else 0, end if last == log else _WHOLE_LOG)
            for (first, start), (last, end) in ranges
            if first <= log <= last and (first, start) < (last, end)
        ]
        for name, ranges in spans.items()
        if any(first[0] <= log <= last[0] and first < last for first, last in ranges)
    }
