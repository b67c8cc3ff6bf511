"""A read of some columns gives what the read of all columns gives in them."""

from __future__ import annotations

import pyarrow as pa
import pytest

from pyspark_adapter import UnsupportedError
from tests.agreement.outcome import read, table_names
from tests.inputs import SAMPLES, UNREADABLE, expected_tables, sample_path

READABLE = [name for name in SAMPLES if name not in UNREADABLE]
# Of the samples with all column types, one is enough.
BY_COLUMN = [n for n in READABLE if "-types" not in n or n == "mariadb-11.8-types-full"]
IN_ANOTHER_ORDER = [name for name in READABLE if "-types" not in name]
MOST_COLUMNS = 4  # of a table, about; some have a hundred


@pytest.mark.parametrize("name", BY_COLUMN)
def test_single_columns_are_those_of_the_whole_table(name: str) -> None:
    path = sample_path(name)
    for table in table_names(SAMPLES[name]):
        whole = read(path, table=table, engine="kernels", metadata_columns=["_change_type"])
        if whole.rows is None or whole.error is not None:
            continue  # its errors are compared elsewhere
        fields = list(whole.rows.schema)
        for field in fields[:: max(1, len(fields) // MOST_COLUMNS)]:
            part = read(path, table=table, engine="kernels", schema=pa.schema([field]))
            assert part.content == (whole.rows.select([field.name]), None), f"{table} {field.name}"


@pytest.mark.parametrize("name", IN_ANOTHER_ORDER)
def test_columns_in_another_order_are_those_of_the_whole_table(name: str, engine: str) -> None:
    path = sample_path(name)
    for table in table_names(SAMPLES[name]):
        whole = read(path, table=table, engine="kernels", metadata_columns=["_gtid", "_row_number"])
        if whole.rows is None or whole.error is not None:
            continue
        for step in (-1, -2):
            names = whole.rows.schema.names[::step]
            wanted = pa.schema([whole.rows.schema.field(column) for column in names])
            part = read(path, table=table, engine=engine, schema=wanted)
            assert part.content == (whole.rows.select(names), None), f"{table} {names}"


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("mysql-9.7-geometry-vector", "shapes97.vectors"),
        ("mysql-9.7-charsets", "charsets97.western"),
        ("mariadb-11.8-own-types", "owntypes118.shapes"),
    ],
)
def test_columns_that_are_not_read_may_stand_beside_one_that_is(
    name: str, table: str, engine: str
) -> None:
    path = sample_path(name)
    whole = read(path, table=table, engine=engine)
    assert whole.error is not None
    assert whole.error[0] is UnsupportedError
    selected = expected_tables(SAMPLES[name])[table]
    key = selected["columns"][0]["name"]
    part = read(path, table=table, engine=engine, schema=pa.schema([(key, pa.int32())]))
    assert part.error is None
    keys = {int(row[0]["text"]) for row in selected["rows"]}
    assert part.rows is not None
    assert keys <= set(part.rows.column(0).to_pylist())
