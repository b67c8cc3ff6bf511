"""Pushed filters never lose a row that the query selects."""

from dataclasses import replace
from datetime import UTC, timedelta
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyspark_adapter import BinlogOptions
from pyspark_adapter.events.row_filter import logs_to_read
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.spark.pushed_filters import Comparison, push_filters
from pyspark_adapter.splits.log_splits import plan_splits
from pyspark_adapter.splits.read_split import plan_read, read_split
from tests.inputs import sample_path
from tests.support.reading import PROFILE

LOGS = (
    "mysql-9.7-shop",
    "mysql-9.7-transactions",
    "mysql-9.7-anonymous",  # without GTIDs
    "mariadb-11.8-transactions",
)
TEXTS = ("_change_type", "_gtid", "_log_file", "_database_name", "_table_name")
NUMBERS = ("_commit_version", "_server_id")
COLUMNS = (*TEXTS, *NUMBERS, "_commit_timestamp", "_row_number", "_start_pos")

Row = dict[str, Any]


def read(options: BinlogOptions, comparisons: list[Comparison]) -> list[Row]:
    """Return the rows of all logs, as the data source reads them."""
    log_files = find_log_files([sample_path(name) for name in LOGS], options)
    request = plan_read(log_files, options)
    pushed = push_filters(options, request.metadata, comparisons)
    return [
        row
        for log_file in logs_to_read(log_files, options)
        if pushed.keeps_log(log_file)
        for split in plan_splits([(log_file, None)], request)
        if pushed.keeps_split(split)
        for batch in read_split(split, request.narrowed(pushed.options_of(log_file)))
        for row in batch.to_pylist()
    ]


def plain(**options: Any) -> BinlogOptions:
    return BinlogOptions(metadata_columns=COLUMNS, on_statement_events="ignore", **options)


def is_true(comparison: Comparison, row: Row) -> bool:
    """Evaluate a comparison as SQL does: null where the column is null, and so not true."""
    value, other = row[comparison.column], comparison.value
    if value is None:
        return False
    match comparison.operator:
        case "=":
            found = value == other
        case "<":
            found = value < other
        case "<=":
            found = value <= other
        case ">":
            found = value > other
        case ">=":
            found = value >= other
        case "in":
            found = any(value == one for one in other)
        case "starts with":
            found = value[: len(other)] == other
        case "ends with":
            found = value[len(value) - len(other) :] == other and len(other) <= len(value)
        case _:
            found = value.find(other) >= 0
    return bool(found) is not comparison.is_negated


def values_of(column: str) -> st.SearchStrategy[Any]:
    """Return values to compare a column with: values of rows, their neighbours, and others."""
    seen = sorted({row[column] for row in rows_of(0)} - {None})
    some = st.sampled_from(seen)
    if column in TEXTS:
        odd = st.sampled_from(["", "*", "`", "Delete", "uuid:1-5", "0-1-1-9", "shop,d", "_", "é\0"])
        parts = st.tuples(some, st.integers(0, 9), st.integers(1, 99))
        return st.one_of(
            some, odd, some.map(str.upper), parts.map(lambda cut: cut[0][cut[1] : cut[2]])
        )
    if column == "_commit_timestamp":
        micro = timedelta(microseconds=1)
        far = st.datetimes(timezones=st.just(UTC))
        near = st.tuples(some, st.integers(-1, 1)).map(lambda at: at[0] + at[1] * micro)
        return st.one_of(near, far)
    near = st.tuples(some, st.integers(-1, 1)).map(sum)
    return st.one_of(near, st.integers(-(1 << 63), (1 << 63) - 1))


@st.composite
def comparisons(draw: st.DrawFn) -> Comparison:
    column = draw(st.sampled_from(COLUMNS))
    values = values_of(column)
    operators = ["=", "<", "<=", ">", ">=", "in"]
    operators += ["starts with", "ends with", "contains"] if column in TEXTS else []
    operator = draw(st.sampled_from(operators))
    value = tuple(draw(st.lists(values, max_size=4))) if operator == "in" else draw(values)
    return Comparison(column, operator, value, draw(st.booleans()))


def leaves_no_other(comparison: Comparison) -> bool:
    """Return whether the read applies the comparison exactly."""
    if comparison.column == "_commit_version":  # of which it keeps first and last
        return comparison.operator != "in" and not comparison.is_negated
    return comparison.column in ("_change_type", "_log_file", "_server_id")


OPTIONS = [
    {},
    {"databases": "shop,t*", "server_ids": "1-3", "change_types": "insert,update_preimage"},
    {"tables": "*.[c-o]*,`shop`.products", "starting_timestamp": "2026-01-01"},
]


@cache
def rows_of(case: int) -> list[Row]:
    return read(plain(**OPTIONS[case]), [])


@pytest.mark.parametrize("case", range(len(OPTIONS)))
@settings(PROFILE, max_examples=40)
@given(asked=st.lists(comparisons(), min_size=1, max_size=3))
def test_rows_that_pass_are_all_there_in_order(case: int, asked: list[Comparison]) -> None:
    found = read(plain(**OPTIONS[case]), asked)
    expected = [row for row in rows_of(case) if all(is_true(one, row) for one in asked)]
    assert [row for row in found if all(is_true(one, row) for one in asked)] == expected
    if all(leaves_no_other(one) for one in asked):
        assert found == expected


def test_a_column_of_a_table_is_not_metadata_of_the_same_name() -> None:
    comparison = Comparison("_change_type", "=", "delete")
    assert push_filters(plain(), ["_gtid"], [comparison]).options == plain()
    assert push_filters(plain(), ["_change_type"], [comparison]).options == replace(
        plain(), change_types=("delete",)
    )
