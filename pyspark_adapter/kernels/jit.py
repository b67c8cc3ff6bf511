"""How the kernels are compiled.

Numba's bounds check is on in every function but those of `load`: they check their whole range
before the first access, and raise. Numba would check each byte of it once more, which takes a
fifth to a quarter of the speed; `NUMBA_BOUNDSCHECK=1` has it do that, and `make bench` shows the
difference.

No kernel makes or keeps an array: numba's reference counting is off (`_nrt`). It would take its
count of each array at each call of an inner function, at several times the cost of the work.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba

from pyspark_adapter.kernels.cache import cache_folder, source_file

_folder = cache(cache_folder)

# Untyped, since numba's own types do not list all that they take.
_njit: Any = numba.njit
_config: Any = numba.config


def kernel(signature: str) -> Callable[[Any], Any]:
    """Compile a function for one signature, or load it from the cache."""

    def compile_or_load(function: Any) -> Any:
        folder: Path = _folder()
        source = source_file(function.__code__.co_filename, folder)
        function.__code__ = function.__code__.replace(co_filename=source)
        others = _config.CACHE_DIR
        _config.CACHE_DIR = str(folder)
        try:
            return _njit(
                signature,
                cache=True,
                boundscheck=True,
                error_model="numpy",
                nogil=True,
                _nrt=False,
            )(function)
        finally:
            _config.CACHE_DIR = others

    return compile_or_load


def part(function: Any) -> Any:
    """Compile a function as a part of the kernels that call it."""
    return _njit(function, boundscheck=True, error_model="numpy", _nrt=False)


def inner(function: Any) -> Any:
    """As `part`, and always inlined: a call passes each array as seven numbers."""
    return _njit(function, boundscheck=True, error_model="numpy", forceinline=True, _nrt=False)


def access(function: Any) -> Any:
    """As `inner`, for the functions of `load`, which check their ranges themselves."""
    return _njit(function, boundscheck=False, error_model="numpy", forceinline=True, _nrt=False)
