"""The shortened compiler is in use, and what it compiles behaves as numba's own does."""

from typing import Any

import numba
import numpy as np
import pytest

from pyspark_adapter.kernels import jit, library
from pyspark_adapter.kernels.layout import Present
from tests.support.compiled import callable_from_python


def test_the_installed_release_of_numba_has_it() -> None:
    assert numba.version_info.short == library.PIPELINE_RELEASE
    assert jit.options()["pipeline_class"].__module__ == "pyspark_adapter.kernels.pipeline"


def test_helpers_of_helpers_calculate_and_check() -> None:
    @jit.helper
    def innermost(data, place):  # type: ignore[no-untyped-def]
        return np.int64(data[place])

    @jit.inlined
    def inner(data, place, scale):  # type: ignore[no-untyped-def]
        return innermost(data, place) * scale + innermost(data, place + 1) * np.uint8(2)

    @jit.helper
    def outer(data, place):  # type: ignore[no-untyped-def]
        total = np.int64(0)
        for k in range(2):
            total += min(inner(data, place + k, np.int64(10)), np.int64(100))
        return total, total > 50

    call = callable_from_python(outer)
    data = np.array([1, 2, 3, 200], dtype=np.uint8)
    assert call(data, 0) == (10 + 4 + 20 + 6, False)
    assert call(data, 1) == (20 + 6 + 100, True)
    with pytest.raises(IndexError):
        call(data, 2)


def cells(table: Any, places: Any, out: Any) -> Any:
    """Read and write elements with the kinds of indexes and operators that kernels use."""
    total = 0
    for k in range(places.shape[0]):
        row, column = places[k, 0], places[k, np.uint64(1)]
        out[k] = table[row, column] * 2.5
        out[k] += table[row, 0]
        total += out[k] * 2 + table[row][column] + table[Present.WIDTH, column]
    return total + table.size + table.shape[1]


compiled_cells = callable_from_python(jit.helper(cells))
TABLE = np.arange(12, dtype=np.int16).reshape(3, 4) - 3


def test_elements_are_those_that_numpy_gives() -> None:
    places = np.array([(row, column) for row in range(3) for column in range(4)], dtype=np.int64)
    out, expected = np.zeros(12, dtype=np.int32), np.zeros(12, dtype=np.int32)
    assert compiled_cells(TABLE, places, out) == cells(TABLE, places, expected)
    assert out.tolist() == expected.tolist()


@pytest.mark.parametrize("place", [(-1, 0), (0, -1), (3, 0), (0, 4), (1, 4), (2**62, 4)])
def test_an_index_outside_of_its_axis_raises(place: tuple[int, int]) -> None:
    with pytest.raises(IndexError):
        compiled_cells(TABLE, np.array([place], dtype=np.int64), np.zeros(1, dtype=np.int32))


def test_an_element_outside_is_not_written() -> None:
    whole = np.zeros(3, dtype=np.int32)
    with pytest.raises(IndexError):
        compiled_cells(TABLE, np.zeros((3, 2), dtype=np.int64), whole[:2])
    assert whole[2] == 0
