"""The lines of `transactions`: what Python's own formatting gives, for values of any size."""

import random
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from pyspark_adapter.cli.transaction_lines import as_bytes, describe_transactions, title_line
from pyspark_adapter.counting.counted_transactions import (
    TRANSACTIONS,
    CountedTransactions,
    RowChanges,
    RowTimes,
)
from pyspark_adapter.errors import printable
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.kernels.layout import NUM_TRANSACTION_FIELDS, GtidKind, Transaction
from pyspark_adapter.operations.transactions import count_transactions
from pyspark_adapter.options.binlog_options import BinlogOptions
from tests.inputs import sample_path
from tests.unit.operations.test_transactions_list import READABLE

COUNTS = ("num_inserts", "num_updates", "num_deletes")
WIDTHS = (("num_bytes", 12), ("num_rows", 10), ("duration", 7), ("thread_id", 8))
TIME = datetime(2026, 11, 20, 12, 34, 56, 7, UTC)


def transaction(**values: Any) -> dict[str, Any]:
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
    return {"table": table, **dict(zip(COUNTS, counts, strict=True)), "num_bytes": 10}


def expected(row: dict[str, Any]) -> str:
    """Return the line of a transaction."""
    cells = [
        f"{row['commit_timestamp']:%Y-%m-%d %H:%M:%S.%f}Z".rjust(27, "0"),
        f"{printable(row['log_file'])}:{row['start_pos']}".ljust(26),
        *("-".rjust(w) if row[name] is None else str(row[name]).rjust(w) for name, w in WIDTHS),
        (row["gtid"] or "-").ljust(40),
    ]
    tables = []
    for found in row["tables"]:
        signs = zip("+~-", COUNTS, strict=True)
        shown = [f"{sign}{found[name]}" for sign, name in signs if found[name]]
        tables.append(" ".join([printable(found["table"]), *shown]))
    return "  ".join([*cells, ", ".join(tables)]) + "\n"


def written(batch: pa.RecordBatch) -> str:
    """Return the lines of transactions as they are printed."""
    return as_bytes(describe_transactions(batch)).decode()


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
def test_lines_of_single_transactions(name: str) -> None:
    batch = pa.RecordBatch.from_pylist(CASES[name], TRANSACTIONS)
    assert written(batch) == "".join(map(expected, CASES[name]))


def test_control_characters_are_escaped() -> None:
    rows = [transaction(log_file="a\nb", tables=[changes("a.\x1b", 1, 0, 0)])]
    line = written(pa.RecordBatch.from_pylist(rows, TRANSACTIONS))
    assert line.index("\n") == len(line) - 1
    assert "\x1b" not in line


DAY = 86_400_000_000
MICROS = (0, 999_999, 1_000_000, -1, -719_162 * DAY, 2_932_897 * DAY - 1, 1_795_000_000_123_456)
TABLES = ["shop.orders", "a.b", "é.ü", "a.\x1b[2J", "w" * 300]
TAGS = ["486ea5f5-e636-11f1-9f74-02fc00000001:tag:1", "t" * 80]


def counted(rng: random.Random, count: int, log_name: str) -> CountedTransactions:
    """Return transactions with numbers of any size."""

    def numbers(bits: int, number: int = count) -> list[int]:
        return [rng.getrandbits(rng.randrange(bits + 1)) for _ in range(number)]

    fields = np.zeros((NUM_TRANSACTION_FIELDS, count), dtype=np.int64)
    fields[Transaction.START_POS] = numbers(63)
    fields[Transaction.COMMIT_MICROS] = [
        min(rng.choice(MICROS) + rng.choice((0, 0, 1, 999_999)), MICROS[-2]) for _ in range(count)
    ]
    fields[Transaction.GTID_KIND] = rng.choices(list(GtidKind), k=count)
    for field in (Transaction.GTID_A, Transaction.GTID_B):
        fields[field] = rng.choices([0, 7, 2**32 - 1], k=count)
    fields[Transaction.GTID_C] = numbers(63)
    is_tagged = fields[Transaction.GTID_KIND] == GtidKind.TAGGED
    fields[Transaction.GTID_A][is_tagged] = rng.choices(range(len(TAGS)), k=int(is_tagged.sum()))
    fields[Transaction.THREAD_ID] = [number - 1 for number in numbers(33)]
    fields[Transaction.NUM_BYTES] = [number - 1 for number in numbers(62)]
    owners = np.array(sorted(rng.choices(range(count), k=2 * count)), dtype=np.int64)
    tables = np.array(rng.choices(range(len(TABLES)), k=len(owners)), dtype=np.int64)
    order = np.lexsort((tables, owners))
    made = RowChanges(
        owners,
        tables[order],
        np.array(rng.choices(range(3), k=len(owners)), dtype=np.int64),
        np.array(numbers(48, len(owners)), dtype=np.int64),
        np.ones(len(owners), dtype=np.int64),
    )
    seconds = np.array(numbers(32, len(owners)), dtype=np.int64)
    end_pos = np.array([number - 1 for number in numbers(62)], dtype=np.int64)
    times = RowTimes(owners, seconds)
    return CountedTransactions(log_name, fields, TAGS, end_pos, TABLES, made, times)


def check_lines(found: CountedTransactions) -> None:
    """Check the lines of transactions against Python's formatting."""
    batch = found.batch()
    assert written(batch) == "".join(map(expected, batch.to_pylist()))


@pytest.mark.parametrize("log_name", ["binlog.000001", "é.1", "l" * 40, "é" * 25, "a\nb"])
def test_lines_of_numbers_of_any_size(log_name: str) -> None:
    rng = random.Random(log_name)  # noqa: S311
    for count in (0, 1, 500, 50):
        found = counted(rng, count, log_name)
        check_lines(found)
        check_lines(found.first(count // 2))
    check_lines(replace(found, table_names=TABLES[::-1]))


@pytest.mark.parametrize("days", [-719_163, 2_932_897])
def test_years_beyond_four_digits_have_a_line(days: int) -> None:
    found = counted(random.Random(1), 3, "binlog.000001")  # noqa: S311
    found.fields[Transaction.COMMIT_MICROS, 1] = days * DAY
    assert written(found.batch()).count("\n") == 3


@pytest.mark.parametrize("name", READABLE)
def test_lines_of_samples(name: str) -> None:
    for window_bytes in (1024, 4 << 20):
        options = BinlogOptions(window_bytes=window_bytes)
        for found in count_transactions(find_log_files(sample_path(name)), options):
            check_lines(found)


def test_titles_are_above_the_columns() -> None:
    line = expected(transaction(tables=[changes("a.b", 1, 0, 0)]))
    assert title_line().index("changes") == line.index("a.b")
