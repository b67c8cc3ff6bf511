"""Events as plain values: fields stand side by side, whatever objects the schema has for them."""

from pyspark_adapter.events.event_json import to_plain
from tests.corpus.handmade import WRITE_ROWS, Column, parse, rows_event, table_map


def test_fields_of_a_head_are_fields_of_the_event() -> None:
    rows = rows_event(WRITE_ROWS, 1, b"\0\5\0\0\0")
    table, changed = (to_plain(event.body) for event in parse(table_map([Column(3)]), rows))
    assert list(table) == [
        *("table_id", "columns", "nullable_bitmap", "optional_fields"),
        *("flags", "database_name", "table_name", "num_columns"),
    ]
    assert list(changed) == [
        *("table_id", "database", "table"),
        *("flags", "num_columns", "columns_present_bitmap"),
    ]
    assert (changed["num_columns"], table["num_columns"]) == (1, 1)
