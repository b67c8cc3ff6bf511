"""The languages that are left out for lack of a toolchain, in the summary of the tests."""

import pytest

from tests.inputs import ROOT
from tests.languages.left_out import LEFT_OUT

REPORTS = ROOT / ".test-reports"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name the languages that were not tested; `make test` shows the line at its end."""
    if not LEFT_OUT:
        return
    reasons = "; ".join(f"{name} ({reason})" for name, reason in sorted(LEFT_OUT.items()))
    line = f"languages left out: {reasons}"
    terminalreporter.write_line(line)
    if REPORTS.is_dir():
        (REPORTS / "languages-left-out").write_text(line + "\n", encoding="utf-8")
