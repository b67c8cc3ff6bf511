"""The character sets against what MySQL 9.7 has in them (`tests/live/charset_truth.py`)."""

import pytest

from pyspark_adapter.charsets.maps import MAPPED_CHARSETS, character_map
from tests.inputs import ROOT
from tests.live.charset_truth import FOURS, summarize

EXPECTED = dict(
    line.split(" ", 1)
    for line in (ROOT / "tests/golden/charsets.sha256").read_text(encoding="utf-8").splitlines()
)


def test_all_but_the_unicode_sets_are_there() -> None:
    assert set(EXPECTED) - {"ascii"} == MAPPED_CHARSETS


@pytest.mark.parametrize("charset", sorted(MAPPED_CHARSETS))
def test_characters_are_those_of_the_server(charset: str) -> None:
    char_map = character_map(charset)
    found = dict(char_map.characters)
    if charset in FOURS:
        tens, leads = range(0x30, 0x3A), range(0x81, 0xFF)
        fours = (bytes([a, b, c, d]) for a in leads for b in tens for c in leads for d in tens)
        known = ((sequence, char_map.character(sequence)) for sequence in fours)
        found |= {sequence: letter for sequence, letter in known if letter is not None}
    assert summarize(found) == EXPECTED[charset]
