"""Lines of text about transactions, in columns."""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels.digits import MINUS, PAIRS, ZERO, count_digits, put_digits, put_integer
from pyspark_adapter.kernels.gtid_text import put_gtid
from pyspark_adapter.kernels.jit import inlined, kernel
from pyspark_adapter.kernels.joined_text import LEN_MOMENT, copy_exactly, put_moment
from pyspark_adapter.kernels.layout import LINE_WIDTHS, GtidKind
from pyspark_adapter.kernels.load import (
    N0,
    N1,
    N8,
    check_range,
    copy_bytes,
    put_u1,
    raw_put1,
    raw_put2,
    raw_put8,
    raw_u8,
)

_, _POSITION, _BYTES, _ROWS, _SECONDS, _THREAD, _GTID = map(np.int64, LINE_WIDTHS)
_BETWEEN = np.int64(2)  # spaces between two columns

# The first number that is longer than a width.
_LIMITS = np.array([10**width for width in range(max(LINE_WIDTHS[2:6]) + 1)], dtype=np.int64)
# Spaces that are written at once: those of the columns between time and GTID, and some.
_LEN_BLANKS = np.int64(96)
# Bytes that may be written after the last line.
SPARE = int(_LEN_BLANKS)

_FSP, _SECOND = np.int64(6), np.int64(1_000_000)
_LEN_SECONDS = np.int64(len("2026-11-20 12:34:56."))
_10, _100 = np.uint64(10), np.uint64(100)
_SPACE, _COMMA, _PLUS, _TILDE, _LINE_FEED, _LETTER_Z = (np.int64(ord(c)) for c in " ,+~\nZ")
_SPACES = np.int64(0x2020202020202020)


@inlined
def put_moment_again(fraction, last, out, o):
    """Write the moment at `last`, with other microseconds in its second; return what is after it.

    Args:
        fraction: the microseconds, from 0 to 999,999.
        last: where a moment of LEN_MOMENT bytes was written; not checked.
    """
    check_range(out.size, o, LEN_MOMENT)
    for k in range(N0, N8 * 3, N8):
        raw_put8(out, o + k, raw_u8(out, last + k))
    return put_u1(out, put_digits(fraction, _FSP, out, o + _LEN_SECONDS), _LETTER_Z)


@inlined
def put_blanks(out, o):
    """Write the spaces of all columns from the position to the GTID."""
    check_range(out.size, o, _LEN_BLANKS)
    for k in range(N0, _LEN_BLANKS, N8):
        raw_put8(out, o + k, _SPACES)


@inlined
def put_right(number, width, out, o):
    """Write a number at the right of a column of blanks; a dash if it is below 0.

    A number that is longer moves the columns after it. Positions are not checked: all of them are
    among the blanks that were written last.
    """
    end = o + _BETWEEN + width
    if number >= _LIMITS[width]:
        end = o + _BETWEEN + count_digits(number)
        put_blanks(out, end)
    if number < 0:
        raw_put1(out, end - 1, MINUS)
        return end
    rest, k = np.uint64(number), end
    while rest >= _100:
        upper = rest // _100
        k -= 2
        raw_put2(out, k, PAIRS[rest - upper * _100])
        rest = upper
    if rest >= _10:
        raw_put2(out, k - 2, PAIRS[rest])
    else:
        raw_put1(out, k - 1, ZERO + np.int64(rest))
    return end


@inlined
def put_count(sign, number, out, o):
    """Write a number of rows after its sign, if there are any."""
    if number > 0:
        o = put_u1(out, put_u1(out, o, _SPACE), sign)
        o = put_integer(number, out, o)
    return o


@kernel(
    "int64(int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1],"
    " int64[::1], int64[::1], int64[::1], int64[::1],"
    " int64[::1], int64[::1], int64[::1], int64[::1],"
    " Array(uint8, 1, 'C', True), int64, Array(int64, 1, 'C', True), Array(uint8, 1, 'C', True),"
    " Array(int64, 1, 'C', True), Array(uint8, 1, 'C', True), uint8[::1])"
)
def fill_lines(
    starts,
    micros,
    kinds,
    gtid_a,
    gtid_b,
    gtid_c,
    num_bytes,
    rows,
    seconds,
    threads,
    of_transaction,
    tables,
    changes,
    num_rows,
    log_name,
    num_letters,
    name_offsets,
    names,
    tagged_offsets,
    tagged,
    out,
):
    """Write a line for each transaction and return the bytes written.

    Args:
        starts, micros, kinds, gtid_a, gtid_b, gtid_c: (m,) of the table of transactions; times of
            the years 1 to 9999.
        num_bytes, rows, seconds, threads: (m,) below 0 where there is none.
        of_transaction, tables, changes, num_rows: (n,) of `RowChanges`, `kinds` as `changes`.
        log_name: of the log, with a colon after it.
        num_letters: letters of that.
        name_offsets, names: where the name of each table begins, and the last one ends; the bytes.
        tagged_offsets, tagged: the same of GTIDs with a tag.
        out: filled; at least SPARE bytes longer than all lines.
    """
    o = np.int64(0)
    k = np.int64(0)  # of the next change
    uuid = np.int64(-1)  # where the last UUID was written
    uuid_a, uuid_b = np.int64(0), np.int64(0)
    second_at = np.int64(-1)  # where the last moment of another second was written
    second = np.int64(0)  # microseconds of when that second began
    len_name = np.int64(log_name.size)
    for t in range(starts.size):
        fraction = micros[t] - second
        if second_at >= 0 and fraction >= 0 and fraction < _SECOND:
            o = put_moment_again(fraction, second_at, out, o)
        else:
            second_at, second = o, micros[t] - np.int64(micros[t] % _SECOND)
            o = put_moment(micros[t], _FSP, _SPACE, N1, LEN_MOMENT, out, o)
        o = put_u1(out, put_u1(out, o, _SPACE), _SPACE)
        first = copy_exactly(log_name, N0, len_name, out, o)
        o = put_integer(starts[t], out, first)
        put_blanks(out, o)
        o += max(_POSITION - num_letters - (o - first), 0)
        o = put_right(num_bytes[t], _BYTES, out, o)
        o = put_right(rows[t], _ROWS, out, o)
        o = put_right(seconds[t], _SECONDS, out, o)
        o = put_right(threads[t], _THREAD, out, o)
        o = first = o + _BETWEEN
        kind, a, b = kinds[t], gtid_a[t], gtid_b[t]
        if kind == GtidKind.NONE:
            o = put_u1(out, o, MINUS)
        elif kind == GtidKind.TAGGED:
            start = tagged_offsets[a]
            o = copy_exactly(tagged, start, tagged_offsets[a + 1] - start, out, o)
        else:
            if a != uuid_a or b != uuid_b:
                uuid = np.int64(-1)
            o = put_gtid(kind, a, b, gtid_c[t], uuid, out, o)
            if kind == GtidKind.MYSQL:
                uuid, uuid_a, uuid_b = first, a, b
        put_blanks(out, o)
        o = max(o, first + _GTID) + _BETWEEN
        is_next = False
        while k < of_transaction.size and of_transaction[k] == t:
            if is_next:
                o = put_u1(out, put_u1(out, o, _COMMA), _SPACE)
            is_next = True
            table = tables[k]
            start, length = name_offsets[table], name_offsets[table + 1] - name_offsets[table]
            copy_bytes(names, start, length, out, o)
            o += length
            inserts = updates = deletes = np.int64(0)
            while k < of_transaction.size and of_transaction[k] == t and tables[k] == table:
                inserts += num_rows[k] if changes[k] == 0 else 0
                updates += num_rows[k] if changes[k] == 1 else 0
                deletes += num_rows[k] if changes[k] == 2 else 0
                k += 1
            o = put_count(_PLUS, inserts, out, o)
            o = put_count(_TILDE, updates, out, o)
            o = put_count(MINUS, deletes, out, o)
        o = put_u1(out, o, _LINE_FEED)
    return o
