"""Values of a column as SQL: literals that store them, and conditions that find them.

Made from the logged bytes, since decoded values lose zero dates, invalid text and the like. The
literals hold for the session of `session`: strict, in UTC, with zero and invalid dates.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from types import MappingProxyType
from typing import Final

from pyspark_adapter.charsets.charset import charset_of
from pyspark_adapter.events.table_map import Column
from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.kernels.layout import Op
from pyspark_adapter.sql_text.literals import (
    binary_literal,
    bytes_literal,
    json_literal,
    json_text,
    quote_name,
    text_literal,
)
from pyspark_adapter.sql_text.refusals import CannotWriteError
from pyspark_adapter.values.column_types import decoding_of
from pyspark_adapter.values.decoding import Decoding
from pyspark_adapter.values.kinds import KINDS, decode_value
from pyspark_adapter.values.temporal import TO_NULL, TO_ROUND

Literal = Callable[[bytes], str]

_EPOCH: Final = date(1970, 1, 1)
_DAY_MICROS: Final = 86_400_000_000
_MAX_FLOAT: Final = 3.4028234663852886e38  # a larger one is out of range in strict mode
_MOST_SET_BYTES: Final = 8  # of a SET with more than 32 members
_WORD: Final = re.compile(rb"[A-Za-z_][A-Za-z0-9_-]*")
_TEXT_OPS: Final = frozenset({Op.TEXT, Op.COMPRESSED_TEXT})


@dataclass(frozen=True, slots=True)
class ColumnForm:
    """How the values of a column are written.

    Attributes:
        name: of the column, quoted.
        literal: stores a value.
        operand: is compared with a value, exactly: by bytes, not by collation.
        subject: the column in such a comparison.
        key_operand: is compared with a value of a key, by an index.
        is_lenient: whether a value is stored only without strict mode.
    """

    name: str
    literal: Literal
    operand: Literal
    subject: str
    key_operand: Literal
    is_lenient: Callable[[bytes], bool]

    def store(self, data: bytes | None) -> str:
        """Return a literal; None is NULL."""
        return "NULL" if data is None else self.literal(data)

    def find(self, data: bytes | None, *, by_key: bool = False) -> str:
        """Return the condition that the column has a value."""
        if data is None:
            return f"{self.name} IS NULL"
        if by_key:
            return f"{self.name} = {self.key_operand(data)}"
        return f"{self.subject} <=> {self.operand(data)}"


def column_form(column: Column, default_charset: str) -> ColumnForm:
    """Return how the values of a column are written; raises UnsupportedError, CorruptEventError."""
    decoding = decoding_of(column, default_charset=default_charset, invalid_text="BINARY")
    name = quote_name(column.label)
    if decoding.op in _TEXT_OPS:
        return _text_form(name, column, decoding, default_charset)
    if decoding.op == Op.JSON:
        return ColumnForm(name, json_literal, json_text, f"CAST({name} AS CHAR)", json_text, _never)
    if column.type_code == Code.vector:
        # It is compared with other vectors only, and never part of a key.
        operand: Literal = lambda data: f"'{data.hex().upper()}'"  # noqa: E731
        return ColumnForm(name, bytes_literal, operand, f"HEX({name})", operand, _never)
    is_lenient: Callable[[bytes], bool] = _never
    if column.type_code in (Code.enum, Code.set):
        if column.type_code == Code.enum:
            is_lenient = _is_zero  # the empty string that marks an error
        named = partial(_named, names=member_words(column), is_set=column.type_code == Code.set)
        # Numbers are compared, since a collation takes different names for the same. A SET is
        # compared as a signed number, so that with its 64th member it equals none; its bits do.
        subject = f"({name} | 0)" if column.metadata == _MOST_SET_BYTES else name
        return ColumnForm(name, named, _number, subject, _number, is_lenient)
    if column.type_code == Code.geometry:
        literal, is_lenient = bytes_literal, _is_empty
    elif column.type_code == Code.float:
        exact = partial(_exact_float, width=4)
        return ColumnForm(name, _float, exact, name, exact, _never)
    elif column.type_code == Code.double:
        literal = partial(_exact_float, width=8)
    elif decoding.op in (Op.INTEGER, Op.UNSIGNED_DECIMAL) and column.type_code != Code.bit:
        literal = partial(_integer, is_unsigned=column.is_unsigned)
    elif decoding.op in _TEMPORALS:
        literal = partial(_TEMPORALS[decoding.op], decoding=decoding, fsp=_fsp(decoding))
    else:
        as_sql = KINDS[decoding.op].as_sql
        literal = lambda data: as_sql(data, decoding)  # noqa: E731
    return ColumnForm(name, literal, literal, name, literal, is_lenient)


def _text_form(name: str, column: Column, decoding: Decoding, default_charset: str) -> ColumnForm:
    charset = charset_of(column.collation)
    is_known = charset is not None or default_charset != "binary"
    charset = charset or default_charset

    def content(data: bytes) -> bytes:
        text: bytes = decode_value(data, decoding, TO_NULL)
        return text

    def operand(data: bytes) -> str:
        return binary_literal(content(data))

    def literal(data: bytes) -> str:
        if not is_known:
            return binary_literal(content(data))
        if charset == "binary":
            return bytes_literal(content(data))
        return text_literal(content(data), charset)

    subject = name
    if column.collation is None and column.type_code == Code.string:
        # It may be BINARY, which is logged without the zero bytes at its end.
        subject = f"TRIM(TRAILING x'00' FROM CAST({name} AS BINARY))"
    return ColumnForm(name, literal, operand, subject, literal, _never)


def _never(_data: bytes) -> bool:
    return False


def _is_zero(data: bytes) -> bool:
    return not any(data)


def _is_empty(data: bytes) -> bool:
    return not data


def _number(data: bytes) -> str:
    return str(int.from_bytes(data, "little"))


def member_words(column: Column) -> tuple[str | None, ...]:
    """Return the names of members that are words, None for others; none if they are not known."""
    charset = charset_of(column.collation)
    if charset is None or column.members is None:
        return ()
    is_plain = text_literal(b"a", charset) == "'a'"  # words are the same bytes in it
    return tuple(
        member.decode() if is_plain and _WORD.fullmatch(member) else None
        for member in column.members
    )


def _named(data: bytes, names: tuple[str | None, ...], is_set: bool) -> str:
    """Return the names of members, or their number where a name is not a word."""
    number = int.from_bytes(data, "little")
    if is_set:
        members = [names[i] if i < len(names) else None for i in range(64) if number >> i & 1]
    else:
        members = [names[number - 1] if 0 < number <= len(names) else None]
    words = [name for name in members if name is not None]
    return f"'{','.join(words)}'" if words and len(words) == len(members) else str(number)


def _integer(data: bytes, is_unsigned: bool | None) -> str:
    if is_unsigned is None and data[-1] & 0x80:
        raise CannotWriteError("the log does not say whether an integer is signed: pass option ddl")
    return str(int.from_bytes(data, "little", signed=not is_unsigned))


def _exact_float(data: bytes, width: int) -> str:
    """Return all digits of the double that the server compares, which make it a double."""
    (number,) = struct.unpack("<f" if width == 4 else "<d", data)
    if not math.isfinite(number):
        raise CannotWriteError(f"a number is {number}, which SQL does not have")
    text = repr(number)
    return text if "e" in text else f"{text}e0"


def _float(data: bytes) -> str:
    """Return the fewest digits that give a FLOAT back: the server rounds a double to it."""
    exact = _exact_float(data, 4)
    (number,) = struct.unpack("<f", data)
    for digits in range(6, 10):
        text = f"{number:.{digits}g}"
        is_same = abs(float(text)) <= _MAX_FLOAT and struct.pack("<f", float(text)) == data
        if is_same and (number or text == "0"):
            return text
    return exact


def _fsp(decoding: Decoding) -> int:
    """Return the digits of a fraction: the first parameter, which DATE alone lacks."""
    return decoding.params[0] if decoding.params else 0


def _clock(micros: int, fsp: int) -> str:
    seconds, fraction = divmod(micros, 1_000_000)
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{text}.{fraction:06}"[: len(text) + 1 + fsp] if fsp else text


def _time(data: bytes, decoding: Decoding, fsp: int) -> str:
    micros = decode_value(data, decoding, TO_NULL)
    return f"'{'-' if micros < 0 else ''}{_clock(abs(micros), fsp)}'"


def _date(data: bytes, decoding: Decoding, fsp: int) -> str:  # noqa: ARG001 - as the others
    days = decode_value(data, decoding, TO_NULL)
    if days is not None:
        return f"'{(_EPOCH + timedelta(days=days)).isoformat()}'"
    packed = int.from_bytes(data, "little")
    return f"'{_day(packed >> 9, packed >> 5 & 15, packed & 31)}'"


def _datetime(data: bytes, decoding: Decoding, fsp: int) -> str:
    micros = decode_value(data, decoding, TO_NULL)
    if micros is not None:
        days, micros = divmod(micros, _DAY_MICROS)
        return f"'{(_EPOCH + timedelta(days=days)).isoformat()} {_clock(micros, fsp)}'"
    # A date of no calendar. The decoder takes the nearest one, and checks the clock.
    rounded = decode_value(data, decoding, TO_ROUND)
    return f"'{_IMPOSSIBLE[decoding.op](data)} {_clock(rounded % _DAY_MICROS, fsp)}'"


def _day(year: int, month: int, day: int) -> str:
    return f"{year:04}-{month:02}-{day:02}"


def _impossible_datetime2(data: bytes) -> str:
    packed = int.from_bytes(data[:5], "big") - (1 << 39)
    year_month = packed >> 22
    return _day(year_month // 13, year_month % 13, packed >> 17 & 31)


def _impossible_old_datetime(data: bytes) -> str:
    day = int.from_bytes(data, "little") // 1_000_000
    return _day(day // 10_000, day // 100 % 100, day % 100)


# Dates that no calendar has, for which there is no number. Source: as in `values.temporal`.
_IMPOSSIBLE: Final[Mapping[Op, Literal]] = MappingProxyType(
    {
        Op.DATETIME2: _impossible_datetime2,
        Op.OLD_DATETIME: _impossible_old_datetime,
        Op.TIMESTAMP: lambda _data: _day(0, 0, 0),
    }
)
_TEMPORALS: Final[Mapping[Op, Callable[..., str]]] = MappingProxyType(
    {
        Op.DATE: _date,
        Op.DATETIME2: _datetime,
        Op.OLD_DATETIME: _datetime,
        Op.TIMESTAMP: _datetime,
        Op.TIME2: _time,
        Op.OLD_TIME: _time,
    }
)
