"""Failures that are tried again: those of a machine too busy to start a worker of Spark."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.exactly_once.program import SLOW
from tests.inputs import ROOT

pytestmark = pytest.mark.slow

# Fails with a message the first time, and passes the second.
TEST = """
runs = []

def test_that_fails_once():
    runs.append(None)
    assert len(runs) > 1, {message!r}
"""


def outcome(folder: Path, message: str) -> str:
    """Return the summary of a run, by this project's settings, of a test that fails once."""
    path = folder / "test_once.py"
    path.write_text(TEST.format(message=message))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-c", str(ROOT / "pyproject.toml"), str(path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    return done.stdout


def test_a_worker_that_starts_too_late_is_tried_once_more(tmp_path: Path) -> None:
    printed = outcome(tmp_path, f"SparkException: {SLOW}.")
    assert "1 passed, 1 rerun" in printed
    assert "RERUN" in printed  # and is named


@pytest.mark.parametrize("message", ["rows differ", "Python worker exited unexpectedly"])
def test_other_failures_are_final(tmp_path: Path, message: str) -> None:
    printed = outcome(tmp_path, message)
    assert "1 failed" in printed
    assert "rerun" not in printed
