"""What was compared, and what differs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Place:
    """An event of a log.

    Attributes:
        log: Name of the file.
        index: Index of the event in the schema's `events`.
        start_pos: Offset of the event in the file.
        inner_index: Index within a compressed transaction; None outside of one.
    """

    log: str
    index: int
    start_pos: int
    inner_index: int | None = None


@dataclass(frozen=True)
class Difference:
    """A value that the tool prints otherwise than the schema parses it."""

    kind: str
    place: Place
    printed: object
    parsed: object


@dataclass
class Tally:
    """Counts of compared values by kind, and all differences.

    Attributes:
        compared: Number of values by kind.
        differences: Those that differ.
        skipped: What the tool prints and nobody compares, by reason.
    """

    compared: Counter[str] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)

    def check(self, kind: str, place: Place, printed: object, parsed: object) -> None:
        """Count a value, and note it if the two readings differ."""
        self.compared[kind] += 1
        if printed != parsed:
            self.differences.append(Difference(kind, place, printed, parsed))

    def add(self, other: Tally) -> None:
        """Add the counts and differences of another tally."""
        self.compared += other.compared
        self.differences += other.differences
        self.skipped += other.skipped
