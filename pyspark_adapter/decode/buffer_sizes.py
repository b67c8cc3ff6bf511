"""What the buffers of several columns share: the tables by which text is converted, alignment."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from pyspark_adapter.charsets.tables import conversion_table

_ALIGNMENT: Final = 64


class TextTables:
    """The tables of `charsets.tables` that columns need, one after the other."""

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
