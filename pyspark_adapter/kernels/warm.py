"""Compiles the kernels ahead of time. Importing this module imports no kernel, and not numba."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from fcntl import LOCK_EX, flock
from functools import cache
from typing import Final

from pyspark_adapter.kernels.cache import lasting_cache_folder

# The file that marks the cache as complete.
_STAMP: Final = "complete"

# Modules of kernels, in two halves of similar compile time that have few helpers in common.
_KERNEL_MODULES: Final = (
    (
        "scan",
        "rows",
        "row_keys",
        "decompress",
        "crc32c",
        "gtid_text",
        "result_rows",
        "compiled_plain",
    ),
    (
        "numerics",
        "temporals",
        "texts",
        "json_text",
        "variants",
        "joined_text",
        "real_text",
        "block_sums",
    ),
)
# Undo and redo alone need them.
_SQL_MODULES: Final = ("sql_changes", "sql_statements")


@cache
def announce() -> None:
    """Log, once for each process, that kernels are compiled."""
    logging.getLogger("pyspark_adapter").warning(
        "compiling the decoder, once for this machine and version: about 8 s of processor time for"
        " plain columns, 19 s for all, 5 s for undo; `mysql-binlog-spark warm` does it ahead of"
        " time"
    )


def warm_kernels(*, with_sql: bool = False) -> None:
    """Compile the kernels of reads into the cache, unless they are there, and log that once.

    Takes some 19 s of processor time, once for each machine and version of this package. Processes
    that read logs then load the kernels in a fraction of a second; without this they compile those
    that they need. If several processes call this at the same time, one compiles and the others
    wait. Without a cache folder that lasts, this does nothing, and each process compiles for
    itself. The compiler runs in two or three processes of some 300 MB.

    Args:
        with_sql: also those of undo and redo, which take 5 s more.

    Raises:
        RuntimeError: if the compiler fails.
    """
    folder = lasting_cache_folder()
    if folder is None:
        return
    stamp = folder / (f"{_STAMP}-sql" if with_sql else _STAMP)
    if stamp.exists():
        return
    with (folder / "lock").open("ab") as lock:
        with suppress(OSError):  # storage without locks: each process compiles for itself
            flock(lock, LOCK_EX)
        if not stamp.exists():
            announce()
            modules = (*_KERNEL_MODULES, _SQL_MODULES) if with_sql else _KERNEL_MODULES
            with ThreadPoolExecutor() as pool:
                codes = list(pool.map(_compile, modules))
            if any(codes):
                raise RuntimeError(f"compiling the kernels failed: exit codes {codes}")
            stamp.touch()


def _compile(names: Sequence[str]) -> int:
    """Compile modules of kernels in a new process; return its exit code."""
    # Ctrl-C ends it without a trace.
    command = (
        "import logging, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL);"
        " from pyspark_adapter.kernels.jit import load_modules;"
        " logging.disable(); load_modules(sys.argv[1:])"
    )
    # Spark adds paths to its workers that are not in their environment.
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.run(  # noqa: S603
        [sys.executable, "-c", command, *names], env=environment, check=False
    ).returncode
