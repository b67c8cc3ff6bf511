"""The browser's reports on all samples, and Python's views of them, made once for all tests."""

import contextlib
import functools
import queue
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser.chromium import Chromium
from tests.browser.page_server import PageServer, Report, serving
from tests.browser.schema_types import read_schema, types_by_class
from tests.browser.views import View, view_log
from tests.inputs import sample_path

Views = Callable[[str], View]
SECONDS_FOR_A_REPORT = 120
MAX_LOG_SHOWN = 2000


@pytest.fixture(scope="session")
def reports(servers_folder: Path) -> dict[str, Report]:
    """Give what the page found in each sample, by the sample's name."""
    browser = Chromium(servers_folder).install()
    found: dict[str, Report] = {}
    with serving() as server, browser.showing(server.url) as process:
        while "end" not in found:
            report = next_report(server, process)
            if report is None:
                pytest.fail(
                    f"no report after {list(found)}; asked for in vain: {server.missed}; "
                    f"the browser's log: {browser.log.read_text()[-MAX_LOG_SHOWN:]}"
                )
            found[report.get("name", "end")] = report
    end = found.pop("end")
    assert end["end"] is None, end["end"]
    assert server.missed == []
    return found


def next_report(server: PageServer, process: subprocess.Popen[bytes]) -> Report | None:
    """Return the next report, None if the browser ends or takes too long."""
    deadline = time.monotonic() + SECONDS_FOR_A_REPORT
    while process.poll() is None and time.monotonic() < deadline:
        with contextlib.suppress(queue.Empty):
            return server.reports.get(timeout=1)
    return None


@pytest.fixture(scope="session")
def views() -> Views:
    """Give a function from the name of a sample to what Python makes of it."""
    types = types_by_class(read_schema())
    return functools.cache(lambda name: view_log(sample_path(name), types))
