"""Reads, statistics and lists with an index: the answers are those without."""

import shutil
import sys
from collections.abc import Callable, Iterator
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import read_batches
from pyspark_adapter import rows_at as table_rows_at
from pyspark_adapter.errors import OptionError
from pyspark_adapter.events.windows import WindowReader
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.index_store.index_folder import IndexFolder
from pyspark_adapter.operations.indexed_answers import add_logs, largest_transactions
from pyspark_adapter.operations.row_history import row_history
from pyspark_adapter.operations.statistics import Statistics
from pyspark_adapter.operations.transactions import count_transactions, list_transactions
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName, folder_name
from pyspark_adapter.reader import list_tables
from pyspark_adapter.sources.locations import StoredFile
from pyspark_adapter.sources.log_file import LogFile
from tests.inputs import ROOT, SAMPLES, UNREADABLE, sample_path
from tests.support.indexes import make_index, rows_at
from tests.support.programs import captured

NAMES = sorted(set(SAMPLES) - UNREADABLE)
STEP = 600
MOST_BYTES = 60_000
THOROUGH = ("mysql-9.7-shop", "mariadb-11.8-transactions", "mysql-9.7-tagged-gtids")
COUNTS = [(column, count) for column in ("num_bytes", "duration") for count in (0, 1, 3, 10)]


@pytest.fixture(scope="module")
def indexes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with the indexes of the samples, in small blocks."""
    return make_index(tmp_path_factory.mktemp("indexes"), *map(sample_path, NAMES), step=STEP)


def filters_of(name: str) -> Iterator[dict[str, Any]]:
    """Yield filters that choose a part of a sample, by its tables, times, GTIDs and positions.

    Samples of all types have few: their rows take long to decode, and all blocks are alike.
    """
    path = sample_path(name)
    is_small = path.stat().st_size < MOST_BYTES
    tables = [str(found.table) for found in list_tables(path)[: 2 if is_small else 1]]
    if is_small:
        yield from ({"tables": table} for table in ["no.such", *tables])
    for table in tables:
        yield {"tables": table, "change_types": "delete", "schema_changes": True}
    checked = BinlogOptions()
    rows = [
        row
        for batch in list_transactions(find_log_files(path, checked), checked)
        for row in batch.to_pylist()
    ]
    if not rows:
        return
    is_thorough = name in THOROUGH
    for row in (rows[len(rows) // 3], rows[-1])[: 1 + is_thorough]:
        position = f"{row['log_file']}:{row['start_pos']}"
        yield {"starting_position": position}
        if not is_small:
            return
        yield {"ending_position": position}
        yield {"starting_timestamp": row["commit_timestamp"]}
        yield {"ending_timestamp": row["commit_timestamp"]}
        if row["gtid"] is not None:
            yield {"include_gtids": row["gtid"]}
            yield {"exclude_gtids": row["gtid"]}
    if is_thorough:
        yield {"server_ids": "1"}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_rows_and_sums_are_those_without_an_index(name: str, indexes: Path) -> None:
    path = sample_path(name)
    logs = find_log_files(path, BinlogOptions())
    for filters in filters_of(name):
        assert rows_at(path, index=indexes, **filters) == rows_at(path, **filters), filters
        expected = {unit: Statistics(unit) for unit in (None, "minute")}
        for window in count_transactions(logs, BinlogOptions.from_python(filters)):
            for statistics in expected.values():
                statistics.add([window])
        options = BinlogOptions.from_python({**filters, "index": indexes})
        for unit, statistics in expected.items():
            found = Statistics(unit)
            add_logs(found, logs, options)
            assert sums_of(found) == sums_of(statistics), (unit, filters)


@pytest.mark.parametrize("options", [{}, {"tables": "shop.orders", "change_types": "insert"}])
def test_statistics_without_an_index_count_all_logs(options: dict[str, Any]) -> None:
    checked = BinlogOptions.from_python(options)
    logs = find_log_files(sample_path("mysql-9.7-shop"), checked)
    found, expected = Statistics(), Statistics()
    add_logs(found, logs, checked)
    expected.add(count_transactions(logs, checked))
    assert sums_of(found) == sums_of(expected)
    assert found.num_transactions


def sums_of(statistics: Statistics) -> Any:
    counted = statistics.num_transactions, statistics.num_bytes
    return statistics.by_table().to_pylist(), counted


@pytest.fixture(scope="module")
def listed() -> tuple[list[LogFile], list[dict[str, Any]]]:
    """Give the logs of some samples and their transactions, as lists without an index have them."""
    paths = [
        sample_path(name) for name in NAMES if name.endswith(("shop", "transactions", "gtids"))
    ]
    logs = find_log_files(paths, BinlogOptions())
    rows = [row for batch in list_transactions(logs, BinlogOptions()) for row in batch.to_pylist()]
    return logs, rows


@pytest.mark.parametrize(("column", "count"), [*COUNTS, ("num_rows", 2), ("num_rows", 1000)])
def test_largest_transactions_are_those_of_the_list(
    column: str, count: int, indexes: Path, listed: tuple[list[LogFile], list[dict[str, Any]]]
) -> None:
    logs, rows = listed
    found, error = largest_transactions(logs, BinlogOptions(index=str(indexes)), count, column)
    assert error is None
    expected = sorted(rows, key=lambda row: -(-1 if row[column] is None else row[column]))
    assert sorted_tables(found.to_pylist()) == sorted_tables(expected[:count])


def sorted_tables(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return transactions with their tables by name; they are in the order of their first rows."""
    by_name = itemgetter("table")
    return [row | {"tables": sorted(row["tables"], key=by_name)} for row in rows]


def test_only_blocks_of_the_table_are_read(indexes: Path, num_read: list[int]) -> None:
    path = sample_path("mysql-9.7-shop")
    expected = rows_at(path, tables="shop.price_history")
    whole = sum(num_read)
    num_read.clear()
    assert rows_at(path, tables="shop.price_history", index=indexes) == expected
    assert expected
    assert 0 < sum(num_read) < whole / 2
    num_read.clear()
    assert rows_at(path, tables="shop.nothing", index=indexes) == []
    assert sum(num_read) < whole / 2  # blocks with statements


ORDERS = TableName("shop", "orders")
ANSWERS: dict[str, Callable[[Path, str], Any]] = {
    "rows": lambda path, index: rows_at(path, index=index),
    "typed rows": lambda path, index: rows_at(path, index=index, table="shop.orders"),
    "tables": lambda path, index: list_tables(path, index=index),
    "a row": lambda path, index: table_rows_at(path, index=index, table="shop.orders", keys=[1]),
    "its changes": lambda path, index: list(
        row_history(*logs_and_options(path, index), ORDERS, [(("order_id", "1"),)])
    ),
    "statistics": lambda path, index: add_logs(Statistics(), *logs_and_options(path, index)),
    "transactions": lambda path, index: list(list_transactions(*logs_and_options(path, index))),
    "the largest": lambda path, index: largest_transactions(
        *logs_and_options(path, index), 3, "num_bytes"
    ),
}


def logs_and_options(path: Path, index: str) -> tuple[list[LogFile], BinlogOptions]:
    options = BinlogOptions(index=index)
    return find_log_files(path, options), options


@pytest.mark.parametrize("answer", ANSWERS)
def test_the_indexes_of_other_logs_are_not_opened(
    answer: str, indexes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An archive has thousands, and each takes milliseconds."""
    opened: list[str] = []
    load = IndexFolder._load

    def noted(folder: IndexFolder, file: StoredFile) -> None:
        opened.append(file.name)
        load(folder, file)

    monkeypatch.setattr(IndexFolder, "_load", noted)
    path = sample_path("mysql-9.7-shop")
    ANSWERS[answer](path, str(indexes))
    assert opened
    assert {name.rsplit("-", 2)[0] for name in opened} == {folder_name(path.name)}


def test_statistics_of_indexed_logs_open_no_window(
    indexes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("a log is read")

    monkeypatch.setattr(WindowReader, "__init__", refuse)
    statistics = Statistics()
    options = BinlogOptions(index=str(indexes))
    add_logs(statistics, find_log_files(sample_path("mysql-9.7-shop"), options), options)
    counts = {row["table"]: row["num_inserts"] for row in statistics.by_table().to_pylist()}
    changes = SAMPLES["mysql-9.7-shop"]["row_changes"]
    assert counts == {table: count["insert"] for table, count in changes.items()}


COUNT_THREADS = """
import os, sys, numpy, pyarrow, pyarrow.compute
from pyspark_adapter.cli.main import main
before = len(os.listdir("/proc/self/task"))
assert main(["stats", *sys.argv[1:]]) == 0
print("threads:", len(os.listdir("/proc/self/task")) - before)
"""


@pytest.mark.slow
def test_statistics_start_no_threads(indexes: Path) -> None:
    """Threads of Arrow that have just begun abort a process that ends: one of thirty did."""
    arguments = [str(sample_path("mysql-9.7-shop")), "--index", str(indexes), "--by", "hour"]
    done = captured([sys.executable, "-c", COUNT_THREADS, *arguments], cwd=ROOT, check=True)
    assert done.stdout.endswith("threads: 0\n")


def test_logs_without_an_index_are_read(tmp_path: Path) -> None:
    """A log next to an indexed one, and one that has grown since."""
    source = sample_path("mysql-9.7-shop")
    log = source.read_bytes()
    grown = tmp_path / source.name
    other = tmp_path / "other.000002"
    shutil.copy(sample_path("mysql-9.7-alter"), other)
    grown.write_bytes(log[: len(log) // 2])
    folder = make_index(tmp_path / "index", grown, step=STEP)
    grown.write_bytes(log)
    for options in ({}, {"tables": "shop.orders"}, {"change_types": "delete"}):
        assert rows_at(grown, other, index=folder, **options) == rows_at(grown, other, **options)


def test_index_needs_files_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="there is no such folder"):
        read_batches(sample_path("mysql-9.7-shop"), index=tmp_path / "none").to_table()
    with pytest.raises(OptionError, match="index"):
        BinlogOptions.from_python({"host": "db1", "user": "u", "index": str(tmp_path)})
