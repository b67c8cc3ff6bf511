"""How an index writes the key of a row as one number, and the values of a look-up likewise.

A single integer is itself, as 64 bits. Other keys are hashes of 40 bits over their values: integers
as 64 bits, texts and bytes as the row has them. `kernels.row_keys` does the same with rows.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from ipaddress import ip_address
from itertools import product
from typing import Any, Final
from uuid import UUID

from pyspark_adapter.charsets.charset import charset_of
from pyspark_adapter.events.table_map import Column, TableMap
from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.kernels.layout import (
    KEY_FACTOR_1,
    KEY_FACTOR_2,
    KEY_HASH_BITS,
    KEY_SALT,
    KeyKind,
)
from pyspark_adapter.options.table_name import TableName

_INTEGERS: Final = frozenset({Code.tiny, Code.short, Code.int24, Code.long, Code.longlong})
_STRINGS: Final = frozenset({Code.varchar, Code.var_string, Code.string})
# Character sets in which the bytes of a text are known: `_ASCII` of ASCII letters alone.
_UTF8: Final = frozenset({"utf8mb3", "utf8mb4"})
_ASCII: Final = frozenset({"ascii", "latin1"})
_BINARY: Final = "binary"
_INTEGER: Final = re.compile(r"-?[0-9]{1,20}", re.ASCII)
# Look-ups of one read; more are a scan.
MAX_LOOKUPS: Final = 10_000
_MAX_COLUMNS: Final = 16
_MASK: Final = (1 << 64) - 1
_SEED: Final = 0x9E3779B97F4A7C15
_FACTOR: Final = 0xFF51AFD7ED558CCD


@dataclass(frozen=True)
class KeyColumn:
    """A column of a key.

    Attributes:
        name: in the log or a definition, in lower case.
        charset: of a text, `binary` of bytes; empty for an integer.
        is_unsigned: of an integer.
    """

    name: str
    charset: str = ""
    is_unsigned: bool = False

    @property
    def kind(self) -> int:
        """Its `KeyKind`."""
        if self.charset:
            return KeyKind.BYTES
        return KeyKind.UNSIGNED if self.is_unsigned else KeyKind.SIGNED


@dataclass(frozen=True)
class KeySpec:
    """The key of a table, at some place of a log.

    Attributes:
        columns: in the order of the row.
        is_logged: whether the log itself names them.
    """

    table: TableName
    columns: tuple[KeyColumn, ...]
    is_logged: bool

    def encode(self) -> str:
        """Return the columns and where their names are from, as text."""
        columns = [(c.name, c.charset, c.is_unsigned) for c in self.columns]
        return json.dumps([columns, self.is_logged])

    @classmethod
    def decode(cls, table: TableName, text: str) -> KeySpec:
        """Return a specification from `encode`; raises ValueError if it cannot be from there."""
        try:
            columns, is_logged = json.loads(text)
            spec = cls(table, tuple(KeyColumn(*column) for column in columns), is_logged)
        except (TypeError, RecursionError) as error:
            raise ValueError("is no key") from error
        good = isinstance(is_logged, bool) and 0 < len(spec.columns) <= _MAX_COLUMNS
        for column in spec.columns:
            good &= isinstance(column.name, str) and isinstance(column.is_unsigned, bool)
            good &= column.charset in {"", _BINARY} | _UTF8 | _ASCII
        if not good:
            raise ValueError("is no key")
        return spec

    def numbers(self, values: Mapping[str, Collection[Any]]) -> list[int] | None:
        """Return the numbers of the keys that have one of some values in each column.

        Args:
            values: by name of the column in lower case; more columns do not matter.

        Returns:
            None if there are too many, or not all are known.
        """
        choices: list[list[int]] = []
        num_keys = 1
        for column in self.columns:
            if column.name not in values:
                return None
            num_keys *= len(values[column.name])
            if num_keys > MAX_LOOKUPS:
                return None
            sets = [_numbers_of(column, value) for value in values[column.name]]
            if not all(sets):
                return None
            choices.append([number for numbers in sets for number in numbers])
        if len(self.columns) == 1 and not self.columns[0].charset:
            return choices[0]
        return [_hash(numbers) for numbers in product(*choices)]


def spec_of(table_map: TableMap) -> KeySpec | None:
    """Return how the keys of a table are written; None if they are not."""
    columns = [_column_of(table_map.columns[index]) for index in sorted(table_map.row_key)]
    if not 0 < len(columns) <= _MAX_COLUMNS or None in columns:
        return None
    known = tuple(column for column in columns if column is not None)
    return KeySpec(table_map.table, known, table_map.has_logged_names)


def _column_of(column: Column) -> KeyColumn | None:
    if column.name is None:
        return None
    name = column.name.lower()
    if column.type_code in _INTEGERS:
        known = column.is_unsigned is not None
        return KeyColumn(name, is_unsigned=bool(column.is_unsigned)) if known else None
    charset = charset_of(column.collation)
    if column.type_code in _STRINGS and charset in {_BINARY} | _UTF8 | _ASCII:
        assert charset is not None
        return KeyColumn(name, charset)
    return None


def _numbers_of(column: KeyColumn, value: object) -> set[int]:
    """Return the 64 bits of a value, as the kernel has them; none if they are not known."""
    if not column.charset:
        if isinstance(value, Decimal) and value.is_finite() and value == int(value):
            value = int(value)
        if isinstance(value, str) and _INTEGER.fullmatch(value):  # as text has it
            value = int(value)
        is_integer = isinstance(value, int) and not isinstance(value, bool)
        return {value & _MASK} if isinstance(value, int) and is_integer else set()
    if column.charset == _BINARY:
        values = [bytes(value)] if isinstance(value, (bytes, bytearray)) else _packed(value)
        # BINARY(n) is logged without the zero bytes at its end.
        return {_hash_bytes(data) for whole in values for data in (whole, whole.rstrip(b"\0"))}
    if not isinstance(value, str) or "\ufffd" in value:  # perhaps a replacement for invalid bytes
        return set()
    if column.charset in _UTF8:
        return {_hash_bytes(value.encode(errors="surrogatepass"))}
    return {_hash_bytes(value.encode())} if value.isascii() else set()


def _packed(text: object) -> list[bytes]:
    """Return what bytes a text may be that is a UUID or an address of MariaDB; none for others."""
    if not isinstance(text, str):
        return []
    try:
        packed = UUID(text).bytes if "-" in text else ip_address(text).packed
    except ValueError:
        return []
    return [packed, text.encode()]


def _hash_bytes(data: bytes) -> int:
    """Return what `kernels.content_hash.hash_bytes` does with the salt of keys."""
    salt = KEY_SALT
    h = _SEED ^ salt
    whole = len(data) & ~7
    for start in range(0, whole, 8):
        h = (h ^ int.from_bytes(data[start : start + 8], "little")) * _FACTOR & _MASK
        h = (h ^ h >> 32) * salt & _MASK
    for byte in data[whole:]:
        h = (h ^ byte) * _FACTOR & _MASK
    return h ^ h >> 32


def _hash(numbers: Sequence[int]) -> int:
    h = 0
    for number in numbers:
        h = (h ^ number) * KEY_FACTOR_1 & _MASK
        h = (h ^ h >> 32) * KEY_FACTOR_2 & _MASK
        h ^= h >> 32
    return h & KEY_HASH_BITS
