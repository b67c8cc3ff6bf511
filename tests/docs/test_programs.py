"""Each program of README and documentation is run by a test; the commands are run here."""

import os
import shutil
import sys
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, OutputChecker
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, PROGRAMS, Program, find_programs
from tests.inputs import ROOT
from tests.support.programs import captured

# Who runs the programs of a class; see `pages`.
RUN_BY = {
    "": "tests/spark/test_documentation.py, and commands this file",
    "live": "tests/spark/test_live_server.py",
    "platform": "tests/spark/test_live_server.py",
    "kafka": "tests/exactly_once/test_kafka.py",
    "snapshot": "tests/exactly_once/test_snapshots.py",
    "replicate": "tests/live/replicate/test_command.py",
    "iceberg": "tests/live/replicate/test_alters.py",
    "cluster": "tests/spark/test_spark_submit.py",
    "connect": "tests/spark/test_connect.py",
    "pipeline": "tests/spark/test_lake_tables.py",
    "install": "tests/spark/test_wheel.py",
    "scheduled": "tests/spark/test_releases.py",
    "recipe": "tests/languages/test_recipes.py",
}

# Who runs the programs of a page in other languages.
PAGES_RUN_BY = {
    "docs/format/compiler-bugs.md": "tests/languages/test_compiler_bugs.py",
    "docs/format/recipes.md": "tests/languages/test_recipes.py",
}

LANGUAGES = ("python", "console", "sh", "sql", "json", "text")


@pytest.fixture
def _samples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder with the samples in it."""
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    monkeypatch.chdir(tmp_path)


def test_each_program_is_run_by_a_test() -> None:
    assert len(PAGES) > 15
    assert len(find_programs("python")) > 10
    for program in PROGRAMS:
        if str(program.page.relative_to(ROOT)) in PAGES_RUN_BY:
            continue
        assert program.language in LANGUAGES or program.language.startswith("{"), str(program)
        assert program.run_by in RUN_BY, str(program)
    assert all((ROOT / test).is_file() for test in PAGES_RUN_BY.values())


@pytest.mark.usefixtures("_samples")
@pytest.mark.parametrize("program", find_programs("console"), ids=str)
def test_the_commands_of_a_page_print_what_it_shows(program: Program) -> None:
    bash = shutil.which("bash")
    assert bash is not None
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    for command in program.text.split("$ ")[1:]:
        line, _, shown = command.partition("\n")
        done = captured([bash, "-c", line], env=os.environ | {"PATH": path}, check=True)
        is_shown = OutputChecker().check_output(shown, done.stdout, ELLIPSIS | NORMALIZE_WHITESPACE)
        assert is_shown, f"{program}: {line} printed\n{done.stdout}"
