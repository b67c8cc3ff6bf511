"""Tables that change, and names from statements, over several logs and tasks."""

import struct
from pathlib import Path

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery
from pyspark.sql.types import LongType, StringType, StructField, StructType

from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows

pytestmark = pytest.mark.spark

INT, BIGINT, VARCHAR = 3, 8, 15


@pytest.fixture
def logs(tmp_path: Path) -> list[str]:
    """Write three logs without names: the table is defined in the first, changed in the second."""
    name = LoggedColumn("", VARCHAR, struct.pack("<H", 20))
    first, second, third = (LogWriter(has_metadata=False) for _ in range(3))
    first.statement("CREATE TABLE t (id INT UNSIGNED, name VARCHAR(5) CHARSET utf8mb4)")
    row(first, [LoggedColumn("", INT), name], [struct.pack("<I", 2**32 - 1), b"\2\xc3\xa9"])
    second.statement("ALTER TABLE t MODIFY id BIGINT, RENAME COLUMN name TO title")
    row(second, [LoggedColumn("", BIGINT), name], [struct.pack("<q", 2**40), b"\1b"])
    row(third, [LoggedColumn("", BIGINT), name], [struct.pack("<q", 3), None])
    paths = []
    for i, writer in enumerate((first, second, third)):
        path = tmp_path / f"log.{i + 1:06}"
        path.write_bytes(writer.data)
        paths.append(str(path))
    return paths


def row(writer: LogWriter, columns: list[LoggedColumn], values: list[bytes | None]) -> None:
    """Append a transaction that inserts a row."""
    writer.begin()
    writer.table_map(9, "t", columns)
    writer.rows(9, Rows(WRITE_V2, [values], [True] * len(columns)))
    writer.commit()


def test_shapes_of_several_logs_are_merged(spark: SparkSession, logs: list[str]) -> None:
    reader = spark.read.format("mysql_binlog").option("table", "d.t").option("metadataColumns", "")
    frame = reader.load(logs)
    assert frame.schema == StructType(
        [
            StructField("id", LongType()),
            StructField("name", StringType()),
            StructField("title", StringType()),
        ]
    )
    assert sorted(map(tuple, frame.collect())) == [
        (3, None, None),
        (2**32 - 1, "é", None),
        (2**40, None, "b"),
    ]
    latest = reader.option("schemaAt", "latest").load(logs)
    assert latest.columns == ["id", "title"]
    assert sorted(map(tuple, latest.collect())) == [(3, None), (2**32 - 1, None), (2**40, "b")]


def test_rows_as_json_have_names_from_earlier_logs(spark: SparkSession, logs: list[str]) -> None:
    frame = spark.read.format("mysql_binlog").option("metadataColumns", "_start_pos").load(logs)
    assert {json for _, json in frame.collect()} == {
        '{"id": 4294967295, "name": "é"}',
        '{"id": 1099511627776, "title": "b"}',
        '{"id": 3, "title": null}',
    }


def test_a_column_that_comes_while_a_stream_runs(spark: SparkSession, tmp_path: Path) -> None:
    """It is an error, and there once the query is started again: nothing is left out meanwhile."""
    folder = tmp_path / "logs"
    folder.mkdir()
    path = folder / "log.000001"
    old = [LoggedColumn("id", INT)]
    log = LogWriter()
    row(log, old, [struct.pack("<i", 1)])
    path.write_bytes(log.data)

    def start() -> StreamingQuery:
        frame = spark.readStream.format("mysql_binlog").option("table", "d.t").load(str(folder))
        writer = frame.writeStream.format("parquet").trigger(processingTime="0 seconds")
        writer.option("checkpointLocation", str(tmp_path / "checkpoint"))
        return writer.start(str(tmp_path / "rows"))

    query = start()
    query.processAllAvailable()
    row(log, [*old, LoggedColumn("size", INT)], [struct.pack("<i", 2), struct.pack("<i", 7)])
    row(log, old, [struct.pack("<i", 3)])
    path.write_bytes(log.data)
    with pytest.raises(StreamingQueryException, match="that the input did not have when the read"):
        query.awaitTermination(300)
    query = start()
    query.processAllAvailable()
    query.stop()
    rows = spark.read.option("mergeSchema", True).parquet(str(tmp_path / "rows"))
    assert sorted(map(tuple, rows.select("id", "size").collect())) == [(1, None), (2, 7), (3, None)]
