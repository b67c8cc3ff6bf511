"""The list of transactions: counts of the manifest, lengths of the servers, any window."""

from collections import Counter
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from pyspark_adapter.counting.counted_transactions import (
    TRANSACTIONS,
    CountedTransactions,
    RowChanges,
    RowTimes,
)
from pyspark_adapter.errors import BinlogError
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.kernels.layout import NUM_TRANSACTION_FIELDS, Transaction
from pyspark_adapter.operations.statistics import Statistics
from pyspark_adapter.operations.transactions import (
    count_transactions,
    keep_largest,
    list_transactions,
)
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.reader import list_tables, read_batches
from tests.inputs import SAMPLES, UNREADABLE, sample_path
from tests.unit.events.test_damaged_logs import DAMAGES
from tests.unit.growth import growth

OLD_TEMPORALS = {"mariadb-10.11-old-temporals", "mariadb-10.11-old-fractions"}
READABLE = sorted(set(SAMPLES) - UNREADABLE - OLD_TEMPORALS)
KINDS = {"num_inserts": "insert", "num_updates": "update", "num_deletes": "delete"}


def listed(path: Path, **options: Any) -> list[dict[str, Any]]:
    checked = BinlogOptions.from_python(options)
    batches = list_transactions(find_log_files(path, checked), checked)
    rows: list[dict[str, Any]] = pa.Table.from_batches(batches, TRANSACTIONS).to_pylist()
    return rows


@pytest.mark.parametrize("name", READABLE)
def test_rows_are_those_of_the_manifest_in_any_window(name: str) -> None:
    rows = listed(sample_path(name))
    assert rows == listed(sample_path(name), window_bytes=1024)
    counts: dict[str, Counter[str]] = {}
    for row in rows:
        assert row["num_rows"] == sum(table[kind] for table in row["tables"] for kind in KINDS)
        for table in row["tables"]:
            counts.setdefault(table["table"].replace("`", ""), Counter()).update(
                {kind: table[column] for column, kind in KINDS.items()}
            )
    expected = {t.replace("`", ""): c for t, c in SAMPLES[name]["row_changes"].items()}
    assert {table: dict(count) for table, count in counts.items()} == expected


@pytest.mark.parametrize("name", READABLE)
def test_lengths_lead_from_one_transaction_to_the_next(name: str) -> None:
    """MySQL logs the length; elsewhere it is the distance, which the read verifies at the end."""
    rows = listed(sample_path(name))
    for row, following in pairwise(rows):
        if row["num_bytes"] is not None:
            assert row["start_pos"] + row["num_bytes"] <= following["start_pos"]
    assert [row["start_pos"] for row in rows] == sorted(row["start_pos"] for row in rows)
    if rows and rows[-1]["num_bytes"] is not None:
        assert rows[-1]["start_pos"] + rows[-1]["num_bytes"] <= sample_path(name).stat().st_size
    assert all(row["num_bytes"] is not None for row in rows[:-1])


def test_metadata_is_that_of_the_rows() -> None:
    path = sample_path("mysql-9.7-transactions")
    names = ("_commit_timestamp", "_gtid", "_thread_id", "_transaction_bytes", "_commit_version")
    read = read_batches(path, metadata_columns=",".join(names)).to_table().to_pylist()
    of_rows = {row["_commit_version"] % 2**40: row for row in read}
    for row in listed(path):
        if row["num_rows"]:
            logged = of_rows[row["start_pos"]]
            assert row["commit_timestamp"] == logged["_commit_timestamp"]
            assert row["gtid"] == logged["_gtid"]
            assert row["thread_id"] == logged["_thread_id"]
            assert row["num_bytes"] == logged["_transaction_bytes"]


def test_filters_are_those_of_the_reader() -> None:
    path = sample_path("mysql-9.7-shop")
    flags: dict[str, Any] = {"tables": "shop.order*", "change_types": "delete"}
    rows = listed(path, **flags)
    assert rows
    assert all(row["num_rows"] for row in rows)
    counted = sum(found.num_deletes for found in list_tables(path, **flags))
    assert sum(row["num_rows"] for row in rows) == counted
    everything = listed(path)
    start = everything[9]
    position = f"{start['log_file']}:{start['start_pos']}"
    assert listed(path, starting_position=position) == everything[9:]
    assert listed(path, include_gtids=start["gtid"]) == [start]


def test_the_largest_come_first() -> None:
    path = sample_path("mysql-9.7-shop")
    rows = listed(path)
    for column, window_bytes in product(("num_rows", "num_bytes", "duration"), (1024, 4 << 20)):
        options = BinlogOptions(window_bytes=window_bytes)
        best = pa.RecordBatch.from_pylist([], TRANSACTIONS)
        for found in count_transactions(find_log_files(path), options):
            best = keep_largest(best, found, 3, column)
        expected = sorted(rows, key=lambda row: row[column] or -1, reverse=True)[:3]
        assert best.to_pylist() == expected


@pytest.mark.parametrize("name", ["cut-in-body", "flipped-byte"])
def test_transactions_before_a_damage_are_given(name: str, tmp_path: Path) -> None:
    path = tmp_path / "binlog.000007"
    path.write_bytes(DAMAGES[name].log)
    given: list[pa.RecordBatch] = []
    options = BinlogOptions()
    with pytest.raises(BinlogError):
        given.extend(list_transactions(find_log_files(path), options))
    assert given == [] or given[0].num_rows


@pytest.mark.parametrize("unit", [None, "minute", "hour", "day"])
def test_statistics_add_up(unit: str | None) -> None:
    path = sample_path("mysql-9.7-shop")
    statistics = Statistics(unit)
    statistics.add(count_transactions(find_log_files(path), BinlogOptions()))
    found: dict[str, Counter[str]] = {}
    for row in statistics.by_table().to_pylist():
        assert (row.pop("time", None) is None) == (unit is None)
        found.setdefault(row.pop("table"), Counter()).update(row)
    for summary in list_tables(path):
        counts = found[str(summary.table)]
        assert counts["num_inserts"] == summary.num_inserts
        assert counts["num_updates"] == summary.num_updates
        assert counts["num_deletes"] == summary.num_deletes
    assert statistics.num_transactions == len(listed(path))
    assert statistics.num_bytes == sum(row["num_bytes"] for row in listed(path))


def one_each_minute(number: int) -> CountedTransactions:
    """Return the window of this number, of a thousand minutes each."""
    count = 1000
    fields = np.zeros((NUM_TRANSACTION_FIELDS, count), dtype=np.int64)
    fields[Transaction.COMMIT_MICROS] = (number * count + np.arange(count)) * 60_000_000
    zeros, ones = np.zeros(count, dtype=np.int64), np.ones(count, dtype=np.int64)
    changes = RowChanges(np.arange(count), zeros, zeros, ones, ones)
    return CountedTransactions("log", fields, [], zeros, ["d.t"], changes, RowTimes.none())


def test_statistics_of_many_times_take_time_in_proportion() -> None:
    def add(num_windows: int) -> None:
        statistics = Statistics("minute")
        statistics.add(map(one_each_minute, range(num_windows)))
        sums = statistics.by_table()
        assert sums.num_rows == 1000 * num_windows == sum(sums["num_inserts"].to_pylist())

    assert growth(add, 80) < 8
