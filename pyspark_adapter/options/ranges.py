"""Sets of integers as ranges: first and last, both inclusive."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Range = tuple[int, int]


def merged(ranges: Iterable[Range]) -> list[Range]:
    """Return sorted ranges; ranges that overlap or touch are joined.

    >>> merged([(5, 9), (1, 2), (3, 3)])
    [(1, 3), (5, 9)]
    """
    union: list[Range] = []
    for first, last in sorted(ranges):
        if union and first <= union[-1][1] + 1:
            union[-1] = (union[-1][0], max(last, union[-1][1]))
        else:
            union.append((first, last))
    return union


def intersection(ranges: Iterable[Range], others: Sequence[Range]) -> list[Range]:
    """Return the numbers that are in both sets, as merged ranges.

    >>> intersection([(1, 5), (8, 9)], [(4, 8)])
    [(4, 5), (8, 8)]
    """
    both = ((max(a, c), min(b, d)) for a, b in ranges for c, d in others)
    return merged((first, last) for first, last in both if first <= last)


def complement(ranges: Iterable[Range], whole: Range) -> list[Range]:
    """Return the numbers of a range that are not in a set.

    >>> complement([(2, 3), (9, 12)], (1, 10))
    [(1, 1), (4, 8)]
    """
    gaps: list[Range] = []
    first, end = whole
    for low, high in merged(ranges):
        if first < low:
            gaps.append((first, min(low - 1, end)))
        first = max(first, high + 1)
    if first <= end:
        gaps.append((first, end))
    return [(low, high) for low, high in gaps if low <= high]
