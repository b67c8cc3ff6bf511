"""Whether the kernels decode, as the option `engine` says."""

from __future__ import annotations

from importlib.util import find_spec

from pyspark_adapter.errors import OptionError
from pyspark_adapter.options.binlog_options import BinlogOptions


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
