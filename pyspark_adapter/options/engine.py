"""Whether the kernels decode, as the option `engine` says."""

from __future__ import annotations

import os
from functools import cache
from importlib.util import find_spec

from pyspark_adapter.errors import OptionError, UnsupportedError
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.warn import warn


def has_kernels(options: BinlogOptions) -> bool:
    """Return whether the kernels are to decode: the options allow it and numba compiles.

    Warns once if the options leave the choice, and numba is not installed or compiles nothing.

    Raises:
        OptionError: if the options demand kernels, and there are none.
    """
    if options.engine == "reference":
        return False
    reason = _reason_against_kernels()
    if not reason:
        return True
    if options.engine == "kernels":
        raise OptionError(
            f"option engine: expected auto or reference, got kernels, which {reason}",
            option="engine",
            value="kernels",
            allowed="auto, reference",
        )
    _warn_once(reason)
    return False


def need_kernels(options: BinlogOptions) -> None:
    """Check that there are kernels, for what the reference decoder does not do.

    Raises:
        OptionError: if the options exclude them.
        UnsupportedError: if numba is not installed or compiles nothing.
    """
    if options.engine == "reference":
        raise OptionError(
            "option engine: expected kernels, which alone do this, got reference",
            option="engine",
            value="reference",
            allowed="auto, kernels",
        )
    if reason := _reason_against_kernels():
        raise UnsupportedError(f"this is done by compiled kernels alone, which {reason}", advice="")


def _reason_against_kernels() -> str:
    """Return why kernels cannot decode; empty if they can."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        # As Python they would wrap no integers, and lack the instructions that numba compiles.
        return "do not run as plain Python; unset NUMBA_DISABLE_JIT"
    if find_spec("numba") is None:
        return "need numba; it is not installed: `pip install numba`"
    return ""


@cache
def _warn_once(reason: str) -> None:
    warn(f"logs are read by the reference decoder, slowly, without kernels, which {reason}")
