"""Every character of every character set is what the server makes of it, and so are collations."""

import pytest

from pyspark_adapter.charsets.charset import CHARSETS, charset_of, decode_text
from pyspark_adapter.charsets.maps import MAPPED_CHARSETS, character_map
from samples.truth import fetch_rows
from tests.live.capture import SERVERS, LiveServer
from tests.live.charset_truth import FOURS, PAIRS, characters, conversions

ONE_OF_EACH = [server for server in SERVERS if server[1] == "FULL"]

pytestmark = [
    pytest.mark.live,
    pytest.mark.parametrize("server", ONE_OF_EACH, indirect=True, ids="-".join),
]

REPLACEMENT = "\ufffd"


def has_charset(server: LiveServer, charset: str) -> bool:
    """Return whether a server has a character set: gb18030 is of MySQL alone."""
    return server.is_mysql or charset != "gb18030"


@pytest.mark.parametrize("charset", sorted(MAPPED_CHARSETS))
def test_characters_are_those_of_the_server(server: LiveServer, charset: str) -> None:
    if not has_charset(server, charset):
        assert fetch_rows(server.connection, "SHOW CHARACTER SET LIKE %s", charset) == []
        return
    expected = characters(server.connection, charset)
    char_map = character_map(charset)
    assert {s: c for s, c in expected.items() if len(s) < 4} == {
        s: c for s, c in char_map.characters.items() if len(s) < 4
    }
    if charset in FOURS:
        assert len(expected) > 1_000_000
        assert all(char_map.character(sequence) == c for sequence, c in expected.items())


@pytest.mark.parametrize("charset", ["ucs2", "utf16", "utf16le"])
def test_units_are_those_of_the_server(server: LiveServer, charset: str) -> None:
    pairs = conversions(server.connection, charset, "SELECT CONCAT(x.c, y.c) FROM b x, b y")
    checked = 0
    for data, text in pairs:
        # Of half a pair MySQL gives nothing, MariaDB two marks, or for ucs2 what is no UTF-8.
        is_half = len(text) != 1 or 0xD800 <= ord(text) <= 0xDFFF
        assert decode_text(data, charset, replaces=True) == (REPLACEMENT if is_half else text)
        checked += 1
    assert checked == 65536


# MariaDB puts a question mark where and as often as U+FFFD is put here; MySQL ends the text there.
@pytest.mark.parametrize("charset", sorted(MAPPED_CHARSETS))
def test_what_is_not_valid_is_replaced_as_on_the_server(server: LiveServer, charset: str) -> None:
    if server.is_mysql or not has_charset(server, charset):
        return
    sequences = "SELECT CONCAT(x.c, y.c) FROM b x, b y"
    for data, text in list(conversions(server.connection, charset, sequences)):
        if b"?" in data:
            continue
        expected = text if charset == "swe7" else text.replace("?", REPLACEMENT)
        found = decode_text(data, charset, replaces=True)
        assert found == expected.replace("?", REPLACEMENT), data.hex()


def test_collations_are_those_of_the_server(server: LiveServer) -> None:
    query = "SELECT id, character_set_name FROM information_schema.collations"
    if not server.is_mysql:
        query = (
            "SELECT id, character_set_name"
            " FROM information_schema.collation_character_set_applicability"
        )
    rows = [(int(i), name) for i, name in fetch_rows(server.connection, query)]
    assert len(rows) > 280
    assert [row for row in rows if charset_of(row[0]) != row[1]] == []
    assert {name for _, name in rows} <= set(CHARSETS)


def test_all_sets_of_more_bytes_are_asked_for(server: LiveServer) -> None:
    query = "SELECT character_set_name FROM information_schema.character_sets WHERE maxlen > 1"
    names = {name for (name,) in fetch_rows(server.connection, query)}
    assert {name for name in names if not name.startswith(("ucs", "utf"))} == {
        name for name in PAIRS if has_charset(server, name)
    }
