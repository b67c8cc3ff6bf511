"""The option `columns`: columns of a table without a schema."""

from typing import Any

import pytest

from pyspark_adapter import OptionError, SchemaMismatchError, read_batches, read_schema
from tests.inputs import sample_path

SHOP = sample_path("mysql-9.7-shop")


@pytest.mark.parametrize(
    "columns", [["status", "order_id"], "status, order_id", ("STATUS", "order_id")]
)
def test_columns_come_in_the_order_asked_for(columns: Any) -> None:
    table = read_batches(
        SHOP, table="shop.orders", columns=columns, metadata_columns="_gtid"
    ).to_table()
    whole = read_batches(SHOP, table="shop.orders").to_table()
    assert table.column_names == ["_gtid", "status", "order_id"]
    assert table.equals(whole.select(table.column_names))


def test_no_columns_leave_the_metadata() -> None:
    schema = read_schema(SHOP, table="shop.orders", columns=[], metadata_columns=["_gtid"])
    assert schema.names == ["_gtid"]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (["statuss"], r"no column statuss; did you mean status\?; expected names among order_id"),
        (["_gtid"], "metadataColumns chooses|metadata_columns chooses"),
        (["status", "Status"], "column Status is named twice"),
    ],
)
def test_names_are_checked(columns: list[str], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        read_batches(SHOP, table="shop.orders", columns=columns)


def test_columns_belong_to_a_table_without_a_schema() -> None:
    with pytest.raises(OptionError, match="without option table"):
        read_batches(SHOP, columns=["status"])
    schema = read_schema(SHOP, table="shop.orders")
    with pytest.raises(OptionError, match="with a schema"):
        read_batches(SHOP, table="shop.orders", columns=["status"], schema=schema)


def test_other_columns_may_change() -> None:
    """A column is added at 1440; without the option, that ends the read."""
    path = sample_path("mysql-9.7-alter")
    options: dict[str, Any] = {
        "table": "alter97.people",
        "merge_schema": False,
        "ending_position": f"{path.name}:3200",
    }
    with pytest.raises(SchemaMismatchError, match="has other columns here"):
        read_batches(path, **options).to_table()
    assert read_batches(path, columns=["name"], **options).to_table().num_rows == 7


def test_names_are_no_schema() -> None:
    with pytest.raises(OptionError, match=r"expected a pyarrow.Schema, got list; option columns"):
        read_batches(SHOP, table="shop.orders", schema=["order_id"])


def test_an_unknown_table_lists_the_nearest() -> None:
    with pytest.raises(SchemaMismatchError, match=r"did you mean shop.orders\? Only the case"):
        read_batches(SHOP, table="shop.ORDERS")
    with pytest.raises(SchemaMismatchError, match=r"did you mean shop.orders or") as caught:
        read_batches(SHOP, table="shop.order")
    assert "they have rows of shop.customers, shop.order_items, " in str(caught.value)
    assert str(caught.value).partition("did you mean ")[2].endswith("?")
