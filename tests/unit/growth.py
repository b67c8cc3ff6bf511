"""How the cost of a function grows with its input."""

import gc
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from unittest.mock import patch

from pyspark_adapter.ddl import sql_definitions
from pyspark_adapter.events import table_map as table_maps
from pyspark_adapter.format.schema import ParseCache

_NOISE = 0.005  # seconds, of each measurement
_REPEATS = 3
_LINEAR = 5  # times as long as a quarter of the input: not measured again


def growth(run: Callable[[int], object], size: int) -> float:
    """Return how many times the processor time of an input is that of one a quarter as large.

    4 is linear, 16 quadratic. A test that compares with 8 leaves room for noise on both sides.
    """
    with _parsing_each_time():
        small = min(_seconds(run, size) for _ in range(_REPEATS)) + _NOISE
        large = inf
        for _ in range(_REPEATS):
            large = min(large, _seconds(run, 4 * size) + _NOISE)
            if large < _LINEAR * small:
                break
        return large / small


@contextmanager
def _parsing_each_time() -> Iterator[None]:
    """Keep nothing that is parsed, or only the first run would count."""
    nothing = ParseCache[object, object](most=-1)
    with (
        patch.object(sql_definitions, "_KNOWN", nothing),
        patch.object(table_maps, "_KNOWN", nothing),
    ):
        yield


def _seconds(run: Callable[[int], object], size: int) -> float:
    gc.freeze()  # else each collection goes through all objects of the process
    gc.collect()
    start = time.process_time()
    run(size)
    return time.process_time() - start


def count_calls(run: Callable[[], object]) -> int:
    """Return how many functions are called, in Python and C."""
    count = 0

    def see(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    with _parsing_each_time():
        sys.setprofile(see)
        try:
            run()
        finally:
            sys.setprofile(None)
    return count
