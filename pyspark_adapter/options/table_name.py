"""Table names, with the database."""

from __future__ import annotations

import re
from dataclasses import dataclass

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
