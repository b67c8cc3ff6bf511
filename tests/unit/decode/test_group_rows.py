"""Groups of several shapes of a table give the rows of a typed read, also in added columns."""

from __future__ import annotations

import json
import random
import struct
import warnings
import zlib
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pyspark_adapter import SchemaMismatchError, read_batches
from pyspark_adapter.decode.group_rows import GroupRows, key_of
from pyspark_adapter.decode.table_groups import KEY
from pyspark_adapter.options.table_name import TableName
from tests.inputs import sample_path
from tests.support.group_rows import rows_over_shapes
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.support.logs import read_sample
from tests.unit.growth import growth

ID = LoggedColumn("id", 3)
TABLE = TableName("d", "t")


def caught(read: Any) -> tuple[list[dict[str, Any]] | str, list[str]]:
    """Return the rows that a read gives or its error, and its warnings."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        try:
            rows: Any = read().to_pylist()
        except SchemaMismatchError:
            rows = "no common type"
    shown = sorted(str(warning.message) for warning in found)
    # A typed read asks for the statements of a table even if no column was added.
    return rows, [message for message in shown if "in another case" not in message]


def assert_same(path: Path | list[Path], table: TableName = TABLE, **options: Any) -> None:
    """Check rows and warnings over all shapes against those of a typed read."""
    typed = caught(lambda: read_batches(path, table=str(table), **options).to_table())
    assert caught(lambda: rows_over_shapes(path, table, **options)) == typed


class Log:
    """A log of one table."""

    def __init__(self, path: Path) -> None:
        self.writer = LogWriter()
        self._path = path
        self._number = 0

    def insert(self, columns: list[LoggedColumn]) -> None:
        """Add a row, whose first column is a number; the others are null, or are numbers too."""
        self._number += 1
        image = [struct.pack("<i", self._number) if c.type_code == 3 else None for c in columns]
        self.writer.begin()
        self.writer.table_map(100, "t", columns)
        self.writer.rows(100, Rows(WRITE_V2, [image], [True] * len(columns)))
        self.writer.commit()

    def close(self) -> Path:
        """Write the log."""
        self._path.write_bytes(self.writer.data)
        return self._path


ENUM = LoggedColumn("c", 254, b"\xf7\x01", collation=255, members=("a", "b"))
SET = LoggedColumn("c", 254, b"\xf8\x01", collation=255, members=("p", "q"))
# A column as ALTER TABLE adds it, and as rows have it then.
TYPES = [
    ("INT DEFAULT -5", LoggedColumn("c", 3)),
    ("INT NOT NULL", LoggedColumn("c", 3)),
    ("INT", LoggedColumn("c", 3)),
    ("BIGINT UNSIGNED DEFAULT 18446744073709551615", LoggedColumn("c", 8, is_unsigned=True)),
    ("DECIMAL(12,4) DEFAULT 1.5", LoggedColumn("c", 246, b"\x0c\x04")),
    ("DECIMAL(50,3) DEFAULT '-0.125'", LoggedColumn("c", 246, b"\x32\x03")),
    ("DOUBLE DEFAULT -1.5e-3", LoggedColumn("c", 5, b"\x08")),
    ("FLOAT DEFAULT 0.1", LoggedColumn("c", 4, b"\x04")),
    ("VARCHAR(30) DEFAULT 'it''s č'", LoggedColumn("c", 15, b"\x78\x00", collation=255)),
    ("VARBINARY(9) DEFAULT X'00ff00'", LoggedColumn("c", 15, b"\x09\x00", collation=63)),
    ("TEXT NOT NULL", LoggedColumn("c", 252, b"\x02", collation=255)),
    ("BLOB NOT NULL", LoggedColumn("c", 252, b"\x02", collation=63)),
    ("BIT(11) DEFAULT b'10000000101'", LoggedColumn("c", 16, b"\x03\x01")),
    ("ENUM('a', 'b') DEFAULT 'B'", ENUM),
    ("SET('p', 'q') DEFAULT 'q,p'", SET),
    ("DATE DEFAULT '1026-02-28'", LoggedColumn("c", 10)),
    ("DATETIME(3) DEFAULT '2026-01-02 03:04:05.25'", LoggedColumn("c", 18, b"\x03")),
    ("TIME(2) DEFAULT '-12:34:56.70'", LoggedColumn("c", 19, b"\x02")),
    ("YEAR NOT NULL", LoggedColumn("c", 13)),
    ("JSON", LoggedColumn("c", 245, b"\x04")),
    ("TIMESTAMP NOT NULL DEFAULT '2026-01-01 00:00:00'", LoggedColumn("c", 17, b"\x00")),
    ("INT DEFAULT (1 + 1)", LoggedColumn("c", 3)),
    ("DATETIME DEFAULT CURRENT_TIMESTAMP", LoggedColumn("c", 18, b"\x00")),
]


@pytest.mark.parametrize(("text", "column"), TYPES, ids=[text for text, _ in TYPES])
@pytest.mark.parametrize("options", [{}, {"time": "micros", "json": "variant"}])
def test_older_rows_have_the_default(
    tmp_path: Path, text: str, column: LoggedColumn, options: dict[str, Any]
) -> None:
    log = Log(tmp_path / "binlog.000001")
    log.insert([ID])
    log.writer.statement(f"ALTER TABLE t ADD COLUMN c {text}")
    log.insert([ID, column])
    path = log.close()
    assert_same(path, **options)
    old, _ = rows_over_shapes(path, TABLE).to_pylist()
    is_known = "DEFAULT" in text or "NOT NULL" in text
    assert (old["c"] is not None) is (is_known and text not in [known for known, _ in TYPES[-3:]])


def test_a_default_that_is_no_literal_is_reported(tmp_path: Path) -> None:
    log = Log(tmp_path / "binlog.000001")
    log.insert([ID])
    log.writer.statement("ALTER TABLE t ADD c INT DEFAULT (RAND() * 9)")
    log.insert([ID, LoggedColumn("c", 3)])
    rows, found = caught(lambda: rows_over_shapes(log.close(), TABLE))
    assert [row["c"] for row in rows if isinstance(row, dict)] == [None, 2]
    assert len(found) == 1
    assert "table d.t: the value of column c in rows from before is not known" in found[0]


STEPS = (
    *("ALTER TABLE t ADD {0} INT DEFAULT {1}", "ALTER TABLE t ADD {0} INT DEFAULT {1}"),
    *("ALTER TABLE T ADD COLUMN {0} INT NOT NULL FIRST", "ALTER TABLE t ADD {0} INT DEFAULT (1)"),
    *("ALTER TABLE t DROP COLUMN {0}", "ALTER TABLE t MODIFY {0} INT DEFAULT {1}"),
    *("ALTER TABLE t MODIFY {0} BIGINT DEFAULT {1}", "ALTER TABLE t RENAME COLUMN {0} TO {2}"),
    *(
        "ALTER TABLE u ADD {0} INT DEFAULT {1}",
        "RENAME TABLE t TO old, new TO t",
        "DROP DATABASE d",
    ),
    *("ALTER TABLE t RENAME TO w, ADD {0} INT DEFAULT 3", "DROP TABLE t", "TRUNCATE t"),
    *("CREATE TABLE t (id INT, {0} INT)", "CREATE TABLE IF NOT EXISTS t (id INT)", "ALTER TABLE"),
    *("ALTER TABLE t ADD {0} INT DEFAULT 1 ?!", "CREATE OR REPLACE TABLE t (id INT)"),
)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
@example(seed=168)  # the last shape of a table is one that it had before
def test_any_history_gives_the_rows_of_a_typed_read(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    """Rows need not be as the statements say."""
    source = random.Random(seed)  # noqa: S311 - to be the same each time is the purpose
    folder = tmp_path_factory.mktemp("logs")
    for number in range(1, source.randint(2, 4)):
        log = Log(folder / f"binlog.00000{number}")
        log.insert([ID])
        for _ in range(source.randint(1, 6)):
            if source.random() < 0.5:
                added = source.sample("abc", source.randint(0, 3))
                log.insert([ID, *(LoggedColumn(name, source.choice([3, 8])) for name in added)])
            else:
                values = source.choice("abc"), source.randint(0, 99), source.choice("abc")
                log.writer.statement(source.choice(STEPS).format(*values))
        log.close()
    assert_same(folder)


def test_a_key_that_changes_is_none(tmp_path: Path) -> None:
    log = tmp_path / "binlog.000001"
    log.write_bytes(read_sample("mysql-9.7-alter")[:7999])  # a column gets another type later
    people = TableName("alter97", "people")
    groups = [g for batch in read_batches(log, row="arrow") for g in batch.to_pylist()]
    shapes = {
        group["shape"]: pa.ipc.read_schema(pa.py_buffer(group["schema"]))
        for group in groups
        if group["schema"] is not None and group["table_name"] == "people"
    }
    assert {*map(key_of, shapes.values())} == {("id",), ("id", "full_name"), ("uid",)}
    assert key_of(GroupRows.over(people, shapes, [*shapes.values()][-1]).schema) == ()
    first = [*shapes.items()][:2]
    assert key_of(GroupRows.over(people, dict(first), first[-1][1]).schema) == ("id",)


def test_logs_of_several_servers_have_no_order(tmp_path: Path) -> None:
    """Logs of the same name: which rows are older than a statement is not known."""
    paths = []
    for server in "ab":
        (tmp_path / server).mkdir()
        log = Log(tmp_path / server / "binlog.000001")
        log.insert([ID])
        log.writer.statement("ALTER TABLE t ADD c INT DEFAULT 5")
        log.insert([ID, LoggedColumn("c", 3)])
        paths.append(log.close())
    assert [row["c"] for row in rows_over_shapes(paths, TABLE).to_pylist()] == [None, 2, None, 2]


@pytest.mark.parametrize("filtered", ["1", "9"])
def test_the_statement_counts_in_a_transaction_that_is_filtered_out(
    tmp_path: Path, filtered: str
) -> None:
    log = Log(tmp_path / "binlog.000001")
    log.insert([ID])
    start = len(log.writer.data)
    log.writer.statement("ALTER TABLE t ADD COLUMN c INT DEFAULT 5")
    event = log.writer.data[start:-4]
    event[5] = int(filtered)  # the server
    log.writer.data[start:] = event + zlib.crc32(event).to_bytes(4, "little")
    log.insert([ID, LoggedColumn("c", 3)])
    path = log.close()
    assert_same(path, server_ids="1")
    assert [row["c"] for row in rows_over_shapes(path, TABLE, server_ids="1").to_pylist()] == [5, 2]


def test_statements_about_other_tables_are_not_given(tmp_path: Path) -> None:
    log = Log(tmp_path / "binlog.000001")
    for text in ("ALTER TABLE T ADD c INT", "ALTER TABLE e.t ADD c INT", "DROP DATABASE d"):
        log.writer.statement(text)
    log.writer.statement("RENAME TABLE u TO t")
    log.writer.statement("CREATE USER u")
    log.insert([ID])
    batches = read_batches(log.close(), row="arrow", tables="d.t")
    groups = [group for batch in batches for group in batch.to_pylist()]
    found = [group["definition"] for group in groups if group["definition"]]
    wanted = ["ALTER TABLE T ADD c INT", "DROP DATABASE d", "RENAME TABLE u TO t"]
    assert [text.split('"')[1] for text in found] == wanted


@pytest.mark.parametrize("name", ["mysql-9.7-alter", "mariadb-11.8-own-types"])
def test_real_logs_give_the_rows_of_typed_reads(name: str) -> None:
    path = sample_path(name)
    groups = [g for batch in read_batches(path, row="arrow") for g in batch.to_pylist()]
    tables = {TableName(g["database_name"], g["table_name"]) for g in groups if g["shape"]}
    assert tables
    for table in tables:
        assert_same(path, table)


def test_tables_of_many_columns_take_time_in_proportion() -> None:
    def combine(count: int) -> None:
        fields = [pa.field(f"c{i}", pa.int32()) for i in range(count)]
        shapes = {str(k): pa.schema(fields, {KEY: b"[]"}) for k in range(3)}
        assert not GroupRows.over(TABLE, shapes, shapes["0"]).added

    assert growth(combine, 600) < 8


def test_a_key_may_be_spelled_in_several_ways() -> None:
    """As after CHANGE ID id: names of columns ignore case."""
    shapes = {
        name: pa.schema([(name, pa.int32())], {KEY: json.dumps([name])}) for name in ("ID", "id")
    }
    assert key_of(GroupRows.over(TABLE, shapes, shapes["id"]).schema) == ("ID",)
