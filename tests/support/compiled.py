"""Functions that only kernels call, for tests."""

from collections.abc import Callable
from typing import Any

import numba


def callable_from_python(function: Any) -> Callable[..., Any]:
    """Return a compiled function that calls one of `pyspark_adapter.kernels`."""

    @numba.njit  # type: ignore[untyped-decorator]
    def call(*arguments: Any) -> Any:
        return function(*arguments)

    return call  # type: ignore[no-any-return]
