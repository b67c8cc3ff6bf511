"""The lines of `transactions`: what Python's own formatting gives, for values of any size."""

from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pytest

from pyspark_adapter.cli.transaction_lines import title_line, transaction_lines
from pyspark_adapter.operations.counted_transactions import TRANSACTIONS

COUNTS = ("num_inserts", "num_updates", "num_deletes")
WIDTHS = (("num_bytes", 12), ("num_rows", 10), ("duration", 7), ("thread_id", 8))
TIME = datetime(2026, 11, 20, 12, 34, 56, 7, UTC)


def transaction(**values: Any) -> dict[str, Any]:
    """Return a transaction with some values."""
    return {
        "log_file": "binlog.000001",
        "start_pos": 4,
        "end_pos": 300,
        "commit_timestamp": TIME,
        "gtid": None,
        "thread_id": None,
        "num_bytes": 296,
        "num_rows": 0,
        "duration": None,
        "tables": [],
        **values,
    }


def changes(table: str, *counts: int) -> dict[str, Any]:
    """Return the changes of a table."""
    return {"table": table, **dict(zip(COUNTS, counts, strict=True)), "num_bytes": 10}


def expected(row: dict[str, Any]) -> str:
    """Return the line of a transaction."""
    cells = [
        f"{row['commit_timestamp']:%Y-%m-%d %H:%M:%S.%f}Z",
        f"{row['log_file']}:{row['start_pos']}".ljust(26),
        *("-".rjust(w) if row[name] is None else str(row[name]).rjust(w) for name, w in WIDTHS),
        (row["gtid"] or "-").ljust(40),
    ]
    tables = []
    for found in row["tables"]:
        signs = zip("+~-", COUNTS, strict=True)
        shown = [f"{sign}{found[name]}" for sign, name in signs if found[name]]
        tables.append(" ".join([found["table"], *shown]))
    return "  ".join([*cells, ", ".join(tables)]) + "\n"


CASES = {
    "one-table": [
        transaction(gtid="a-1", tables=[changes("a.b", 1, 0, 2)], num_rows=3, duration=1),
        transaction(start_pos=10, tables=[changes("a.b", 1, 0, 2)], thread_id=9),
        transaction(start_pos=10_000_000_000, tables=[changes("a.c", 0, 77, 0)]),
    ],
    "several-tables": [
        transaction(tables=[changes("a.b", 1, 0, 0), changes("a.c", 0, 1, 0)]),
        transaction(),
        transaction(tables=[changes("a.b", 0, 0, 0)]),
    ],
    "no-tables": [transaction(), transaction(num_bytes=None)],
    "large-numbers": [
        transaction(num_bytes=2**62, num_rows=2**62, thread_id=2**32, duration=70_000),
        transaction(tables=[changes("a.b", 2**40, 2**41, 2**42)], num_bytes=None),
    ],
    "wide": [transaction(log_file="l" * 40, gtid="g" * 60), transaction(log_file="é.1")],
}


@pytest.mark.parametrize("name", CASES)
def test_lines_are_those_of_python(name: str) -> None:
    batch = pa.RecordBatch.from_pylist(CASES[name], TRANSACTIONS)
    lines = [expected(row) for row in CASES[name]]
    assert bytes(transaction_lines(batch)).decode() == "".join(lines)
    part = batch.slice(1)
    assert bytes(transaction_lines(part)).decode() == "".join(lines[1:])


def test_control_characters_are_escaped() -> None:
    rows = [transaction(log_file="a\nb", tables=[changes("a.\x1b", 1, 0, 0)])]
    text = bytes(transaction_lines(pa.RecordBatch.from_pylist(rows, TRANSACTIONS))).decode()
    assert text.count("\n") == 1
    assert "\x1b" not in text


def test_nothing_has_no_lines() -> None:
    assert bytes(transaction_lines(pa.RecordBatch.from_pylist([], TRANSACTIONS))) == b""


def test_titles_are_above_the_columns() -> None:
    line = expected(transaction(tables=[changes("a.b", 1, 0, 0)]))
    assert title_line().index("changes") == line.index("a.b")
