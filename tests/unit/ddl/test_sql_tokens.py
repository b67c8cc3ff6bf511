"""How SQL text is cut into words, by the rules of the servers' manuals."""

from contextlib import suppress

import pytest

from pyspark_adapter.ddl.sql_tokens import NotUnderstoodError, SqlDialect, TokenKind, tokenize
from tests.unit.growth import growth

MYSQL = SqlDialect(80036)
MARIADB = SqlDialect(101106, is_mariadb=True)


def texts(text: str, dialect: SqlDialect = MYSQL) -> list[str]:
    return [token.text for token in tokenize(text, dialect)][:-1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a b", ["a", "b"]),
        ("a/* c */b", ["a", "b"]),
        ("a -- c\nb", ["a", "b"]),
        ("a--b", ["a", "-", "-", "b"]),
        ("a # c\nb", ["a", "b"]),
        ("a -- c", ["a"]),
        ("`a``b`.`c d`", ["a`b", ".", "c d"]),
        ("'it''s' 'a\\'b' 'a\\nb'", ["it's", "a'b", "a\nb"]),
        ("'a\\%b' 'a\\xb' 'a\\\\'", ["a\\%b", "axb", "a\\"]),
        ("'/* no comment */ -- nor this'", ["/* no comment */ -- nor this"]),
        ('"a \'b\' ""c"""', ["a 'b' \"c\""]),
        ("čas INT", ["čas", "INT"]),
        ("", []),
    ],
)
def test_text_is_cut_into(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


@pytest.mark.parametrize(
    ("text", "on_mysql", "on_mariadb"),
    [
        ("a /*! b */ c", "abc", "abc"),
        ("a /*!50100 b */ c", "abc", "abc"),
        ("a /*!80023 b */ c", "abc", "ac"),  # not of MariaDB, which has no such version
        ("a /*!90000 b */ c", "ac", "ac"),
        ("a /*!100100 b */ c", "ac", "abc"),
        ("a /*!080023 b */ c", "abc", "ac"),
        ("a /*M! b */ c", "ac", "abc"),
        ("a /*M!100301 b */ c", "ac", "abc"),
        ("a /*M!110000 b */ c", "ac", "ac"),
    ],
)
def test_comments_that_servers_execute_are_text(text: str, on_mysql: str, on_mariadb: str) -> None:
    assert "".join(texts(text)) == on_mysql
    assert "".join(texts(text, MARIADB)) == on_mariadb


def test_double_quotes_enclose_names_with_ansi_quotes() -> None:
    tokens = list(tokenize('"a""b" \'c\'', SqlDialect(has_ansi_quotes=True)))
    assert [(t.kind, t.text) for t in tokens[:-1]] == [
        (TokenKind.NAME, 'a"b'),
        (TokenKind.STRING, "c"),
    ]


def test_backslashes_are_letters_with_no_backslash_escapes() -> None:
    assert texts("'a\\' 'b''c'", SqlDialect(has_backslash_escapes=False)) == ["a\\", "b'c"]


@pytest.mark.parametrize("text", ["'a", "`a", '"a', "/* a", "/*!99999 a", "'a\\'"])
def test_text_without_its_end_is_not_understood(text: str) -> None:
    with pytest.raises(NotUnderstoodError, match="no end of"):
        texts(text)


@pytest.mark.parametrize("unit", ["'", "`", "(", "/*", "\\", "''", "'\\", "/*!", "--", "a", "é."])
def test_time_grows_with_the_text_and_no_faster(unit: str) -> None:
    def run(size: int) -> None:
        with suppress(NotUnderstoodError):
            for _ in tokenize(unit * (size // len(unit)), MYSQL):
                pass

    assert growth(run, 20_000) < 8
