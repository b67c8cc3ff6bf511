"""Table names, with the database, and the names of folders that are made of them."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Final

from pyspark_adapter.errors import OptionError


@dataclass(frozen=True)
class TableName:
    """A table name, printed as `database.table`.

    >>> TableName.parse("shop.orders")
    TableName(database_name='shop', table_name='orders')
    >>> str(TableName.parse("`my.db`.`a``b`"))
    '`my.db`.`a``b`'
    """

    database_name: str
    table_name: str

    @classmethod
    def parse(cls, text: str) -> TableName:
        """Parse a name. A part with a dot or a backquote is quoted in backquotes.

        Raises:
            OptionError: if the name is not two parts.
        """
        part = r"(`(?:[^`]|``)+`|[^`.]+)"
        match = re.fullmatch(rf"{part}\.{part}", text.strip())
        if match is None:
            allowed = "database.table, with parts that contain dots in backquotes"
            raise OptionError(
                f"option table: expected {allowed}, got {text!r}",
                option="table",
                value=text,
                allowed=allowed,
            )
        return cls(*map(unquoted, match.groups()))

    def lower(self) -> TableName:
        """Return the name in lower case, as a server with `lower_case_table_names=1` logs it."""
        return TableName(self.database_name.lower(), self.table_name.lower())

    def __str__(self) -> str:
        return f"{_quote(self.database_name)}.{_quote(self.table_name)}"


def unquoted(part: str) -> str:
    """Return the name in backquotes, or a name without them as it is."""
    return part[1:-1].replace("``", "`") if part.startswith("`") else part


def quoted(name: str) -> str:
    """Return a name in SQL."""
    return "`" + name.replace("`", "``") + "`"


def full_name(table: TableName) -> str:
    """Return the name of a table in SQL."""
    return f"{quoted(table.database_name)}.{quoted(table.table_name)}"


def _quote(part: str) -> str:
    return quoted(part) if re.search(r"[.`]", part) else part


def split_names(text: str) -> list[tuple[str, ...]]:
    """Return the parts of names that are separated by commas; empty parts are no names.

    >>> split_names("shop.orders.id, `my.db`.t.a")
    [('shop', 'orders', 'id'), ('my.db', 't', 'a')]
    """
    part = r"`(?:[^`]|``)+`|[^\s`.,][^`.,]*"
    items = re.findall(rf"(?:{part})(?:\.(?:{part}))*", text)
    return [tuple(unquoted(name.strip()) for name in re.findall(part, item)) for item in items]


# Bytes. Most file systems take 255; local Spark writes checksums as `.NAME.crc`.
_MAX_NAME: Final = 240

_OTHERS: Final = re.compile(rb"[^0-9A-Za-z_$-]|^_")


def folder_name(*names: str) -> str:
    """Return the name of a folder for a table (database and table) or for a database.

    The folder is a single one, not hidden from Spark: the result is ASCII, has no separator, does
    not begin with a dot or an underscore, and is at most 240 bytes long. Other names give another
    folder, also where a file system takes capitals and small letters as equal.

    Bytes of UTF-8 other than letters, digits, `_`, `-` and `$` become `%` and two digits; `%empty`
    stands for an empty name. After `~`, the bits of a hexadecimal number mark the capital letters.
    A long name is truncated, and ends in `~~` and 160 bits of its SHA-256.

    >>> folder_name("shop", "a/b"), folder_name("shop.state"), folder_name("", "")
    ('shop.a%2Fb', 'shop%2Estate', '%empty.%empty')
    >>> folder_name("shop", "Orders")
    'shop.Orders~10'
    """
    name = ".".join(_escaped(part) or "%empty" for part in names)
    letters = re.sub(r"%(?:[0-9A-F]{2}|empty)|[^A-Za-z]", "", name)
    capitals = sum(letter.isupper() << place for place, letter in enumerate(letters))
    marked = f"{name}~{capitals:x}" if capitals else name
    if len(marked) <= _MAX_NAME:
        return marked
    digest = hashlib.sha256(name.encode()).hexdigest()[:40]
    return f"{name[: _MAX_NAME - len(digest) - 2]}~~{digest}"


def _escaped(name: str) -> str:
    # Lone surrogates are in names of the user's own; those of logs have none.
    data = name.encode(errors="surrogatepass")
    return _OTHERS.sub(lambda match: b"%%%02X" % ord(match[0]), data).decode()
