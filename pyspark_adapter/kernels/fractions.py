"""Finds how many digits the fractions of MariaDB's old dates and times have, from the rows.

MariaDB before 10.1, and later with `mysql56_temporal_format=OFF`, writes TIME, DATETIME and
TIMESTAMP in a form whose width depends on the digits of the fraction, and does not log these. The
function runs in Python and compiled (`scan`).

Source: `Field_time_hires`, `Field_datetime_hires` and `Field_timestamp_hires` in `sql/field.cc`,
and `pack_row` in `sql/rpl_record.cc`.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final

TIME: Final = 1
DATETIME: Final = 2
TIMESTAMP: Final = 3

# Bytes of a value of each type, by digits.
TIME_WIDTHS: Final = (3, 4, 4, 5, 5, 5, 6)
DATETIME_WIDTHS: Final = (8, 6, 6, 7, 7, 7, 8)
TIMESTAMP_WIDTHS: Final = (4, 5, 5, 6, 6, 7, 7)
ALL_DIGITS: Final = (0, 1, 2, 3, 4, 5, 6)

# By type and digits; then the widths to try, those of no digits first.
_WIDTHS: Final = (0,) * 7 + TIME_WIDTHS + DATETIME_WIDTHS + TIMESTAMP_WIDTHS
_TRIED: Final = (0, 0, 0, 0, 3, 4, 5, 6, 8, 6, 7, 0, 4, 5, 6, 7)
_NUM_TRIED: Final = 4
_POWERS: Final = (1, 10, 100, 1000, 10000, 100000, 1000000)
# The log has TIME as a number of seconds from -839:00:00 on.
TIME_BIAS: Final = 839 * 3600
_YEAR: Final = 13 * 32 * 86400

# Bits of the digits that fit; and whether values depend on which of them it is.
_DIGITS: Final = 0x7F
DIFFERS: Final = 0x80


class Fit(IntEnum):
    """What `find_digits` returns."""

    NONE = 0  # no digits fit
    ONE = 1  # one choice of widths fits
    SEVERAL = 2  # more than one fits, all with as many rows
    UNCLEAR = 3  # with different numbers of rows, or the search took too long


_ONE: Final = Fit.ONE.value
_SEVERAL: Final = Fit.SEVERAL.value
_UNCLEAR: Final = Fit.UNCLEAR.value


class Fact(IntEnum):
    """Rows of the table of columns that `find_digits` takes."""

    KIND = 0  # TIME, DATETIME, TIMESTAMP, or 0
    WIDTH = 1  # of the others, as in `values.column_types.width_of`
    IS_NULLABLE = 2


class Choice(IntEnum):
    """Rows of the table of columns that `find_digits` fills."""

    DIGITS = 0  # bits of the digits that fit, and DIFFERS
    FIRST = 1  # the same of the first choice that fits
    CHOSEN = 2  # width; to work with
    FITTING = 3  # bits of digits; to work with


class Saved(IntEnum):
    """Rows of the stack of choices."""

    POS = 0
    BITMAP = 1
    IMAGE = 2
    INDEX = 3
    ROWS = 4
    TRIED = 5
    TRAIL = 6


def big_endian(data: Any, p: int, num_bytes: int) -> int:
    """Return an unsigned number."""
    value = 0
    for i in range(num_bytes):
        value = value * 256 + data[p + i]
    return value


def fitting_digits(data: Any, p: int, kind: int, width: int) -> int:
    """Return the bits of the digits with which bytes are a value, and DIFFERS."""
    fitting = 0
    if kind == TIMESTAMP:
        fraction = big_endian(data, p + 4, width - 4)
        for digits in range(7):
            if _WIDTHS[7 * kind + digits] == width and fraction < _POWERS[digits]:
                fitting |= 1 << digits
        return fitting | DIFFERS if fraction else fitting
    value = big_endian(data, p, min(width, 7))
    is_zero = value == 0
    if kind == TIME and width == 3:
        value = data[p] * 1 + data[p + 1] * (1 << 8) + data[p + 2] * (1 << 16)
        value = abs(value - (1 << 24)) if value >= 1 << 23 else value
        is_time = value // 10000 <= 838 and value // 100 % 100 <= 59 and value % 100 <= 59
        return 1 if is_time else 0
    if kind == DATETIME and width == 8:
        is_zero = is_zero and data[p + 7] == 0
        if data[p + 6] == 0 and data[p + 7] == 0:
            time = 0
            for i in range(5, -1, -1):
                time = time * 256 + data[p + i]
            date = time // 1000000
            time %= 1000000
            is_date = date // 10000 <= 9999 and date // 100 % 100 <= 12 and date % 100 <= 31
            is_time = time // 10000 <= 23 and time // 100 % 100 <= 59 and time % 100 <= 59
            fitting = 1 if is_date and is_time else 0
        if data[p] < 128:
            value = value * 256 + data[p + 7]
            if value // (_YEAR * 1000000) <= 9999:
                fitting |= 1 << 6
        return fitting if is_zero else fitting | DIFFERS
    for digits in range(1, 7):
        if _WIDTHS[7 * kind + digits] == width:
            if kind == TIME:
                fits = 0 < value < 2 * TIME_BIAS * _POWERS[digits]
            else:
                fits = value // (_YEAR * _POWERS[digits]) <= 9999
            if fits:
                fitting |= 1 << digits
    return fitting if is_zero else fitting | DIFFERS


def find_digits(
    data: Any,
    start: int,
    end: int,
    present: Any,
    counts: Any,
    facts: Any,
    outcome: Any,
    stack: Any,
    trail: Any,
    max_steps: int,
) -> int:
    """Find the digits with which the rows of an event end exactly at its end; return a `Fit`.

    Fractions without digits count first: if all columns can be so, nothing else is tried. A choice
    fits if each value is one of its type, no column is NULL that must not be, and the bits of null
    bitmaps without a column are set, as the server writes them.

    Args:
        data: the window.
        start, end: of the rows.
        present: (2, n) indices of the columns that the images hold.
        counts: (2,) how many these are, at least one in all; -1 if there is no second image.
        facts: (len(Fact), columns).
        outcome: (len(Choice), columns) filled.
        stack: (len(Saved), columns) to work with.
        trail: (2, 10 times columns) to work with.
        max_steps: values to look at before the search is given up.
    """
    num_columns = facts.shape[1]
    for c in range(num_columns):
        outcome[Choice.DIGITS, c] = outcome[Choice.FIRST, c] = 0
        outcome[Choice.CHOSEN, c] = outcome[Choice.FITTING, c] = 0
    status = 0
    rows_found = 0
    depth = 0
    num_trail = 0
    p = start
    bitmap = start
    image = 0
    k = -1  # index among the columns of the image; -1 before its null bitmap
    num_rows = 0
    tried = 0
    for _ in range(max_steps):
        fits = True
        is_solution = False
        if k < 0:
            if image == 0 and p == end:
                is_solution = True
            else:
                bitmap = p
                num_present = counts[image]
                p += (num_present + 7) >> 3
                fits = p <= end
                if fits and num_present & 7:
                    unused = (data[p - 1] * 1) >> (num_present & 7)
                    fits = unused == 0xFF >> (num_present & 7)
                k = 0
        elif k == counts[image]:
            k = -1
            if image == 0 and counts[1] >= 0:
                image = 1
            else:
                image = 0
                num_rows += 1
        else:
            c = present[image, k]
            kind = facts[Fact.KIND, c]
            width = facts[Fact.WIDTH, c]
            if ((data[bitmap + (k >> 3)] * 1) >> (k & 7)) & 1:
                fits = facts[Fact.IS_NULLABLE, c] != 0
            elif kind == 0:
                if width < -4:
                    fits = False
                elif width < 0:
                    if p - width > end:
                        fits = False
                    else:
                        length = 0
                        for i in range(-width - 1, -1, -1):
                            length = length * 256 + data[p + i]
                        p += length - width
                else:
                    p += width
                fits = fits and p <= end
            else:
                width = outcome[Choice.CHOSEN, c]
                if width == 0:
                    stack[Saved.POS, depth] = p
                    stack[Saved.BITMAP, depth] = bitmap
                    stack[Saved.IMAGE, depth] = image
                    stack[Saved.INDEX, depth] = k
                    stack[Saved.ROWS, depth] = num_rows
                    stack[Saved.TRIED, depth] = tried
                    stack[Saved.TRAIL, depth] = num_trail
                    depth += 1
                    width = _TRIED[_NUM_TRIED * kind + tried]
                    outcome[Choice.CHOSEN, c] = width
                    outcome[Choice.FITTING, c] = _DIGITS
                    tried = 0
                fits = width > 0 and p + width <= end
                if fits:
                    before = outcome[Choice.FITTING, c]
                    here = fitting_digits(data, p, kind, width)
                    after = (before & here & _DIGITS) | ((before | here) & DIFFERS)
                    fits = after & _DIGITS != 0
                    if after != before:
                        trail[0, num_trail] = c
                        trail[1, num_trail] = before
                        num_trail += 1
                        outcome[Choice.FITTING, c] = after
                    p += width
            k += 1
        if is_solution:
            is_plain = True
            for c in range(num_columns):
                if facts[Fact.KIND, c] != 0:
                    if outcome[Choice.CHOSEN, c] == 0:
                        outcome[Choice.FITTING, c] = 1  # always NULL: any digits will do
                    is_plain = is_plain and outcome[Choice.FITTING, c] & 1 != 0
                    outcome[Choice.DIGITS, c] |= outcome[Choice.FITTING, c]
                    if status == 0:
                        outcome[Choice.FIRST, c] = outcome[Choice.FITTING, c]
            if status == 0:
                status = _ONE
                rows_found = num_rows
                if is_plain:
                    return _ONE
            elif rows_found == num_rows:
                status = _SEVERAL
            else:
                return _UNCLEAR
            fits = False
        if not fits:
            # Back to the last choice that has not tried all widths.
            while True:
                if depth == 0:
                    return status
                depth -= 1
                image, k = stack[Saved.IMAGE, depth], stack[Saved.INDEX, depth]
                c = present[image, k]
                while num_trail > stack[Saved.TRAIL, depth]:
                    num_trail -= 1
                    outcome[Choice.FITTING, trail[0, num_trail]] = trail[1, num_trail]
                outcome[Choice.CHOSEN, c] = 0
                tried = stack[Saved.TRIED, depth] + 1
                if tried < _NUM_TRIED and _TRIED[_NUM_TRIED * facts[Fact.KIND, c] + tried] != 0:
                    break
            p, bitmap = stack[Saved.POS, depth], stack[Saved.BITMAP, depth]
            num_rows = stack[Saved.ROWS, depth]
    return _UNCLEAR
