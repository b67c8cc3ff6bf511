"""A table that changes its shape seven times and then its name, as a real server logged it."""

from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from pyspark_adapter import SchemaMismatchError, read_batches, read_schema
from tests.inputs import SAMPLES, expected_tables, sample_path

NAME = "mysql-9.7-alter"
PATH = sample_path(NAME)
PERSONS: dict[str, Any] = {"table": "alter97.persons", "follow_renames": True}


def state_after(rows: list[dict[str, Any]]) -> dict[int, dict[str, Any]]:
    """Return the rows of a table after its changes, by the column `id`."""
    state: dict[int, dict[str, Any]] = {}
    for row in rows:
        if row["_change_type"] in ("delete", "update_preimage"):
            del state[row["id"]]
        else:
            state[row["id"]] = row
    return state


def test_changes_under_all_shapes_and_names_leave_what_the_server_selects() -> None:
    rows = [row for b in read_batches(PATH, **PERSONS) for row in b.to_pylist()]
    # A column that got another name is another column.
    found = {
        str(key): (row["score"], row["full_name"] or row["name"], row["town"] or row["city"])
        for key, row in state_after(rows).items()
    }
    selected = expected_tables(SAMPLES[NAME])["alter97.persons"]
    names = [column["name"] for column in selected["columns"]]
    expected = {}
    for cells in selected["rows"]:
        row = dict(zip(names, (cell and cell["text"] for cell in cells), strict=True))
        score = None if row["score"] is None else Decimal(row["score"])
        expected[row["id"]] = (score, row["full_name"], row["town"])
    assert found == expected


def test_columns_are_those_of_all_shapes_in_the_widest_types() -> None:
    schema = read_schema(PATH, metadata_columns="", **PERSONS)
    assert {field.name: field.type for field in schema} == {
        "id": pa.int32(),
        "name": pa.string(),
        "born": pa.int32(),
        "city": pa.string(),
        "email": pa.string(),
        "score": pa.decimal128(12, 4),
        "full_name": pa.string(),
        "town": pa.string(),
    }


@pytest.mark.parametrize(
    ("at", "expected"),
    [("first", ["id", "name", "born"]), ("latest", ["score", "id", "full_name", "town"])],
)
def test_one_shape_is_fixed(at: Any, expected: list[str]) -> None:
    assert read_schema(PATH, metadata_columns="", schema_at=at, **PERSONS).names == expected


def test_shapes_without_a_common_type_are_named_with_their_places() -> None:
    with pytest.raises(SchemaMismatchError, match=r"column uid is .* here and .* at .*@\d+"):
        list(read_batches(PATH, table="alter97.people"))
