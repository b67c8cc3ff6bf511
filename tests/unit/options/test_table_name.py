"""The name of a table as text."""

import pytest

from pyspark_adapter import OptionError, TableName


@pytest.mark.parametrize(
    ("text", "database_name", "table_name", "printed"),
    [
        ("shop.orders", "shop", "orders", "shop.orders"),
        (" shop.orders ", "shop", "orders", "shop.orders"),
        (" `shop`.`orders` ", "shop", "orders", "shop.orders"),
        ("`shop`.`orders`", "shop", "orders", "shop.orders"),
        ("`my.db`.t", "my.db", "t", "`my.db`.t"),
        ("d.`a``b`", "d", "a`b", "d.`a``b`"),
        ("`a.b`.`c.d`", "a.b", "c.d", "`a.b`.`c.d`"),
        ("d.a b", "d", "a b", "d.a b"),
        ("é.žlutý", "é", "žlutý", "é.žlutý"),
        ("d.```", None, None, None),
        ("d.a`b", None, None, None),
        (".t", None, None, None),
        ("d.", None, None, None),
        ("``.t", None, None, None),
    ],
)
def test_table_name(text: str, database_name: str, table_name: str, printed: str) -> None:
    if printed is None:
        with pytest.raises(OptionError):
            TableName.parse(text)
        return
    parsed = TableName.parse(text)
    assert parsed == TableName(database_name, table_name)
    assert str(parsed) == printed
    assert TableName.parse(str(parsed)) == parsed
