"""`undo` with an index gives what it gives without, and passes over blocks and logs."""

from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import BinlogError, list_tables, read_batches, undo_statements
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.index.wanted_blocks import narrowed_to_blocks
from pyspark_adapter.options.binlog_options import BinlogOptions
from tests.inputs import sample_path
from tests.support.indexes import make_index


def undone(path: Path, **options: Any) -> list[str]:
    """Return the script, or the error."""
    try:
        return list(undo_statements(path, **options))
    except BinlogError as error:
        return [str(error)]


@pytest.mark.parametrize(
    "name", ["mysql-9.7-shop", "mysql-9.7-transactions", "mariadb-11.8-transactions"]
)
def test_undo_with_an_index_is_that_without(name: str, tmp_path: Path) -> None:
    path = sample_path(name)
    folder = make_index(tmp_path / "index", path, step=700)
    batches = read_batches(path, metadata_columns=["_gtid", "_commit_timestamp"])
    found = {row["_gtid"]: row["_commit_timestamp"] for row in batches.to_table().to_pylist()}
    chosen: list[dict[str, Any]] = [{"include_gtids": gtid} for gtid in list(found)[:12]]
    times = sorted(found.values())
    chosen += [{"starting_timestamp": times[-3]}, {"ending_timestamp": times[2]}, {}]
    chosen += [{"tables": str(table.table)} for table in list_tables(path)[:3]]
    for options in chosen:
        assert undone(path, index=folder, **options) == undone(path, **options), options


def test_the_range_of_a_transaction_is_that_of_its_block(tmp_path: Path) -> None:
    path = sample_path("mysql-9.7-shop")
    folder = make_index(tmp_path / "index", path, step=700)
    gtid = "795c97f4-badf-559a-96b7-28fc16279c15:17"  # from 13960 to 15976
    options = BinlogOptions.from_python({"index": str(folder), "include_gtids": gtid})
    narrowed = narrowed_to_blocks(find_log_files(path, options), options)
    start, stop = narrowed.starting_position, narrowed.ending_position
    assert start is not None
    assert stop is not None
    assert 13_000 < start.start_pos <= 13_960 < stop.start_pos <= 16_000
