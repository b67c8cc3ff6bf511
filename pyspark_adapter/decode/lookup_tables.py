"""What the kernels look up while they fill columns: tables to convert text, names of members."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from pyspark_adapter.charsets.tables import conversion_table

# Bytes after texts that kernels copy: they read and write some more than a text has.
LEN_SPARE: Final = 64

# SET columns of more members, or longer ones, have no table of all their values.
_MAX_MEMBERS: Final = 8
_MAX_NAME_BYTES: Final = 1 << 16


def combined_names(members: Sequence[bytes]) -> list[bytes] | None:
    """Return the text of each value of a SET, from 0 on; None if the values are too many."""
    num_bytes = sum(len(name) + 1 for name in members) << len(members) >> 1
    if len(members) > _MAX_MEMBERS or num_bytes > _MAX_NAME_BYTES:
        return None
    return [
        b",".join(name for k, name in enumerate(members) if value >> k & 1)
        for value in range(1 << len(members))
    ]


class TextTables:
    """The tables of `charsets.tables` that columns need, one after the other."""

    def __init__(self) -> None:
        self._tables: list[np.ndarray[Any, Any]] = []
        self._offsets: dict[str, int] = {}
        self._size = 0

    def offset(self, charset: str) -> int:
        """Return where the table of a character set begins in `joined`."""
        if charset not in self._offsets:
            self._offsets[charset] = self._size
            self._tables.append(conversion_table(charset))
            self._size += len(self._tables[-1])
        return self._offsets[charset]

    def joined(self) -> np.ndarray[Any, Any]:
        """Return all of them; numba takes no array of none."""
        return np.concatenate([*self._tables, np.zeros(1, dtype=np.int32)])
