"""The indexes of a table that make rows unique, and its foreign keys that change rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pyspark_adapter.ddl.sql_cursor import SqlCursor
from pyspark_adapter.ddl.sql_tokens import NotUnderstoodError
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


# Servers allow 64 (MySQL) and 128 (MariaDB); statements that failed are not logged.
_MAX_INDEXES: Final = 1024


@dataclass(frozen=True, slots=True)
class TableIndex:
    """An index of a table, other than its primary key.

    Attributes:
        name: its name; if the statement gives none, that of its first column, to which
            `with_indexes` appends a number if it is taken.
        columns: in order, without expressions.
        is_unique: whether their values are unique together; not if a prefix or an expression is.
    """

    name: str
    columns: tuple[str, ...] = ()
    is_unique: bool = False


@dataclass(frozen=True, slots=True)
class IndexChange:
    """What ALTER TABLE does to an index.

    Attributes:
        added: the new index; None if it is dropped or renamed.
        dropped: name of the index that goes; None if none does.
        is_conditional: IF EXISTS or IF NOT EXISTS.
    """

    added: TableIndex | None = None
    dropped: str | None = None
    is_conditional: bool = False


def with_indexes(
    indexes: Iterable[TableIndex], changes: Sequence[IndexChange]
) -> tuple[TableIndex, ...]:
    """Return indexes after changes; whatever is dropped goes first.

    Raises:
        NotUnderstoodError: if there are more than a table can have.

    Source: make_unique_key_name of sql_table.cc, MySQL and MariaDB.
    """
    by_name = {index.name.lower(): index for index in indexes}
    is_lost = False
    for change in changes:
        if change.dropped is None or change.added is not None:
            continue
        is_known = by_name.pop(change.dropped.lower(), None) is not None
        is_lost |= not (is_known or change.is_conditional)
    if is_lost:  # which index was dropped is not known: none counts as unique any more
        by_name = {name: replace(index, is_unique=False) for name, index in by_name.items()}
    for change in changes:
        added = change.added
        if added is None:
            continue
        if change.dropped is not None:  # RENAME INDEX
            old = by_name.pop(change.dropped.lower(), None)
            if old is not None:
                by_name[added.name.lower()] = replace(old, name=added.name)
            continue
        name = added.name
        if name.lower() in by_name:
            if change.is_conditional:
                continue
            name = _free_name(name, by_name)
        by_name[name.lower()] = replace(added, name=name)
        if len(by_name) > _MAX_INDEXES:
            raise NotUnderstoodError("too many indexes")
    return tuple(by_name.values())


def without_columns(indexes: Iterable[TableIndex], dropped: set[str]) -> tuple[TableIndex, ...]:
    """Return indexes without columns that were dropped, named in lower case.

    The other columns of an index stay; one without columns goes, which frees its name.
    """
    kept = []
    for index in indexes:
        columns = tuple(name for name in index.columns if name.lower() not in dropped)
        if columns or not index.columns:  # an expression may be left
            kept.append(replace(index, columns=columns))
    return tuple(kept)


def first_unique_key(indexes: Iterable[TableIndex], names: Mapping[str, str]) -> tuple[str, ...]:
    """Return the columns of the first unique key over some columns alone; empty for none.

    Args:
        names: of the columns that it may have, by themselves in lower case.
    """
    for index in indexes:
        columns = tuple(names[n.lower()] for n in index.columns if n.lower() in names)
        if index.is_unique and columns and len(columns) == len(index.columns):
            return columns
    return ()


def with_renamed_columns(
    indexes: Iterable[TableIndex], renamed: dict[str, str]
) -> tuple[TableIndex, ...]:
    """Return indexes with new names of columns, by old names in lower case."""
    return tuple(
        replace(index, columns=tuple(renamed.get(name.lower(), name) for name in index.columns))
        for index in indexes
    )


def _free_name(name: str, taken: Iterable[str]) -> str:
    names = set(taken)
    number = 2
    while f"{name}_{number}".lower() in names:
        number += 1
    return f"{name}_{number}"
