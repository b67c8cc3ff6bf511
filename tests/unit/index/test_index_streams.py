"""The first batch of a stream with an index: the rows are those without, from fewer blocks."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pyspark_adapter import BinlogWarning
from pyspark_adapter.options.name_patterns import parse_table_patterns
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.splits.log_splits import Split
from pyspark_adapter.stream.log_stream import BatchLimit
from tests.inputs import sample_path
from tests.support.indexes import make_index
from tests.support.opened_logs import OpenedLogs
from tests.support.streams import FollowedStream

NAMES = ("mysql-9.7-shop", "mysql-9.7-alter", "mysql-9.7-transactions")


def stream_of(data: list[bytes], folder: Path, places: list[int], **options: Any) -> list[str]:
    """Return the rows of a stream; the last log grows at some offsets."""
    logs = [folder / f"binlog.{number:06}" for number in range(1, len(data) + 1)]
    logs[-1].write_bytes(data[-1][: places[0]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BinlogWarning)
        stream = FollowedStream(folder, **options)
        for number, place in enumerate([*places, len(data[-1])]):
            logs[-1].write_bytes(data[-1][:place])
            if number == 2:
                stream.restart()
            while stream.poll(BatchLimit(num_bytes=9000)):
                pass
    return stream.rows


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"tables": parse_table_patterns("shop.price_history,*.t*")},
        {"table": TableName("shop", "orders")},
        {"table": TableName("shop", "orders"), "keys": ((("", 5),),)},
        {"change_types": ("delete",), "schema_changes": True},
    ],
)
def test_rows_are_those_without_an_index(options: dict[str, Any], tmp_path: Path) -> None:
    random = np.random.default_rng(20261125)
    data = [sample_path(name).read_bytes() for name in NAMES]
    folder = tmp_path / "logs"
    folder.mkdir()
    for number, content in enumerate(data, 1):
        (folder / f"binlog.{number:06}").write_bytes(content[: len(content) * (5 - number) // 4])
    index = make_index(tmp_path / "index", *sorted(folder.iterdir()), step=700)
    for content, path in zip(data, sorted(folder.iterdir()), strict=True):
        path.write_bytes(content)
    for _ in range(3):
        places = sorted(random.integers(200, len(data[-1]), size=3).tolist())
        expected = stream_of(data, folder, places, **options)
        assert stream_of(data, folder, places, index=str(index), **options) == expected
        assert expected


def test_blocks_without_rows_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = sample_path("mysql-9.7-shop")
    index = make_index(tmp_path / "index", path, step=600)
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / path.name).write_bytes(path.read_bytes())
    options: dict[str, Any] = {"tables": parse_table_patterns("shop.price_history")}
    sizes: list[int] = []
    for more in ({}, {"index": str(index)}):
        stream = FollowedStream(folder, **options, **more)
        splits: list[Split] = []
        begin, end = stream.offset, stream.source.latest_offset(stream.offset, BatchLimit())
        for _ in range(2):  # Spark may ask again
            splits = stream.timeline.splits(stream.source.ranges(begin, end))
        sizes.append(sum(split.num_bytes for split in splits))
    assert 0 < sizes[1] < sizes[0] / 2
    opened = OpenedLogs(monkeypatch)
    FollowedStream(folder, table=TableName("shop", "orders"), index=str(index))
    assert opened.num_windows == 0  # its columns are known
