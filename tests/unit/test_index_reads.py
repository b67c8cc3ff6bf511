"""Reads, statistics and lists with an index: the answers are those without."""

import shutil
from collections.abc import Iterator
from itertools import product
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import read_batches
from pyspark_adapter.errors import OptionError
from pyspark_adapter.events.windows import WindowReader
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.operations.indexed_answers import add_logs, largest_transactions
from pyspark_adapter.operations.statistics import Statistics
from pyspark_adapter.operations.transactions import count_transactions, list_transactions
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.reader import list_tables
from tests.inputs import SAMPLES, UNREADABLE, sample_path
from tests.support.indexes import make_index, rows_at

NAMES = sorted(set(SAMPLES) - UNREADABLE)
STEP = 600


@pytest.fixture(scope="module")
def indexes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with the indexes of the samples, in small blocks."""
    folder = tmp_path_factory.mktemp("indexes")
    return make_index(folder, *map(sample_path, NAMES), step=STEP)


def filters_of(name: str) -> Iterator[dict[str, Any]]:
    """Yield filters that choose a part of a sample, by its tables, times, GTIDs and positions."""
    path = sample_path(name)
    yield {"tables": "no.such"}
    for found in list_tables(path)[:3]:
        yield {"tables": str(found.table)}
        yield {"tables": str(found.table), "change_types": "delete", "schema_changes": True}
    checked = BinlogOptions()
    rows = [
        row
        for batch in list_transactions(find_log_files(path, checked), checked)
        for row in batch.to_pylist()
    ]
    if not rows:
        return
    for row in (rows[len(rows) // 3], rows[-1]):
        position = f"{row['log_file']}:{row['start_pos']}"
        yield {"starting_position": position}
        yield {"ending_position": position}
        yield {"starting_timestamp": row["commit_timestamp"]}
        yield {"ending_timestamp": row["commit_timestamp"]}
        if row["gtid"] is not None:
            yield {"include_gtids": row["gtid"]}
            yield {"exclude_gtids": row["gtid"]}
    yield {"server_ids": "1"}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_rows_and_sums_are_those_without_an_index(name: str, indexes: Path) -> None:
    path, given = sample_path(name), {"index": indexes}
    for options in filters_of(name):
        assert rows_at(path, index=indexes, **options) == rows_at(path, **options), options
        for unit in (None, "minute"):
            found, expected = (sums(path, unit, **more, **options) for more in ({}, given))
            assert found == expected, options


def sums(path: Path, unit: str | None, **options: Any) -> Any:
    checked = BinlogOptions.from_python(options)
    statistics = Statistics(unit)
    add_logs(statistics, find_log_files(path, checked), checked)
    counted = statistics.num_transactions, statistics.num_bytes
    same = Statistics(unit)
    same.add(count_transactions(find_log_files(path, checked), checked))
    assert same.by_table().to_pylist() == statistics.by_table().to_pylist()
    assert (same.num_transactions, same.num_bytes) == counted
    return statistics.by_table().to_pylist(), counted


@pytest.mark.parametrize(
    ("column", "count"),
    list(product(["num_bytes", "num_rows", "duration"], [0, 1, 3, 10, 1000])),
)
def test_largest_transactions_are_those_of_the_list(column: str, count: int, indexes: Path) -> None:
    paths = [sample_path(name) for name in NAMES if "9.7" in name or "11.8" in name]
    options = BinlogOptions(index=str(indexes))
    logs = find_log_files(paths, options)
    found, error = largest_transactions(logs, options, count, column)
    assert error is None
    expected = [
        row for batch in list_transactions(logs, BinlogOptions()) for row in batch.to_pylist()
    ]
    expected.sort(key=lambda row: -(-1 if row[column] is None else row[column]))
    assert sorted_tables(found.to_pylist()) == sorted_tables(expected[:count])


def sorted_tables(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return transactions with their tables by name; they are in the order of their first rows."""
    by_name = itemgetter("table")
    return [row | {"tables": sorted(row["tables"], key=by_name)} for row in rows]


def test_only_blocks_of_the_table_are_read(indexes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = sample_path("mysql-9.7-shop")
    num_read: list[int] = []
    fill = WindowReader._fill

    def counted(window: WindowReader) -> int:
        num_read.append(fill(window))
        return num_read[-1]

    monkeypatch.setattr(WindowReader, "_fill", counted)
    expected = rows_at(path, tables="shop.price_history")
    whole = sum(num_read)
    num_read.clear()
    assert rows_at(path, tables="shop.price_history", index=indexes) == expected
    assert expected
    assert 0 < sum(num_read) < whole / 2
    num_read.clear()
    assert rows_at(path, tables="shop.nothing", index=indexes) == []
    assert sum(num_read) < whole / 2  # blocks with statements


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
