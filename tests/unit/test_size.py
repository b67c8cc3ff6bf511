"""The size of the package and of the tests, which may only fall."""

import re
from pathlib import Path

import pyspark_adapter
from tests.inputs import ROOT
from tests.support.programs import captured

FOLDER = Path(pyspark_adapter.__file__).parent
DESIGN = "docs/design.md"
PACKAGE_LINES = "lines of the package"
PACKAGE_FILES = "files of the package"
TOP = "folders and modules at the top of the package"
TEST_LINES = "lines of the tests"


def budget(text: str) -> dict[str, int]:
    """Return the numbers of the table in the design."""
    section = text.partition("## Size")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([a-z ]+) \| ([\d,]+) \|$", section, re.MULTILINE)
    return {name: int(number.replace(",", "")) for name, number in rows}


def num_lines(folder: Path) -> int:
    """Return the number of lines of Python below a folder."""
    return sum(path.read_text().count("\n") for path in folder.rglob("*.py"))


def sizes() -> dict[str, int]:
    """Return what the table limits, as it is now."""
    top = [path for path in FOLDER.glob("*.py") if not path.name.startswith("__")]
    return {
        PACKAGE_LINES: num_lines(FOLDER),
        PACKAGE_FILES: len([*FOLDER.rglob("*.py")]),
        TOP: len(top) + len([*FOLDER.glob("*/__init__.py")]),
        TEST_LINES: num_lines(ROOT / "tests"),
    }


def budgets_before() -> list[dict[str, int]]:
    """Return the tables of the last commit and of the one before it; none outside of a clone."""
    found = []
    for commit in ("HEAD", "HEAD^"):
        done = captured(["git", "-C", str(ROOT), "show", f"{commit}:{DESIGN}"])
        if done.returncode == 0:
            found.append(budget(done.stdout))
    return found


def test_nothing_is_larger_than_its_budget() -> None:
    most, now = budget((ROOT / DESIGN).read_text()), sizes()
    assert most.keys() == now.keys()
    over = {name: number for name, number in now.items() if number > most[name]}
    assert over == {}, f"take away elsewhere what is added: {most}"
    loose = {name: number for name, number in now.items() if number < 0.98 * most[name]}
    assert loose == {}, f"lower the number in {DESIGN}: keep what was won"


def test_no_budget_grows() -> None:
    now = budget((ROOT / DESIGN).read_text())
    for before in budgets_before():
        grown = {name: now.get(name) for name, number in before.items() if now[name] > number}
        assert grown == {}, "a budget may only fall"


def test_the_table_is_read() -> None:
    text = "## Size\n| lines of the package | 1,234 |\n\n## Next\n| lines of the tests | 5 |\n"
    assert budget(text) == {PACKAGE_LINES: 1234}
