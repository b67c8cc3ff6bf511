"""Patterns of names: `*`, `?` and `[...]`, which are literal in backquotes."""

import pytest

from pyspark_adapter.options.name_patterns import parse_database_patterns, parse_table_patterns


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("shop", ["shop"], ["shop2", "ashop", "Shop", "shop\n"]),
        ("shop*", ["shop", "shop_2", "shop\n"], ["my_shop"]),
        ("*", ["a", "a.b"], []),
        ("a?c", ["abc", "a*c"], ["ac", "abbc"]),
        ("t[0-9]", ["t7"], ["tx", "t77"]),
        ("t[!0-9]", ["tx"], ["t7"]),
        ("a,b*", ["a", "bc"], ["c", "ab"]),
        (" a , b ", ["a", "b"], [" a "]),
        ("`a*`", ["a*"], ["ab"]),
        ("`a,b`,`c``d`", ["a,b", "c`d"], ["a", "c``d"]),
        ("`a.b`", ["a.b"], ["axb"]),
        ("(a|b)", ["(a|b)"], ["a"]),
        ("žlutý?", ["žlutý1"], ["ZLUTY1"]),
    ],
)
def test_a_name_matches_as_a_whole(text: str, inside: list[str], outside: list[str]) -> None:
    patterns = parse_database_patterns(text)
    for name in inside:
        assert any(pattern.matches(name) for pattern in patterns), name
    for name in outside:
        assert not any(pattern.matches(name) for pattern in patterns), name


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("shop.*", [("shop", "orders"), ("shop", "a.b")], [("shop2", "orders")]),
        ("*.orders", [("shop", "orders")], [("shop", "orders2")]),
        ("a.b,c.d", [("a", "b"), ("c", "d")], [("a", "d")]),
        ("`my.db`.`a,b`, x.y", [("my.db", "a,b"), ("x", "y")], [("my", "db")]),
        ("`*`.*", [("*", "t")], [("d", "t")]),
    ],
)
def test_database_and_table_both_match(
    text: str, inside: list[tuple[str, str]], outside: list[tuple[str, str]]
) -> None:
    patterns = parse_table_patterns(text)
    for names in inside:
        assert any(pattern.matches(*names) for pattern in patterns), names
    for names in outside:
        assert not any(pattern.matches(*names) for pattern in patterns), names


@pytest.mark.parametrize(
    "text", ["", " ", ",", "a,", ",a", "a,,b", "a, ,b", "`a", "``", "`a`b", "a.b"]
)
def test_what_is_no_list_of_databases_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="invalid pattern"):
        parse_database_patterns(text)


@pytest.mark.parametrize(
    "text", ["", "a", "a.", ".b", "a.b.c", "a.b,", "a.b,c", "a. ", "`a.b`", "a.`b"]
)
def test_what_is_no_list_of_tables_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="invalid pattern"):
        parse_table_patterns(text)
