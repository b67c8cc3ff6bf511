"""Statements that removed rows of a table, which the log does not hold, or renamed its columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pyspark_adapter.ddl.sql_definitions import AlterTable, Definition, UnknownChange
from pyspark_adapter.errors import EventSite
from pyspark_adapter.events.statements import StatementKind
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.timeline.ddl import Ddl
from pyspark_adapter.timeline.table_changes import schema_changes, searched_name
from pyspark_adapter.timeline.timeline import Timeline


@dataclass(frozen=True, slots=True)
class Removals:
    """What a pass over logs has seen of rows that were removed without being logged.

    Attributes:
        last: the last statement that removed rows, or moved them; empty for none.
        last_site: its event; None for none.
        end: up to where it has looked: the offset of an event, or of the end of a log.
        renamed: by the old name of a column, its new one, and the last statement that renamed it.
    """

    last: str
    last_site: EventSite | None
    end: EventSite
    renamed: Mapping[str, tuple[str, str]]


def find_removals(
    timeline: Timeline, options: BinlogOptions, surveyed_to: EventSite | None
) -> Removals:
    """Return the last statement of transactions that the options select that removed rows.

    Args:
        options: of a read of one table.
        surveyed_to: the table map up to which alone the logs were surveyed; None for their end.
    """
    table = options.table
    assert table is not None
    last: Ddl | None = None
    renamed: dict[str, tuple[str, str]] = {}
    name = b"" if options.follow_renames else searched_name(table)
    for change in timeline.changes(name, reads=surveyed_to is None):
        ddl, parsed = change.ddl, change.effect
        if not ddl.is_selected:
            continue
        if isinstance(parsed, UnknownChange) and parsed.reason and ddl.parsed.change is not None:
            parsed = ddl.parsed.change  # to report rows that are still there is the lesser harm
        for one in schema_changes(parsed, ddl.parsed.session, table):
            if one.kind == "create" or not (
                timeline.is_about(one, table, ddl) or timeline.is_former(one, change)
            ):
                continue
            if one.kind == "alter":
                removes = bool(ddl.kind & StatementKind.CHANGES)
                statement = f"{ddl.site}: {ddl.parsed.summary}"
                renamed |= {old: (new, statement) for old, new in _renames(parsed).items()}
            else:
                removes = one.kind != "rename" or not options.follow_renames
            last = ddl if removes else last
    end = surveyed_to or _end_of(timeline.log_files)
    site = None if last is None else last.site
    return Removals("" if last is None else last.parsed.summary, site, end, renamed)


def _renames(change: Definition) -> dict[str, str]:
    """Return the new names of columns by the old ones, unless case alone differs."""
    if not isinstance(change, AlterTable):
        return {}
    alteration = change.alteration
    changed = {c.old_name: c.column.name for c in alteration.changes if c.old_name is not None}
    all_ = {**alteration.renamed, **alteration.renamed_if_present, **changed}
    return {old: new for old, new in all_.items() if old.lower() != new.lower()}


def _end_of(log_files: Sequence[LogFile]) -> EventSite:
    """Return the end of the last log; logs of several servers have the same numbers."""
    ends = [(log.number, log.num_bytes, log.name) for log in log_files]
    _, num_bytes, name = max(ends, default=(0, 0, ""))
    return EventSite(name, num_bytes)
