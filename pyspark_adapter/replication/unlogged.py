"""Statements that changed rows and are logged as text, and the tables that they name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from pyspark_adapter.charsets.charset import decode_text
from pyspark_adapter.errors import StatementEventError
from pyspark_adapter.events.statements import (
    UNLOGGED_CHANGES,
    Statement,
    StatementKind,
    client_charset,
)
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.scan.scanner import Scanner
from pyspark_adapter.splits.log_splits import Split, read_range_of

AS_TEXT: Final = "the log has only the text of a statement that changed rows"
_WORDS: Final = re.compile(r"`(?:[^`]|``)+`|[\w$]+")
# They change what a function or a procedure changes, which has no name in the log.
_CALLS: Final = re.compile(r"\W*(?:CALL|DO|SELECT)\b", re.IGNORECASE)


def unlogged_statements(splits: Iterable[Split], options: BinlogOptions) -> Iterator[Statement]:
    """Yield the statements of logs that changed rows which the logs do not hold.

    Raises:
        BinlogError: if a log is damaged, or the server cannot be reached.
    """
    for split in splits:
        part = read_range_of(split)
        for scanned in Scanner(split.log_file, options, None, UNLOGGED_CHANGES, part):
            for statement, *_ in scanned.statements:
                if statement.is_selected and not statement.is_truncate:
                    yield statement


def changed_by(
    statement: Statement, followed: Collection[TableName], changed: Collection[TableName]
) -> set[TableName]:
    """Return the tables whose rows a statement may have changed, of those that are followed.

    Views, triggers and foreign keys do not count: the log does not say what they change.

    Args:
        statement: of `unlogged_statements`.
        followed: the tables.
        changed: those of them that have rows in the log; a rollback may have taken back any.

    Raises:
        StatementEventError: if it names no table that it changes.
    """
    if statement.kind == StatementKind.TAKES_BACK:
        return {*changed}
    target = statement.table
    if target is not None:
        return {name for name in followed if name.lower() == target.lower()}
    charset = client_charset(statement.status_vars)
    text = decode_text(statement.text, charset, replaces=True)
    if _CALLS.match(text):
        raise StatementEventError(
            f"{AS_TEXT}, and it names no table: {statement.summary}",
            site=statement.site,
            advice="start replicate with --reload, which copies all tables again, and set"
            " binlog_format=ROW on the server",
        )
    words = {word.strip("`").replace("``", "`").lower() for word in _WORDS.findall(text)}
    words.add(statement.database.lower())
    return {
        name
        for name in followed
        if words.issuperset((name.lower().database_name, name.lower().table_name))
    }
