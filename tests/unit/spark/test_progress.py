"""What a task prints of its progress."""

from itertools import count

import pytest

from pyspark_adapter import BinlogOptions
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.spark.batch import BinlogReader
from pyspark_adapter.splits.read_split import plan_read
from tests.inputs import sample_path


def test_lines_have_the_log_its_bytes_and_its_rows(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = count(step=10)
    monkeypatch.setattr("pyspark_adapter.sources.progress.time.monotonic", lambda: next(seconds))
    options = BinlogOptions(progress_seconds=1, window_bytes=4096)
    logs = find_log_files(str(sample_path("mysql-9.7-shop")), options)
    reader = BinlogReader(logs, plan_read(logs, options))
    printed: list[str] = []
    before = 0
    for partition in reader.partitions():
        for batch in reader.read(partition):
            printed += capsys.readouterr().err.splitlines()
            assert printed[-1].startswith("mysql-9.7-shop.000001: ")
            assert printed[-1].endswith(f"/s, {before} rows")
            before += batch.num_rows
    assert len(printed) > 3
