"""Whether the kernels decode, as the option `engine` says."""

from __future__ import annotations

import os
from importlib.util import find_spec

from pyspark_adapter.errors import OptionError
from pyspark_adapter.options.binlog_options import BinlogOptions


def has_kernels(options: BinlogOptions) -> bool:
    """Return whether the kernels are to decode: the options allow it and numba compiles.

    Raises:
        OptionError: if the options demand kernels, and numba is not installed or compiles nothing.
    """
    if options.engine == "reference":
        return False
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        # As Python they would wrap no integers, and lack the instructions that numba compiles.
        reason = "do not run as plain Python; unset NUMBA_DISABLE_JIT"
    elif find_spec("numba") is None:
        reason = "need numba; it is not installed: `pip install numba`"
    else:
        return True
    if options.engine == "kernels":
        raise OptionError(
            f"option engine: expected auto or reference, got kernels, which {reason}",
            option="engine",
            value="kernels",
            allowed="auto, reference",
        )
    return False
