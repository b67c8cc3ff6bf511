"""How long table maps hold, and how wide tables and statements can be."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mysql_binlog import MysqlBinlog

from pyspark_adapter import BinlogOptions, MissingTableMapError, TableName, read_batches
from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.scan.scanner import Scanner
from pyspark_adapter.scan.table_map_cache import TableMapCache
from tests.inputs import sample_path
from tests.support.log_writer import STMT_END, WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.unit.growth import growth

INT, TEXT = 3, 252
NUMBER = [LoggedColumn("a", INT)]
FORMAT_DESCRIPTION = 15


def number(value: int) -> bytes:
    return value.to_bytes(4, "little")


def insert(log: LogWriter, table_id: int, value: int, flags: int = STMT_END) -> None:
    log.rows(table_id, Rows(WRITE_V2, [[number(value)]], [True], (), flags))


def rows_of(log: LogWriter, folder: Path) -> list[tuple[str, str]]:
    """Return table and row, as JSON, of each row image."""
    path = folder / "binlog.000001"
    path.write_bytes(log.data)
    return [
        (row["_table_name"], row["row"])
        for batch in read_batches(path)
        for row in batch.to_pylist()
    ]


def test_a_statement_of_3000_tables(tmp_path: Path) -> None:
    log = LogWriter()
    log.begin()
    for i in range(3000):
        log.table_map(i + 1, f"t{i}", NUMBER)
    for i in (0, 1500, 2999):
        insert(log, i + 1, i, STMT_END if i == 2999 else 0)
    log.commit()
    expected = [(f"t{i}", f'{{"a": {i}}}') for i in (0, 1500, 2999)]
    assert rows_of(log, tmp_path) == expected


def test_more_tables_than_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyspark_adapter.scan.table_map_cache.MAX_SLOTS", 64)
    log = LogWriter()
    for i in range(500):
        log.begin()
        log.table_map(i % 7 + 1, f"t{i}", NUMBER)
        insert(log, i % 7 + 1, i)
        log.commit()
    expected = [(f"t{i}", f'{{"a": {i}}}') for i in range(500)]
    assert rows_of(log, tmp_path) == expected


def count_contents(log: LogWriter, folder: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how many contents a read of a log puts into the cache."""
    counted = []
    add = TableMapCache.add

    def count(cache: TableMapCache, *content: Any) -> None:
        counted.append(content)
        add(cache, *content)

    with monkeypatch.context() as patch:
        patch.setattr(TableMapCache, "add", count)
        rows_of(log, folder)
    return len(counted)


def test_definitions_among_open_table_maps_cost_what_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for size in (10, 20, 40):
        log = LogWriter()
        log.begin()
        for i in range(size):
            log.table_map(i + 1, f"t{i}", NUMBER)
        for i in range(size):
            log.statement(f"CREATE TABLE d.u{i} (a INT)")
        insert(log, 1, 5)
        log.commit()
        assert count_contents(log, tmp_path, monkeypatch) == size


def test_more_open_table_maps_than_are_kept_cost_what_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pyspark_adapter.scan.table_map_cache.MAX_SLOTS", 8)
    for size in (64, 128, 256):
        log = LogWriter()
        log.begin()
        for i in range(size):
            log.table_map(i + 1, f"t{i}", NUMBER)
        insert(log, size, 5)
        log.commit()
        assert count_contents(log, tmp_path, monkeypatch) < 3 * size


def closed_table_map(number: int) -> TableMap:
    """Return a table map; a real one has a column whose digits the rows have shown."""
    return TableMap(TableName("d", f"t{number}"), ())


def test_slots_of_rows_that_show_digits_take_time_in_proportion() -> None:
    def fill(count: int) -> None:
        cache = TableMapCache()
        slots = [cache.slot_of_closed(closed_table_map(i)) for i in range(count)]
        assert slots == list(range(count))

    assert growth(fill, 1000) < 8


def test_slots_of_rows_that_show_digits_end_with_their_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pyspark_adapter.scan.table_map_cache.MAX_SLOTS", 8)
    log = LogWriter()
    log.begin()
    log.table_map(1, "t", NUMBER)
    for i in range(1000):
        insert(log, 1, i, 0)
    log.commit()
    path = tmp_path / "binlog.000001"
    path.write_bytes(log.data)
    [log_file] = find_log_files(path)
    counts: list[int] = []
    for scanned in Scanner(log_file, BinlogOptions(window_bytes=4096)):
        for i in range(4):
            scanned.tables.slot_of_closed(closed_table_map(4 * len(counts) + i))
        counts.append(len(scanned.tables.table_maps))
    assert len(counts) > 8
    assert max(counts) < 8 + 4


@pytest.mark.parametrize("is_full", [False, True])
def test_a_definition_changes_what_a_known_table_map_means(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_full: bool
) -> None:
    if is_full:
        monkeypatch.setattr("pyspark_adapter.scan.table_map_cache.MAX_SLOTS", 2)
    log = LogWriter(has_metadata=False)
    expected = []
    for i, name in enumerate(("a", "b", "c")):
        log.statement(f"CREATE OR REPLACE TABLE d.t ({name} INT)")
        log.begin()
        for table in ("t", "u", "v", "t"):
            log.table_map(7 if table == "t" else 8, table, NUMBER)
            insert(log, 7 if table == "t" else 8, i, 0)
            expected.append((table, f'{{"{name if table == "t" else "col_1"}": {i}}}'))
        insert(log, 7, i)
        expected.append(("t", f'{{"{name}": {i}}}'))
        log.commit()
    assert rows_of(log, tmp_path) == expected


def test_a_table_of_4096_columns(tmp_path: Path) -> None:
    log = LogWriter()
    log.begin()
    log.table_map(1, "t", [LoggedColumn(f"c{i}", INT) for i in range(4096)])
    image = [None if i % 3 == 0 else number(i) for i in range(4096)]
    log.rows(1, Rows(WRITE_V2, [image, image], [True] * 4096))
    log.commit()
    path = tmp_path / "binlog.000001"
    path.write_bytes(log.data)
    rows = [
        row
        for batch in read_batches(path, table="d.t", metadata_columns="")
        for row in batch.to_pylist()
    ]
    assert rows == 2 * [{f"c{i}": None if i % 3 == 0 else i for i in range(4096)}]


def test_an_id_means_the_table_of_its_last_table_map(tmp_path: Path) -> None:
    log = LogWriter()
    log.begin()
    log.table_map(5, "old", NUMBER)
    insert(log, 5, 1)
    log.table_map(5, "new", [LoggedColumn("b", INT)])
    insert(log, 5, 2)
    log.commit()
    assert rows_of(log, tmp_path) == [("old", '{"a": 1}'), ("new", '{"b": 2}')]


def test_rows_of_several_tables_alternate_within_a_statement(tmp_path: Path) -> None:
    log = LogWriter()
    log.begin()
    log.table_map(1, "t", NUMBER)
    log.table_map(2, "u", NUMBER)
    order = [(1, 0), (2, 1), (1, 2), (2, 3)]
    for table_id, value in order:
        insert(log, table_id, value, STMT_END if value == 3 else 0)
    log.commit()
    expected = [("tu"[table_id - 1], f'{{"a": {value}}}') for table_id, value in order]
    assert rows_of(log, tmp_path) == expected


def test_the_end_of_a_statement_releases_its_table_maps(tmp_path: Path) -> None:
    log = LogWriter()
    log.begin()
    log.table_map(1, "t", NUMBER)
    insert(log, 1, 1)
    insert(log, 1, 2)
    with pytest.raises(MissingTableMapError, match="table id 1"):
        rows_of(log, tmp_path)


OPENERS: dict[str, Callable[[LogWriter], None]] = {
    "rows": lambda _: None,
    "BEGIN": lambda log: log.begin(),
    "XA START": lambda log: log.statement("XA START X'01',X'',1"),
    "a statement": lambda log: log.statement("FLUSH TABLES"),
}


@pytest.mark.parametrize("opener", OPENERS)
@pytest.mark.parametrize("is_committed", [False, True])
def test_the_start_of_a_transaction_releases_table_maps(
    opener: str, is_committed: bool, tmp_path: Path
) -> None:
    """As a split that begins there has none."""
    log = LogWriter()
    log.table_map(1, "t", NUMBER)
    if is_committed:
        log.commit()
    OPENERS[opener](log)
    insert(log, 1, 1)
    if opener == "rows" and not is_committed:
        assert rows_of(log, tmp_path) == [("t", '{"a": 1}')]
        return
    with pytest.raises(MissingTableMapError, match="table id 1"):
        rows_of(log, tmp_path)


def test_a_format_description_releases_table_maps(tmp_path: Path) -> None:
    log = LogWriter()
    log.table_map(1, "t", NUMBER)
    log.data += LogWriter().data[4:]
    insert(log, 1, 1)
    with pytest.raises(MissingTableMapError, match="table id 1"):
        rows_of(log, tmp_path)


def test_an_insert_of_defaults_only_is_a_row_without_bytes(tmp_path: Path) -> None:
    log = LogWriter()
    log.begin()
    log.table_map(1, "t", NUMBER)
    log.rows(1, Rows(WRITE_V2, [[]], [False]))
    log.commit()
    assert rows_of(log, tmp_path) == [("t", "{}")]


def test_an_unknown_type_is_passed_over(tmp_path: Path) -> None:
    log = LogWriter()
    log.begin()
    log.event(101, b"of a fork")
    log.table_map(1, "t", NUMBER)
    log.event(250, b"")
    insert(log, 1, 7)
    log.commit()
    assert rows_of(log, tmp_path) == [("t", '{"a": 7}')]


# Of MariaDB 10.11: (id INT, word VARCHAR(20) latin1, p POINT, w2 VARCHAR(20) utf8mb4).
AROUND_A_POINT = bytes.fromhex(
    "4ee5006b13010000004e000000120600000000160000000000010001700001750004030fff0f0514000450000e"
    "0101000303083f2d070101040d02696404776f72640170027732080100c18b603c"
)


@pytest.mark.parametrize(
    ("sample", "collations"),
    [("mariadb-11.8-own-types", [0, 8, 63, 45]), ("mysql-9.7-types", [0, 8, 0, 63])],
)
def test_geometry_counts_among_text_in_mariadb_alone(sample: str, collations: list[int]) -> None:
    data = sample_path(sample).read_bytes()
    len_format = int.from_bytes(data[13:17], "little")
    root = MysqlBinlog.from_bytes(data[: 4 + len_format] + AROUND_A_POINT)
    assert [column.collation for column in root.events[1].body.columns] == collations
