"""What statements have defined along a log, for reads that do not begin where it begins."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field, replace

from pyspark_adapter.definitions.catalog import Catalog


@dataclass
class LogDefinitions:
    """What is defined where a log, or a range of it, begins, and at some of its statements.

    Of all that stand between two cuts, which are every `step` bytes, the first one is marked. So
    what is defined at any offset is known, but for the statements between the cut before and it.

    Attributes:
        before: what is defined at the start.
        start: offset from which on it is told; 0 for the whole log.
        step: bytes between two cuts.
        marks: offset of a statement and what is defined before it, in order.
        is_whole: whether all was looked through up to the end, which is the last mark then.
    """

    before: Catalog
    start: int
    step: int
    marks: list[tuple[int, Catalog]] = field(default_factory=list)
    is_whole: bool = False

    @property
    def after(self) -> Catalog:
        """What is defined at the end; only if `is_whole`."""
        return self.marks[-1][1]

    def near(self, pos: int) -> tuple[int, Catalog]:
        """Return a place where it is known what is defined, at an offset or before it, and that.

        The log may have grown since.
        """
        cut = self._cut_before(pos)
        if cut <= self.start or not self.is_whole:
            return self.start, self.before
        place, catalog = self.marks[self._mark_of(cut)]
        return min(place, pos), catalog

    def within(self, start: int, stop: int) -> LogDefinitions:
        """Return no more than `near` needs from one offset up to another."""
        if not self.is_whole:
            return self
        first, last = (self._mark_of(self._cut_before(pos)) for pos in (start, stop))
        return replace(self, marks=self.marks[first : last + 1])

    def _cut_before(self, pos: int) -> int:
        return pos - pos % self.step

    def _mark_of(self, cut: int) -> int:
        """Return the first mark behind a cut, or the last one of all."""
        index = bisect_left(self.marks, cut, key=lambda mark: mark[0])
        return min(index, len(self.marks) - 1)
