"""Offsets of checkpoints that another source or damage has left."""

from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import OptionError
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.spark.stream import BinlogStreamReader
from pyspark_adapter.splits.read_split import plan_read
from pyspark_adapter.stream.log_directory import LogDirectory
from tests.support.ddl_logs import write_log

GOOD = {"log_file": "binlog.000001", "pos": 4, "log_id": ""}
BAD: list[Any] = [
    None,
    7,
    [],
    "binlog.000001:4",
    {},
    {"topic": {"0": 12}},  # of Kafka
    GOOD | {"more": 1},
    GOOD | {"pos": "4"},
    GOOD | {"pos": True},
    GOOD | {"pos": -1},
    GOOD | {"pos": 3},
    GOOD | {"log_file": ["binlog.000001"]},
    GOOD | {"log_id": 1},
    {"log_file": "\x1b[2J" * 10_000, "pos": 1.5},
]


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: repr(bad)[:40])
def test_an_offset_of_another_source_is_an_error(bad: Any, tmp_path: Path) -> None:
    write_log(tmp_path / "binlog.000001", 1)
    options = BinlogOptions(metadata_columns=())
    series = LogDirectory([str(tmp_path)], options)
    reader = BinlogStreamReader(series, plan_read(series.all(), options))
    calls = (
        lambda: reader.latestOffset(bad, reader.getDefaultReadLimit()),
        lambda: reader.partitions(bad, GOOD),
        lambda: reader.partitions(GOOD, bad),
    )
    for call in calls:
        with pytest.raises(OptionError, match="of another source") as caught:
            call()
        assert caught.value.option == "checkpointLocation"
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) <= 800


@pytest.mark.parametrize("log_file", ["/etc/passwd", "../binlog.000001", "a/binlog.000001"])
def test_an_offset_names_no_file_outside_of_the_directory(log_file: str, tmp_path: Path) -> None:
    """A log is looked for among those of the directory, by its name."""
    folder = tmp_path / "logs"
    folder.mkdir()
    for path in (tmp_path / "binlog.000001", folder / "binlog.000002"):
        write_log(path, 1)
    assert LogDirectory([str(folder)], BinlogOptions(metadata_columns=())).find(log_file) is None
