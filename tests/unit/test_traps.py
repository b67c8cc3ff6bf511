"""The list of traps names tests that are there."""

import re

import pytest

from tests.inputs import ROOT

TRAPS = (ROOT / "tests" / "TRAPS.md").read_text(encoding="utf-8")
LINES = [line for line in TRAPS.splitlines() if line.startswith("| ")]
NAMED = sorted(set(re.findall(r"`([a-z_/]+\.py)::(test_\w+)`", TRAPS)))


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_a_test_that_is_named_is_there(path: str, name: str) -> None:
    text = (ROOT / "tests" / path).read_text(encoding="utf-8")
    assert re.search(rf"^def {name}\(", text, re.MULTILINE)


def test_each_trap_has_a_test() -> None:
    traps = [line for line in LINES if line != "| trap | test |"]
    assert len(traps) > 50
    assert [line for line in traps if "::test_" not in line] == []
