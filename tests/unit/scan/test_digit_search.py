"""The digits of MariaDB's old fractions, as rows show them."""

import random
from itertools import product

import numpy as np
import pytest

from pyspark_adapter.events.table_map import Column, TableMap
from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.kernels import fractions
from pyspark_adapter.kernels.entry_points import find_digits
from pyspark_adapter.kernels.fractions import ALL_DIGITS
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.scan.event_digits import DigitSearch
from pyspark_adapter.values.column_types import width_of
from tests.unit.growth import growth

OLD = (Code.time, Code.datetime, Code.timestamp)
TABLE = TableName("d", "t")


def table_of(*codes: int, nullable: bool = True) -> TableMap:
    """Return a table with an INT that is not NULL, and columns of types."""
    key = Column(0, "id", Code.long, 0, False, False, None, None)
    columns = (
        Column(i, f"c{i}", code, -1, nullable, None, None, None, ALL_DIGITS)
        for i, code in enumerate(codes, 1)
    )
    return TableMap(TABLE, (key, *columns), has_logged_digits=False)


def encode(code: int, digits: int, source: random.Random) -> bytes:
    """Return a random value as `Field_time_hires` and the others store it."""
    micros = source.randrange(86_400_000_000)
    units = int(micros // 10 ** (6 - digits))
    per_second = int(10**digits)
    if code == Code.timestamp:
        seconds, fraction = source.randrange(1, 1 << 31), units % per_second
        if not digits:
            return seconds.to_bytes(4, "little")
        return seconds.to_bytes(4, "big") + fraction.to_bytes((digits + 1) // 2, "big")
    clock = units // per_second
    decimal = clock // 3600 * 10_000 + clock // 60 % 60 * 100 + clock % 60
    if code == Code.time:
        if not digits:
            return decimal.to_bytes(3, "little")
        biased = units + fractions.TIME_BIAS * per_second
        return biased.to_bytes(fractions.TIME_WIDTHS[digits], "big")
    year, month, day = source.randint(1000, 9999), source.randint(1, 12), source.randint(1, 28)
    if not digits:
        return (((year * 100 + month) * 100 + day) * 10**6 + decimal).to_bytes(8, "little")
    days = (year * 13 + month) * 32 + day
    value = days * 86_400 * per_second + units
    return value.to_bytes(fractions.DATETIME_WIDTHS[digits], "big")


def rows_of(codes: tuple[int, ...], digits: tuple[int, ...], count: int, seed: str) -> bytes:
    """Return rows as an event holds them; the first one has no NULL."""
    source = random.Random(seed)  # noqa: S311 - to be the same each time is the purpose
    rows = b""
    for key in range(count):
        nulls = [key > 0 and source.random() < 0.2 for _ in codes]
        bits = (-1 << len(codes) + 1) | sum(null << i for i, null in enumerate(nulls, 1))
        rows += (bits & 0xFF).to_bytes(1) + key.to_bytes(4, "little")
        for code, n, null in zip(codes, digits, nulls, strict=True):
            rows += b"" if null else encode(code, n, source)
    return rows


def close(table_map: TableMap, rows: bytes) -> TableMap:
    """Return what both searches find."""
    bitmap = b"\xff" * ((len(table_map.columns) + 7) // 8)
    plain = DigitSearch(fractions.find_digits).close(table_map, [bitmap], rows, 0, len(rows))
    data = np.frombuffer(bytearray(rows + b"\0"), dtype=np.uint8)
    assert DigitSearch(find_digits).close(table_map, [bitmap], data, 0, len(rows)) == plain
    return plain


@pytest.mark.parametrize("count", [1, 2, 9])
@pytest.mark.parametrize("code", OLD)
@pytest.mark.parametrize("digits", ALL_DIGITS)
def test_the_digits_of_one_column(code: int, digits: int, count: int) -> None:
    rows = rows_of((code,), (digits,), count, f"{code} {digits}")
    column = close(table_of(code), rows).columns[1]
    assert digits in (column.possible_digits or (column.metadata,))
    assert width_of(column) >= 3
    if digits == 0:
        assert column.possible_digits == ()


@pytest.mark.parametrize("seed", range(40))
def test_the_true_digits_are_among_those_found(seed: int) -> None:
    source = random.Random(seed)  # noqa: S311 - to be the same each time is the purpose
    codes = tuple(source.choices(OLD, k=source.randint(2, 4)))
    digits = tuple(source.choices(ALL_DIGITS, k=len(codes)))
    count = source.choice([1, 2, 5, 20])
    rows = rows_of(codes, digits, count, f"rows {seed}")
    for column, n in zip(close(table_of(*codes), rows).columns[1:], digits, strict=True):
        assert n in (column.possible_digits or (column.metadata,))


def test_a_column_that_must_not_be_null_rules_digits_out() -> None:
    rows = rows_of((Code.time,), (3,), 1, "not null")
    assert close(table_of(Code.time, nullable=False), rows).columns[1].possible_digits == (3, 4, 5)


def test_rows_that_fit_no_digits_stay_unknown() -> None:
    column = close(table_of(Code.time), b"\xfc\0\0\0\0\xff\xff").columns[1]
    assert (column.metadata, column.possible_digits) == (-1, ALL_DIGITS)


def test_a_search_takes_time_in_proportion_to_the_rows() -> None:
    def run(size: int) -> None:
        len_bitmap = (size + 8) // 8
        table_map = table_of(*[Code.timestamp] * size)
        image = b"\0" * (len_bitmap - 1) + b"\xfe\0\0\0\0" + b"\0" * 5 * size
        data = np.frombuffer(bytearray(image), dtype=np.uint8)
        for _ in range(10):
            DigitSearch(find_digits).close(table_map, [b"\xff" * len_bitmap], data, 0, len(image))

    assert growth(run, 100) < 8


@pytest.mark.parametrize("seed", range(5))
def test_nothing_is_found_that_does_not_end_with_the_event(seed: int) -> None:
    """Compare with rows that are cut by each pair of digits, without looking at values."""
    codes = (Code.time, Code.datetime)
    rows = rows_of(codes, (seed + 1, 6 - seed), 4, f"cut {seed}")
    fitting = [pair for pair in product(ALL_DIGITS, repeat=2) if _ends(codes, pair, rows)]
    for i, column in enumerate(close(table_of(*codes), rows).columns[1:]):
        possible = column.possible_digits or (column.metadata,)
        assert set(possible) <= {pair[i] for pair in fitting}


def _ends(codes: tuple[int, ...], digits: tuple[int, ...], rows: bytes) -> bool:
    widths = {Code.time: fractions.TIME_WIDTHS, Code.datetime: fractions.DATETIME_WIDTHS}
    p = 0
    while p < len(rows):
        bits = rows[p]
        if bits & 1:
            return False
        p += 5
        for i, (code, n) in enumerate(zip(codes, digits, strict=True), 1):
            p += 0 if bits >> i & 1 else widths[Code(code)][n]
    return p == len(rows)
