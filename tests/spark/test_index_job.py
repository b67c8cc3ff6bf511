"""`build_index`: the indexes that the command makes, from a task for each log."""

import shutil
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from pyspark_adapter import BinlogWarning, OptionError, build_index, read_batches
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.index.make_index import check_indexes, make_indexes
from pyspark_adapter.index_store.index_folder import IndexFolder
from pyspark_adapter.options.binlog_options import BinlogOptions
from tests.inputs import sample_path
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows

pytestmark = pytest.mark.spark

NAMES = ("mysql-9.7-shop", "mysql-9.7-transactions", "mysql-9.7-alter", "mariadb-11.8-transactions")
OPTIONS = BinlogOptions()


def logs_in(folder: Path) -> Path:
    """Make a folder of logs; the definition that names a key is in the log before the rows."""
    folder.mkdir()
    for name in NAMES:
        shutil.copy(sample_path(name), folder)
    columns = [LoggedColumn("id", 3, is_nullable=False)]
    first, second = LogWriter(has_metadata=False), LogWriter(has_metadata=False)
    first.statement("CREATE TABLE t (id int unsigned NOT NULL PRIMARY KEY)")
    for log, key in ((first, 1), (second, 2)):
        log.begin()
        log.table_map(10, "t", columns)
        log.rows(10, Rows(WRITE_V2, [[key.to_bytes(4, "little")]], [True]))
        log.commit()
    (folder / "zz.000001").write_bytes(first.data)
    (folder / "zz.000002").write_bytes(second.data)
    return folder


def contents_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_indexes_are_those_of_the_command(spark: SparkSession, tmp_path: Path) -> None:
    logs = logs_in(tmp_path / "logs")
    log_files = find_log_files(logs, OPTIONS)
    expected = tmp_path / "expected"
    done = list(make_indexes(log_files, IndexFolder(expected, may_be_missing=True), OPTIONS))
    assert len(done) == len(log_files) == 6
    folder = tmp_path / "indexes"
    assert build_index(spark, logs, folder) == len(log_files)
    assert contents_of(folder) == contents_of(expected)
    index = IndexFolder(folder).find(log_files[-1])
    assert index is not None
    assert index.specs
    assert index.count("has_keys").all()
    assert build_index(spark, logs, folder) == 0  # all are complete
    assert {log.problem for log in check_indexes(log_files, IndexFolder(folder), OPTIONS)} == {""}
    rows = read_batches(logs, tables="shop.*").to_table()
    assert read_batches(logs, tables="shop.*", index=folder).to_table() == rows


def test_logs_without_an_index_are_named(spark: SparkSession, tmp_path: Path) -> None:
    log = tmp_path / "binlog.000001"
    data = sample_path("mysql-9.7-shop").read_bytes()
    log.write_bytes(data[:-30])
    damaged = tmp_path / "binlog.000002"
    damaged.write_bytes(data[:60] + bytes(100))
    folder = tmp_path / "indexes"
    with pytest.warns(BinlogWarning) as caught:
        assert build_index(spark, [log, damaged], folder, key_tables="") == 1
    assert [str(warning.message).split(":")[0] for warning in caught] == [log.name, damaged.name]
    log.write_bytes(data)
    assert build_index(spark, log, folder, key_tables="") == 1
    with pytest.raises(OptionError, match="key_tables"):
        build_index(spark, log, folder, key_tables="a.b.c")
