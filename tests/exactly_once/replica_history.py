"""The history of a table, replayed: the rows that it leaves, and whether each change fits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import pyarrow as pa

Row = Mapping[str, Any]
OLD: Final = ("update_preimage", "delete")
NEW: Final = ("insert", "update_postimage")


class Replayed(NamedTuple):
    """What a history came to.

    Attributes:
        rows: that are there at its end.
        kinds: how many rows of each `_change_type` it has.
        num_fitting: old images that are as an earlier change left the row.
    """

    rows: list[Row]
    kinds: Counter[str]
    num_fitting: int


def replay(history: pa.Table, key: Sequence[str]) -> Replayed:
    """Replay the history of a table; raises AssertionError."""
    found = history.to_pylist()
    found.sort(key=lambda row: (*_place(row), row["_change_type"] in NEW))
    places = Counter((*_place(row), row["_change_type"]) for row in found)
    assert not [place for place, count in places.items() if count > 1]
    assert found[0]["_change_type"] == "copy"
    rows: dict[Any, Row] = {}
    changed: dict[Any, Row | None] = {}  # a row that was read may be that of later
    num_fitting = 0
    for number, row in enumerate(found):
        kind = row["_change_type"]
        place = tuple(repr(row[name]) for name in key) or number
        if kind == "copy":
            rows, changed = {}, {}
        elif kind == "read" or (kind in NEW and not key):
            rows[place] = row
        elif kind in OLD and not key:  # one of those that are equal
            del rows[next(p for p, other in rows.items() if _values(other) == _values(row))]
        elif kind in (*OLD, *NEW):
            before = changed.get(place)
            wanted = row if kind in OLD else None
            assert place not in changed or _values(before) == _values(wanted), row
            num_fitting += before is not None
            changed[place] = rows[place] = row
            if kind in OLD:
                changed[place] = None
                del rows[place]
    return Replayed(list(rows.values()), Counter(row["_change_type"] for row in found), num_fitting)


def _place(row: Row) -> tuple[int, int]:
    return row["_commit_version"], row["_row_number"]


def _values(row: Row | None) -> str:
    return repr(row and {name: value for name, value in row.items() if name[0] != "_"})
