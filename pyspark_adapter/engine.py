"""The choice of the decoder, and the cache of compiled kernels."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from fcntl import LOCK_EX, flock
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Protocol

from pyspark_adapter.errors import OptionError
from pyspark_adapter.events.read_range import ReadRange
from pyspark_adapter.inputs.log_files import LogFile
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.rows.row_block import RowBlock
from pyspark_adapter.schema_history.table_map_completer import TableMapCompleter

# The file that marks the cache as complete.
_STAMP: Final = "complete"

# Modules of kernels, in two halves of similar compile time.
_KERNEL_MODULES: Final = (
    ("fill", "gtid_text", "variants", "compiled_bounds", "compiled_positions"),
    ("expand", "scan", "rows", "json_text"),
)


class ChangeReader(Protocol):
    """A decoder, which iterates over blocks: `KernelReader` or `ReferenceReader`.

    Attributes:
        position: byte offset up to which the log has been read.
    """

    position: int

    def __iter__(self) -> Iterator[list[RowBlock]]: ...


def has_kernels(options: BinlogOptions) -> bool:
    """Return whether the kernels are to decode: the options allow it and numba is installed.

    Raises:
        OptionError: if the options demand kernels and numba is not installed.
    """
    if options.engine == "reference":
        return False
    has_numba = find_spec("numba") is not None
    if options.engine == "kernels" and not has_numba:
        raise OptionError(
            "option engine: expected auto or reference, got kernels, which need numba; it is not"
            " installed: `pip install numba`",
            option="engine",
            value="kernels",
            allowed="auto, reference",
        )
    return has_numba


def change_reader(
    log_file: LogFile,
    request: ReadRequest,
    completer: TableMapCompleter,
    part: ReadRange | None = None,
) -> ChangeReader:
    """Return the decoder that the options select, at the start of a log or of a part of it.

    Args:
        log_file: the log.
        request: what to return.
        completer: completes table maps; its history takes the statements.
        part: the part of the log to read; None for all.
    """
    if has_kernels(request.options):
        from pyspark_adapter.rows.kernel_reader import KernelReader

        return KernelReader(log_file, request, completer, part)
    from pyspark_adapter.rows.reference import ReferenceReader

    return ReferenceReader(log_file, request, completer, part)


def are_kernels_warm() -> bool:
    """Return whether the compiled kernels are in the cache, without loading them."""
    folder = _lasting_cache_folder()
    return folder is not None and (folder / _STAMP).exists()


def warm_kernels(num_processes: int = len(_KERNEL_MODULES)) -> None:
    """Compile the kernels into the cache, unless they are there.

    Takes some 40 s of processor time, once for each machine and version of this package. Processes
    that read logs then load the kernels in a fraction of a second. If several processes call this
    at the same time, one compiles and the others wait. Without a cache folder that lasts, this does
    nothing, and each process compiles for itself.

    Args:
        num_processes: compiler processes to run at a time, of some 400 MB each.

    Raises:
        RuntimeError: if the compiler fails.
    """
    folder = _lasting_cache_folder()
    if folder is None or (folder / _STAMP).exists():
        return
    with (folder / "lock").open("w") as lock:
        with suppress(OSError):  # storage without locks: each process compiles for itself
            flock(lock, LOCK_EX)
        if not (folder / _STAMP).exists():
            with ThreadPoolExecutor(num_processes) as pool:
                codes = list(pool.map(_compile, _KERNEL_MODULES))
            if any(codes):
                raise RuntimeError(f"compiling the kernels failed: exit codes {codes}")
            (folder / _STAMP).touch()


def _compile(names: Sequence[str]) -> int:
    """Import modules of kernels in a new process; return its exit code."""
    command = "import importlib, sys; [importlib.import_module(name) for name in sys.argv[1:]]"
    modules = [f"pyspark_adapter.kernels.{name}" for name in names]
    # Spark adds paths to its workers that are not in their environment.
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.run(  # noqa: S603
        [sys.executable, "-c", command, *modules], env=environment, check=False
    ).returncode


def _lasting_cache_folder() -> Path | None:
    from pyspark_adapter.kernels.cache import lasting_cache_folder

    return lasting_cache_folder()
