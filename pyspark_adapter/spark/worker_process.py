"""The Python processes of Spark, which run one task after another."""

from __future__ import annotations

import gc
import sys
from typing import Final

_DAEMON: Final = "pyspark.daemon"


def freeze_gc() -> None:
    """Exempt all objects loaded so far from garbage collection.

    Spark runs a full collection after each task. The objects of numba live as long as the process,
    and looking at them takes 50 ms each time. Does nothing on later calls, and nothing in a process
    that Spark does not use for several tasks.
    """
    main = sys.modules["__main__"].__spec__
    if main is not None and main.name == _DAEMON and not gc.get_freeze_count():
        gc.collect()
        gc.freeze()
