"""The fast fills give what the fills for all values give, or leave the rows to them."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Literal

import numpy as np
import pytest

from pyspark_adapter.kernels.entry_points import fill_validity
from pyspark_adapter.kernels.fill import FILLS, Batch, ColumnTask, decimal_groups, fill_column
from pyspark_adapter.kernels.layout import GROUP_BYTES, ColumnField, Op, Pos, ZeroDates
from pyspark_adapter.kernels.numerics import num_loadable
from tests.support.compiled import callable_from_python

EPOCH = 1 << 39 | (1970 * 13 + 1) << 22 | 1 << 17  # as a DATETIME
SPARE = 64  # bytes after the last value, so that words are loaded whole
RANDOM = np.random.default_rng(20)

Values = list[bytes | None]


def bytes_of(numbers: Sequence[int], width: int, order: Literal["big", "little"] = "big") -> Values:
    return [n.to_bytes(width, order) for n in numbers]


def dates() -> Values:
    """Give all days of some years, and days that do not exist."""
    years = (1, 4, 99, 100, 400, 1899, 1900, 1970, 1999, 2000, 2024, 9999)
    return bytes_of(
        [y << 9 | m << 5 | d for y in years for m in range(13) for d in range(32)], 3, "little"
    )


def datetimes(num_bytes: int) -> Values:
    """Give times of days, some of which do not exist."""
    values = []
    for _ in range(3000):
        year, month, day = RANDOM.integers(0, 10000), RANDOM.integers(0, 13), RANDOM.integers(0, 32)
        clock = [RANDOM.integers(0, top) for top in (24, 60, 60)]
        packed = (int(year) * 13 + int(month)) << 22 | int(day) << 17
        packed |= int(clock[0]) << 12 | int(clock[1]) << 6 | int(clock[2])
        fraction = int(RANDOM.integers(0, 100 if num_bytes == 1 else 10000))
        values.append((packed + (1 << 39)) << (8 * num_bytes) | fraction)
    return bytes_of(values, 5 + num_bytes)


def decimals(precision: int, scale: int) -> Values:
    """Give decimals of all numbers of digits."""
    whole = precision - scale
    groups = [d for d in (whole % 9, *[9] * (whole // 9 + scale // 9), scale % 9) if d]
    values: Values = []
    for k in range(600):
        parts = [int(RANDOM.integers(0, 10 ** min(d, 1 + k % 9))) for d in groups]
        if k < 2:
            parts = [10**d - 1 for d in groups]
        sizes = [int(GROUP_BYTES[d]) for d in groups]
        value = bytearray().join(p.to_bytes(n) for p, n in zip(parts, sizes, strict=True))
        value[0] ^= 0x80
        values.append(bytes(byte ^ 0xFF for byte in value) if k % 2 else bytes(value))
    return values


def cases() -> Iterator[tuple[str, Op, tuple[int, ...], int, Values]]:
    """Give a name, a kind, its parameters, the bytes of a value in Arrow, and values."""
    yield "date", Op.DATE, (), 4, dates()
    # Without a day that does not exist, or its whole block would be left to the other fill.
    days = [date.fromordinal(k) for k in (*range(1, 40_000), *range(690_000, 740_000))]
    packed = [d.year << 9 | d.month << 5 | d.day for d in days]
    yield "day", Op.DATE, (), 4, bytes_of(packed, 3, "little")
    packed = [year << 9 | 2 << 5 | 29 for year in range(100, 10000, 100)]  # one in four exists
    yield "29 February", Op.DATE, (), 4, bytes_of(packed, 3, "little")
    for fsp in (0, 2, 4):
        yield f"datetime({fsp})", Op.DATETIME2, (fsp,), 8, datetimes(fsp // 2)
    seconds = [0, 1, 2**31, 2**32 - 1, *RANDOM.integers(0, 2**32, 1000).tolist()]
    yield "timestamp", Op.TIMESTAMP, (0,), 8, bytes_of(seconds, 4)
    micros = [s << 24 | int(RANDOM.integers(0, 1_000_000)) for s in seconds]
    yield "timestamp(6)", Op.TIMESTAMP, (6,), 8, bytes_of(micros, 7)
    clocks = [sign * (h << 12 | 59 << 6 | h % 60) for h in range(839) for sign in (-1, 1)]
    yield "time", Op.TIME2, (0,), 8, bytes_of([(1 << 23) + c for c in clocks], 3)
    clocks = [c << 16 | c % 10000 if c > 0 else -(-c << 16 | -c % 10000) for c in clocks]
    yield "time(3)", Op.TIME2, (3,), 8, bytes_of([(1 << 39) + c for c in clocks], 5)
    yield "hour 839", Op.TIME2, (0,), 8, bytes_of([(1 << 23) + (839 << 12)], 3)
    yield "month 13", Op.DATE, (), 4, bytes_of([2000 << 9 | 13 << 5 | 1], 3, "little")
    yield ("hour 24", Op.DATETIME2, (0,), 8, bytes_of([EPOCH | 24 << 12], 5))
    for precision, scale in ((12, 2), (1, 0), (9, 9), (18, 9), (18, 0), (10, 5), (5, 2), (13, 1)):
        yield "decimal", Op.DECIMAL, (precision, scale), 16, decimals(precision, scale)
    yield "decimal with ten", Op.DECIMAL, (1, 0), 16, [b"\x8a"]
    for width, sizes in ((1, (1, 2)), (2, (2, 4)), (3, (4,)), (4, (4, 8)), (8, (8,))):
        raw = [RANDOM.bytes(width) for _ in range(700)]
        for size in sizes:
            sign = 1 << (8 * width - 1) if size == width or width == 3 else 0
            sign = sign - (1 << 64) if sign >> 63 else sign
            yield f"integer {width} {size}", Op.INTEGER, (width, sign), size, [*raw]


@pytest.mark.parametrize(("name", "op", "params", "size", "values"), list(cases()))
def test_fast_fills(name: str, op: Op, params: tuple[int, ...], size: int, values: Values) -> None:
    fast, slow = FILLS[op]
    assert fast is not None, name
    groups = decimal_groups(*params) if op == Op.DECIMAL else None
    assert (groups is None) == (op != Op.DECIMAL)
    rows = [None if k % 7 == 3 else value for k, value in enumerate(values)]
    outcomes = []
    for fill in (fill_column, lambda b, c: slow(b, c, 0, b.num_rows)):
        pos, data = np.full(len(rows), Pos.NULL, dtype=np.int32), bytearray()
        for k, value in enumerate(rows):
            if value is not None:
                pos[k] = len(data)
                data += value
        row = np.zeros(len(ColumnField), dtype=np.int64)
        row[ColumnField.OP], row[ColumnField.NUM_BYTES] = op, size
        row[ColumnField.PARAM1 : ColumnField.PARAM1 + len(params)] = params
        arena = np.zeros(size * len(rows) + SPARE, dtype=np.uint8)
        arena = arena[: len(arena) // 8 * 8]
        batch = Batch(
            np.frombuffer(data + bytes(SPARE), dtype=np.uint8).copy(),
            len(rows),
            int(ZeroDates.CONVERT_TO_NULL),
            out8=arena,
            out32=arena.view(np.int32),
            out64=arena.view(np.int64),
            names=np.zeros(SPARE, dtype=np.uint8),
            name_ends=np.zeros(1, dtype=np.int64),
            tables=np.zeros(1, dtype=np.int32),
            where=np.zeros(1, dtype=np.int64),
        )
        status = fill(batch, ColumnTask(pos, row, groups))
        outcomes.append((status, arena.tobytes(), pos.tolist()))
    (status, out, positions), (expected, expected_out, expected_positions) = outcomes
    assert status == expected
    if status >= 0:
        assert out == expected_out
        assert positions == expected_positions


@pytest.mark.parametrize("size", range(10))
def test_no_row_is_loaded_from_fewer_than_eight_bytes(size: int) -> None:
    """Not even NULL, which is read at position 0 and masked out."""
    data, pos = np.zeros(size, dtype=np.uint8), np.array([-1, -2, -9, 1], dtype=np.int32)
    assert callable_from_python(num_loadable)(data, pos, 0, 4) == (0 if size < 8 else size - 5)


@pytest.mark.parametrize("num_rows", [0, 1, 7, 8, 9, 63, 64, 65, 511, 512, 513])
def test_validity(num_rows: int) -> None:
    pos = RANDOM.integers(-3, 3, size=(4, num_rows + 5), dtype=np.int32)
    table = np.zeros((3, len(ColumnField)), dtype=np.int64)
    table[:, ColumnField.NUM_NULLS] = 1, 0, 5
    num_bytes = (num_rows + 7) // 8
    table[:, ColumnField.VALIDITY] = 1, 0, num_bytes + 2
    out = np.full(2 * num_bytes + 3, 255, dtype=np.uint8)
    assert fill_validity(pos, num_rows, table, out) == 2
    first, last = (np.packbits(pos[c, :num_rows] >= 0, bitorder="little").tobytes() for c in (0, 2))
    assert out.tobytes() == b"\xff" + first + b"\xff" + last + b"\xff"
    for other in (pos[:, : num_rows - 1].copy(), pos[:2]):
        if num_rows:
            with pytest.raises(IndexError):
                fill_validity(other, num_rows, table, out)
    if num_rows:
        with pytest.raises(IndexError):
            fill_validity(pos, num_rows, table, out[: 2 * num_bytes + 1])
