"""The programs of the README run as they stand there."""

import re

import pytest
from pyspark.sql import SparkSession

from tests.inputs import ROOT

pytestmark = pytest.mark.spark

README = (ROOT / "README.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"^```python\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def test_there_are_programs() -> None:
    assert len(PROGRAMS) >= 2


@pytest.mark.parametrize("program", PROGRAMS, ids=range(len(PROGRAMS)))
def test_a_program_runs_and_prints_rows(
    program: str,
    spark: SparkSession,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(ROOT)
    exec(compile(program, "README.md", "exec"), {"spark": spark})  # noqa: S102
    assert len(capsys.readouterr().out.splitlines()) > 5
