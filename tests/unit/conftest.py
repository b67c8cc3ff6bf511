"""What the tests of this folder are given."""

from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter.events.windows import WindowReader
from pyspark_adapter.plan.survey import Surveyor
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.timeline.log_survey import LogSurvey
from tests.support.logs import LOG_NAME


@pytest.fixture
def log_path(tmp_path: Path) -> Path:
    """Give the path of a log that the test writes."""
    return tmp_path / LOG_NAME


@pytest.fixture
def num_read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Give a list that gets the number of bytes of each read of a log."""
    found: list[int] = []
    fill = WindowReader._fill

    def counted(window: WindowReader) -> int:
        found.append(fill(window))
        return found[-1]

    monkeypatch.setattr(WindowReader, "_fill", counted)
    return found


@pytest.fixture
def surveyed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Give a list that gets the name of each log that is surveyed."""
    found: list[str] = []
    survey = Surveyor.__call__

    def noted(surveyor: Surveyor, log_file: LogFile, *rest: Any) -> LogSurvey:
        found.append(log_file.name)
        return survey(surveyor, log_file, *rest)

    monkeypatch.setattr(Surveyor, "__call__", noted)
    return found
