"""Values of a column as SQL: literals that store them, and conditions that find them.

The kernels write the literals from the logged bytes, since decoded values lose zero dates, invalid
text and the like. They hold for the session of `session`: strict, in UTC, with zero and invalid
dates.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np

from pyspark_adapter.charsets.charset import charset_of, decode_text
from pyspark_adapter.events.table_map import Column
from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.kernels.entry_points import write_value
from pyspark_adapter.kernels.layout import Numbers, Op
from pyspark_adapter.kernels.sql_layout import COMPARED, MAX_SCALAR, NUM_LETTERS, Literal, SqlUse
from pyspark_adapter.sql_text.literals import json_literal, json_text, quote_name, quote_text
from pyspark_adapter.sql_text.refusals import CannotWriteError
from pyspark_adapter.values.column_types import Decoding, decoding_of, width_of
from pyspark_adapter.values.compressed_columns import inflate

# Written as they are; those of other character sets as bytes, since not every server converts
# them to the same bytes again.
_READABLE: Final = frozenset({"utf8mb4", "utf8mb3", "latin1", "ascii"})
# The same bytes in all character sets of one byte a unit, `swe7` included.
_COMMON: Final = re.compile(rb"[A-Za-z0-9 _.,:;()+*/=<>?!%&\"-]*")
_WIDE: Final = frozenset({"ucs2", "utf16", "utf16le", "utf32"})
_FEW_BYTES: Final = 1024  # of a value whose buffers are reused
_MOST_SET_BYTES: Final = 8  # of a SET with more than 32 members
_WORD: Final = re.compile(rb"[A-Za-z_][A-Za-z0-9_-]*")
_TEXT_OPS: Final = frozenset({Op.TEXT, Op.COMPRESSED_TEXT})
_INTEGERS: Final = frozenset({Code.tiny, Code.short, Code.int24, Code.long, Code.longlong})
_SCALARS: Final = MappingProxyType(
    {
        Op.YEAR: Literal.YEAR,
        Op.DECIMAL: Literal.DECIMAL,
        Op.DECIMAL_TEXT: Literal.DECIMAL,
        Op.DATE: Literal.DATE,
        Op.DATETIME2: Literal.DATETIME,
        Op.OLD_DATETIME: Literal.DATETIME,
        Op.TIMESTAMP: Literal.TIMESTAMP,
        Op.TIME2: Literal.TIME,
        Op.OLD_TIME: Literal.TIME,
    }
)
# Why there is no literal of a value; of other kinds, since it is not valid.
_REASONS: Final = MappingProxyType(
    {
        Literal.SIGNED: "the log does not say whether an integer is signed: pass option ddl",
        **dict.fromkeys(
            (Literal.FLOAT, Literal.FLOAT_AS_DOUBLE, Literal.DOUBLE),
            "a number is infinite or NaN, which SQL does not have",
        ),
    }
)


class Use(NamedTuple):
    """How a value is written: a Literal, its parameters, and what opens text and hexadecimal."""

    kind: Literal
    p1: int = 0
    p2: int = 0
    quote: str = ""
    digits: str = ""


@dataclass(frozen=True)
class ColumnForm:
    """How the values of a column are written.

    Attributes:
        name: of the column, quoted.
        subject: the column in a comparison by bytes, not by collation.
        uses: by SqlUse. Parameters that are indices are of this column alone.
        is_compressed: whether the values are compressed.
    """

    column: Column
    name: str
    subject: str
    uses: tuple[Use, Use, Use]
    is_compressed: bool = False

    def store(self, data: bytes | None) -> str:
        """Return a literal; None is NULL; raises CannotWriteError, CorruptEventError."""
        return "NULL" if data is None else self._written(data, SqlUse.STORE)

    def find(self, data: bytes | None, *, by_key: bool = False) -> str:
        """Return the condition that the column has a value; raises as `store`."""
        if data is None:
            return f"{self.name} IS NULL"
        if by_key:
            return f"{self.name} = {self._written(data, SqlUse.FIND_KEY)}"
        return f"{self.subject} <=> {self._written(data, SqlUse.FIND)}"

    def is_lenient(self, data: bytes) -> bool:
        """Return whether a value is stored only without strict mode.

        The empty string that marks an error in an ENUM, and a GEOMETRY of no bytes.
        """
        if self.column.type_code == Code.enum:
            return not any(data)
        return self.column.type_code == Code.geometry and not data

    def packed(self, texts: bytearray, members: list[int]) -> list[list[int]]:
        """Return the fields of SqlValue of each use, and add texts and the names of members."""
        first = len(members)
        if self.column.type_code in (Code.enum, Code.set):
            for word in member_words(self.column):
                members.append(len(texts))
                texts += (word or "").encode()
            members.append(len(texts))
        rows = []
        for use in self.uses:
            p1 = first if use.kind in (Literal.ENUM, Literal.SET) else use.p1
            begin = len(texts)
            middle = begin + len(use.quote)
            texts += f"{use.quote}{use.digits}".encode()
            rows.append([use.kind, p1, use.p2, begin, middle, middle, len(texts)])
        return rows

    @cached_property
    def _write(self) -> Callable[[bytes, SqlUse], str]:
        """The function that writes a literal; making its arrays takes longer than a value."""
        texts, members = bytearray(), list[int]()
        uses = [np.array(row, dtype=np.int64) for row in self.packed(texts, members)]
        names = np.array(members or [0], dtype=np.int64)
        tables = constant_texts(texts), names, printable_letters(), single_byte_codes()
        width, slack = width_of(self.column), len(texts) + MAX_SCALAR
        kept = _room(_FEW_BYTES, slack)

        def write(data: bytes, use: SqlUse) -> str:
            reason = None
            if width < 0 or width == len(data):
                room = kept if len(data) <= _FEW_BYTES else _room(len(data), slack)
                value, text, window, out = room
                value[: len(data)] = data
                end = write_value(window, len(data), uses[use], *tables, out)
                if end >= 0:
                    return text[:end].decode()
                reason = _REASONS.get(self.uses[use].kind)
            invalid = f"a value is not one of its type: {data[:32].hex(' ')}"
            raise CannotWriteError(reason or invalid)

        return write

    def _written(self, data: bytes, use: SqlUse) -> str:
        if self.uses[use].kind == Literal.JSON:
            return json_literal(data) if use == SqlUse.STORE else json_text(data)
        if self.is_lenient(data):
            return "0" if data else "x''"
        return self._write(inflate(data) if self.is_compressed else data, use)


def _room(num_bytes: int, slack: int) -> tuple[bytearray, bytearray, Numbers, Numbers]:
    """Return buffers for a value and its text, and arrays over both."""
    value, text = bytearray(num_bytes + 8), bytearray(3 * num_bytes + slack)
    return value, text, np.frombuffer(value, np.uint8), np.frombuffer(text, np.uint8)


def constant_texts(texts: bytearray) -> Numbers:
    """Return texts as an array, with room that a copy may read."""
    return np.frombuffer(texts + bytes(64), dtype=np.uint8)


def column_form(column: Column, default_charset: str) -> ColumnForm:
    """Return how the values of a column are written; raises UnsupportedError, CorruptEventError."""
    decoding = decoding_of(column, default_charset=default_charset, invalid_text="BINARY")
    code, name = column.type_code, quote_name(column.label)
    if decoding.op in _TEXT_OPS:
        return _text_form(name, column, decoding, default_charset)
    if decoding.op == Op.JSON:
        use = Use(Literal.JSON, 0, 0, "'", "_utf8mb4 x'")
        return ColumnForm(column, name, f"CAST({name} AS CHAR)", (use._replace(p2=1), use, use))
    if code == Code.vector:
        # It is compared with other vectors only, and never part of a key.
        use = Use(Literal.HEX, digits="'")
        return ColumnForm(column, name, f"HEX({name})", (use._replace(digits="x'"), use, use))
    if code in (Code.enum, Code.set):
        # Numbers are compared, since a collation takes different names for the same. A SET is
        # compared as a signed number, so that with its 64th member it equals none; its bits do.
        is_long = code == Code.set and column.metadata == _MOST_SET_BYTES
        kind = Literal.ENUM if code == Code.enum else Literal.SET
        use = Use(Literal.UNSIGNED)
        uses = Use(kind, 0, len(member_words(column))), use, use
        return ColumnForm(column, name, f"({name} | 0)" if is_long else name, uses)
    use = _scalar_use(column, decoding)
    stored = Use(Literal.FLOAT) if code == Code.float else use
    if use.kind in (Literal.DATE, Literal.DATETIME):
        use = use._replace(p2=use.p2 | COMPARED)
    return ColumnForm(column, name, name, (stored, use, use))


def _scalar_use(column: Column, decoding: Decoding) -> Use:
    """Return how values are written that have one form for all uses."""
    code, params = column.type_code, decoding.params
    if code in _INTEGERS:
        if column.is_unsigned:
            return Use(Literal.UNSIGNED)
        return Use(Literal.SIGNED, int(column.is_unsigned is None))
    if code == Code.float:
        return Use(Literal.FLOAT_AS_DOUBLE)
    if code == Code.double:
        return Use(Literal.DOUBLE)
    if code == Code.geometry:
        return Use(Literal.HEX, 0, 1, digits="x'")
    if code == Code.bit:
        return Use(Literal.BITS, params[2] if decoding.op == Op.BITS else 64)
    if decoding.op == Op.FIXED_BINARY:
        return Use(Literal.FIXED_BINARY, params[1])
    is_old = decoding.op in (Op.OLD_DATETIME, Op.OLD_TIME)
    p1, p2 = (*params, int(is_old), 0)[:2]
    return Use(_SCALARS[decoding.op], p1, p2)


def _text_form(name: str, column: Column, decoding: Decoding, default_charset: str) -> ColumnForm:
    padded = decoding.params[2]
    charset = charset_of(column.collation)
    is_known = charset is not None or default_charset != "binary"
    charset = charset or default_charset
    use = Use(Literal.UTF8, padded, 0, "_binary'", "x'")
    if charset == "binary":
        stored = Use(Literal.HEX, padded, digits="x'") if is_known else use
    else:
        kind = Literal.COMMON
        if charset in ("utf8mb4", "utf8mb3"):
            kind = Literal.UTF8
        elif charset in _READABLE:
            kind = Literal.LATIN1 if charset == "latin1" else Literal.ASCII
        elif charset in _WIDE:
            kind = Literal.HEX
        # Not every server knows the name utf8mb3, and its text is valid utf8mb4.
        introducer = "utf8mb4" if charset == "utf8mb3" else charset
        stored = Use(kind, padded, 0, "'", f"_{introducer} x'")
    subject = name
    if column.collation is None and column.type_code == Code.string:
        # It may be BINARY, which is logged without the zero bytes at its end.
        subject = f"TRIM(TRAILING x'00' FROM CAST({name} AS BINARY))"
    is_compressed = decoding.op == Op.COMPRESSED_TEXT
    return ColumnForm(column, name, subject, (stored, use, stored), is_compressed)


def member_words(column: Column) -> tuple[str | None, ...]:
    """Return the names of members that are words, None for others; none if they are not known."""
    charset = charset_of(column.collation)
    if charset is None or column.members is None:
        return ()
    return tuple(
        member.decode() if charset not in _WIDE and _WORD.fullmatch(member) else None
        for member in column.members
    )


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
        if _COMMON.fullmatch(data):
            codes[2, byte] = byte | 1 << 24
    return codes
