"""Statements that are logged as text, and what they do to tables and rows.

With `binlog_format=ROW` these are definitions and `TRUNCATE`. With `STATEMENT` and `MIXED` the text
may be all that the log has of a change.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import IntFlag
from typing import Any, Final, NamedTuple, Protocol

from pyspark_adapter.charsets.charset import charset_of, decode_text
from pyspark_adapter.errors import EventSite, UnsupportedError
from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.events.transactions import xid_of_event
from pyspark_adapter.format.event_types import LOAD_FIELDS, NOTED, SQL_TEXT, TRAITS
from pyspark_adapter.format.schema import EventType, StatusVarKey, StatusVars, parsing
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.options.table_name import TableName


class StatementKind(IntFlag):
    """What a statement does, as bits: `CREATE TABLE ... SELECT` defines and changes."""

    OTHER = 0
    DEFINES = lay.StatementBit.DEFINES
    CHANGES = lay.StatementBit.CHANGES
    TAKES_BACK = lay.StatementBit.TAKES_BACK
    NOTED = lay.StatementBit.NOTED


# Changes that the rows of a log do not show.
UNLOGGED_CHANGES: Final = StatementKind.CHANGES | StatementKind.TAKES_BACK

_COMMENT: Final = rb"/\*(?!M?!).*?(?:\*/|\Z)|--(?=[\x00-\x20]|\Z)[^\n]*|#[^\n]*"
# White space, opening brackets and comments, in executable comments the mark alone.
_LEAD: Final = rb"(?:[\x09-\x0d (]|/\*M?!\d*|" + _COMMENT + rb")*+"
_FIRST_WORD: Final = re.compile(_LEAD + rb"([A-Za-z]*)", re.DOTALL)
# MariaDB runs what it analyzes, and logs this text.
_ANALYZE: Final = re.compile(rb"\s+FORMAT\s*=\s*\w+|", re.IGNORECASE)
_SPACES: Final = re.compile(rb"\s+")

_DEFINITIONS: Final = frozenset({b"CREATE", b"ALTER", b"DROP", b"RENAME"})
_CHANGES: Final = frozenset(
    {b"TRUNCATE", b"INSERT", b"UPDATE", b"DELETE", b"REPLACE", b"LOAD", b"WITH"}
    # A call of a stored function that changes rows is logged as one of these.
    | {b"SELECT", b"DO", b"CALL"}
)
# With a query: SELECT, or in MySQL TABLE, which may be a name after a point, or VALUES, which
# partitions have, too.
_CREATE_SELECT: Final = re.compile(
    (rb"@(?:OR@REPLACE@)?TABLE\b.*\b(?:SELECT|(?<!\.)TABLE|VALUES(?!\s+(?:LESS|IN)\b))\b").replace(
        b"@", _LEAD
    ),
    re.IGNORECASE | re.DOTALL,
)
# Quoted text, by its first letter; with a group if it is never closed.
_QUOTED: Final = {
    b"'": rb"'(?:[^'\\]|\\.)*+(?:'|(\\?\Z))",
    b"`": rb"`[^`]*+(?:`|(\Z))",
    b'"': rb"\"(?:[^\"\\]|\\.)*+(?:\"|(\\?\Z))",
}
_SET_STATEMENT: Final = re.compile(
    rb"\s+STATEMENT\b(?:" + b"|".join(_QUOTED.values()) + rb"|[^'`\"])*?\bFOR\b",
    re.DOTALL | re.IGNORECASE,
)
# An ALTER TABLE that removes rows, or brings some in, as Python and Java write expressions.
MOVES_ROWS: Final = (
    r"(?i)\b(?:(?:DROP|TRUNCATE|EXCHANGE|CONVERT|DISCARD|IMPORT)\s+PARTITION|CONVERT\s+TABLE"
    r"|(?:DISCARD|IMPORT)\s+TABLESPACE)\b"
)
_MOVES_ROWS: Final = re.compile(MOVES_ROWS.encode())

# LOG_EVENT_THREAD_SPECIFIC_F. Source: Query_log_event::Query_log_event of log_event.cc, and what
# sets THD::thread_specific_used: sql_base.cc of MySQL, temporary_tables.cc of MariaDB.
_THREAD_SPECIFIC: Final = 0x4

# How much of a text is read; the table of a statement is named near its start.
_MAX_LOOK: Final = 1 << 16

_PART: Final = rb"(`(?:[^`]|``)++`|\"(?:[^\"]|\"\")++\"|[\w$\x80-\xff]++)"
_POINT: Final = _LEAD + rb"\." + _LEAD
_NAME: Final = _PART + rb"(?:" + _POINT + _PART + rb"|(?!" + _POINT + rb"))"
_AFTER_WORD: Final = rb"(?![\w$\x80-\xff])" + _LEAD
# What may follow the first word, up to the name of the table, `@`. A blank is what separates words.
# Whatever is optional is possessive: else a keyword would be taken for the name if that is missing.
_TARGETS: Final = {
    b"INSERT": rb"(?:(?:LOW_PRIORITY|DELAYED|HIGH_PRIORITY|IGNORE|INTO) )*+@",
    b"REPLACE": rb"(?:(?:LOW_PRIORITY|DELAYED|INTO) )*+@",
    # A second table would be named before SET.
    b"UPDATE": rb"(?:(?:LOW_PRIORITY|IGNORE) )*+@(?:\s+(?:AS\s+)?\w+)??\s+SET\b",
    b"DELETE": rb"(?:(?:LOW_PRIORITY|QUICK|IGNORE) )*+FROM @"
    rb"(?=\s*(?:\Z|;|/\*|\s(?:WHERE|ORDER|LIMIT|PARTITION|RETURNING)\b))",
    b"TRUNCATE": rb"(?:TABLE )?+@",
    b"LOAD": rb"(?>.*?\bINTO\s+TABLE )@",  # looked for once: so time is in proportion to the text
    b"CREATE": rb"(?:OR REPLACE )?+TABLE (?:IF NOT EXISTS )?+@",
    b"ALTER": rb"(?:(?:ONLINE|IGNORE) )*+TABLE (?:IF EXISTS )?+@",
}
_TARGET_BY_WORD: Final = {
    word: re.compile(
        _LEAD + pattern.replace(b" ", _AFTER_WORD).replace(b"@", _NAME), re.IGNORECASE | re.DOTALL
    )
    for word, pattern in _TARGETS.items()
}

_BEFORE_STATEMENT: Final = {b"SET": _SET_STATEMENT, b"ANALYZE": _ANALYZE}


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement as the log has it.

    Attributes:
        database: the default database; empty if there was none.
        text: in the client's character set.
        server: the body of the format description that governs its event.
        status_vars: the variables of its session, as its event has them.
        thread_id: of its session; 0 if the event has none.
        error_code: with which it failed; 0 if it did not.
        server_id: where it ran, from the header of the event.
        timestamp: when, from there, in seconds since 1970-01-01 UTC.
        is_thread_specific: whether its server flagged it: it used a temporary table, or a function
            such as CONNECTION_ID().
        event: all of its bytes, as a log without compression holds them; empty if not kept.
        is_selected: whether it is in a transaction that the filters of the read select.
    """

    database: str
    text: bytes
    kind: StatementKind
    site: EventSite
    # Not the parsed event: a window keeps its statements, and the collector would look through all.
    server: Any
    status_vars: bytes = b""
    thread_id: int = 0
    error_code: int = 0
    server_id: int = 0
    timestamp: int = 0
    is_thread_specific: bool = False
    event: bytes = field(default=b"", repr=False, compare=False)
    is_selected: bool = True

    @classmethod
    def from_event(
        cls, parsed: Any, site: EventSite, event: bytes = b"", *, is_selected: bool = True
    ) -> Statement:
        """Take one of STATEMENT_EVENTS or NOTED_EVENTS; raises CorruptEventError.

        Of the LOAD DATA of old servers, which is logged in fields, the text is a short form. That
        of an XA_PREPARE event is the statement that wrote it, that of an INCIDENT event empty.

        Args:
            parsed: the event, parsed.
            is_selected: whether the filters of the read select its transaction.
        """
        body = parsed.body
        server = parsed._root.events[parsed.format_index].body
        if TRAITS[parsed.event_type] & NOTED:
            text = _noted_text(parsed)
            return cls("", text, StatementKind.NOTED, site, server, is_selected=is_selected)
        with parsing("statement"):
            database = body.database_name.decode(errors="backslashreplace")
            if TRAITS[parsed.event_type] & LOAD_FIELDS:
                table = body.table_name.replace(b"`", b"``")
                name = body.created_file_name if body.is_create_file else body.file_name
                text = b"LOAD DATA INFILE '%s' INTO TABLE `%s`" % (name, table)
            else:
                text = bytes(body.query)
        kind = StatementKind.CHANGES
        if parsed.event_type == EventType.query:
            kind = kind_of_statement(text)
        is_flagged = bool(getattr(parsed, "flags", 0) & _THREAD_SPECIFIC)
        return cls(
            database,
            text,
            kind,
            site,
            server,
            getattr(body, "status_vars", b""),
            getattr(body, "thread_id", 0),
            getattr(body, "error_code", 0),
            parsed.server_id,
            parsed.timestamp,
            is_flagged,
            event,
            is_selected,
        )

    @property
    def table(self) -> TableName | None:
        """The table whose rows it changes; None if its start does not say.

        Raises:
            CorruptEventError: if its status variables are not valid.
        """
        charset = "ascii" if self.text.isascii() else client_charset(self.status_vars)
        return target_of_statement(self.text, self.database, charset)

    @property
    def is_truncate(self) -> bool:
        """Whether it is a TRUNCATE, which removes all rows of its table."""
        return _split(self.text)[0] == b"TRUNCATE"

    @property
    def summary(self) -> str:
        """The first characters of the text, on one line."""
        text = _SPACES.sub(b" ", self.text[:200]).decode(errors="replace").strip()
        return text if len(text) <= 80 else f"{text[:77]}..."


class PlacedStatement(NamedTuple):
    """A statement of a window, and its place there.

    Attributes:
        event: the number of the first rows event after it.
        num_transactions: how many have begun up to it; the last one is its own.
    """

    statement: Statement
    event: int
    num_transactions: int


# Bytes of the text of a statement that each of its rows has: else a statement of many
# rows, whose text is as long, would take memory and time by the product of both.
MAX_QUERY: Final = 4096


def text_of_query(data: Any, start: int, end: int) -> str:
    r"""Return the text of a statement that the log has with its rows, for people.

    It is taken as UTF-8; other bytes, such as those of binary values, are written as `\xNN`. A text
    of more than MAX_QUERY bytes or characters is cut there, and its length follows.

    Args:
        data, start, end: data[start:end] is the text; bytes-like or (n,) uint8.

    >>> text_of_query(b"_binary'\xff'", 0, 10)
    "_binary'\\xff'"
    """
    stop = min(end, start + MAX_QUERY)
    while end > stop > start + MAX_QUERY - 3 and data[stop] & 0xC0 == 0x80:
        stop -= 1  # not inside a character
    text = bytes(data[start:stop]).decode(errors="backslashreplace")
    if stop == end and len(text) <= MAX_QUERY:
        return text
    return f"{text[:MAX_QUERY]}... ({end - start} bytes)"


class TableMapSink(Protocol):
    """Takes the table maps of a log, and the statements between them, in order.

    Attributes:
        kinds: of the statements to call `take` with; may change during a read.
        version: changes whenever it may complete the same table map in another way than before.
    """

    @property
    def kinds(self) -> StatementKind:
        """Return the kinds of statements to call `take` with."""
        ...

    @property
    def version(self) -> int:
        """Return a number that changes with its answers."""
        ...

    def take(self, statement: Statement) -> None:
        """Look at a statement; may raise a BinlogError."""
        ...

    def complete(self, table_map: TableMap, site: EventSite) -> TableMap:
        """Return a table map with what the log leaves out; may raise a BinlogError."""
        ...


def is_wanted(type_code: int, kinds: StatementKind, all_kinds: int) -> bool:
    """Return whether an event may be a statement that is asked for.

    Args:
        kinds: that the reader asks for.
        all_kinds: and those of what completes its table maps.
    """
    traits = TRAITS[type_code]
    if traits & NOTED:
        return bool(kinds & StatementKind.NOTED)
    return bool(all_kinds & (-1 if traits & SQL_TEXT else StatementKind.CHANGES))


def kind_of_statement(text: bytes) -> StatementKind:
    """Return what a statement does, by its first words."""
    word, rest = _split(text)
    if word in _CHANGES:
        return StatementKind.CHANGES
    if word == b"ROLLBACK":
        return StatementKind.TAKES_BACK
    if word == b"XA":
        return StatementKind.NOTED
    if word not in _DEFINITIONS:
        return StatementKind.OTHER
    words = without_quotes_and_comments(rest)
    is_change = (word == b"CREATE" and _CREATE_SELECT.match(words)) or (
        word == b"ALTER" and _MOVES_ROWS.search(words)
    )
    return StatementKind.DEFINES | (StatementKind.CHANGES if is_change else StatementKind.OTHER)


def _noted_text(parsed: Any) -> bytes:
    if parsed.event_type != EventType.xa_prepare:
        return b""
    with parsing("xid"):
        xid = xid_of_event(parsed.body)
        text = f"XA COMMIT {xid} ONE PHASE" if parsed.body.is_one_phase else f"XA PREPARE {xid}"
    return text.encode()


def client_charset(status_vars: bytes) -> str:
    """Return the character set of a statement's text; utf8mb4 if it is not logged.

    Raises:
        CorruptEventError: if its status variables are not valid.
    """
    with parsing("status variables"):
        for variable in StatusVars.from_bytes(status_vars).vars:
            if variable.key == StatusVarKey.charset:
                return charset_of(variable.value.character_set_client) or "utf8mb4"
    return "utf8mb4"


def target_of_statement(text: bytes, database: str, charset: str = "utf8mb4") -> TableName | None:
    """Return the one table whose rows a statement changes; None if there is no single one.

    Args:
        database: of tables that are named without one.
        charset: of the text. A name that is not valid in it is none.
    """
    word, rest = _split(text)
    pattern = _TARGET_BY_WORD.get(word)
    match = pattern.match(rest) if pattern is not None else None
    if match is None:
        return None
    try:
        names = [_unquote(part, charset) for part in match.groups() if part is not None]
    except (UnicodeDecodeError, UnsupportedError):
        return None
    return TableName(*names) if len(names) == 2 else TableName(database, *names)


def _split(text: bytes) -> tuple[bytes, bytes]:
    """Return the first word in capitals, after any SET STATEMENT ... FOR, and what follows it."""
    text = text[:_MAX_LOOK]
    offset = 0
    while True:
        match = _FIRST_WORD.match(text, offset)
        assert match is not None
        word, offset = match[1].upper(), match.end()
        pattern = _BEFORE_STATEMENT.get(word)
        skipped = pattern.match(text, offset) if pattern is not None else None
        if skipped is None:
            return word, text[offset:]
        offset = skipped.end()


def without_quotes_and_comments(text: bytes) -> bytes:
    """Return a text with a space for each comment and each quoted string or name.

    A quote that is never closed is a letter. After it no other of its kind is closed either, so
    that each is looked for once.
    """
    kept: list[bytes] = []
    start = offset = 0
    quotes = list(_QUOTED)
    while quotes:
        unclosed = None
        patterns = [_COMMENT, *(_QUOTED[quote] for quote in quotes)]
        pattern = re.compile(b"|".join(patterns), re.DOTALL)
        for match in pattern.finditer(text, offset):
            if match.lastindex is not None:
                unclosed = match
                break
            kept.append(text[start : match.start()])
            start = match.end()
        if unclosed is None:
            break
        quotes.remove(unclosed[0][:1])
        offset = unclosed.start() + 1
    return b" ".join([*kept, text[start:]])


def _unquote(part: bytes, charset: str) -> str:
    text = part.decode() if charset == "binary" else decode_text(part, charset)
    quote = text[0]
    return text[1:-1].replace(quote * 2, quote) if quote in '`"' else text
