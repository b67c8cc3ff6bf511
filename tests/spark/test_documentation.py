"""The Python programs of README and documentation run as they are written, page by page."""

import shutil
import subprocess
import sys
from itertools import groupby
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.docs.pages import find_programs
from tests.inputs import ROOT
from tests.spark.wheels import bare_environment

pytestmark = pytest.mark.spark

BY_PAGE = {
    page: list(programs)
    for page, programs in groupby(find_programs("python"), lambda found: found.page)
}


@pytest.mark.usefixtures("compiled_plans")
@pytest.mark.parametrize("page", BY_PAGE, ids=lambda page: page.stem)
def test_the_programs_of_a_page_run_and_print(
    page: Path,
    spark: SparkSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"spark": spark}
    for program in BY_PAGE[page]:
        code = "\n" * program.line + program.text  # so that a traceback names the line of the page
        exec(compile(code, str(page), "exec"), names)  # noqa: S102
    assert capfd.readouterr().out


@pytest.mark.slow
def test_the_first_program_runs_from_an_environment_that_is_not_activated(tmp_path: Path) -> None:
    first = BY_PAGE[ROOT / "README.md"][0]
    assert first.text == BY_PAGE[ROOT / "docs/quickstart.md"][1].text
    (tmp_path / "job.py").write_text(first.text, encoding="utf-8")
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    java = shutil.which("java")
    assert java is not None
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/java").symlink_to(java)
    (tmp_path / "bin/python3").symlink_to("/bin/false")  # what Spark starts by default
    environment = bare_environment(PATH=f"{tmp_path}/bin:/usr/bin:/bin")
    done = subprocess.run(
        [sys.executable, "job.py"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("|2026-") == 2
    assert "mysql_binlog" not in done.stderr  # no warning of Spark about the data source
