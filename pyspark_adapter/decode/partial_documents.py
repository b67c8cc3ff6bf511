"""Applies the differences of JSON documents that are logged as such.

Differences are small, so Python applies them. The kernels then decode the results like all other
documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from pyspark_adapter.decode.columns import FillError
from pyspark_adapter.errors import CorruptEventError, UnsupportedError
from pyspark_adapter.events.table_map import Column
from pyspark_adapter.kernels.layout import MAX_INT32, Numbers, Pos, RowStatus
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.values.binary_json.diff import (
    apply_differences,
    difference_of_null,
    render_differences,
)
from pyspark_adapter.warn import warn

_LEN_LENGTH: Final = 4  # of a JSON document, before it in a row


@dataclass
class PartialDocuments:
    """The documents of a block that were logged as differences.

    Attributes:
        sources: by located column the bytes that its positions are in, if not the window.
        num_bytes: by located column the bytes of its documents in all.
        unknown: by row image the columns whose documents are not known.
        differences: by row image its differences as JSON.
        error: about the first row image whose differences cannot be applied.
    """

    sources: dict[int, Numbers] = field(default_factory=dict)
    num_bytes: dict[int, int] = field(default_factory=dict)
    unknown: dict[int, set[int]] = field(default_factory=dict)
    differences: dict[int, str] = field(default_factory=dict)
    error: FillError | None = None

    def fail(self, error: FillError) -> None:
        """Keep an error, unless one is about an earlier row image."""
        if self.error is None or error.row < self.error.row:
            self.error = error


def complete_documents(
    data: Numbers,
    pos: Numbers,
    located: Sequence[Column],
    num_wanted: int,
    *,
    gives_differences: bool,
    table: TableName,
) -> PartialDocuments:
    """Apply differences to the documents of the row images before them.

    Args:
        data: the window.
        pos: (located columns, row images) of `kernels.rows.locate`; positions of documents that
            were logged as differences are changed, and all others of their columns. The image
            before that with differences is the one before the update.
        located: the columns; those that are not wanted are only looked at.
        num_wanted: how many of them, from the first, are.
        gives_differences: whether to give the differences too; else a warning names the loss.
        table: that has the rows.
    """
    documents = PartialDocuments()
    marked = {
        c: rows
        for c in range(len(located))
        if len(rows := np.flatnonzero(pos[c] <= Pos.DIFFERENCES))
    }
    if gives_differences:
        _render(documents, data, pos, located, marked)
    for c, rows in marked.items():
        differences = Pos.DIFFERENCES - pos[c, rows]  # their positions
        before = pos[c, rows - 1]
        for row in rows[before == Pos.ABSENT].tolist():
            documents.unknown.setdefault(row, set()).add(located[c].index)
        pos[c, rows] = before
        if c >= num_wanted:
            continue
        for row in rows[before == Pos.NULL][:1].tolist():
            documents.fail(FillError(RowStatus.BAD_JSON, row, c, difference_of_null()))
        is_changed = (before >= 0) & (_lengths(data, differences) > 0)
        if is_changed.any():
            changed = rows[is_changed].tolist(), differences[is_changed].tolist()
            _apply(documents, data, pos[c], c, dict(zip(*changed, strict=True)))
        else:
            known = pos[c]
            documents.num_bytes[c] = int(_lengths(data, known[known >= 0]).sum())
    wanted = {column.index for column in located[:num_wanted]}
    if not gives_differences and any(wanted & lost for lost in documents.unknown.values()):
        warn(
            f"table {table}: the log has documents as differences to documents that it lacks"
            " (binlog_row_image, PARTIAL_JSON), which are null here; the metadata column _json_diff"
            " has the differences"
        )
    return documents


def _render(
    documents: PartialDocuments,
    data: Numbers,
    pos: Numbers,
    located: Sequence[Column],
    marked: dict[int, Numbers],
) -> None:
    """Give the differences of each row image, its columns in the order of the table."""
    of_rows: dict[int, dict[str, bytes]] = {}
    for c in sorted(marked, key=lambda c: located[c].index):
        for row in marked[c].tolist():
            differences = _value(data, Pos.DIFFERENCES - int(pos[c, row]))
            of_rows.setdefault(row, {})[located[c].label] = differences
    for row, columns in sorted(of_rows.items()):
        try:
            documents.differences[row] = render_differences(columns)
        except CorruptEventError as error:
            documents.fail(FillError(RowStatus.BAD_JSON, row, -1, error))
            return


def _apply(
    state: PartialDocuments, data: Numbers, pos: Numbers, c: int, changes: dict[int, int]
) -> None:
    """Put all documents of a column one after the other, changed ones in their new form."""
    documents = bytearray()
    for row, position in enumerate(pos.tolist()):
        if position < 0:
            continue
        document = _value(data, position)
        if row in changes:
            try:
                document = apply_differences(document, _value(data, changes[row]))
            except (CorruptEventError, UnsupportedError) as error:
                state.fail(FillError(RowStatus.BAD_JSON, row, c, error))
                break
        pos[row] = len(documents)
        documents += len(document).to_bytes(_LEN_LENGTH, "little") + document
        if len(documents) > MAX_INT32:
            state.fail(FillError(RowStatus.BAD_SIZE, row, c))
            break
    state.sources[c] = np.frombuffer(documents, dtype=np.uint8)
    state.num_bytes[c] = len(documents)


def _lengths(data: Numbers, pos: Numbers) -> Numbers:
    """Return the lengths at some positions."""
    lengths = np.zeros(len(pos), dtype=np.int64)
    for k in range(_LEN_LENGTH):
        lengths |= data[pos + k].astype(np.int64) << 8 * k
    return lengths


def _value(data: Numbers, position: int) -> bytes:
    """Return the bytes after the length at a position."""
    start = position + _LEN_LENGTH
    length = int.from_bytes(data[position:start].tobytes(), "little")
    return data[start : start + length].tobytes()
