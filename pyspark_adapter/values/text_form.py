"""Values as text, as the server prints them: numbers, dates and times.

TIMESTAMP is in UTC, with a `Z`.
"""

from __future__ import annotations

from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

_SECOND_MICROS: Final = 1_000_000
_UNITS: Final = {0: ("s", "second"), 3: ("ms", "millisecond"), 6: ("us", "microsecond")}
_LEN_SECONDS: Final = len("2026-11-20 12:34:56")


def text_form(array: pa.Array, fsp: int = 0) -> pa.Array:
    """Return (n,) string: numbers, dates or times as text; nulls stay null.

    Args:
        array: of an integer, decimal (scale 0), float, date, timestamp or duration type.
        fsp: digits of the fraction of timestamps and durations.
    """
    if pa.types.is_timestamp(array.type):
        return _moments(array, fsp)
    if pa.types.is_duration(array.type):
        return _durations(array, fsp)
    return array.cast(pa.string())


def _moments(array: pa.Array, fsp: int) -> pa.Array:
    """Return dates with times, with as many digits of the fraction as the column has."""
    suffix = "Z" if array.type.tz else ""
    if fsp in _UNITS:  # slicing texts takes longer
        unit, name = _UNITS[fsp]
        # A cast alone rounds times before 1970 up.
        floored = pc.floor_temporal(array, unit=name)
        text = floored.cast(pa.timestamp(unit), safe=False).cast(pa.string())
    else:
        text = array.cast(pa.timestamp("us"), safe=False).cast(pa.string())
        text = pc.utf8_slice_codeunits(text, 0, _LEN_SECONDS + fsp + 1)
    return pc.binary_join_element_wise(text, suffix, "") if suffix else text


def _durations(array: pa.Array, fsp: int) -> pa.Array:
    """Return times from -838:59:59 to 838:59:59."""
    micros = array.cast(pa.int64())
    magnitude = pc.abs(micros)
    seconds = pc.divide(magnitude, _SECOND_MICROS)
    parts = [
        pc.if_else(pc.less(micros, 0), "-", ""),
        _padded(pc.divide(seconds, 3600), 2),
        ":",
        _padded(_remainder(pc.divide(seconds, 60), 60), 2),
        ":",
        _padded(_remainder(seconds, 60), 2),
    ]
    if fsp:
        fraction = pc.divide(_remainder(magnitude, _SECOND_MICROS), 10 ** (6 - fsp))
        parts += [".", _padded(fraction, fsp)]
    return pc.binary_join_element_wise(*parts, "")


def _remainder(array: pa.Array, divisor: int) -> pa.Array:
    return pc.subtract(array, pc.multiply(pc.divide(array, divisor), divisor))


def _padded(array: pa.Array, digits: int) -> pa.Array:
    return pc.utf8_lpad(array.cast(pa.string()), digits, "0")
