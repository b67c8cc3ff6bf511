"""Kernels under numba's own bounds check: no access is out of bounds, in whole or damaged logs."""

import os
import sys
from pathlib import Path

import pytest

from tests.fuzz.outcomes import run_worker, sources_of
from tests.inputs import ROOT, SAMPLES, sample_path
from tests.support.programs import captured

NUM_SEEDS = 3
TIMEOUT = 600

# Reads and writes after the end of an array.
_PROBE = """
import numpy
from pyspark_adapter.kernels import load
from pyspark_adapter.kernels.jit import inlined, helper
from tests.support.compiled import callable_from_python

data = numpy.zeros(40, dtype=numpy.uint8)
index = lambda data, place: data[place]
for function in (inlined(index), helper(index), load.get, load.raw_u8, load.raw_be8):
    try:
        callable_from_python(function)(data, 40)
    except IndexError:
        print("checked")
for function in (load.put, load.raw_put8):
    try:
        callable_from_python(function)(data, 40, numpy.uint8(0))
    except IndexError:
        print("checked")
try:
    callable_from_python(load.copy_ascii)(data, 0, data, 10)
except IndexError:
    print("checked")
"""


@pytest.fixture
def checking(pytestconfig: pytest.Config) -> dict[str, str]:
    """Give the environment of a process whose kernels are checked.

    Its cache is another: numba does not tell checked code from unchecked when it loads some.
    """
    assert pytestconfig.cache is not None
    folder: Path = pytestconfig.cache.mkdir("checked-kernels")
    return {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(folder)}


def test_check_is_on_in_all_functions(checking: dict[str, str]) -> None:
    done = captured(
        [sys.executable, "-c", _PROBE], cwd=ROOT, env={**os.environ, **checking}, check=True
    )
    assert done.stdout.split() == ["checked"] * 8


@pytest.mark.slow
def test_no_access_is_out_of_bounds(checking: dict[str, str]) -> None:
    whole = [str(sample_path(name)) for name in SAMPLES]
    sources = whole + sources_of(range(1000, 1000 + NUM_SEEDS))
    # `test_mutations` has the other reads.
    outcomes = run_worker(sources, timeout=TIMEOUT, settings=checking, of_kernels=True)
    traces = [trace for outcome in outcomes for trace in outcome.traces()]
    # As numba raises it; what else is no error of ours, `test_mutations` finds.
    out_of_bounds = [trace for trace in traces if "\nIndexError: " in trace]
    assert not out_of_bounds, "\n".join(out_of_bounds)
    differences = [text for outcome in outcomes[: len(whole)] for text in outcome.differences()]
    assert not differences, "\n".join(differences)
