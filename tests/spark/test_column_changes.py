"""A stream whose table gets other columns, by the option onSchemaChange."""

import gzip
import importlib.util
import pickle
import struct
import threading
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql.streaming.datasource import ReadAllAvailable
from pyspark.sql.types import IntegerType, StructField, StructType

from pyspark_adapter import BinlogWarning, OptionError, SchemaMismatchError
from pyspark_adapter.spark.source import DefaultSource
from pyspark_adapter.spark.stream import BinlogStreamReader
from tests.inputs import ROOT
from tests.spark.test_evolution import BIGINT, INT, row
from tests.support.encoders import decimal
from tests.support.log_writer import LoggedColumn, LogWriter

pytestmark = pytest.mark.spark

ID = LoggedColumn("id", INT)
WIDE = LoggedColumn("id", BIGINT)
SIZE = LoggedColumn("size", INT)


def int32(value: int) -> bytes:
    return struct.pack("<i", value)


def int64(value: int) -> bytes:
    return struct.pack("<q", value)


@pytest.fixture
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("new_columns", ROOT / "examples/new_columns.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Folder:
    """A folder with a log that grows, and streams of its table."""

    def __init__(self, path: Path, **options: str) -> None:
        path.mkdir()
        self.path = path
        self.options = options
        self.log = LogWriter()

    def add(self, columns: list[LoggedColumn], *values: bytes | None) -> None:
        """Append a row."""
        row(self.log, columns, list(values))
        (self.path / "log.000001").write_bytes(self.log.data)

    def reader(self) -> BinlogStreamReader:
        """Begin a query, as Spark does."""
        source = DefaultSource(
            {"path": str(self.path), "table": "d.t", "metadataColumns": "", **self.options}
        )
        found = source.streamReader(source.schema())
        assert isinstance(found, BinlogStreamReader)
        return found


def batch(reader: BinlogStreamReader, start: Any) -> tuple[dict[str, Any], list[Any]]:
    """Run a batch as Spark does; return its end and its rows."""
    end = reader.latestOffset(start, ReadAllAvailable())
    tasks = reader.partitions(start, end)
    copy = pickle.loads(pickle.dumps(reader))  # noqa: S301 - of our own making
    return end, [one for task in tasks for rows in copy.read(task) for one in rows.to_pylist()]


def wait_for(is_so: Callable[[], bool]) -> None:
    pause = threading.Event()
    for _ in range(1200):
        if is_so():
            return
        pause.wait(0.1)
    raise AssertionError("it did not come so in time")


def test_the_example_goes_on_with_new_columns(
    spark: SparkSession, tmp_path: Path, example: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, out = Folder(tmp_path / "logs"), str(tmp_path / "rows")
    folder.add([ID], int32(1))
    arguments = spark, str(folder.path), "d.t", out
    watched = threading.Thread(target=example.supervise, args=arguments, daemon=True)
    watched.start()

    def rows() -> list[Any]:
        return spark.read.option("mergeSchema", True).parquet(out).collect()

    wait_for(lambda: any(q.lastProgress for q in spark.streams.active))
    folder.add([ID], int32(2))
    for number, name in ((3, "size"), (4, "weight")):
        folder.add([ID, LoggedColumn(name, INT)], int32(number), int32(7))
        wait_for(lambda: len(rows()) == number)  # noqa: B023
    folder.add([ID], int32(5))
    wait_for(lambda: len(rows()) == 5)
    for query in spark.streams.active:
        query.stop()
    watched.join(60)
    assert not watched.is_alive()
    assert sorted((one["id"], one["size"], one["weight"]) for one in rows()) == [
        *((1, None, None), (2, None, None), (3, 7, None), (4, None, 7), (5, None, None))
    ]
    said = capsys.readouterr().err
    assert said.count("started again") == 2
    assert "table d.t has columns here that the input did not have when the read began" in said
    assert "weight int32 is new" in said


def test_a_stream_ends_before_the_change(tmp_path: Path) -> None:
    """Its end says why; started again it continues there, with the types that hold all."""
    folder = Folder(tmp_path / "logs", onSchemaChange="end")
    folder.add([ID], int32(1))
    reader = folder.reader()
    start, _ = batch(reader, reader.initialOffset())
    folder.add([ID], int32(2))
    folder.add([WIDE], int64(1 << 40))
    folder.add([ID], int32(4))
    end, rows = batch(reader, start)
    assert rows == [{"id": 2}]
    assert "column id is int64 here, and was int32" in end["schema_change"]
    assert "log.000001@495 TABLE_MAP_EVENT" in end["schema_change"]
    assert batch(reader, end) == (end, [])  # it stays there

    again = folder.reader()
    end, rows = batch(again, end)
    assert rows == [{"id": 1 << 40}, {"id": 4}]
    assert "schema_change" not in end
    assert batch(again, end) == (end, [])


def test_a_change_right_at_the_start_of_a_batch(tmp_path: Path) -> None:
    """A batch without rows says so. If the columns do not fit after a start either, it fails."""
    folder = Folder(tmp_path / "logs", onSchemaChange="end")
    folder.add([ID], int32(1))
    reader, behind = folder.reader(), folder.reader()
    start, _ = batch(reader, reader.initialOffset())
    folder.add([ID, SIZE], int32(2), int32(7))
    end, rows = batch(reader, start)
    assert (rows, end["pos"]) == ([], start["pos"])
    assert end != start
    with pytest.raises(SchemaMismatchError, match="size int32 is new"):
        behind.latestOffset(end, ReadAllAvailable())
    assert batch(folder.reader(), end)[1] == [{"id": 2, "size": 7}]


def test_columns_without_names_need_them_to_go_on(tmp_path: Path) -> None:
    """The batch ends before the change; by number alone it is not known which column is new."""
    folder = Folder(tmp_path / "logs", onSchemaChange="end")
    folder.log.has_metadata = False
    folder.add([ID], int32(1))
    with pytest.warns(BinlogWarning, match="names its columns"):
        reader = folder.reader()
    start, _ = batch(reader, reader.initialOffset())
    folder.add([ID], int32(2))
    folder.log.statement("ALTER TABLE t ADD size INT")
    folder.add([ID, SIZE], int32(3), int32(7))
    end, rows = batch(reader, start)
    assert rows == [{"col_1": 2}]
    assert "2 columns without names here" in end["schema_change"]
    with pytest.raises(SchemaMismatchError, match="name them with option ddl"):
        folder.reader()
    ddl = tmp_path / "t.sql"
    begins = "-- CHANGE MASTER TO MASTER_LOG_FILE='log.000001', MASTER_LOG_POS=4;"
    ddl.write_text(f"{begins}\nCREATE TABLE d.t (id INT);")
    folder.options["ddl"] = str(ddl)
    assert batch(folder.reader(), end)[1] == [{"id": 3, "size": 7}]


def test_only_the_logs_that_are_available_now(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "logs", onSchemaChange="end")
    folder.add([ID], int32(1))
    reader = folder.reader()
    folder.add([ID, SIZE], int32(2), int32(7))
    reader.prepareForTriggerAvailableNow()
    end, rows = batch(reader, reader.initialOffset())
    assert rows == [{"id": 1}]
    assert reader.latestOffset(end, ReadAllAvailable()) == end  # so Spark ends the query


def test_new_columns_that_schema_at_latest_lacks(tmp_path: Path) -> None:
    """What was dropped before the start is no change; what comes later is one."""
    folder = Folder(tmp_path / "logs", onSchemaChange="end", schemaAt="latest")
    folder.add([ID, SIZE], int32(1), int32(7))
    folder.add([ID], int32(2))
    reader = folder.reader()
    end, rows = batch(reader, reader.initialOffset())
    assert rows == [{"id": 1}, {"id": 2}]
    folder.add([ID, LoggedColumn("weight", INT)], int32(3), int32(4))
    end, rows = batch(reader, end)
    assert rows == []
    assert "weight int32 is new" in end["schema_change"]
    assert batch(folder.reader(), end)[1] == [{"id": 3, "weight": 4}]


def test_a_column_that_only_a_statement_renames(tmp_path: Path) -> None:
    """The log does not name columns: its table maps stay the same."""
    folder = Folder(tmp_path / "logs", onSchemaChange="end")
    folder.log = LogWriter(has_metadata=False)
    folder.log.statement("CREATE TABLE t (id INT)")
    folder.add([ID], int32(1))
    reader = folder.reader()
    start, rows = batch(reader, reader.initialOffset())
    assert rows == [{"id": 1}]
    folder.add([ID], int32(2))
    folder.log.statement("ALTER TABLE t RENAME COLUMN id TO number")
    folder.add([ID], int32(3))
    end, rows = batch(reader, start)
    assert rows == [{"id": 2}]
    assert "number int32 is new" in end["schema_change"]
    assert batch(folder.reader(), end)[1] == [{"id": None, "number": 3}]


def test_a_change_within_an_archive(tmp_path: Path) -> None:
    """Its events have no place to continue: it is read after the start alone."""
    folder = Folder(tmp_path / "logs", onSchemaChange="end")
    folder.add([ID], int32(1))
    reader = folder.reader()
    start, _ = batch(reader, reader.initialOffset())
    packed, last = LogWriter(), LogWriter()
    row(packed, [ID], [int32(2)])
    row(packed, [ID, SIZE], [int32(3), int32(7)])
    (folder.path / "log.000002.gz").write_bytes(gzip.compress(packed.data))
    (folder.path / "log.000003").write_bytes(last.data)
    reader.prepareForTriggerAvailableNow()  # lists the logs
    end, rows = batch(reader, start)
    assert (rows, end["log_file"], end["pos"]) == ([], "log.000002", 4)
    assert "size int32 is new" in end["schema_change"]
    assert batch(folder.reader(), end)[1] == [{"id": 2, "size": None}, {"id": 3, "size": 7}]


@pytest.mark.parametrize("more", [{}, {"mergeSchema": "false"}, {"schemaAt": "latest"}])
def test_the_columns_of_the_start_are_kept(tmp_path: Path, more: dict[str, str]) -> None:
    options = {"onSchemaChange": "keep", **more}
    folder = Folder(tmp_path / "logs", **options)
    price = LoggedColumn("price", 246, b"\x05\x02")
    dearer = LoggedColumn("price", 246, b"\x0a\x04")
    folder.add([ID, price], int32(1), decimal(Decimal("1.25"), 5, 2))
    reader = folder.reader()
    start, rows = batch(reader, reader.initialOffset())
    new = f"new_{len(more)}{list(more)[:1]}"
    folder.add([WIDE, dearer], int64(2), decimal(Decimal("2.5"), 10, 4))
    folder.add([LoggedColumn(new, INT), WIDE], int32(9), int64(3))
    folder.add([LoggedColumn(new, INT), WIDE], int32(9), int64(4))
    with pytest.warns(BinlogWarning, match="is left out") as warned:
        end, rows = batch(reader, start)
    assert rows == [
        {"id": 2, "price": Decimal("2.50")},
        {"id": 3, "price": None},
        {"id": 4, "price": None},
    ]
    assert [new in str(one.message) for one in warned] == [True]
    folder.add([WIDE], int64(1 << 31))
    with pytest.raises(SchemaMismatchError, match=r"expected a value of type int32.*2147483648"):
        batch(reader, end)


def test_values_that_fit_the_type_of_the_start(tmp_path: Path) -> None:
    """Numbers of other types that have the same value; not a float that would be rounded."""
    kept = [LoggedColumn("f", 4, b"\x04"), LoggedColumn("d", 246, b"\x04\x02"), ID]
    wide = [
        LoggedColumn("f", 5, b"\x08"),
        LoggedColumn("d", INT),
        LoggedColumn("id", 8, is_unsigned=True),
    ]
    folder = Folder(tmp_path / "logs", onSchemaChange="keep")
    folder.add(kept, struct.pack("<f", 0.1), decimal(Decimal("1.25"), 4, 2), int32(1))
    reader = folder.reader()
    start, _ = batch(reader, reader.initialOffset())
    folder.add(wide, struct.pack("<d", 0.5), int32(99), int64(2))
    folder.add(wide, None, None, None)
    _, rows = batch(reader, start)
    assert rows == [{"f": 0.5, "d": Decimal("99.00"), "id": 2}, dict.fromkeys(("f", "d", "id"))]
    for values in ((struct.pack("<d", 0.1), None, None), (None, int32(100), None)):
        other = Folder(tmp_path / f"logs-{values[1]!r}", onSchemaChange="keep")
        other.add(kept, None, None, None)
        reader = other.reader()
        start, _ = batch(reader, reader.initialOffset())
        other.add(wide, *values)
        with pytest.raises(SchemaMismatchError, match="expected a value of type"):
            batch(reader, start)


def test_a_value_of_another_kind(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "logs", onSchemaChange="keep")
    folder.add([ID], int32(1))
    reader = folder.reader()
    start, _ = batch(reader, reader.initialOffset())
    folder.add([LoggedColumn("id", 15, struct.pack("<H", 20))], b"\1a")
    with pytest.raises(SchemaMismatchError, match="column id is binary here and int32"):
        batch(reader, start)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"onSchemaChange": "keep"}, "no value without option table"),
        ({"onSchemaChange": "end", "table": "d.t", "schemaAt": "first"}, "fail or keep with"),
        ({"onSchemaChange": "end", "table": "d.t", "mergeSchema": "false"}, "fail or keep with"),
    ],
)
def test_options_that_exclude_each_other(options: dict[str, str], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        DefaultSource(options).schema()


def test_a_schema_of_ones_own_says_what_the_columns_are(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "logs")
    source = DefaultSource({"path": str(folder.path), "table": "d.t", "onSchemaChange": "keep"})
    with pytest.raises(OptionError, match="fail with a schema, which"):
        source.streamReader(StructType([StructField("id", IntegerType())]))
