"""How much rows of a plan can take in the output, so that batches are cut before they are built.

The log bounds the input of a batch. The output can be far larger: names of ENUM and SET members,
names of columns in JSON rows, compressed values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from pyspark_adapter.events.statements import MAX_QUERY
from pyspark_adapter.kernels.layout import Change, Op
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.plan.row_plan import WantedColumn
from pyspark_adapter.values.compressed_columns import inflated_lengths
from pyspark_adapter.values.kinds import KINDS

# Bytes of output for a byte of the option batchBytes. Typical rows stay far below.
MAX_GROWTH: Final = 16
# Copies of a value while a JSON row is made of it: escaped, joined with its name, and in the row.
_JSON_COPIES: Final = 4
# Bytes of a member of a VARIANT apart from its name: the offset of the name, its number, the offset
# of the value, and the header of that. A member of a JSON object with the value null has fewer.
_LEN_MEMBER: Final = 3 * 4 + 5
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
    budget = MAX_GROWTH * request.options.batch_bytes
    return budget // _JSON_COPIES if request.omits_absent else budget


def output_size(
    wanted: Sequence[WantedColumn], lacking: Sequence[str], request: ReadRequest
) -> OutputSize:
    """Return how much the rows of a plan can take; compressed values count as they are logged.

    Args:
        wanted: the columns that some row images hold.
        lacking: names of the columns that no row image holds.
        request: what the rows are for.
    """
    by_byte, by_row = 1, request.bytes_of_nulls
    for column in wanted:
        growth = KINDS[column.decoding.op].growth
        if growth is not None:
            of_byte, of_row = growth(column.decoding)
            by_byte, by_row = max(by_byte, of_byte), by_row + of_row
        if request.omits_absent:
            by_row += member_size(column)
    if "_query" in request.metadata:
        by_row += MAX_QUERY
    if "_absent_columns" in request.metadata:
        by_row += absent_size(lacking)
    return OutputSize(by_byte, by_row)


def member_size(column: WantedColumn) -> int:
    """Return the bytes of a member of a JSON or VARIANT row, apart from its value."""
    return len(column.column.label) + _LEN_MEMBER


def absent_size(names: Sequence[str]) -> int:
    """Return the bytes of the names of the columns that a row image does not hold."""
    return sum(len(name) + _LEN_OFFSET for name in names)


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
