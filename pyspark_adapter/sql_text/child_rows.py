"""The rows of a table with foreign keys, as far as the logs tell them."""

from __future__ import annotations

import marshal
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from pyspark_adapter.events.table_map import Column, TableMap
from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.sql_text.row_change import Row
from pyspark_adapter.sql_text.target_table import TargetTable

Values = tuple[bytes | None, ...]

_TEXT_TYPES: Final = frozenset({Code.varchar, Code.var_string, Code.string, Code.blob})
_BINARY: Final = 63  # the collation


class ChildRows:
    """The rows of one table, found by the values of columns.

    Args:
        is_complete: whether all rows are known: the log has the statement that creates the table,
            or one that truncates it.

    Attributes:
        target, table_map, is_complete: as the arguments.
        has_gaps: whether rows were inserted of which not all columns are logged.
    """

    def __init__(self, target: TargetTable, table_map: TableMap, *, is_complete: bool) -> None:
        self.target = target
        self.table_map = table_map
        self.is_complete = is_complete
        self.has_gaps = False
        # What tells rows apart: the key, or all that is written.
        written = [i for i, form in enumerate(target.forms) if form is not None]
        self._identifying = target.key or tuple(written)
        self._rows: dict[bytes, list[bytes]] = {}  # by identity; equal ones without a key
        self._indexes: dict[tuple[int, ...], dict[Values, set[bytes]]] = {}

    def __len__(self) -> int:
        """Return how many rows are known."""
        return sum(map(len, self._rows.values()))

    def fits(self, table_map: TableMap) -> bool:
        """Return whether a table map has the same columns."""
        return [_shape(c) for c in table_map.columns] == [_shape(c) for c in self.table_map.columns]

    def apply(self, before: Row | None, after: Row | None) -> None:
        """Take a change of the log; an image may lack columns."""
        old: Row = {}
        if before is not None:
            if not self._is_identified(before):
                self.forget()
                return
            old = self._take(before)
        if after is not None:
            row = {**old, **(before or {}), **after}
            if before is None and any(
                i not in row for i, form in enumerate(self.target.forms) if form is not None
            ):
                self.has_gaps, self.is_complete = True, False
            if self._is_identified(row):
                self._put(row)
            else:
                self.forget()

    def forget(self) -> None:
        """Forget all rows: something has changed them that the log does not show."""
        self.is_complete = False
        self._rows.clear()
        self._indexes.clear()

    def replace(self, before: Row, after: Row | None) -> None:
        """Change a row that `matching` returned, or remove it."""
        self._take(before)
        if after is not None:
            self._put(after)

    def matching(self, columns: Sequence[int], values: Values) -> Iterator[tuple[Row, bool]]:
        """Yield the rows with some values, and whether they have these for sure.

        They do if the bytes are equal. Texts that differ in case, accents or blanks at their end
        may be equal to the server.
        """
        key = tuple(columns)
        if key not in self._indexes:
            self._indexes[key] = {}
            for identity, rows in self._rows.items():
                self._note(key, identity, rows[0])
        for identity in sorted(self._indexes[key].get(self.folded(key, values), ())):
            for packed in list(self._rows[identity]):
                row = _unpacked(packed)
                yield row, all(row[i] == value for i, value in zip(key, values, strict=True))

    def folded(self, columns: Sequence[int], values: Values) -> Values:
        """Return values, equal for those that the server may take for equal."""
        return folded([self.table_map.columns[i] for i in columns], values)

    def _is_identified(self, row: Row) -> bool:
        return all(i in row for i in self._identifying)

    def _identity(self, row: Row) -> bytes:
        return _packed({i: row[i] for i in self._identifying})

    def _take(self, before: Row) -> Row:
        """Remove a row, and return its known values."""
        identity = self._identity(before)
        rows = self._rows.get(identity)
        if rows is None:
            return {}
        packed = rows.pop()
        if not rows:
            del self._rows[identity]
            for columns, index in self._indexes.items():
                values = self._values(columns, packed)
                if values is not None and (row_at := index.get(values)) is not None:
                    row_at.discard(identity)
                    if not row_at:
                        del index[values]
        return _unpacked(packed)

    def _put(self, row: Row) -> None:
        identity = self._identity(row)
        packed = _packed(row)
        if self.target.key:
            if identity in self._rows:  # a table that the log changes in ways that it does not show
                self._take(row)
            self._rows[identity] = [packed]
        else:
            self._rows.setdefault(identity, []).append(packed)
        for columns in self._indexes:
            self._note(columns, identity, packed)

    def _note(self, columns: tuple[int, ...], identity: bytes, packed: bytes) -> None:
        values = self._values(columns, packed)
        if values is not None:
            self._indexes[columns].setdefault(values, set()).add(identity)

    def _values(self, columns: tuple[int, ...], packed: bytes) -> Values | None:
        """Return folded values of a row; None if one is NULL or not known."""
        row = _unpacked(packed)
        values = tuple(row.get(i) for i in columns)
        return None if None in values else self.folded(columns, values)


def folded(columns: Sequence[Column], values: Values) -> Values:
    """Return values, equal for those that a server may take for equal."""
    return tuple(
        _folded(value) if value is not None and is_text(column) else value
        for column, value in zip(columns, values, strict=True)
    )


def is_text(column: Column) -> bool:
    """Return whether values that differ in their bytes may be equal."""
    return column.type_code in _TEXT_TYPES and column.collation != _BINARY


def _folded(value: bytes) -> bytes:
    text = unicodedata.normalize("NFKD", value.decode(errors="surrogateescape"))
    letters = "".join(letter for letter in text if not unicodedata.combining(letter))
    return letters.casefold().rstrip(" \0").encode(errors="surrogateescape")


def _shape(column: Column) -> tuple[object, ...]:
    return column.label.lower(), column.type_code, column.metadata, column.is_unsigned


def _packed(row: Row) -> bytes:
    return marshal.dumps(tuple(item for pair in sorted(row.items()) for item in pair))


def _unpacked(packed: bytes) -> dict[int, bytes | None]:
    items = iter(marshal.loads(packed))  # noqa: S302 - made above
    return dict(zip(items, items, strict=True))
