"""Integers as digits are those of Python, also where there is just enough room."""

import numpy as np
import pytest

from pyspark_adapter.kernels import digits, doubles
from tests.support.compiled import callable_from_python

put_integer = callable_from_python(digits.put_integer)
append_integer = callable_from_python(digits.append_integer)
put_double = callable_from_python(doubles.put_double)

RANDOM = np.random.default_rng(3)
EDGES = [10**n + d for n in range(19) for d in (-1, 0, 1)] + [0, 2**63 - 1]
NUMBERS = [*range(2_000), *EDGES, *(int(RANDOM.integers(0, 10 ** (k % 19))) for k in range(2000))]


@pytest.mark.parametrize("spare", [0, 1, 7, 20])
def test_digits(spare: int) -> None:
    for number in NUMBERS:
        for value in (number, -number):
            text = f"###{value}".encode()
            for put in (put_integer, append_integer):
                out = np.full(len(text) + spare, ord("#"), dtype=np.uint8)
                assert put(np.int64(value), out, np.int64(3)) == len(text)
                assert out.tobytes()[: len(text)] == text
                # Rows of JSON are put together from pieces that are next to each other.
                assert put is append_integer or out.tobytes()[len(text) :] == b"#" * spare


def test_the_lowest_number() -> None:
    for put in (put_integer, append_integer):
        out = np.zeros(20, dtype=np.uint8)
        assert put(np.int64(-(2**63)), out, np.int64(0)) == 20
        assert out.tobytes() == b"-9223372036854775808"


@pytest.mark.parametrize("value", [7, 12345678, 123456789, -1])
def test_without_room(value: int) -> None:
    for put in (put_integer, append_integer):
        with pytest.raises(IndexError):
            put(np.int64(value), np.zeros(len(str(value)) - 1, dtype=np.uint8), np.int64(0))


@pytest.mark.parametrize("spare", [0, 20])
def test_doubles_of_few_digits(spare: int) -> None:
    whole = np.append(RANDOM.integers(0, 10 ** RANDOM.integers(0, 10, 3000)), [0, 999_999_999])
    rest = RANDOM.integers(0, 10 ** RANDOM.integers(0, 7, len(whole)))
    for value in (whole + rest / 10**6).tolist():
        text = np.format_float_positional(value, trim="0")
        for number, expected in ((value, f"#{text}"), (-value, f"#-{text}")):
            out = np.full(len(expected) + spare, ord("#"), dtype=np.uint8)
            assert put_double(np.float64(number).view(np.int64), out, np.int64(1)) == len(expected)
            assert out.tobytes()[: len(expected)] == expected.encode()
