"""The compiler does what `docs/format/compiler-bugs.md` says."""

import re
from pathlib import Path

import pytest

from tests.inputs import ROOT
from tests.languages.targets import run

PAGE = (ROOT / "docs" / "format" / "compiler-bugs.md").read_text(encoding="utf-8")
CASE = re.compile(r"^## (.+?)\n\n```yaml\n(.+?)```\n\n```(\w+)\n(.+?)```", re.MULTILINE | re.DOTALL)
CASES = [found.groups() for found in CASE.finditer(PAGE)]


def test_every_case_has_a_schema() -> None:
    assert len(CASES) == PAGE.count("\n## ")


@pytest.mark.parametrize(("title", "schema", "target", "lines"), CASES, ids=lambda it: it[:40])
def test_compiler_writes_the_lines(
    title: str, schema: str, target: str, lines: str, tmp_path: Path
) -> None:
    (tmp_path / "case.ksy").write_text(schema, encoding="utf-8")
    command = ["node", "tools/compile_schema.mjs", "--schema", str(tmp_path / "case.ksy")]
    run([*command, "--target", target, "--out", str(tmp_path / "out")], ROOT)
    generated = "".join(it.read_text("utf-8") for it in (tmp_path / "out").iterdir())
    missing = [line for line in lines.splitlines() if line.strip() not in generated]
    assert not missing, f"{title}: mended?"
