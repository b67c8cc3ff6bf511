"""The processes in which Spark runs Python, one task after the other."""

from __future__ import annotations

import gc
import sys
from typing import Final

_DAEMON: Final = "pyspark.daemon"


def spare_collector() -> None:
    """Take what has been loaded so far out of the sight of the garbage collector.

    Spark has it go over all objects of a process after each task, and those of numba, which stay
    for good, take a twentieth of a second each time. Nothing is done but once, and in a process
    that Spark uses for several tasks.
    """
    main = sys.modules["__main__"].__spec__
    if main is not None and main.name == _DAEMON and not gc.get_freeze_count():
        gc.collect()
        gc.freeze()
