"""The session of a statement, from the status variables of its QUERY event."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from pyspark_adapter.charsets.charset import charset_of
from pyspark_adapter.charsets.maps import MAPPED_CHARSETS, character_map
from pyspark_adapter.ddl.sql_tokens import SqlDialect
from pyspark_adapter.format.schema import StatusVarKey, StatusVars, parsing

# flags_extra of MariaDB's two-phase ALTER TABLE, which logs the text again at its commit.
_START_ALTER: Final = 2
_ROLLBACK_ALTER: Final = 8

_FIRST_WITH_DICTIONARY: Final = 80_000  # MySQL 8.0

_UTF8: Final = frozenset({"utf8mb3", "utf8mb4", "binary"})
_INVALID: Final = 0xDC00  # and the byte


@dataclass(frozen=True, slots=True)
class SqlSession:
    """The session state that definitions depend on.

    Attributes:
        client_charset: of its text; None if it is not logged.
        server_charset: default of databases that name none; None if it is not logged.
        is_carried_out: whether a CREATE ... IF NOT EXISTS did something: then the server logs the
            transaction of its data dictionary with it (MySQL 8.0 and later).
        has_no_effect: whether the statement is the start, or the rollback, of an ALTER TABLE in
            two phases.
    """

    dialect: SqlDialect = field(default_factory=SqlDialect)
    client_charset: str | None = None
    server_charset: str | None = None
    is_carried_out: bool = False
    has_no_effect: bool = False

    @classmethod
    def from_event(cls, server: Any, status_vars: bytes) -> SqlSession:
        """Return the session of a QUERY event; raises CorruptEventError.

        Args:
            server: the body of the format description that governs it.
        """
        with parsing("status variables"):
            values = {var.key: var.value for var in StatusVars.from_bytes(status_vars).vars}
            sql_mode = values.get(StatusVarKey.sql_mode)
            charset = values.get(StatusVarKey.charset)
            flags = values.get(StatusVarKey.gtid_flags3)
            return cls(
                SqlDialect(
                    version_number(server.server_version.decode(errors="replace")),
                    server.is_mariadb,
                    sql_mode is not None and sql_mode.modes.is_ansi_quotes,
                    sql_mode is None or not sql_mode.modes.is_no_backslash_escapes,
                ),
                None if charset is None else charset_of(charset.character_set_client),
                None if charset is None else charset_of(charset.collation_server),
                StatusVarKey.ddl_logged_with_xid in values,
                flags is not None and bool(flags.flags_extra & (_START_ALTER | _ROLLBACK_ALTER)),
            )

    @property
    def says_if_carried_out(self) -> bool:
        """Whether the log shows whether a CREATE ... IF NOT EXISTS did something."""
        return self.dialect.is_mariadb or self.dialect.version >= _FIRST_WITH_DICTIONARY

    def decode(self, text: bytes) -> str:
        """Return the text of a statement.

        Literals may have bytes of other character sets. Each byte that is not valid becomes a lone
        surrogate, which is refused in names. As for the server, it is no quote, and ends where the
        next sequence in the form of a character begins.
        """
        charset = self.client_charset or "utf8mb4"
        if charset not in MAPPED_CHARSETS:  # servers refuse clients of UTF-16 and the like
            return text.decode("utf-8" if charset in _UTF8 else "ascii", "surrogateescape")
        character = character_map(charset).character
        return "".join(
            piece.decode()
            if len(piece) > 1 and piece.isascii()
            else character(piece) or "".join(chr(_INVALID + byte) for byte in piece)
            for piece in _pieces(charset).findall(text)
        )


@cache
def _pieces(charset: str) -> re.Pattern[bytes]:
    """Return a pattern of the bytes of a character, or of many in ASCII: statements are long."""
    charmap = character_map(charset)
    if charmap.character(b"~") != "~":  # swe7 has letters there
        return charmap.sequences
    return re.compile(rb"[\x00-\x7f]++|" + charmap.sequences.pattern, re.DOTALL)


def version_number(server_version: str) -> int:
    """Return a version as in comments for certain versions.

    >>> version_number("8.0.36-log"), version_number("11.8.9-MariaDB")
    (80036, 110809)
    """
    match = re.match(r"(\d+)\.(\d+)\.(\d+)", server_version)
    if match is None:
        return 999_999
    major, minor, patch = (int(part) for part in match.groups())
    return major * 10_000 + minor * 100 + patch
