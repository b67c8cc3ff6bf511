"""The recipes of `docs/format/recipes.md` print the same changes, as many as the server made."""

import re
import shutil
import subprocess
from pathlib import Path

from tests.inputs import ROOT, SAMPLES, sample_path
from tests.languages.left_out import need_toolchain
from tests.languages.targets import QUICK_JVM, TESTED, built, run

PAGE = ROOT / "docs" / "format" / "recipes.md"
LOG = sample_path("mysql-9.7-shop")
TARGETS = {target.name: target for target in TESTED}


def recipe(language: str) -> str:
    """Return the program of a language."""
    found = re.search(rf"```{language}\n(.+?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


def changes() -> int:
    """Return how many rows of the table have changed."""
    entry = SAMPLES["mysql-9.7-shop"]
    return sum(entry["row_changes"]["shop.orders"].values())


def javascript_lines(folder: Path) -> list[str]:
    """Return what the recipe in JavaScript prints."""
    (folder / "changes.cjs").write_text(recipe("javascript"), encoding="utf-8")
    # Away from this project's package.json, which would make a module of the class.
    shutil.copytree(built(TARGETS["javascript"]) / "code", folder / "code")
    (folder / "node_modules").symlink_to(ROOT / "node_modules")
    return run(["node", "changes.cjs", str(LOG)], folder).splitlines()


def test_javascript_prints_each_change(tmp_path: Path) -> None:
    lines = javascript_lines(tmp_path)
    assert len(lines) == changes()
    assert {line.split()[0] for line in lines} == {"WRITE", "UPDATE", "DELETE"}


def test_java_prints_what_javascript_prints(tmp_path: Path) -> None:
    need_toolchain(TARGETS["java"])
    (tmp_path / "Changes.java").write_text(recipe("java"), encoding="utf-8")
    build = built(TARGETS["java"])
    path = f"{build / 'classes'}:{next(build.glob('*.jar'))}"
    command = ["java", *QUICK_JVM, "-cp", path, str(tmp_path / "Changes.java"), str(LOG)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == javascript_lines(tmp_path)
