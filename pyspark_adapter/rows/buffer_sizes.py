"""How many bytes the buffers of columns take, and the tables by which text is made."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from pyspark_adapter.charsets.tables import conversion_table
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.json_text import MAX_GROWTH, MAX_GROWTH_BASE, SLACK
from pyspark_adapter.values.decoding import Decoding

_ALIGNMENT: Final = 64
MAX_TEXT: Final = (1 << 31) - 1
_DECIMAL_TEXT_BYTES: Final = 68  # 65 digits, sign, point and a zero before it
_TEXT_GROWTH: Final = 3  # bytes of U+FFFD, or of a character, for a byte of the log

_FIXED_BYTES: Final = {
    lay.OP_BITS: 8,
    lay.OP_UNSIGNED_DECIMAL: 16,
    lay.OP_YEAR: 4,
    lay.OP_DECIMAL: 16,
    lay.OP_DATE: 4,
    lay.OP_DATETIME2: 8,
    lay.OP_TIMESTAMP: 8,
    lay.OP_TIME2: 8,
    lay.OP_OLD_TIME: 8,
    lay.OP_OLD_DATETIME: 8,
}


def fixed_bytes(decoding: Decoding) -> int:
    """Return the bytes of a value in Arrow, where all values have the same."""
    if decoding.op == lay.OP_INTEGER:
        return decoding.params[2]
    return _FIXED_BYTES.get(decoding.op, 0)


def text_rate(decoding: Decoding) -> tuple[int, int]:
    """Return how long the text of a column can get, in bytes: by byte of the log, and by row."""
    if decoding.op == lay.OP_JSON:
        return MAX_GROWTH, MAX_GROWTH_BASE + SLACK
    if decoding.op == lay.OP_DECIMAL_TEXT:
        return 0, _DECIMAL_TEXT_BYTES
    if decoding.op == lay.OP_ENUM:
        return 0, max(len(name) for name in decoding.names)
    if decoding.op == lay.OP_SET:
        return 0, sum(len(name) + 1 for name in decoding.names)
    if decoding.op == lay.OP_TEXT:
        _, kind, padded = decoding.params
        return 1 if kind <= lay.TEXT_ASCII else _TEXT_GROWTH, padded
    return int(decoding.op in (lay.OP_GEOMETRY, lay.OP_VECTOR)), 0


class TextTables:
    """The tables of `charsets.tables` that some columns need, one after the other."""

    def __init__(self) -> None:
        self._tables: list[np.ndarray[Any, Any]] = []
        self._places: dict[str, int] = {}
        self._size = 0

    def place(self, charset: str) -> int:
        """Return where the table of a character set begins."""
        if charset not in self._places:
            self._places[charset] = self._size
            self._tables.append(conversion_table(charset))
            self._size += len(self._tables[-1])
        return self._places[charset]

    def joined(self) -> np.ndarray[Any, Any]:
        """Return all of them; numba takes no array of none."""
        return np.concatenate([*self._tables, np.zeros(1, dtype=np.int32)])


def aligned(num_bytes: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return sizes rounded up to what buffers are aligned to."""
    return -(-num_bytes // _ALIGNMENT) * _ALIGNMENT
