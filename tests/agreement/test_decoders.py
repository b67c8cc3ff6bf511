"""Kernels and plain Python give the same rows, the same errors, and the same rows before them."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from pyspark_adapter import TableName
from tests.inputs import SAMPLES, expected_tables, sample_path
from tests.support.outcome import ALL_METADATA, Outcome, read, table_names
from tests.support.sample_reads import typed_rows

ENGINES = ("kernels", "reference")
EMPTY: dict[str, list[dict[str, str]]] = {"columns": []}
CUTS: tuple[dict[str, Any], ...] = (
    {"batch_rows": 2},
    {"batch_rows": 3},
    {"batch_rows": 7},
    {"batch_bytes": "1k"},
    {"window_bytes": "1k"},
    {"batch_rows": 7, "batch_bytes": "1k", "window_bytes": "1k"},
)
LARGE = 50_000  # bytes of a sample of which not all cuts are tried
samples = pytest.mark.parametrize("name", SAMPLES)


def read_with_both(name: str, **arguments: Any) -> tuple[Outcome, Outcome]:
    """Return what the kernels and the reference give of a sample."""
    kernels, reference = (read(sample_path(name), engine=e, **arguments) for e in ENGINES)
    return kernels, reference


@samples
def test_tables_have_the_same_rows(name: str) -> None:
    for table in table_names(SAMPLES[name]):
        kernels, reference = (typed_rows(name, table, engine) for engine in ENGINES)
        assert kernels.content == reference.content, str(table)


@samples
def test_rows_as_json_are_the_same(name: str) -> None:
    kernels, reference = read_with_both(name, metadata_columns=ALL_METADATA)
    assert kernels.content == reference.content


@pytest.mark.parametrize("name", ["mysql-9.7-types", "mysql-9.7-partial-json"])
def test_documents_as_variants_are_the_same(name: str) -> None:
    tables = [table for table in table_names(SAMPLES[name]) if " json " in created(name, table)]
    assert tables
    for table in tables:
        kernels, reference = read_with_both(name, table=table, json="variant")
        assert kernels.content == reference.content, str(table)


def created(name: str, table: TableName) -> str:
    """Return the CREATE TABLE of a table of a sample; "" if it is gone at the end."""
    tables = SAMPLES[name]["tables"]
    return str(tables.get(f"{table.database_name}.{table.table_name}", {}).get("create", ""))


@samples
def test_metadata_alone_is_the_same(name: str) -> None:
    schema = pa.schema([("_row_number", pa.int64()), ("_start_pos", pa.int64())])
    kernels, reference = read_with_both(name, schema=schema)
    assert kernels.content == reference.content


def tables_with_dates(name: str) -> list[TableName]:
    """Return the tables of a sample that have dates among their columns."""
    described = expected_tables(SAMPLES[name])
    return [
        table
        for table in table_names(SAMPLES[name])
        if any(
            column["type"].startswith(("date", "timestamp"))
            for column in described.get(f"{table.database_name}.{table.table_name}", EMPTY)[
                "columns"
            ]
        )
    ]


@samples
def test_rounded_dates_are_the_same(name: str) -> None:
    for table in tables_with_dates(name):
        kernels, reference = read_with_both(
            name, table=table, metadata_columns=[], zero_date_time_behavior="ROUND"
        )
        assert kernels.content == reference.content, str(table)


@samples
def test_zero_dates_are_errors_at_the_same_place(name: str) -> None:
    for table in tables_with_dates(name):
        kernels, reference = read_with_both(
            name, table=table, metadata_columns=[], zero_date_time_behavior="EXCEPTION"
        )
        assert kernels.rows == reference.rows
        assert (kernels.error is None) == (reference.error is None)
        if kernels.error is not None and reference.error is not None:
            assert kernels.error[0] is reference.error[0]
            # Only the reference has the date at hand; file, event, table and column come before.
            assert column_in(kernels.error[1]) == column_in(reference.error[1])


def column_in(text: str) -> str:
    """Return an error's text up to the column that it is about."""
    return text.partition("): ")[0]


def test_zero_dates_are_errors_of_both_under_exception() -> None:
    for outcome in read_with_both(
        "mysql-9.7-types",
        table="types97.zero_dates",
        zero_date_time_behavior="EXCEPTION",
    ):
        assert outcome.error is not None


@samples
def test_cuts_into_batches_and_windows_leave_the_rows_of_kernels_alone(name: str) -> None:
    path = sample_path(name)
    whole = read(path, engine="kernels", metadata_columns=ALL_METADATA)
    for cut in CUTS if SAMPLES[name]["size"] < LARGE else CUTS[-2:]:
        parts = read(path, engine="kernels", metadata_columns=ALL_METADATA, **cut)
        assert parts.content == whole.content, str(cut)
        assert max(parts.num_rows, default=0) <= cut.get("batch_rows", 8192)


@samples
def test_cuts_into_batches_and_windows_leave_the_rows_of_the_reference_alone(name: str) -> None:
    path = sample_path(name)
    whole = read(path, engine="kernels", metadata_columns=ALL_METADATA)
    parts = read(path, engine="reference", metadata_columns=ALL_METADATA, **CUTS[-1])
    assert parts.content == whole.content
    assert max(parts.num_rows, default=0) <= CUTS[-1]["batch_rows"]


@pytest.mark.parametrize(("name", "step"), [("mysql-9.7-shop", 1), ("mysql-5.6-types-v2", 4)])
def test_cuts_leave_typed_rows_alone(name: str, step: int) -> None:
    """Of some tables; the test of rows as JSON has them all."""
    path = sample_path(name)
    for table in table_names(SAMPLES[name])[::step]:
        whole = typed_rows(name, table, "kernels")
        assert whole.error is None
        for cut in (CUTS[1], CUTS[-1]):
            parts = read(path, table=table, engine="kernels", metadata_columns=ALL_METADATA, **cut)
            assert parts.content == whole.content, f"{table} {cut}"


def test_small_batches_are_many() -> None:
    for outcome in read_with_both("mysql-9.7-shop", batch_rows=7):
        assert len(outcome.num_rows) >= sum(outcome.num_rows) / 7
        assert sum(outcome.num_rows) == 124 + 2 * 86 + 11
