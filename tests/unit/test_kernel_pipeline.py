"""The shortened compiler is in use, and what it compiles behaves as numba's own does."""

import numba
import numpy as np
import pytest

from pyspark_adapter.kernels import jit
from tests.support.compiled import callable_from_python


def test_the_installed_release_of_numba_has_it() -> None:
    assert numba.version_info.short == jit.PIPELINE_RELEASE
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
