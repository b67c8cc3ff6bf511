"""No page and no program shows a password on a command line."""

import re

from tests.inputs import ROOT
from tests.support.programs import captured

PASSWORD = re.compile(r"--password[ =](?!\s|--|asks|without)['\"\w$]|\s-p['\"\w]+\s.*(?:mysql|-u)")


def test_no_document_shows_a_password_on_a_command_line() -> None:
    listed = captured(
        ["/usr/bin/git", "ls-files", "*.md", "examples", "pyspark_adapter", "bench", "Makefile"],
        cwd=ROOT,
        check=True,
    ).stdout.splitlines()
    assert len(listed) > 100
    found = [
        f"{name}: {line.strip()}"
        for name in listed
        for line in (ROOT / name).read_text(encoding="utf-8", errors="replace").splitlines()
        if PASSWORD.search(line)
    ]
    assert found == []
    assert PASSWORD.search("    python replicate.py --host db1 --password PASSWORD shop lake")
