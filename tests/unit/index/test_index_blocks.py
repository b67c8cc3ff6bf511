"""The blocks of an index: they add up to the log, wherever one begins and an index ended."""

from pathlib import Path

import numpy as np
import pytest

from pyspark_adapter.errors import BinlogError, UnsupportedError
from pyspark_adapter.index.build_index import build_index
from pyspark_adapter.index.make_index import has_same_keys
from pyspark_adapter.index.wanted_blocks import ranges_of
from pyspark_adapter.index_store.index_file import decode, encode
from pyspark_adapter.splits.log_splits import Split
from pyspark_adapter.splits.read_split import plan_read, read_split
from tests.inputs import CORPUS, SAMPLES, UNREADABLE, corpus_entries, need_corpus, sample_path
from tests.support.indexes import OPTIONS, as_rows, index_of, log_at, rows_at
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.support.logs import events_of, read_sample

READABLE = sorted(set(SAMPLES) - UNREADABLE)
MOST_BYTES = 1 << 18
PARTS = (
    *("blocks", "counts", "gtids", "tables", "indexed_to", "tail", "step"),
    *("firsts", "contents", "shapes", "statements", "unlogged", "knows_tables"),
)


def parts_of(path: Path, step: int) -> list[str]:
    """Return the rows of a log, read block by block, and then what is not indexed."""
    index = index_of(path, step)
    assert decode(encode([index])) == [index]
    log_file = log_at(path)
    request = plan_read([log_file], OPTIONS)
    ranges = [
        pair
        for block in np.eye(index.num_blocks, dtype=bool)
        for pair in ranges_of(log_file, index, block, with_rest=False)
    ]
    assert len(ranges) == index.num_blocks
    ranges += ranges_of(log_file, index, np.zeros(index.num_blocks, dtype=bool))
    return [row for pair in ranges for row in as_rows(read_split(Split(*pair), request))]


@pytest.mark.slow
@pytest.mark.parametrize("name", READABLE)
def test_samples_block_by_block(name: str) -> None:
    path = sample_path(name)
    assert parts_of(path, max(700, path.stat().st_size // 20)) == rows_at(path)


@pytest.mark.slow
def test_corpus_block_by_block() -> None:
    need_corpus()
    num_read = 0
    for entry in corpus_entries():
        path = CORPUS / entry["file"]
        if path.stat().st_size > MOST_BYTES:
            continue
        try:
            index = build_index(log_at(path), OPTIONS, step=4000)
        except BinlogError:  # damaged in its first event, or not read from the middle
            continue
        if index is not None:
            assert parts_of(path, 4000) == rows_at(path), path
        num_read += 1
    assert num_read > 20


@pytest.mark.slow
@pytest.mark.parametrize("name", ["mysql-9.7-shop", "mariadb-11.8-transactions", "mysql-9.7-alter"])
def test_index_of_a_log_that_is_written_is_that_of_its_beginning(name: str, tmp_path: Path) -> None:
    log = read_sample(name)
    path = tmp_path / sample_path(name).name
    for number, event in enumerate(events_of(log)[1:]):
        # Of three events, the log ends before the first, and within the second.
        if number % 3 < 2:
            end = event.start_pos + 7 * (number % 3)
            path.write_bytes(log[:end])
            found = index_of(path, 900)
            assert decode(encode([found])) == [found]
            assert found.indexed_to <= end
            path.write_bytes(log)
            beginning = index_of(path, 900, found.indexed_to)
            for part in PARTS:
                assert getattr(found, part) == getattr(beginning, part), (end, part)
            assert has_same_keys(found, beginning), end


def test_last_rows_of_contents_are_those_of_complete_transactions(tmp_path: Path) -> None:
    """The two contents of a table take turns, and the log ends after any event."""
    log = LogWriter()
    ends = []
    for k, names in enumerate((["a"], ["b"], ["a", "b", "a"], ["b", "a"], ["a", "c", "b"])):
        log.begin()
        for name in names:
            log.table_map(7 + k, "t", [LoggedColumn(name, 3)])
            log.rows(7 + k, Rows(WRITE_V2, [[bytes([k, 0, 0, 0])]], [True]))
            ends.append(len(log.data))
        log.commit()
        ends.append(len(log.data))
    path = tmp_path / "binlog.000001"
    for end in ends:
        path.write_bytes(log.data[:end])
        found = index_of(path, 900)
        assert found.shapes == index_of(path, 900, found.indexed_to).shapes, end
    assert (
        found.shapes.column("last_pos").to_pylist() != found.shapes.column("start_pos").to_pylist()
    )


def test_index_of_a_whole_log_covers_it() -> None:
    for name in ("mysql-9.7-shop", "mysql-9.7-transactions", "mariadb-11.8-transactions"):
        index = index_of(sample_path(name), 1)
        assert index.indexed_to == sample_path(name).stat().st_size
        assert index.num_blocks > 5


def test_index_ends_before_damage(tmp_path: Path) -> None:
    log = bytearray(read_sample("mysql-9.7-shop"))
    rows = [event for event in events_of(bytes(log)) if "ROWS" in event.type_name][20]
    log[rows.end - 6] ^= 1
    path = tmp_path / "binlog.000001"
    path.write_bytes(log)
    assert 4 < index_of(path, 700).indexed_to < rows.start_pos
    assert parts_of(path, 700) == rows_at(path)
    assert rows_at(path)[-1] == "ChecksumMismatchError"


def test_several_format_descriptions_have_no_index(tmp_path: Path) -> None:
    log = read_sample("mysql-9.7-shop")
    first = events_of(log)[0]
    path = tmp_path / "binlog.000001"
    path.write_bytes(log + log[first.start_pos : first.end])
    with pytest.raises(UnsupportedError, match="one format description"):
        index_of(path, 700)


def test_a_file_holds_what_was_written() -> None:
    indexes = [index_of(sample_path(name), 700) for name in READABLE[:8]]
    assert decode(encode(indexes)) == indexes
    assert decode(encode([])) == []
