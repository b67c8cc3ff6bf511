"""How much rows of a plan can take in the output, so that batches are cut before they are built.

The log bounds the input of a batch. The output can be far larger: names of ENUM and SET members,
names of columns in JSON rows, compressed values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

import numpy as np

from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.layout import Change, Op
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.plan.row_plan import RowPlan, WantedColumn
from pyspark_adapter.rows.scanned_events import ScannedEvents
from pyspark_adapter.values.compressed_columns import inflated_lengths
from pyspark_adapter.values.kinds import KINDS

# A plan and the events that it reads, as columns of `ScannedEvents.events`.
Group = tuple[RowPlan, np.ndarray[Any, Any]]

# Bytes of output for a byte of the option batchBytes. Typical rows stay far below.
_MAX_GROWTH: Final = 16
# Letters of a member of a JSON object, besides its name and value; those of a null included.
_LEN_JSON_MEMBER: Final = len('"": null, ')
_LEN_OFFSET: Final = 4


class OutputSize(NamedTuple):
    """Most bytes that rows take.

    Attributes:
        by_byte: for each byte in the log.
        by_row: for each row image.
    """

    by_byte: int
    by_row: int


def output_budget(request: ReadRequest) -> int:
    """Return the bytes that the rows of a batch may take, if they are more than one row."""
    return _MAX_GROWTH * request.options.batch_bytes


def output_size(
    wanted: Sequence[WantedColumn], lacking: Sequence[str], request: ReadRequest
) -> OutputSize:
    """Return how much the rows of a plan can take; compressed values count as they are logged.

    Args:
        wanted: the columns that some row images hold.
        lacking: names of the columns that no row image holds.
        request: what the rows are for.
    """
    by_byte, by_row = 1, 1
    for column in wanted:
        growth = KINDS[column.decoding.op].growth
        if growth is not None:
            of_byte, of_row = growth(column.decoding)
            by_byte, by_row = max(by_byte, of_byte), by_row + of_row
        if request.gives_rows_as_json:
            by_row += len(column.column.label) + _LEN_JSON_MEMBER
    if "_absent_columns" in request.metadata:
        by_row += sum(len(name) + _LEN_OFFSET for name in lacking)
    return OutputSize(by_byte, by_row)


def cut_inflated(
    data: np.ndarray[Any, Any],
    pos: np.ndarray[Any, Any],
    change: np.ndarray[Any, Any],
    wanted: Sequence[WantedColumn],
    budget: int,
) -> list[int]:
    """Return where to cut row images so that the inflated values of each piece fit a budget.

    A piece has one row at least, and both images of an update.

    Args:
        data: the window.
        pos: (at least len(wanted), n) positions of `kernels.rows.locate`.
        change: (n,) the Change of each row image.
        wanted: the columns.
        budget: in bytes.

    Returns:
        The end of each piece, the last one n.
    """
    total = np.zeros(len(change), dtype=np.int64)
    for c, column in enumerate(wanted):
        if column.decoding.op == Op.COMPRESSED_TEXT:
            total += inflated_lengths(data, pos[c, : len(change)], column.decoding.params[0])
    ends: list[int] = []
    sums = np.cumsum(total)
    begin = 0
    while begin < len(change):
        before = int(sums[begin - 1]) if begin else 0
        end = max(int(np.searchsorted(sums, before + budget, side="right")), begin + 1)
        if end < len(change) and change[end] == Change.UPDATE_POSTIMAGE:
            end += -1 if end - begin > 1 else 1
        ends.append(end)
        begin = end
    return ends


def cut_runs(
    scanned: ScannedEvents, groups: list[Group], request: ReadRequest
) -> Iterator[list[Group]]:
    """Cut the events of several plans into runs whose output fits a batch.

    Blocks of several plans are merged, so all of them have to be held at once.

    Args:
        scanned: the window.
        groups: the plans; one alone is a run.
        request: what the rows are for.

    Yields:
        For each run the plans that have events in it, each with these.
    """
    if len(groups) < 2:
        yield from ([group] for group in groups)
        return
    lengths = scanned.events[lay.Event.END] - scanned.events[lay.Event.ROWS]
    costs = np.zeros(len(lengths), dtype=np.int64)
    group_of_event = np.full(len(lengths), -1, dtype=np.int64)
    for g, (plan, selection) in enumerate(groups):
        by_byte, by_row = output_size(plan.wanted, [], request)
        # Each row image has a null bitmap; one of fewer columns gives fewer of them.
        num_rows = 1 + lengths[selection] // max(1, len(plan.widths) // 8)
        costs[selection] = by_byte * lengths[selection] + by_row * num_rows
        group_of_event[selection] = g
    events = np.flatnonzero(group_of_event >= 0)
    keys = np.cumsum(costs[events]) // output_budget(request) * len(groups)
    keys += group_of_event[events]
    order = np.argsort(keys, kind="stable")
    bounds = np.flatnonzero(np.diff(keys[order], prepend=-1))
    parts = zip(keys[order[bounds]].tolist(), np.split(events[order], bounds[1:]), strict=True)
    for _, run in groupby(parts, key=lambda part: part[0] // len(groups)):
        yield [(groups[key % len(groups)][0], selection) for key, selection in run]
