"""Which decoder reads a log, and the state of the compiled kernels."""

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

from pyspark_adapter.definitions.table_completion import TableCompletion
from pyspark_adapter.errors import OptionError
from pyspark_adapter.events.log_part import LogPart
from pyspark_adapter.inputs.log_files import LogFile
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.rows.row_block import RowBlock

# The file that says that all kernels are in the cache.
_STAMP: Final = "complete"

# Modules of kernels, in two halves that take about as long to compile.
_KERNEL_MODULES: Final = (
    ("fill", "gtid_text", "variants", "compiled_walk", "chains"),
    ("expand", "scan", "rows", "json_text"),
)


class ChangeReader(Protocol):
    """What both decoders are: an iterable of blocks; see `KernelReader` and `ReferenceReader`.

    Attributes:
        position: how far the log has been read, in bytes.
    """

    position: int

    def __iter__(self) -> Iterator[list[RowBlock]]: ...


def has_kernels(options: BinlogOptions) -> bool:
    """Tell whether the options ask for the kernels and they can be had.

    Raises:
        OptionError: if they are asked for by name and numba is not installed.
    """
    if options.engine == "reference":
        return False
    has_numba = find_spec("numba") is not None
    if options.engine == "kernels" and not has_numba:
        raise OptionError(
            "option engine: kernels need numba, which is not installed; expected auto or reference,"
            " or `pip install numba`",
            option="engine",
            value="kernels",
            allowed="auto, reference",
        )
    return has_numba


def change_reader(
    log_file: LogFile,
    request: ReadRequest,
    part: LogPart | None = None,
    completion: TableCompletion | None = None,
) -> ChangeReader:
    """Return the decoder that the options ask for, at the beginning of a log or of its part.

    Args:
        log_file: the log.
        request: what to give.
        part: what of the log to read; None for all.
        completion: fills in table maps; if there is none, that of the request does.
    """
    if has_kernels(request.options):
        from pyspark_adapter.rows.kernel_reader import KernelReader

        return KernelReader(log_file, request, part, completion)
    from pyspark_adapter.rows.reference import ReferenceReader

    return ReferenceReader(log_file, request, completion=completion, part=part)


def are_kernels_warm() -> bool:
    """Tell whether the compiled kernels are in the cache, without loading them."""
    folder = _lasting_cache_folder()
    return folder is not None and (folder / _STAMP).exists()


def warm_kernels(num_processes: int = len(_KERNEL_MODULES)) -> None:
    """Compile the kernels into the cache, unless they are there; takes some seconds once.

    It is enough to do this once for each machine and version of this package; processes that read
    logs then load the kernels in a fraction of a second. Of processes that ask for it at the same
    time one does it, and the others wait. Where no cache can be kept nothing is done: each process
    compiles for itself.

    Args:
        num_processes: that compile at a time, of some 400 MB each.

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
    """Import modules of kernels in a process of its own; return its exit code."""
    command = "import importlib, sys; [importlib.import_module(name) for name in sys.argv[1:]]"
    modules = [f"pyspark_adapter.kernels.{name}" for name in names]
    # Spark gives its workers paths that their environment does not have.
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.run(  # noqa: S603
        [sys.executable, "-c", command, *modules], env=environment, check=False
    ).returncode


def _lasting_cache_folder() -> Path | None:
    from pyspark_adapter.kernels.cache import lasting_cache_folder

    return lasting_cache_folder()
