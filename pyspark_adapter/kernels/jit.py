"""How numba compiles the functions of this folder, and kernels on this machine.

A kernel is compiled when it is first called, and kept for other processes. Numba's bounds check is
on in every function. The functions of `load` are intrinsics, which numba does not check; see there.
`NUMBA_BOUNDSCHECK=1` checks these too. A negative index counts from the end of the array.

Kernels never allocate, so reference counting is off (`_nrt`); counting per call cost several times
the work.
"""

from __future__ import annotations

import gc
import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from fcntl import LOCK_EX, flock
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import RLock
from typing import Any, Final

import numba
from numba.extending import register_jitable

from pyspark_adapter.kernels.library import (
    OUTSIDE,
    in_words_of_numba,
    kept_folder,
    reason_against_library,
    source_file,
)

# Untyped, since numba's own types do not list all that they take.
_njit: Any = numba.njit
_shared: Any = register_jitable
_config: Any = numba.config

# Threads compile one after the other: numba's settings change meanwhile, and so does the function.
_compiling = RLock()

# How all functions are compiled.
OPTIONS: Final[dict[str, Any]] = {
    "boundscheck": True,
    "error_model": "numpy",
    "_nrt": False,
    "no_cfunc_wrapper": True,
}


def helper(function: Any) -> Any:
    """Compile a function that kernels call. Python cannot call it: that code would take time."""
    return _njit(function, no_cpython_wrapper=True, **OPTIONS)


def inlined(function: Any) -> Any:
    """Like `helper`, but always inlined: a call would pass each array as seven numbers."""
    return _njit(function, forceinline=True, no_cpython_wrapper=True, **OPTIONS)


def shared(function: Any) -> Any:
    """Let kernels call a function that also runs in Python as it is; return the function."""
    return _shared(no_cpython_wrapper=True, **OPTIONS)(function)


def part_of(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    """Return a field of an array's struct, such as `data` or `nitems`."""
    return builder.extract_value(value, context.data_model_manager[kind].get_field_position(name))


def raise_unless(context: Any, builder: Any, is_inside: Any) -> None:
    """Generate a branch that raises IndexError. Each function has one block that raises."""
    function = builder.function
    if not hasattr(function, "block_that_raises"):
        function.block_that_raises = builder.append_basic_block("outside")
        with builder.goto_block(function.block_that_raises):
            context.call_conv.return_user_exc(builder, IndexError, (OUTSIDE,))
    inside = builder.append_basic_block("inside")
    branch = builder.cbranch(is_inside, inside, function.block_that_raises)
    branch.set_weights([99, 1])
    builder.position_at_end(inside)


def function_of(path: str) -> Any:
    """Return the Python function of a kernel, from its module and name."""
    module, _, name = path.partition(".")
    return getattr(import_module(f"pyspark_adapter.kernels.{module}"), name)


def compile_kernel(path: str, signature: str) -> Any:
    """Return a kernel as numba has it: compiled now, or loaded if this machine has done so."""
    with _compiling:
        folder = kept_folder()
        function = function_of(path)
        source = source_file(function.__code__.co_filename)
        function.__code__ = function.__code__.replace(co_filename=source)
        others = _config.CACHE_DIR
        _config.CACHE_DIR = str(folder)
        try:
            compiled = _njit(cache=True, nogil=True, **OPTIONS)(function)
        finally:
            _config.CACHE_DIR = others
        with _lock(folder / f"{function.__name__}.lock"), no_garbage_collection():
            if not _is_kept(compiled, function):
                announce()
            compiled.compile(in_words_of_numba(signature))
        compiled.disable_compile()
        return compiled


def _is_kept(compiled: Any, function: Any) -> bool:
    index = f"*.{function.__qualname__}-{function.__code__.co_firstlineno}.*.nbi"
    return any(Path(compiled.stats.cache_path).glob(index))


@cache
def announce() -> None:
    """Log, once for each process, that kernels are compiled, and why."""
    logging.getLogger("pyspark_adapter").warning(
        "compiling the decoder, once for this machine and version, 8 to 35 s of processor time: %s",
        reason_against_library(),
    )


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    """Hold a file, so that of processes that start together one compiles and the others load."""
    with path.open("ab") as file:
        with suppress(OSError):  # storage without locks: each process compiles for itself
            flock(file, LOCK_EX)
        yield


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """Disable garbage collection, which would add about 10 % to the time to compile a kernel."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
