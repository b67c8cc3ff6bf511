"""Runs the fast unit tests of one file of the package: `make near FILE=pyspark_adapter/warn.py`.

These are those of its name, `test_warn.py`; if there are none, those that import it.
"""

import re
import sys
from pathlib import Path

import pytest

from tests.inputs import ROOT

UNIT = ROOT / "tests" / "unit"


def near(file: str) -> list[Path]:
    """Return the unit tests of a file of the package.

    Raises:
        ValueError: if there is no such file, or it has no test of its own.
    """
    path = (ROOT / file).resolve()
    if path.suffix != ".py" or not path.is_file():
        raise ValueError(f"{file}: expected a Python file, as FILE=pyspark_adapter/warn.py")
    tests = sorted(UNIT.rglob("test_*.py"))
    named = [test for test in tests if test.stem == f"test_{path.stem}"] or (
        [path] if path in tests else []
    )
    if named:
        return named
    parts = path.relative_to(ROOT).with_suffix("").parts
    full = ".".join(parts)
    folder = ".".join(parts[:-1])
    loads = re.compile(rf"from {full} import|import {full}|from {folder} import .*\b{parts[-1]}\b")
    found = [test for test in tests if loads.search(test.read_text())]
    if not found:
        raise ValueError(f"{file}: no unit test has its name or imports it; make unit runs all")
    return found


if __name__ == "__main__":
    try:
        [name] = sys.argv[1:]
        files = near(name)
    except ValueError as error:
        sys.exit(f"make near: {error}")
    sys.exit(pytest.main(["-q", "-m", "not slow", *map(str, files)]))
