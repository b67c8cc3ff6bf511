"""The programs of the README run as they stand there."""

import re
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.inputs import ROOT

pytestmark = pytest.mark.spark

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
# What takes arguments is run by `test_spark_submit`.
PROGRAMS = [block for block in BLOCKS if "sys.argv" not in block]


def test_there_are_programs() -> None:
    assert len(PROGRAMS) >= 2


# A pipeline is run by a program of Spark: test_lake_tables.py does.
RUN = [program for program in PROGRAMS if "create_auto_cdc_flow" not in program]


@pytest.mark.parametrize("program", RUN, ids=range(len(RUN)))
def test_a_program_runs_and_prints_rows(
    program: str,
    spark: SparkSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    monkeypatch.chdir(tmp_path)
    exec(compile(program, "README.md", "exec"), {"spark": spark})  # noqa: S102
    assert len(capsys.readouterr().out.splitlines()) > 5
