"""The forms of a table's values as `kernels.sql_changes` takes them."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from typing import Final

import numpy as np

from pyspark_adapter.charsets.charset import charset_of, decode_text
from pyspark_adapter.events.table_map import Column
from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.kernels.layout import Numbers, Op
from pyspark_adapter.kernels.sql_layout import (
    MAX_SCALAR,
    NUM_LETTERS,
    Literal,
    SqlColumn,
    SqlText,
    SqlUse,
    SqlValue,
)
from pyspark_adapter.sql_text.column_forms import member_words
from pyspark_adapter.sql_text.literals import READABLE, WIDE, introducer_of, is_common, quote_text
from pyspark_adapter.sql_text.target_table import TargetTable
from pyspark_adapter.values.column_types import decoding_of, width_of
from pyspark_adapter.values.decoding import Decoding

_INTEGERS: Final = frozenset({Code.tiny, Code.short, Code.int24, Code.long, Code.longlong})
_TEMPORALS: Final = {
    Op.DATE: Literal.DATE,
    Op.DATETIME2: Literal.DATETIME2,
    Op.TIME2: Literal.TIME2,
}
# How a value is written: a Literal, its parameters, and what opens quoted text and hexadecimal.
_Use = tuple[int, int, int, str, str]
_LEFT: Final[_Use] = (Literal.PYTHON, 0, 0, "", "")


class _Texts:
    """Constant texts, one after the other."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self.end = 0

    def add(self, text: str) -> int:
        """Add a text and return where it begins."""
        data = text.encode()
        self._parts.append(data)
        self.end += len(data)
        return self.end - len(data)

    def array(self) -> Numbers:
        """Return all, with room that a copy may read."""
        return np.frombuffer(bytearray(b"".join([*self._parts, bytes(64)])), dtype=np.uint8)


class KernelForms:
    """How the kernel writes rows of a table.

    Args:
        columns: of the table.
        target: the table.
        default_charset: as the option of this name.

    Attributes:
        columns, uses, finders, has_key, texts, spans, members, slack: as `write_changes` takes
            them.
        json_columns: indices of the JSON columns, in the order of `Literal.JSON`.
        bytes_by_row: most bytes of constant texts in the statement of a row.
    """

    def __init__(
        self, columns: tuple[Column, ...], target: TargetTable, default_charset: str
    ) -> None:
        n = len(columns)
        texts = _Texts()
        spans = [
            texts.add(text)
            for text in (
                f"UPDATE {target.name} SET ",
                f"DELETE FROM {target.name} WHERE ",
                " WHERE ",
                " LIMIT 1;\n",
            )
        ]
        assert len(spans) == SqlText.END
        self.spans = np.array([*spans, texts.end], dtype=np.int64)
        self.columns = np.zeros((n, len(SqlColumn)), dtype=np.int64)
        self.uses = np.zeros((len(SqlUse), n, len(SqlValue)), dtype=np.int64)
        self.json_columns = [
            c.index
            for c, form in zip(columns, target.forms, strict=True)
            if form is not None and c.type_code == Code.json
        ]
        members: list[int] = []
        for column, form in zip(columns, target.forms, strict=True):
            of_column = self.columns[column.index]
            of_column[SqlColumn.WIDTH] = width_of(column)
            if form is None:
                continue
            of_column[SqlColumn.IS_WRITTEN] = 1
            of_column[SqlColumn.IS_TOUCHED] = column.index in target.touched
            for field, text in (
                (SqlColumn.NAME, form.name),
                (SqlColumn.SUBJECT, f"{form.subject} <=> "),
                (SqlColumn.IS_NULL, f"{form.name} IS NULL"),
            ):
                of_column[field] = texts.add(text)
                of_column[field + 1] = texts.end
            first = len(members)
            members += _members(column, texts)
            for use, (kind, p1, p2, quote, digits) in zip(
                SqlUse,
                self._uses(column, first, len(members) - first - 1, default_charset),
                strict=True,
            ):
                of_use = self.uses[use, column.index]
                of_use[:3] = kind, p1, p2
                of_use[SqlValue.QUOTE] = texts.add(quote)
                of_use[SqlValue.QUOTE_END] = of_use[SqlValue.HEX] = texts.end
                texts.add(digits)
                of_use[SqlValue.HEX_END] = texts.end
        written = [c for c, form in enumerate(target.forms) if form is not None]
        self.has_key = bool(target.key)
        self.finders = np.array(target.key or written, dtype=np.int64)
        self.texts = texts.array()
        self.members = np.array(members or [0], dtype=np.int64)
        self.bytes_by_row = 4 * texts.end
        self.slack = self.bytes_by_row + 2 * MAX_SCALAR * (n + 1)

    def _uses(
        self, column: Column, first: int, count: int, default_charset: str
    ) -> tuple[_Use, _Use, _Use]:
        """Return how a value is stored, found, and found as part of a key."""
        decoding = decoding_of(column, default_charset=default_charset, invalid_text="BINARY")
        code = column.type_code
        if decoding.op == Op.TEXT:
            return _text_uses(column, decoding, default_charset)
        if decoding.op == Op.JSON:
            k = self.json_columns.index(column.index)
            main = (Literal.JSON, k, 0, "'", "_utf8mb4 x'")
            return (Literal.JSON, k, 1, "'", "_utf8mb4 x'"), main, main
        if code == Code.vector:
            main = (Literal.HEX, 0, 0, "", "'")
            return (Literal.HEX, 0, 0, "", "x'"), main, main
        if code in (Code.enum, Code.set):
            kind = Literal.ENUM if code == Code.enum else Literal.SET
            number = (Literal.UNSIGNED, 0, 0, "", "")
            return (kind, first, count, "", ""), number, number
        if code == Code.float:
            main = (Literal.FLOAT_AS_DOUBLE, 0, 0, "", "")
            return (Literal.FLOAT, 0, 0, "", ""), main, main
        use = _scalar_use(column, decoding)
        return use, use, use


def _scalar_use(column: Column, decoding: Decoding) -> _Use:
    """Return how values are written that have one form for all uses."""
    code, params = column.type_code, (*decoding.params, 0, 0)
    if code in _INTEGERS:
        if column.is_unsigned:
            return Literal.UNSIGNED, 0, 0, "", ""
        return Literal.SIGNED, int(column.is_unsigned is None), 0, "", ""
    if code == Code.double:
        return Literal.DOUBLE, 0, 0, "", ""
    if code == Code.geometry:
        return Literal.HEX, 0, 1, "", "x'"
    if decoding.op in (Op.DECIMAL, Op.DECIMAL_TEXT):
        return Literal.DECIMAL, params[0], params[1], "", ""
    if decoding.op in _TEMPORALS:
        return _TEMPORALS[decoding.op], params[0], 0, "", ""
    if code == Code.timestamp2:
        return Literal.TIMESTAMP2, params[0], 0, "", ""
    if decoding.op == Op.YEAR:
        return Literal.YEAR, 0, 0, "", ""
    if decoding.op == Op.BITS and params[1]:
        return Literal.BITS, params[2], 0, "", ""
    if decoding.op == Op.UNSIGNED_DECIMAL and params[1]:
        return Literal.BITS, 64, 0, "", ""
    if decoding.op == Op.FIXED_BINARY:
        return Literal.FIXED_BINARY, params[1], 0, "", ""
    return _LEFT


def _text_uses(column: Column, decoding: Decoding, default_charset: str) -> tuple[_Use, _Use, _Use]:
    padded = decoding.params[2]
    charset = charset_of(column.collation)
    use = (Literal.UTF8, padded, 0, "_binary'", "x'")
    if charset is None and default_charset == "binary":
        return use, use, use
    charset = charset or default_charset
    if charset == "binary":
        stored = (Literal.HEX, padded, 0, "", "x'")
        return stored, use, stored
    kind = Literal.COMMON
    if charset in ("utf8mb4", "utf8mb3"):
        kind = Literal.UTF8
    elif charset in READABLE:
        kind = Literal.LATIN1 if charset == "latin1" else Literal.ASCII
    elif charset in WIDE:
        kind = Literal.HEX
    stored = (kind, padded, 0, "'", f"_{introducer_of(charset)} x'")
    return stored, use, stored


def _members(column: Column, texts: _Texts) -> Iterable[int]:
    """Add the names of an ENUM or SET; return where each begins, and where the last one ends."""
    if column.type_code not in (Code.enum, Code.set):
        return []
    return [*(texts.add(name or "") for name in member_words(column)), texts.end]


@cache
def printable_letters() -> Numbers:
    """Return (NUM_LETTERS,) uint8: 1 for each character that is printable."""
    return np.array([chr(point).isprintable() for point in range(NUM_LETTERS)], dtype=np.uint8)


@cache
def single_byte_codes() -> Numbers:
    """Return (3, 256) int64, as `kernels.sql_literals.put_single_bytes` takes each row.

    Those of Literal.LATIN1, ASCII and COMMON.
    """
    codes = np.zeros((3, 256), dtype=np.int64)
    for byte in range(256):
        data = bytes([byte])
        for row, charset in enumerate(("latin1", "ascii")):
            with suppress(UnicodeDecodeError):
                written = (quote_text(decode_text(data, charset)) or "''")[1:-1].encode()
                codes[row, byte] = int.from_bytes(written, "little") | len(written) << 24
        if is_common(data):
            codes[2, byte] = byte | 1 << 24
    return codes
