"""Foreign keys whose changes the server carries over to the rows of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pyspark_adapter.ddl.sql_cursor import SqlCursor
from pyspark_adapter.options.table_name import TableName

CASCADE = "CASCADE"
SET_NULL = "SET NULL"
# The first MySQL that logs what foreign keys do to rows: major and minor number. MariaDB does not.
FIRST_TO_LOG_CASCADES: Final = (9, 6)


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """A foreign key with CASCADE or SET.

    Attributes:
        parent: the other table; without a database if a column REFERENCES it and names none.
        columns: of the table that has the key, in order; empty if they are not known.
        parent_columns: those that they name; empty if the definition does not say.
        on_delete: `CASCADE`, `SET NULL`, or "" for none of them.
        on_update: the same.
        name: of the constraint; "" for the one that the server makes up.
        is_doubtful: whether it may have been dropped, or its columns renamed, since.
    """

    parent: TableName
    columns: tuple[str, ...] = ()
    parent_columns: tuple[str, ...] = ()
    on_delete: str = ""
    on_update: str = ""
    name: str = ""
    is_doubtful: bool = False


def read_actions(cursor: SqlCursor) -> tuple[str, str]:
    """Read to the end of a foreign key; return what it does ON DELETE and ON UPDATE."""
    actions = {"DELETE": "", "UPDATE": ""}
    while not cursor.is_at_end_of_item:
        if cursor.peek.is_sign("("):
            cursor.take_brackets()
            continue
        if not cursor.take().is_word("ON") or cursor.is_at_end_of_item:
            continue
        event = cursor.take().text.upper()
        if cursor.accept("CASCADE"):
            actions[event] = CASCADE
        elif cursor.accept("SET"):
            # InnoDB refuses SET DEFAULT.
            actions[event] = SET_NULL if cursor.accept("NULL") else "SET DEFAULT"
    return actions["DELETE"], actions["UPDATE"]
