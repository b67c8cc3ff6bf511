"""Values that hold whole chains of events: splits give the rows of the log, and no others."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from pyspark_adapter import BinlogWarning
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.splits.log_splits import plan_splits
from pyspark_adapter.splits.read_split import plan_read, read_log, read_split
from pyspark_adapter.stream.log_stream import BatchLimit
from tests.support.forged_logs import FORGED, Forgery, write_forged_log
from tests.support.streams import FollowedStream, rows_of

MIB = 1 << 20
COLUMNS = ("_table_name", "_start_pos")


@pytest.mark.slow
@pytest.mark.parametrize("ignores_damage", [False, True])
@pytest.mark.parametrize("begins_a_log", [False, True])
def test_a_chain_of_events_in_a_value_is_a_value(
    tmp_path: Path, ignores_damage: bool, begins_a_log: bool
) -> None:
    """Of 2 MB, across a cut: farther than a search for events would look to both sides."""
    chain = Forgery(8_000, 2 * MIB, begins_a_log)
    path = tmp_path / "binlog.000001"
    path.write_bytes(write_forged_log([[chain], [Forgery()], [Forgery(0, MIB)]] * 2))
    options = BinlogOptions(
        max_partition_bytes=MIB, metadata_columns=COLUMNS, ignore_corrupt_files=ignores_damage
    )
    [log_file] = find_log_files(path)
    request = plan_read([log_file], options)
    with warnings.catch_warnings():
        warnings.simplefilter("error", BinlogWarning)
        splits = plan_splits([(log_file, None)], request)
        rows = [
            (row["_table_name"], row["_start_pos"])
            for split in splits
            for batch in read_split(split, request)
            for row in batch.to_pylist()
        ]
    assert FORGED not in {table for table, _ in rows}
    assert len(rows) == 6
    whole = [row for batch in read_log(log_file, request) for row in batch.to_pylist()]
    assert rows == [(row["_table_name"], row["_start_pos"]) for row in whole]


@pytest.mark.parametrize("start", ["earliest", "latest"])
def test_a_stream_takes_no_event_from_a_value(tmp_path: Path, start: str) -> None:
    """In batches that end before such values, within them and after them."""
    path = tmp_path / "binlog.000001"
    log = write_forged_log([[Forgery(400, is_stretched=True)], [Forgery()]] * 4)
    for num_bytes in (len(log) // 2, len(log) - 50_000, len(log)):
        path.write_bytes(log[:num_bytes])
        stream = FollowedStream(tmp_path, starting_offsets=start, max_partition_bytes="64k")
        path.write_bytes(log)
        while stream.poll(BatchLimit(70_000)):
            pass
        assert FORGED not in "".join(row.partition("'row'")[0] for row in stream.rows)
        whole = rows_of(path)
        assert len(whole) == 8
        assert stream.rows == whole[len(whole) - len(stream.rows) :]
        assert len(stream.rows) == 8 or start == "latest"
