"""Rows as VARIANT hold what typed reads of each table hold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from decimal import localcontext
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql.variant_utils import VariantUtils

from pyspark_adapter import TableName, read_batches
from pyspark_adapter.values.column_types import VARIANT
from tests.inputs import SAMPLES, sample_path
from tests.support.outcome import table_names

METADATA = ["_database_name", "_table_name", "_absent_columns", "_start_pos"]
ALL_TYPES = (
    "mysql-9.7-types",
    "mysql-9.7-geometry-vector",
    "mysql-9.7-minimal-image",
    "mysql-9.7-partial-json",
    "mariadb-11.8-types-full",
    "mariadb-11.8-own-types",
    "mariadb-11.8-compressed",
)
Row = tuple[Any, ...]


@pytest.fixture(autouse=True)
def _exact_decimals() -> Iterator[None]:
    """Let PySpark multiply decimals of 38 digits without rounding them."""
    with localcontext(prec=80):
        yield


def typed_rows(name: str, table: TableName) -> list[Row]:
    """Return (start position, absent columns, values by name) of each row, as VARIANT has them."""
    found: list[Row] = []
    options: dict[str, Any] = {"json": "variant", "time": "string"}
    columns = ["_start_pos", "_absent_columns"]
    batches = read_batches(sample_path(name), table=table, metadata_columns=columns, **options)
    kinds = dict(zip(batches.schema.names, batches.schema.types, strict=True))
    for row in batches.to_table().to_pylist():
        values = {column: in_python(row[column], kinds[column]) for column in list(kinds)[2:]}
        found.append((row["_start_pos"], row["_absent_columns"], values))
    return found


def in_python(value: Any, kind: pa.DataType) -> Any:
    """Return a typed value as PySpark returns that of a VARIANT."""
    if value is not None and kind == VARIANT:
        return VariantUtils.to_python(value["value"], value["metadata"])
    return value


def variant_rows(name: str) -> dict[TableName, list[Row]]:
    """Return the same of all tables, from rows as VARIANT."""
    found: dict[TableName, list[Row]] = defaultdict(list)
    for batch in read_batches(sample_path(name), row="variant", metadata_columns=METADATA):
        batch.validate(full=True)
        for row in batch.to_pylist():
            values = VariantUtils.to_python(**row["row"])
            table = TableName(row["_database_name"], row["_table_name"])
            found[table].append((row["_start_pos"], row["_absent_columns"], values))
    return found


@pytest.mark.parametrize("name", ALL_TYPES)
def test_rows_hold_the_values_of_typed_reads(name: str) -> None:
    of_table = variant_rows(name)
    assert {*table_names(SAMPLES[name])} <= {*of_table}
    for table, found in of_table.items():
        for ours, typed in zip(found, typed_rows(name, table), strict=True):
            assert ours[:2] == typed[:2]
            # What the row image, or the table at that place, does not have is not in the object.
            assert set(ours[2]).isdisjoint(ours[1])
            assert {v for k, v in typed[2].items() if k not in ours[2]} <= {None}
            values = {key: typed[2][key] for key in ours[2]}
            assert ours[2] == values, str(table)
            assert list(map(type, ours[2].values())) == list(map(type, values.values()))
