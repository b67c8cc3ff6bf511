"""The compiler does what `docs/format/compiler-bugs.md` says."""

import json
import re
import subprocess

import pytest

from tests.inputs import ROOT

PAGE = (ROOT / "docs" / "format" / "compiler-bugs.md").read_text(encoding="utf-8")
CASE = re.compile(r"^## (.+?)\n\n```yaml\n(.+?)```\n\n```(\w+)\n(.+?)```", re.MULTILINE | re.DOTALL)
CASES = [found.groups() for found in CASE.finditer(PAGE)]


def test_every_case_has_a_schema() -> None:
    assert len(CASES) == PAGE.count("\n## ")


@pytest.fixture(scope="module")
def generated() -> list[str]:
    """Give what the compiler makes of each case."""
    cases = json.dumps([{"schema": schema, "target": target} for _, schema, target, _ in CASES])
    command = ["node", "tests/languages/cases.mjs"]
    run = subprocess.run(command, cwd=ROOT, input=cases, capture_output=True, text=True, check=True)
    texts: list[str] = json.loads(run.stdout)
    return texts


@pytest.mark.parametrize("index", range(len(CASES)), ids=lambda index: CASES[index][0])
def test_compiler_writes_the_lines(index: int, generated: list[str]) -> None:
    lines = [line.strip() for line in CASES[index][3].splitlines()]
    assert [line for line in lines if line not in generated[index]] == [], "mended?"
