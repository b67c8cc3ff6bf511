"""Types that hold the values of two others; the bounds of integers are of two's complement."""

import pyarrow as pa
import pytest

from pyspark_adapter.values.widening import common_type, is_wider

I8, I16, I32, I64 = pa.int8(), pa.int16(), pa.int32(), pa.int64()


def dec(precision: int, scale: int) -> pa.DataType:
    return pa.decimal128(precision, scale)


CASES = [
    (I8, I8, I8),
    (I8, I64, I64),
    (I32, I16, I32),
    (I64, dec(20, 0), dec(20, 0)),  # BIGINT and BIGINT UNSIGNED
    (I32, dec(6, 2), dec(12, 2)),
    (I64, dec(38, 20), None),
    (dec(6, 2), dec(12, 4), dec(12, 4)),
    (dec(6, 2), dec(10, 0), dec(12, 2)),
    (dec(38, 0), dec(38, 1), None),
    (pa.float32(), pa.float64(), pa.float64()),
    (pa.float32(), I8, None),
    (pa.string(), pa.string(), pa.string()),
    (pa.string(), pa.binary(), None),
    (pa.string(), I32, None),
    (pa.date32(), pa.timestamp("us"), None),
    (pa.timestamp("us"), pa.timestamp("us", tz="UTC"), None),
    (pa.duration("us"), pa.duration("us"), pa.duration("us")),
]


@pytest.mark.parametrize(("first", "second", "expected"), CASES, ids=str)
def test_common_type(first: pa.DataType, second: pa.DataType, expected: pa.DataType | None) -> None:
    assert common_type(first, second) == expected
    assert common_type(second, first) == expected


@pytest.mark.parametrize(
    ("wished", "low", "high"),
    [(dec(3, 0), -128, 127), (dec(5, 0), -(2**15), 2**15 - 1), (dec(10, 0), -(2**31), 2**31 - 1)],
)
def test_a_decimal_that_is_wider_holds_the_bounds(wished: pa.DataType, low: int, high: int) -> None:
    natural = next(kind for kind in (I8, I16, I32) if 2 ** (kind.bit_width - 1) - 1 == high)
    assert is_wider(wished, natural)
    assert pa.array([low, high], natural).cast(wished).cast(natural).to_pylist() == [low, high]
    assert not is_wider(dec(wished.precision - 1, 0), natural)
