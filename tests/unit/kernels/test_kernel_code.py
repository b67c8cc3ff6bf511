"""What numba makes of functions of kernels: they calculate and check as kernels need it."""

import tomllib

import numpy as np
import pytest

from pyspark_adapter.kernels import jit
from pyspark_adapter.kernels.entry_points import OLDEST_NUMBA
from tests.inputs import ROOT
from tests.support.compiled import callable_from_python


def test_the_oldest_release_of_numba_is_the_one_that_is_tested() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    oldest = "{}.{}".format(*OLDEST_NUMBA)
    assert project["project"]["optional-dependencies"]["compile"] == [f"numba>={oldest}"]
    assert f"numba=={oldest}.*" in project["dependency-groups"]["test"]


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
    assert [call(data, k) for k in range(2)] == [(40, False), (126, True)]
    with pytest.raises(IndexError):
        call(data, 2)
