"""Cuts into batches and windows, and dates that no calendar has."""

from __future__ import annotations

from calendar import monthrange
from typing import Any

import pyarrow as pa
import pytest

from pyspark_adapter import CorruptEventError
from tests.agreement.test_schema_rows import AMBIGUOUS
from tests.inputs import SAMPLES, UNREADABLE, sample_path
from tests.oracle.comparison import by_table
from tests.support.outcome import ALL_METADATA, read, table_names, typed_rows

CUTS: tuple[dict[str, Any], ...] = (
    {"batch_rows": 2},
    {"batch_rows": 3},
    {"batch_rows": 7},
    {"batch_bytes": "1k"},
    {"window_bytes": "1k"},
    {"batch_rows": 7, "batch_bytes": "1k", "window_bytes": "1k"},
)
LARGE = 50_000  # bytes; larger samples are read with the last two cuts only
samples = pytest.mark.parametrize("name", SAMPLES)


def test_zero_dates_are_errors_under_exception() -> None:
    table, option = "types97.zero_dates", "EXCEPTION"
    path = sample_path("mysql-9.7-types")
    found = read(path, table=table, metadata_columns=[], zero_date_time_behavior=option)
    assert found.error is not None
    assert found.error[0] is CorruptEventError
    assert "column 2 d (DATE): " in found.error[1]


@samples
def test_dates_that_no_calendar_has_are_rounded(name: str) -> None:
    if name in UNREADABLE | AMBIGUOUS:
        return
    options: dict[str, Any] = {"metadata_columns": [], "zero_date_time_behavior": "ROUND"}
    of_tables = by_table(sample_path(name))
    for table in table_names(SAMPLES[name]):
        rows = read(sample_path(name), table=table, **options).rows
        if rows is None:
            continue
        for c, field in enumerate(rows.schema):
            if pa.types.is_date(field.type) or pa.types.is_timestamp(field.type):
                wanted = [rounded(image.values[c]) for image in of_tables[table]]
                found = [value and str(value)[:19] for value in rows.column(c).to_pylist()]
                assert found == wanted, (table, field.name)


def rounded(text: Any) -> str | None:
    """Return a date, or a time to the second, at the nearest date that a calendar has."""
    if not isinstance(text, str):
        return None
    year, month, day = (max(int(part), 1) for part in text[:10].split("-"))
    day = min(day, monthrange(year, month)[1])
    return f"{year:04}-{month:02}-{day:02}{text[10:19]}"


@samples
def test_cuts_into_batches_and_windows_leave_the_rows_alone(name: str) -> None:
    path = sample_path(name)
    whole = read(path, metadata_columns=ALL_METADATA)
    for cut in CUTS if SAMPLES[name]["size"] < LARGE else CUTS[-2:]:
        parts = read(path, metadata_columns=ALL_METADATA, **cut)
        assert parts.content == whole.content, str(cut)
        assert max(parts.num_rows, default=0) <= cut.get("batch_rows", 8192)


@pytest.mark.parametrize(("name", "step"), [("mysql-9.7-shop", 1), ("mysql-5.6-types-v2", 4)])
def test_cuts_leave_typed_rows_alone(name: str, step: int) -> None:
    """Of some tables; the test of rows as JSON has them all."""
    path = sample_path(name)
    for table in table_names(SAMPLES[name])[::step]:
        whole = typed_rows(name, table)
        assert whole.error is None
        for cut in (CUTS[1], CUTS[-1]):
            parts = read(path, table=table, metadata_columns=ALL_METADATA, **cut)
            assert parts.content == whole.content, f"{table} {cut}"


def test_small_batches_are_many() -> None:
    outcome = read(sample_path("mysql-9.7-shop"), batch_rows=7)
    assert len(outcome.num_rows) >= sum(outcome.num_rows) / 7
    assert sum(outcome.num_rows) == 124 + 2 * 86 + 11
