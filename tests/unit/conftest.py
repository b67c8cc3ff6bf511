"""What the tests of this folder are given."""

from pathlib import Path

import pytest

from tests.support.logs import LOG_NAME


@pytest.fixture
def log_path(tmp_path: Path) -> Path:
    """Give the path of a log that the test writes."""
    return tmp_path / LOG_NAME
