"""Statements that stand in the log as text, and what they do to tables and rows.

With `binlog_format=ROW` these are definitions, and `TRUNCATE`; with `STATEMENT` and `MIXED` the
text may be all that the log has of a change of rows.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from enum import IntFlag
from typing import Any, Final, Protocol

from pyspark_adapter.errors import CorruptEventError, EventSite
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.options import TableName
from pyspark_adapter.schema import EventType, parsing

STATEMENT_EVENTS: Final = frozenset(
    {EventType.query, EventType.query_compressed, EventType.execute_load_query}
)


class StatementKind(IntFlag):
    """What a statement does; it can be both, as `CREATE TABLE ... SELECT` is."""

    OTHER = 0
    DEFINES = lay.STATEMENT_DEFINES
    CHANGES = lay.STATEMENT_CHANGES


# White space, opening brackets and comments, in executable comments the mark alone.
_LEAD: Final = (
    rb"(?:[\x09-\x0d (]|/\*M?!\d*|/\*(?!M?!).*?(?:\*/|\Z)|--(?=[\x00-\x20]|\Z)[^\n]*(?:\n|\Z)"
    rb"|#[^\n]*(?:\n|\Z))*+"
)
_FIRST_WORD: Final = re.compile(_LEAD + rb"([A-Za-z]*)", re.DOTALL)
_SET_STATEMENT: Final = re.compile(rb"\s+STATEMENT\b.*?\bFOR\b", re.DOTALL | re.IGNORECASE)
_SPACES: Final = re.compile(rb"\s+")

_DEFINITIONS: Final = frozenset({b"CREATE", b"ALTER", b"DROP", b"RENAME"})
_CHANGES: Final = frozenset(
    {b"TRUNCATE", b"INSERT", b"UPDATE", b"DELETE", b"REPLACE", b"LOAD", b"WITH"}
    # A call of a stored function that changes rows is logged as one of these.
    | {b"SELECT", b"DO", b"CALL"}
)
_CREATE_SELECT: Final = re.compile(
    rb"\s+(?:OR\s+REPLACE\s+)?TABLE\b.*\bSELECT\b", re.IGNORECASE | re.DOTALL
)
_QUOTED: Final = re.compile(rb"'(?:[^'\\]|\\.)*+'|`[^`]*+`|\"(?:[^\"\\]|\\.)*+\"", re.DOTALL)
_ALTER_PARTITION: Final = re.compile(rb"\b(?:DROP|TRUNCATE|EXCHANGE)\s+PARTITION\b", re.IGNORECASE)

# How much of a text is looked at; what tells the table of a statement stands at its beginning.
_MAX_LOOK: Final = 1 << 16

_PART: Final = rb"(`(?:[^`]|``)+`|\"(?:[^\"]|\"\")+\"|[\w$\x80-\xff]+)"
_NAME: Final = _PART + rb"(?:\s*\.\s*" + _PART + rb")?"
_TARGETS: Final = {
    b"INSERT": rb"(?:(?:LOW_PRIORITY|DELAYED|HIGH_PRIORITY|IGNORE|INTO)\s+)*" + _NAME,
    b"REPLACE": rb"(?:(?:LOW_PRIORITY|DELAYED|INTO)\s+)*" + _NAME,
    # A second table would stand before SET.
    b"UPDATE": rb"(?:(?:LOW_PRIORITY|IGNORE)\s+)*" + _NAME + rb"(?:\s+(?:AS\s+)?\w+)??\s+SET\b",
    b"DELETE": rb"(?:(?:LOW_PRIORITY|QUICK|IGNORE)\s+)*FROM\s+" + _NAME
    + rb"(?=\s*(?:\Z|;|/\*|\s(?:WHERE|ORDER|LIMIT|PARTITION|RETURNING)\b))",
    b"TRUNCATE": rb"(?:TABLE\s+)?" + _NAME,
    b"LOAD": rb".*?\bINTO\s+TABLE\s+" + _NAME,
    b"CREATE": rb"(?:OR\s+REPLACE\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?" + _NAME,
    b"ALTER": rb"(?:(?:ONLINE|IGNORE)\s+)*TABLE\s+(?:IF\s+EXISTS\s+)?" + _NAME,
}  # fmt: skip
_TARGET_BY_WORD: Final = {
    word: re.compile(pattern, re.IGNORECASE | re.DOTALL) for word, pattern in _TARGETS.items()
}


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement as the log has it.

    Attributes:
        database: the default database; empty if there was none.
        text: in the client's character set.
        kind: what it does.
        site: its event.
        body: of the event, parsed: `body.session` has the variables of its session.
    """

    database: str
    text: bytes
    kind: StatementKind
    site: EventSite
    body: Any

    @classmethod
    def from_event(cls, parsed: Any, site: EventSite, max_bytes: int) -> Statement:
        """Take a parsed QUERY, QUERY_COMPRESSED or EXECUTE_LOAD_QUERY event.

        Args:
            parsed: the event.
            site: where it stands.
            max_bytes: longest text of a compressed one.

        Raises:
            CorruptEventError: if its fields contradict each other.
        """
        body = parsed.body
        with parsing("statement"):
            text = inflate_query(body, max_bytes) if body.is_compressed else bytes(body.query)
            database = body.database_name.decode(errors="backslashreplace")
        kind = StatementKind.CHANGES
        if parsed.type_code != EventType.execute_load_query:
            kind = kind_of_statement(text)
        return cls(database, text, kind, site, body)

    @property
    def table(self) -> TableName | None:
        """The table whose rows it changes; None if that cannot be told by the beginning."""
        return target_of_statement(self.text, self.database)

    @property
    def summary(self) -> str:
        """The first characters of the text, on one line."""
        text = _SPACES.sub(b" ", self.text[:200]).decode(errors="replace").strip()
        return text if len(text) <= 80 else f"{text[:77]}..."


class StatementSink(Protocol):
    """Takes statements in the order of the log.

    Attributes:
        kinds: of the statements it is to be given; may change along the way.
    """

    kinds: StatementKind

    def take(self, statement: Statement) -> None:
        """Look at a statement; may raise a BinlogError."""


def inflate_query(body: Any, max_bytes: int) -> bytes:
    """Return the text of a QUERY_COMPRESSED event of MariaDB.

    Raises:
        CorruptEventError: if it is damaged, or longer than is allowed.
    """
    record = body.compressed_query
    expected = record.len_data.value
    if expected > max_bytes:
        raise CorruptEventError(
            f"a statement of {expected} bytes: expected at most {max_bytes} (option maxEventBytes)"
        )
    stream = zlib.decompressobj()
    try:
        text = stream.decompress(bytes(record.data), expected + 1)
    except zlib.error as error:
        raise CorruptEventError(f"the compressed statement is damaged: {error}") from error
    if len(text) != expected:
        raise CorruptEventError(f"expected {expected} bytes of statement, found {len(text)}")
    return text


def kind_of_statement(text: bytes) -> StatementKind:
    """Tell what a statement does, by its first words."""
    word, rest = _split(text)
    if word in _CHANGES:
        return StatementKind.CHANGES
    if word not in _DEFINITIONS:
        return StatementKind.OTHER
    is_change = (word == b"CREATE" and _CREATE_SELECT.match(_QUOTED.sub(b"", rest))) or (
        word == b"ALTER" and _ALTER_PARTITION.search(rest)
    )
    return StatementKind.DEFINES | (StatementKind.CHANGES if is_change else StatementKind.OTHER)


def target_of_statement(text: bytes, database: str) -> TableName | None:
    """Return the one table whose rows a statement changes; None if that cannot be told.

    Args:
        text: of the statement.
        database: where tables are whose own is not named.
    """
    word, rest = _split(text)
    pattern = _TARGET_BY_WORD.get(word)
    match = pattern.match(rest.lstrip()) if pattern is not None else None
    if match is None:
        return None
    first, second = (None if part is None else _unquote(part) for part in match.groups())
    assert first is not None
    return TableName(database, first) if second is None else TableName(first, second)


def _split(text: bytes) -> tuple[bytes, bytes]:
    """Return the first word in capitals, and what follows it."""
    text = text[:_MAX_LOOK]
    match = _FIRST_WORD.match(text)
    assert match is not None
    word, rest = match[1].upper(), text[match.end() :]
    if word == b"SET" and (settings := _SET_STATEMENT.match(rest)) is not None:
        return _split(rest[settings.end() :])
    return word, rest


def _unquote(part: bytes) -> str:
    text = part.decode(errors="backslashreplace")
    quote = text[0]
    return text[1:-1].replace(quote * 2, quote) if quote in '`"' else text
