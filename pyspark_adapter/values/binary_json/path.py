"""Paths of JSON as the server logs them: `$`, `.key`, `."quoted key"`, `[3]`, `[last-1]`.

Source: `sql-common/json_path.cc` of the server (`Json_path_leg::to_string`).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import islice
from typing import Final

from pyspark_adapter.errors import CorruptEventError
from pyspark_adapter.kernels.layout import MAX_JSON_DEPTH

_LEG: Final = r"""\.(?P<quoted>"(?:[^"\\]|\\.)*")
    |\.(?P<key>[^\s.\[*"]+)
    |\[(?:(?P<cell>\d{1,10})|last(?:-(?P<before_last>\d{1,10}))?)\]"""
_LEGS: Final = re.compile(_LEG, re.VERBOSE | re.DOTALL)
_PATH: Final = re.compile(rf"\$(?:{_LEG})*", re.VERBOSE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Cell:
    """An element of an array.

    Attributes:
        index: from 0.
        is_from_end: whether it counts back from the last element.
    """

    index: int
    is_from_end: bool = False

    def position(self, length: int) -> int:
        """Return its index in an array of a length; the length or more if beyond.

        One before the first element is at the first, as the server takes it.
        """
        return max(length - 1 - self.index, 0) if self.is_from_end else self.index

    def is_within(self, length: int) -> bool:
        """Return whether an array of a length has this element."""
        return self.index < length


Leg = bytes | Cell


def parse_path(path: bytes) -> tuple[Leg, ...]:
    """Return the legs of a path: keys as UTF-8, and cells of arrays; raises CorruptEventError.

    >>> parse_path(b'$.a[1]."b c"[last]')
    (b'a', Cell(index=1, is_from_end=False), b'b c', Cell(index=0, is_from_end=True))
    """
    try:
        text = path.decode()
        if _PATH.fullmatch(text):
            legs = tuple(map(_leg, islice(_LEGS.finditer(text, 1), MAX_JSON_DEPTH + 1)))
            if len(legs) <= MAX_JSON_DEPTH:
                return legs
    except ValueError:  # not UTF-8, or not a JSON string
        pass
    raise CorruptEventError(f"expected a path of JSON, found {path[:32]!r}")


def _leg(match: re.Match[str]) -> Leg:
    if match["key"] is not None:
        return match["key"].encode()
    if match["quoted"] is not None:
        return str(json.loads(match["quoted"])).encode()
    if match["cell"] is not None:
        return Cell(int(match["cell"]))
    return Cell(int(match["before_last"] or 0), is_from_end=True)
