"""A log gives the same rows whether or not its transactions or events are compressed."""

from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from tests.inputs import SAMPLES, UNREADABLE, sample_path
from tests.support.outcome import ALL_METADATA, counts, read
from tests.support.packing import (
    NONE,
    ZSTD,
    Compress,
    compress_events,
    in_frames_of_unknown_size,
    in_one_frame,
    pack_transactions,
    positions,
    split_rows,
)

READABLE = sorted(set(SAMPLES) - UNREADABLE - {"mysql-9.7-compressed-transactions"})
# The transactions of one sample are compressed by its server.
MYSQL = [
    name for name in READABLE if SAMPLES[name]["flavor"] == "mysql" and name != "mysql-8.0-few"
]
MARIADB = [
    name
    for name in READABLE
    if SAMPLES[name]["flavor"] == "mariadb" and name != "mariadb-11.8-compressed"
]
FORMS: dict[str, tuple[Compress, int]] = {
    "zstd": (in_one_frame, ZSTD),
    "frames": (in_frames_of_unknown_size, ZSTD),
    "none": (bytes, NONE),
}
WINDOWS = ("1k", "4m")


@cache
def rows_of_sample(name: str) -> pa.Table | None:
    return comparable(read(sample_path(name), metadata_columns=ALL_METADATA).rows)


def comparable(rows: pa.Table | None) -> pa.Table | None:
    """Return rows without their positions: transactions are numbered in their order."""
    if rows is None:
        return None
    versions = rows.column("_commit_version").combine_chunks()
    ranks = pc.rank(versions, tiebreaker="dense")
    return rows.drop_columns(["_start_pos", "_log_file", "_commit_version"]).append_column(
        "transaction", ranks
    )


@pytest.mark.parametrize("window_bytes", WINDOWS)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", MYSQL)
def test_rows_of_compressed_transactions(
    name: str, form: str, window_bytes: str, tmp_path: Path
) -> None:
    path = tmp_path / sample_path(name).name
    path.write_bytes(pack_transactions(sample_path(name).read_bytes(), *FORMS[form]))
    outcome = read(path, metadata_columns=ALL_METADATA, window_bytes=window_bytes)
    assert_same_rows(name, outcome.rows, path)


@pytest.mark.parametrize("window_bytes", WINDOWS)
@pytest.mark.parametrize("name", MARIADB)
def test_rows_of_compressed_events(name: str, window_bytes: str, tmp_path: Path) -> None:
    path = tmp_path / sample_path(name).name
    path.write_bytes(compress_events(sample_path(name).read_bytes()))
    outcome = read(path, metadata_columns=ALL_METADATA, window_bytes=window_bytes)
    assert_same_rows(name, outcome.rows, path)


@pytest.mark.parametrize("size", [40, 1000])
@pytest.mark.parametrize("name", [*MARIADB, "mariadb-11.8-compressed"])
def test_rows_of_events_in_parts(name: str, size: int, tmp_path: Path) -> None:
    path = tmp_path / sample_path(name).name
    log = sample_path(name).read_bytes()
    path.write_bytes(split_rows(log, size, number_first=size > 40, has_own_checksum=size > 40))
    outcome = read(path, metadata_columns=ALL_METADATA, window_bytes="1k")
    assert_same_rows(name, outcome.rows, path)
    assert counts(path)[:1] != []


def assert_same_rows(name: str, rows: pa.Table | None, path: Path) -> None:
    """Fail unless rows are those of a sample, and stand at events of the packed log."""
    assert comparable(rows) == rows_of_sample(name)
    if rows is not None:
        assert set(rows.column("_start_pos").to_pylist()) <= set(positions(path.read_bytes()))


@pytest.mark.parametrize("name", MYSQL)
def test_lists_of_compressed_transactions(name: str, tmp_path: Path) -> None:
    path = tmp_path / "log.000001"
    path.write_bytes(pack_transactions(sample_path(name).read_bytes()))
    assert without_sites(counts(path)) == without_sites(counts(sample_path(name)))


def without_sites(found: Any) -> Any:
    """Return what a list says of its tables but for positions; of an error its class alone."""
    if isinstance(found, tuple):
        return found[0]
    return [(*entry[:2], *entry[3:]) for entry in found]
