"""The rows of a table in a file of `mysqldump` or `mariadb-dump`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

import pyarrow as pa

from pyspark_adapter.as_of.altered_rows import type_of
from pyspark_adapter.ddl.table_definition import ColumnDefinition, TableDefinition
from pyspark_adapter.errors import BinlogError, EventSite, UnsupportedError
from pyspark_adapter.operations.selection import converted
from pyspark_adapter.options.table_name import TableName

_NAME: Final = rb"`((?:[^`]|``)+)`"
# What matters between the rows: the database, and the start of an INSERT.
_START: Final = re.compile(
    rb"^(?:USE " + _NAME + rb";|(?:INSERT|REPLACE)[A-Z ]* INTO " + _NAME + rb"\s*"
    rb"(?:\(((?:[^()`]|`(?:[^`]|``)+`)*)\)\s*)?VALUES\s*)",
    re.MULTILINE,
)
_TEXT: Final = rb"'((?:[^'\\]|\\.|'')*+)'"
_VALUE: Final = re.compile(
    rb"\s*(?:(NULL)|(?:_binary )?" + _TEXT + rb"|0x([0-9A-Fa-f]*)|b'([01]*)'"
    rb"|(-?[0-9][0-9.eE+-]*))\s*([,)])",
    re.DOTALL,
)
_BETWEEN: Final = re.compile(rb"\s*([,;])\s*")
_ESCAPE: Final = re.compile(rb"\\(.)|''", re.DOTALL)
_ESCAPED: Final = {b"0": b"\0", b"b": b"\b", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"Z": b"\x1a"}
_CHARSET: Final = re.compile(rb"SET NAMES (\w+)")


def rows_of_dump(path: str, data: bytes, table: TableName, definition: TableDefinition) -> pa.Table:
    """Return the rows of a table in a dump; raises BinlogError, UnsupportedError.

    Generated columns are left out, as in the dump.
    """
    _check(path, data, definition)
    columns = [column for column in definition.columns if not column.is_generated]
    values: list[list[Any]] = [[] for _ in columns]
    indices = {column.name.lower(): number for number, column in enumerate(columns)}
    for names, row, offset in _rows(path, data, table):
        order = [indices.get(n.lower(), -1) for n in names] if names else range(len(columns))
        if len(row) != len(columns) or sorted(order) != list(range(len(columns))):
            raise _unexpected(path, offset, f"a row with values of {len(columns)} columns")
        for number, value in zip(order, row, strict=True):
            values[number].append(value)
    arrays = []
    for column, texts in zip(columns, values, strict=True):
        try:
            arrays.append(_array(column, texts))
        except (ValueError, ArithmeticError, pa.ArrowException) as error:
            raise BinlogError(
                f"{path}: column {column.name}: expected values of type {column.sql_type}: {error}",
                advice="dump the table again",
            ) from error
    return pa.table(arrays, [column.name for column in columns])


def _check(path: str, data: bytes, definition: TableDefinition) -> None:
    head = data[:4096]
    if b" dump " in head[:200] and b"\n-- Dump completed" not in data[-4096:]:
        raise BinlogError(
            f"{path}: expected a whole dump, found no line `-- Dump completed` at its end",
            advice="dump the table again",
        )
    charset = _CHARSET.search(head)
    if charset is not None and charset[1] not in (b"utf8mb4", b"utf8", b"utf8mb3"):
        raise UnsupportedError(
            f"{path}: text in {charset[1].decode()}, expected utf8mb4",
            advice="dump with --default-character-set=utf8mb4",
        )
    kinds = {column.sql_type for column in definition.columns}
    if "TIMESTAMP" in kinds and b"TIME_ZONE='+00:00'" not in head:
        raise UnsupportedError(
            f"{path}: TIMESTAMP values in the time zone of a session, expected UTC",
            advice="dump without --skip-tz-utc",
        )


def _rows(
    path: str, data: bytes, table: TableName
) -> Iterator[tuple[list[str], list[bytes | str | None], int]]:
    """Yield the names of columns, if there are any, the values of each row, and its offset."""
    database, position = "", 0
    while (start := _START.search(data, position)) is not None:
        position = start.end()
        if start[1] is not None:
            database = _name(start[1])
            continue
        is_wanted = _name(start[2]) == table.table_name
        is_wanted &= database in ("", table.database_name)
        names = [_name(name) for name in re.findall(_NAME, start[3] or b"")]
        while True:
            row_start = position
            if data[position : position + 1] != b"(":
                raise _unexpected(path, position, "the `(` of a row")
            position += 1
            row: list[bytes | str | None] = []
            while True:
                match = _VALUE.match(data, position)
                if match is None:
                    raise _unexpected(path, position, "a value of a row")
                position = match.end()
                if is_wanted:
                    row.append(_value(match))
                if match[6] == b")":
                    break
            if is_wanted:
                yield names, row, row_start
            end = _BETWEEN.match(data, position)
            if end is None:
                raise _unexpected(path, position, "`,` or `;` after a row")
            position = end.end()
            if end[1] == b";":
                break


def _value(match: re.Match[bytes]) -> bytes | str | None:
    """Return a value: bytes, the text of a number, or None."""
    _, text, digits, bits, number, _ = match.groups()
    if text is not None:
        return _ESCAPE.sub(_unescaped, text) if b"\\" in text or b"'" in text else text
    if digits is not None:
        return bytes.fromhex(digits.decode())
    if bits is not None:
        return int(bits or b"0", 2).to_bytes((len(bits) + 7) // 8, "big")
    return None if number is None else number.decode()


def _unescaped(match: re.Match[bytes]) -> bytes:
    return b"'" if match[1] is None else _ESCAPED.get(match[1], match[1])


def _array(column: ColumnDefinition, values: Sequence[bytes | str | None]) -> pa.Array:
    """Return the values of a column in the type that a read of the log gives."""
    kind = type_of(column)
    if column.sql_type == "BIT":
        values = [str(int.from_bytes(v, "big")) if isinstance(v, bytes) else v for v in values]
    elif pa.types.is_list(kind):
        values = [value.hex() if isinstance(value, bytes) else value for value in values]
    data = [value.encode() if isinstance(value, str) else value for value in values]
    return converted(pa.array(data, pa.binary()), kind)


def _name(text: bytes) -> str:
    return text.replace(b"``", b"`").decode(errors="surrogateescape")


def _unexpected(path: str, offset: int, expected: str) -> BinlogError:
    return BinlogError(
        f"expected {expected}, as mysqldump writes it",
        site=EventSite(path, offset),
        advice="dump the table again, without --compatible and --no-create-info",
    )
