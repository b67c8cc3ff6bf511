"""How the kernels are compiled: each one when it is first called, and then kept in the cache.

Numba's bounds check is on in every function. The functions of `load` are intrinsics, which numba
does not check; see there. `NUMBA_BOUNDSCHECK=1` checks these too.

Kernels never allocate, so reference counting is off (`_nrt`); counting per call cost several times
the work.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from fcntl import LOCK_EX, flock
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import RLock
from typing import Any, Final

import numba
from numba.extending import register_jitable

from pyspark_adapter.kernels.cache import cache_folder, source_file
from pyspark_adapter.kernels.warm import announce

_folder = cache(cache_folder)

# Untyped, since numba's own types do not list all that they take.
_njit: Any = numba.njit
_config: Any = numba.config
_shared: Any = register_jitable

# Threads compile one after the other: numba's settings change meanwhile, and so does the function.
_compiling = RLock()

# The release of numba that `pipeline` is for, and `_load_without_registries`. Others go without.
PIPELINE_RELEASE: Final = (0, 68)


@cache
def options() -> dict[str, Any]:
    """Return how all functions are compiled."""
    common: dict[str, Any] = {
        "boundscheck": True,
        "error_model": "numpy",
        "_nrt": False,
        "no_cfunc_wrapper": True,
    }
    if numba.version_info.short == PIPELINE_RELEASE:
        from pyspark_adapter.kernels.pipeline import Pipeline

        common["pipeline_class"] = Pipeline
    return common


class Kernel:
    """A compiled function; it is compiled, or loaded from the cache, at the first call.

    Args:
        function: to compile.
        signature: of its result and arguments, in numba's words.
    """

    def __init__(self, function: Any, signature: str) -> None:
        self._function = function
        self._signature = signature
        self._compiled: Any = None

    def __call__(self, *arguments: Any) -> Any:
        """Call the function."""
        return (self._compiled or self.load())(*arguments)

    def load(self) -> Any:
        """Return the function as numba has it, compiled or loaded from the cache."""
        with _compiling:
            if self._compiled is None:
                self._compiled = self._compile()
        return self._compiled

    def _compile(self) -> Any:
        folder: Path = _folder()
        function = self._function
        source = source_file(function.__code__.co_filename, folder)
        function.__code__ = function.__code__.replace(co_filename=source)
        others = _config.CACHE_DIR
        _config.CACHE_DIR = str(folder)
        try:
            compiled = _njit(cache=True, nogil=True, **options())(function)
        finally:
            _config.CACHE_DIR = others
        if self._is_cached(compiled):
            _load_without_registries(compiled)
            compiled.compile(self._signature)
        else:
            with _lock(folder / f"{function.__name__}.lock"):
                if not self._is_cached(compiled):
                    announce()
                with _no_garbage_collection():
                    compiled.compile(self._signature)
        compiled.disable_compile()
        return compiled

    def _is_cached(self, compiled: Any) -> bool:
        code = self._function.__code__
        index = f"*.{self._function.__qualname__}-{code.co_firstlineno}.*.nbi"
        return any(Path(compiled.stats.cache_path).glob(index))


def _load_without_registries(compiled: Any) -> None:
    """Let the code be loaded without what numba can compile, which takes longer than to load it.

    The compiler looks that up by itself, should the code turn out not to be in the cache.
    """
    if numba.version_info.short != PIPELINE_RELEASE:
        return
    stored = compiled._cache

    def load(signature: Any, context: Any) -> Any:
        with stored._guard_against_spurious_io_errors():
            return stored._load_overload(signature, context)

    stored.load_overload = load


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    """Hold a file, so that of processes that start together one compiles and the others load."""
    with path.open("ab") as file:
        with suppress(OSError):  # storage without locks: each process compiles for itself
            flock(file, LOCK_EX)
        yield


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Disable garbage collection, which would add about 10 % to the time to compile a kernel."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def kernel(signature: str) -> Callable[[Any], Kernel]:
    """Compile a function for one signature when it is first called."""
    return lambda function: Kernel(function, signature)


def load_modules(names: Sequence[str]) -> None:
    """Compile all kernels of modules, or load them from the cache."""
    with _no_garbage_collection():
        for name in names:
            for found in vars(import_module(f"pyspark_adapter.kernels.{name}")).values():
                if isinstance(found, Kernel):
                    found.load()


def helper(function: Any) -> Any:
    """Compile a function that kernels call. Python cannot call it: that code would take time."""
    return _njit(function, no_cpython_wrapper=True, **options())


def inlined(function: Any) -> Any:
    """Like `helper`, but always inlined: a call would pass each array as seven numbers."""
    return _njit(function, forceinline=True, no_cpython_wrapper=True, **options())


def shared(function: Any) -> Any:
    """Let kernels call a function that also runs in Python as it is; return the function."""
    return _shared(no_cpython_wrapper=True, **options())(function)
