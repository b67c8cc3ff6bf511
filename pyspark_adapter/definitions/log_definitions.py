"""What statements have defined along a log, for reads that do not begin where it begins."""

from __future__ import annotations

import sys
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Final

from pyspark_adapter.definitions.catalog import Catalog

END_OF_LOG: Final = sys.maxsize


@dataclass
class LogDefinitions:
    """What is defined at the beginning of a log, and at some of its statements.

    Of all that stand between two cuts, which are every `step` bytes, the first one is marked. So
    what is defined at any offset is known, but for the statements between the cut before and it.

    Attributes:
        before: what is defined where the log begins.
        step: bytes between two cuts.
        marks: offset of a statement and what is defined before it, in order; the last is that of
            the end, `END_OF_LOG`, if the log was looked through up to there.
    """

    before: Catalog
    step: int
    marks: list[tuple[int, Catalog]] = field(default_factory=list)

    @property
    def are_known(self) -> bool:
        """Whether all of the log has been looked through."""
        return bool(self.marks) and self.marks[-1][0] == END_OF_LOG

    def near(self, pos: int) -> tuple[int, Catalog]:
        """Return a place where it is known what is defined, at an offset or before it, and that.

        Only if `are_known`.
        """
        cut = pos - pos % self.step
        if cut == 0:
            return 0, self.before
        place, catalog = self.marks[bisect_left(self.marks, cut, key=lambda mark: mark[0])]
        return min(place, pos), catalog
