"""Puts fragments of SQL together: rows of one table as one statement, in either order."""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels.digits import count_digits, put_digits
from pyspark_adapter.kernels.jit import inlined
from pyspark_adapter.kernels.sql_layout import BETWEEN, Form, Head, SqlFragment
from pyspark_adapter.kernels.sql_literals import put_text

_BETWEEN = np.frombuffer("".join(BETWEEN).encode(), dtype=np.uint8)
_BETWEEN_ENDS = np.cumsum([0, *map(len, BETWEEN)])


@inlined
def _put_marks(fragment, stops, marks, mark_ends, is_undo, out, o):
    """Write the marks before a fragment."""
    low, high = np.int64(0), np.int64(stops.size)
    while low < high:
        middle = (low + high) // 2
        if stops[middle] < fragment:
            low = middle + 1
        else:
            high = middle
    end = low
    while end < stops.size and stops[end] == fragment:
        end += 1
    for k in range(end - low):
        m = end - 1 - k if is_undo else low + k
        o = put_text(marks, mark_ends[m], mark_ends[m + 1], out, o)
    return o


def cut_statements(fragments, tables, stops, most_rows, most_bytes, is_last, starts):
    """Find the fragments of each statement; return the number of statements.

    Args:
        fragments: (len(SqlFragment), n) in the order of the log; NOTHING and PYTHON are none.
        tables: (n,) of each.
        stops: fragments, in order, before which a statement ends.
        most_rows, most_bytes: of a statement of several rows.
        is_last: whether a statement ends after the last fragment; else those that may go on are not
            counted.
        starts: (n + 1,) filled: the first fragment of each statement, and after the last of all.
    """
    n, count, s = np.int64(fragments.shape[1]), np.int64(0), np.int64(0)
    first, num_bytes = np.int64(0), np.int64(0)
    starts[0] = 0
    for k in range(n):
        is_stop = False
        while s < stops.size and stops[s] <= k:
            is_stop = is_stop or stops[s] == k
            s += 1
        length = fragments[SqlFragment.END, k] - fragments[SqlFragment.BEGIN, k]
        form = fragments[SqlFragment.FORM, k]
        if k > first and (
            is_stop
            or form == Form.LINES
            or form != fragments[SqlFragment.FORM, first]
            or tables[k] != tables[first]
            or k - first >= most_rows
            or num_bytes + length > most_bytes
        ):
            count += 1
            starts[count] = first = k
            num_bytes = 0
        num_bytes += length
    is_closed = is_last or (s < stops.size and stops[s] == n)
    if n > first:
        form = fragments[SqlFragment.FORM, first]
        is_closed |= form == Form.LINES or n - first >= most_rows
        if is_closed:
            count += 1
            starts[count] = n
    return count


def join_statements(
    text,
    fragments,
    tables,
    starts,
    first,
    last,
    heads,
    head_ends,
    stops,
    marks,
    mark_ends,
    is_undo,
    out,
):
    """Write statements and the marks before them, in their order or the last one first.

    Returns:
        The bytes written.

    Args:
        text: of the fragments.
        fragments, tables, starts: as in `cut_statements`.
        first, last: the statements to write: from `first` on, without `last`.
        heads: texts of the tables around row changes.
        head_ends: (tables, len(Head)) where these begin.
        stops: fragments before which marks are, in order.
        marks: their texts.
        mark_ends: (len(stops) + 1,) where these begin and end.
        is_undo: whether the last statement, and its last row, come first. A mark comes before its
            fragment in the order of the log.
        out: with room for all, and LEN_COPY bytes more.
    """
    o = np.int64(0)
    for k in range(last - first):
        g = last - 1 - k if is_undo else first + k
        begin, end = starts[g], starts[g + 1]
        if not is_undo:
            o = _put_marks(begin, stops, marks, mark_ends, is_undo, out, o)
        form = fragments[SqlFragment.FORM, begin]
        head, head_end = np.int64(0), np.int64(0)
        if form != Form.LINES:
            which = np.int64(Head.INSERT) if form == Form.VALUES else np.int64(Head.DELETE)
            head, head_end = head_ends[tables[begin], which], head_ends[tables[begin], which + 1]
        o = put_text(heads, head, head_end, out, o)
        for i in range(end - begin):
            fragment = end - 1 - i if is_undo else begin + i
            if i > 0:
                o = put_text(_BETWEEN, _BETWEEN_ENDS[form], _BETWEEN_ENDS[form + 1], out, o)
            o = put_text(
                text,
                fragments[SqlFragment.BEGIN, fragment],
                fragments[SqlFragment.END, fragment],
                out,
                o,
            )
        if form == Form.VALUES:
            o = put_text(_BETWEEN, _BETWEEN_ENDS[2], _BETWEEN_ENDS[3], out, o)
        elif form == Form.CONDITION:
            o = put_text(_BETWEEN, _BETWEEN_ENDS[3], _BETWEEN_ENDS[4], out, o)
            o = put_digits(end - begin, count_digits(end - begin), out, o)
            o = put_text(_BETWEEN, _BETWEEN_ENDS[4], _BETWEEN_ENDS[5], out, o)
        if is_undo:
            o = _put_marks(begin, stops, marks, mark_ends, is_undo, out, o)
    return o
