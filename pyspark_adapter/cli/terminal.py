"""What commands share: their arguments, and what they print."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    # At run time the name is private to argparse.
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

PROGRESS_SECONDS: Final = 2


def say(text: str, *, to_stderr: bool = False) -> None:
    """Print a line, at once."""
    print(text, file=sys.stderr if to_stderr else sys.stdout, flush=True)


def add_paths(command: argparse.ArgumentParser) -> None:
    """Let a command take the paths of logs."""
    command.add_argument("paths", nargs="+", metavar="log", help="log file, or directory of logs")


def have_kernels() -> bool:
    """Compile the kernels if they are not compiled; return False if numba is not installed."""
    from pyspark_adapter.kernels.warm import are_kernels_warm, warm_kernels
    from pyspark_adapter.options.binlog_options import BinlogOptions
    from pyspark_adapter.options.engine import has_kernels

    if not has_kernels(BinlogOptions()):
        return False
    if not are_kernels_warm():
        say("compiling the kernels, once for this machine ...", to_stderr=True)
        warm_kernels()
    return True
