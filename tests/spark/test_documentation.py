"""The Python programs of README and documentation run as they are written, page by page."""

from itertools import groupby
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.docs.pages import find_programs
from tests.inputs import ROOT

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
        # The JVM stays in the folder in which it was started.
        code = code.replace('"checkpointLocation", "', f'"checkpointLocation", "{tmp_path}/')
        exec(compile(code, str(page), "exec"), names)  # noqa: S102
    assert capfd.readouterr().out


def test_the_quickstart_begins_as_the_readme_does() -> None:
    """`test_wheel` runs this program where the package is installed."""
    assert BY_PAGE[ROOT / "README.md"][0].text == BY_PAGE[ROOT / "docs/quickstart.md"][1].text
