"""Histories of a table: what a server would log of them, and what they leave, in plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hypothesis import strategies as st

KEYS = ("k", "name")
VALUES = ("v", "text")
COLUMNS = (*KEYS, *VALUES)
BLOB = "text"
MODES = ("FULL", "MINIMAL", "NOBLOB", "FULL_NODUP")
SCHEMA = (
    "_change_type string, _commit_version long, _row_number long, _absent_columns array<string>,"
    " _json_diff string, history int, k int, name string, v double, text string"
)

Key = tuple[int, str]
Image = dict[str, Any]


class Step(NamedTuple):
    """A statement that changes one row.

    Attributes:
        action: what it does to the row of a key: delete it, else change it or its key; if there is
            none, it is inserted.
        key: of the row.
        new_key: that it gets, if that is free.
        values: that it gets, those of `assigned` alone.
        assigned: columns that the statement names.
        mode: what of the images is logged.
        begins: whether a transaction begins with it.
    """

    action: str
    key: Key
    new_key: Key
    values: tuple[Any, ...]
    assigned: frozenset[str]
    mode: str
    begins: bool


ANY_KEY = st.tuples(st.integers(0, 2), st.sampled_from(["a", "A"]))
ANY_STEP = st.builds(
    Step,
    st.sampled_from(["update", "move", "move", "delete"]),
    ANY_KEY,
    ANY_KEY,
    st.tuples(st.none() | st.floats(-2, 2, width=16), st.none() | st.text("xy ", max_size=2)),
    st.frozensets(st.sampled_from(VALUES)),
    st.sampled_from(MODES),
    st.booleans(),
)


@dataclass
class Row:
    """A row, and what the log has said about it.

    Attributes:
        values: all of it.
        known: columns that were logged since it came into being.
        origin: the key that it had before the history; None if it was inserted within.
    """

    values: Image
    known: set[str]
    origin: Key | None


@dataclass
class History:
    """A table to which steps happen, with its log."""

    number: int
    rows: dict[Key, Row] = field(default_factory=dict)
    touched: set[Key] = field(default_factory=set)
    log: list[tuple[Any, ...]] = field(default_factory=list)
    _version: int = 0
    _row_number: int = 0

    def run(self, steps: Sequence[Step]) -> None:
        """Do steps one after the other."""
        for step in steps:
            if step.begins:
                self._version, self._row_number = self._version + 1, 0
            self._do(step)
            self._row_number += 1

    def _do(self, step: Step) -> None:
        row = self.rows.get(step.key)
        assigned = dict(zip(VALUES, step.values, strict=True))
        assigned = {name: assigned[name] for name in VALUES if name in step.assigned}
        if row is None:
            image = dict(zip(KEYS, step.key, strict=True)) | {"v": 7.0, "text": None} | assigned
            left_out = {"MINIMAL": set(VALUES) - step.assigned, "NOBLOB": {BLOB} - step.assigned}
            known = set(COLUMNS) - left_out.get(step.mode, set())
            self.rows[step.key] = Row(image, known, None)
            self._write("insert", image, known)
            return
        del self.rows[step.key]
        before = {"MINIMAL": set(KEYS), "NOBLOB": set(COLUMNS) - {BLOB}}.get(
            step.mode, set(COLUMNS)
        )
        if step.action == "delete":
            self._write("delete", row.values, before)
            return
        self._write("update_preimage", row.values, before)
        new_key = step.key
        if step.action == "move" and step.new_key not in self.rows:
            new_key = step.new_key
        image = row.values | assigned | dict(zip(KEYS, new_key, strict=True))
        changed = {name for name in COLUMNS if image[name] != row.values[name]}
        after = {
            "FULL": set(COLUMNS),
            "MINIMAL": changed | step.assigned,
            "NOBLOB": set(COLUMNS) - {BLOB} | changed | step.assigned,
            "FULL_NODUP": changed,
        }[step.mode]
        self._write("update_postimage", image, after)
        self.touched.add(new_key)
        self.rows[new_key] = Row(image, row.known | before | after, row.origin)

    def _write(self, kind: str, image: Image, logged: set[str]) -> None:
        absent = [name for name in COLUMNS if name not in logged]
        cells = [image[name] if name in logged else None for name in COLUMNS]
        version = (self.number << 20) + self._version
        self.log.append((kind, version, self._row_number, absent, None, self.number, *cells))
        if kind != "update_postimage":
            self.touched.add((image["k"], image["name"]))

    def net_changes(self) -> list[tuple[Any, ...]]:
        """Return what the log comes to: history, key, kind, values, absent columns, former key."""
        changes: list[tuple[Any, ...]] = []
        for key in self.touched:
            row = self.rows.get(key)
            if row is None:
                changes.append((self.number, *key, "delete", None, None, None, None))
                continue
            values = [row.values[name] if name in row.known else None for name in VALUES]
            absent = [name for name in VALUES if name not in row.known]
            kind = "insert" if row.origin is None else "update_postimage"
            former = row.origin if row.origin not in (None, key) else None
            changes.append((self.number, *key, kind, *values, absent, former))
        return changes


@st.composite
def histories(draw: st.DrawFn, modes: Sequence[str] = MODES) -> list[History]:
    """Draw histories, each of a table of its own with some rows that were there before.

    They are many, since a job takes a second for one history or for a hundred.
    """
    drawn = []
    steps = st.lists(ANY_STEP.map(lambda step: with_mode(step, modes)), max_size=25)
    for number, (old, happens) in enumerate(
        draw(st.lists(st.tuples(st.sets(ANY_KEY), steps), min_size=24, max_size=60))
    ):
        history = History(number)
        for key in old:
            image = dict(zip(COLUMNS, (*key, 1.5, "old"), strict=True))
            history.rows[key] = Row(image, set(KEYS), key)
        history.run(happens)
        drawn.append(history)
    return drawn


def with_mode(step: Step, modes: Sequence[str]) -> Step:
    return step if step.mode in modes else step._replace(mode=modes[0])
