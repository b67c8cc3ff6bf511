"""How the kernels are compiled.

Decorators, so that each function says how its memory accesses are checked:

* `kernel`: what Python calls. Numba's own bounds check is on.
* `inner`: a part of kernels. Numba's own bounds check is on.
* `checked`, and `leaf` if it is always inlined: a part of kernels, for the innermost loops.
  Numba's check is off; the function reads and writes through the functions of `load`, which check
  their whole range once before the first access and raise, or at indexes that the lines before
  have bounded. `NUMBA_BOUNDSCHECK=1` switches numba's own check on everywhere; `bench/` shows the
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

from pyspark_adapter.kernels.cache import cache_folder

_folder = cache(cache_folder)

# Untyped, since numba's own types do not list all that they take.
_njit: Any = numba.njit
_config: Any = numba.config


def kernel(signature: str) -> Callable[[Any], Any]:
    """Compile a function for one signature, or load it from the cache."""

    def compile_or_load(function: Any) -> Any:
        folder: Path = _folder()
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


def inner(function: Any) -> Any:
    """Compile a function as a part of the kernels that call it, with numba's bounds check."""
    return _njit(function, boundscheck=True, error_model="numpy", forceinline=True, _nrt=False)


def checked(function: Any) -> Any:
    """Compile a function as a part of the kernels that call it; it checks its ranges itself."""
    return _njit(function, boundscheck=False, error_model="numpy", _nrt=False)


def leaf(function: Any) -> Any:
    """As `checked`, and always inlined: a call passes each array as seven numbers."""
    return _njit(function, boundscheck=False, error_model="numpy", forceinline=True, _nrt=False)
