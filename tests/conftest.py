"""Fixtures that all tests share."""

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.inputs import ROOT

# A JVM that compiles quickly takes less than half the processor time of one that compiles well, for
# programs as short as these. To verify Spark's classes takes a tenth of what starts it. `make kill`
# runs streams with Java's own defaults.
QUICK_JAVA = (
    "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
    " -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
)
os.environ.setdefault("SPARK_SUBMIT_OPTS", QUICK_JAVA)  # of drivers

# A shell that starts the tests in the background has them ignore Ctrl-C, and so would the programs
# that they start, and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Folders whose tests hold logs that the compiled schema has parsed. Each structure refers to its
# parent, so such a log is one cycle, over which Python's collector passes at each 700 objects.
OF_THE_SCHEMA = frozenset({"agreement", "browser", "corpus", "golden", "languages"})
OBJECTS_BETWEEN_COLLECTIONS = 20_000


def nightly_tests() -> list[str]:
    """Return the beginnings of the names of the tests that `make test` leaves to `make nightly`."""
    lines = (ROOT / "tests/nightly.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark them."""
    names = tuple(nightly_tests())
    for item in items:
        if item.nodeid.startswith(names):
            item.add_marker("nightly")


def pytest_collection_finish() -> None:
    """Spare the collector what lives until the end: thousands of tests, numba and pyarrow."""
    gc.freeze()


def pytest_unconfigure() -> None:
    """Let the end of the process free it: libraries report as a leak what is still there."""
    gc.unfreeze()


@pytest.fixture(autouse=True, scope="module")
def _rare_collections(request: pytest.FixtureRequest) -> Iterator[None]:
    before = gc.get_threshold()
    if request.path.parent.name in OF_THE_SCHEMA:
        gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS, *before[1:])
    yield
    gc.set_threshold(*before)


@pytest.fixture(autouse=True)
def _fixed_time_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")


@pytest.fixture(scope="session")
def servers_folder() -> Path:
    """Give the folder in which real servers are unpacked and run."""
    return Path(os.environ.get("BINLOG_SERVERS", ROOT / ".servers")).resolve()
