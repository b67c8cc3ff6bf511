"""How the kernels are compiled.

Numba's bounds check is on in every function except those of `load`. They check their whole range
before the first access, and raise. Checking each byte again costs a fifth to a quarter of the
speed; `NUMBA_BOUNDSCHECK=1` turns that on, and `make bench` shows the difference.

Kernels never allocate, so reference counting is off (`_nrt`); counting per call cost several times
the work.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.extending import register_jitable

from pyspark_adapter.kernels.cache import cache_folder, source_file

_folder = cache(cache_folder)

# Untyped, since numba's own types do not list all that they take.
_njit: Any = numba.njit
_config: Any = numba.config
_shared: Any = register_jitable


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


def helper(function: Any) -> Any:
    """Compile a function that kernels call."""
    return _njit(function, boundscheck=True, error_model="numpy", _nrt=False)


def inlined(function: Any) -> Any:
    """Like `helper`, but always inlined: a call would pass each array as seven numbers."""
    return _njit(function, boundscheck=True, error_model="numpy", forceinline=True, _nrt=False)


def unchecked(function: Any) -> Any:
    """Like `inlined`, without bounds checks: for `load`, which checks its own ranges."""
    return _njit(function, boundscheck=False, error_model="numpy", forceinline=True, _nrt=False)


def shared(function: Any) -> Any:
    """Let kernels call a function that also runs in Python as it is; return the function."""
    return _shared(boundscheck=True, error_model="numpy", _nrt=False)(function)
