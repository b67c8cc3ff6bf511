"""What statements have defined along a log, for reads that do not begin where it begins."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field

from pyspark_adapter.definitions.catalog import Catalog


@dataclass
class LogDefinitions:
    """What is defined at the beginning of a log, and at some of its statements.

    Of all that stand between two cuts, which are every `step` bytes, the first one is marked. So
    what is defined at any offset is known, but for the statements between the cut before and it.

    Attributes:
        before: what is defined where the log begins.
        step: bytes between two cuts.
        marks: offset of a statement and what is defined before it, in order.
        is_whole: whether the log was looked through up to its end, which is the last mark then.
    """

    before: Catalog
    step: int
    marks: list[tuple[int, Catalog]] = field(default_factory=list)
    is_whole: bool = False

    def near(self, pos: int) -> tuple[int, Catalog]:
        """Return a place where it is known what is defined, at an offset or before it, and that.

        Only if `is_whole`; the log may have grown since.
        """
        cut = pos - pos % self.step
        if cut == 0:
            return 0, self.before
        index = bisect_left(self.marks, cut, key=lambda mark: mark[0])
        place, catalog = self.marks[min(index, len(self.marks) - 1)]
        return min(place, pos), catalog
