"""Folders of indexes: what is kept is checked, and what is not ours is left alone."""

import hashlib
import os
import shutil
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from pyspark_adapter import BinlogWarning
from pyspark_adapter.cli.main import main
from pyspark_adapter.index.make_index import check_indexes, make_indexes
from pyspark_adapter.index.wanted_blocks import IndexedLogs
from pyspark_adapter.index_store import index_file, index_folder
from pyspark_adapter.index_store.index_batches import (
    Details,
    DetailTables,
    IndexHeaders,
    detail_batch,
    header_batch,
)
from pyspark_adapter.index_store.index_file import (
    HEAD,
    LEN_START,
    StoredIndexes,
    batch_of,
    decode,
    encode,
    stream_of,
)
from pyspark_adapter.index_store.index_folder import IndexFolder
from pyspark_adapter.index_store.index_schema import BLOCK_DETAILS, DETAILS, TABLE_DETAILS
from pyspark_adapter.index_store.keys import IndexBytes
from pyspark_adapter.index_store.log_index import LogIndex
from pyspark_adapter.operations.indexed_answers import add_logs
from pyspark_adapter.operations.statistics import Statistics
from pyspark_adapter.options.binlog_options import BinlogOptions
from tests.inputs import sample_path
from tests.support.indexes import OPTIONS, index_of, log_at, make_index, rows_at
from tests.support.logs import replaced
from tests.unit.growth import growth

SAMPLE = sample_path("mysql-9.7-shop")
LEN_STREAM = slice(len(HEAD) + 32, LEN_START)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Give a copy of a log that a test may change."""
    return Path(shutil.copy(SAMPLE, tmp_path / "binlog.000001"))


def files_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def is_found(folder: Path, log: Path) -> bool:
    """Return whether a folder has an index that holds for a log; there is a warning if not."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", BinlogWarning)
        found = IndexFolder(folder).find(log_at(log))
    assert (found is None) == bool(caught)
    return found is not None


def test_a_second_run_reads_nothing_but_a_log_that_has_grown(log: Path, tmp_path: Path) -> None:
    data = log.read_bytes()
    folder = IndexFolder(tmp_path / "index", may_be_missing=True)
    log.write_bytes(data[: len(data) // 2])
    [first] = make_indexes([log_at(log)], folder, OPTIONS)
    [again] = make_indexes([log_at(log)], folder, OPTIONS)
    assert (first.is_new, again.is_new) == (True, False)
    log.write_bytes(data)
    [grown] = make_indexes([log_at(log)], IndexFolder(folder.path), OPTIONS)
    assert grown.is_new
    assert grown.index is not None
    assert grown.index.indexed_to == len(data)
    assert [done.problem for done in check_indexes([log_at(log)], folder, OPTIONS)] == [""]


def test_a_touched_or_copied_log_keeps_its_index(log: Path, tmp_path: Path) -> None:
    folder = make_index(tmp_path / "index", log, step=600)
    os.utime(log, (1, 1))
    assert is_found(folder, log)
    copy = tmp_path / "copy"
    copy.mkdir()
    assert is_found(folder, Path(shutil.copy(log, copy)))


def cut(data: bytes) -> bytes:
    return data[:-100]


def changed_end(data: bytes) -> bytes:
    return data[:-1] + bytes([data[-1] ^ 1]) + data


def of_another_second(data: bytes) -> bytes:
    return data[:4] + bytes([data[4] ^ 1]) + data[5:]


@pytest.mark.parametrize("change", [cut, changed_end, of_another_second])
def test_an_index_of_another_log_is_not_used(
    change: Callable[[bytes], bytes], log: Path, tmp_path: Path
) -> None:
    folder = make_index(tmp_path / "index", log, step=600)
    assert is_found(folder, log)
    log.write_bytes(change(log.read_bytes()))
    os.utime(log, (1, 1))
    assert not is_found(folder, log)
    assert rows_at(log, index=folder) == rows_at(log)


def test_a_damaged_file_is_left_out(log: Path, tmp_path: Path) -> None:
    folder = make_index(tmp_path / "index", log, step=600)
    [path] = folder.iterdir()
    data = path.read_bytes()
    expected = rows_at(log, tables="shop.orders")
    for damaged in (
        data[:-1],
        data[:LEN_START],
        data[: LEN_START - 1],
        replaced(data, LEN_START + 9, bytes([data[LEN_START + 9] ^ 4])),
        replaced(data, LEN_START - 1, b"\x7f"),  # a stream of many petabytes
        data.replace(b"index 05", b"index 99"),
    ):
        path.write_bytes(damaged)
        with pytest.warns(BinlogWarning, match="left out"):
            assert IndexFolder(folder).pack() == 0
        assert rows_at(log, index=folder, tables="shop.orders") == expected


def with_column(index: LogIndex, part: str, name: str, values: list[int]) -> LogIndex:
    return replace(index, **{part: with_numbers(getattr(index, part), name, values)})


def with_numbers(batch: pa.RecordBatch, name: str, values: list[int]) -> pa.RecordBatch:
    k = batch.schema.get_field_index(name)
    return batch.set_column(k, batch.schema.field(k), pa.array(values, batch.schema.types[k]))


def test_numbers_that_cannot_be_of_a_log_are_refused(log: Path) -> None:
    """A made-up file has the right checksum."""
    index = index_of(log, 600)
    starts = index.block("start_pos").tolist()
    blocks = index.count("block").tolist()
    hostile = [
        with_column(index, "blocks", "start_pos", [5, *starts[1:]]),
        with_column(index, "blocks", "start_pos", [*starts[:-1], 1 << 62]),
        with_column(index, "blocks", "start_pos", [*starts[:-2], starts[-1], starts[-2]]),
        with_column(index, "blocks", "num_transactions", [-1] * len(starts)),
        with_column(index, "counts", "block", [-1, *blocks[1:]]),
        with_column(index, "counts", "block", [*blocks[:-1], len(starts)]),
        with_column(index, "counts", "table", [len(index.tables)] * len(blocks)),
        with_column(index, "counts", "num_inserts", [-5] * len(blocks)),
        with_column(index, "gtids", "block", [len(starts)] * index.gtids.num_rows),
        replace(index, step=0),
        replace(index, step=1 << 50),
        replace(index, indexed_to=1 << 40),
        replace(index, indexed_to=3),
        replace(index, tables=(), firsts=index.firsts.slice(0, 0), specs=()),
    ]
    assert decode(encode([index])) == [index]
    for made in hostile:
        with pytest.raises(ValueError, match="numbers that cannot be of a log"):
            decode(encode([made]))


@pytest.mark.parametrize(
    "name", ["num_transactions", "num_logged_bytes", "first_micros", "last_micros"]
)
def test_a_header_that_says_other_than_its_blocks_is_refused(name: str, log: Path) -> None:
    """Else it could leave out a log that has rows of the time that is asked for."""
    index = index_of(log, 600)
    details = detail_batch([index])
    headers = header_batch([index], [(0, 0, b"", 0, index.num_key_bytes)])

    def decoded(batch: pa.RecordBatch) -> None:
        of = IndexHeaders(batch, 1 << 20)
        tables = DetailTables(of, 0, 1, details.select(list(TABLE_DETAILS)))
        Details(of, 0, 1, details.select(list(BLOCK_DETAILS)), tables)

    decoded(headers)
    value = headers.column(name)[0].as_py() + (1 if name == "last_micros" else -1)
    with pytest.raises(ValueError, match="numbers that cannot be of a log"):
        decoded(with_numbers(headers, name, [value]))


def test_a_log_of_another_time_or_without_the_table_is_known_by_its_header(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"index": str(make_index(tmp_path / "index", log, step=600))}
    monkeypatch.setattr(StoredIndexes, "index", lambda *_: pytest.fail("details are read"))
    wanted: dict[str, str]
    for wanted in (
        {"starting_timestamp": "2030-01-01"},
        {"ending_timestamp": "2020-01-01"},
        {"table": "shop.none"},
    ):
        checked = BinlogOptions.from_python(options | wanted)
        assert IndexedLogs(checked, ddl_of="none").ranges([log_at(log)]) == []


def test_random_contents_raise_nothing_of_arrow(log: Path) -> None:
    """The checksum of the headers is made to fit."""
    data = encode([index_of(log, 600)])
    size = int.from_bytes(data[LEN_STREAM], "little")
    content = np.frombuffer(data, dtype=np.uint8)[LEN_START : LEN_START + size]
    random = np.random.default_rng(20261124)
    for _ in range(300):
        changed = content.copy()
        places = random.integers(len(changed), size=random.integers(1, 6))
        changed[places] = random.integers(256, size=len(places))
        made = changed.tobytes()
        with suppress(ValueError):
            digest = hashlib.sha256(made).digest()
            decode(HEAD + digest + data[LEN_STREAM] + made + data[LEN_START + size :])


def test_random_details_raise_nothing_of_arrow(log: Path) -> None:
    """The checksum of the details is made to fit."""
    index = index_of(log, 600)
    headers = IndexHeaders(header_batch([index], [(0, 0, b"", 0, index.num_key_bytes)]), 1 << 20)
    content = np.frombuffer(stream_of(detail_batch([index])), dtype=np.uint8)
    random = np.random.default_rng(20261125)
    for _ in range(300):
        changed = content.copy()
        places = random.integers(len(changed), size=random.integers(1, 6))
        changed[places] = random.integers(256, size=len(places))
        with suppress(ValueError):
            made = changed.tobytes()
            tables = DetailTables(headers, 0, 1, batch_of(made, DETAILS, TABLE_DETAILS))
            batch = batch_of(made, DETAILS, BLOCK_DETAILS)
            Details(headers, 0, 1, batch, tables).index(0, IndexBytes())


def test_pack_and_drop_touch_own_files_alone(tmp_path: Path) -> None:
    names = ("mysql-9.7-shop", "mysql-9.7-transactions", "mariadb-11.8-transactions")
    folder = make_index(tmp_path / "index", *map(sample_path, names), step=600)
    others = {"notes.index": b"of the user", "binlog.000001": SAMPLE.read_bytes(), "x": b""}
    others["how to.index"] = b"mysql-binlog-spark index /var/lib/mysql --index indexes\n"
    for name, data in others.items():
        (folder / name).write_bytes(data)
    (folder / "folder.index").mkdir()
    assert IndexFolder(folder).pack() == len(names)
    [packed] = set(files_in(folder)) - {*others, "folder.index"}
    assert packed.startswith("pack-")
    for name in names:
        assert is_found(folder, sample_path(name))
        expected = rows_at(sample_path(name), change_types="delete")
        assert rows_at(sample_path(name), index=folder, change_types="delete") == expected
    assert IndexFolder(folder).drop() == 1
    assert files_in(folder) == sorted([*others, "folder.index"])
    assert {name: (folder / name).read_bytes() for name in others} == others


def test_details_are_read_when_a_question_needs_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_file, "_MAX_LOGS", 2)
    monkeypatch.setattr(index_file, "_FIRST_READ", 4096)
    names = ("mysql-9.7-shop", "mysql-9.7-transactions", "mariadb-11.8-transactions")
    logs = [log_at(sample_path(name)) for name in names]
    folder = make_index(tmp_path / "index", *map(sample_path, names), step=600)
    assert IndexFolder(folder).pack() == 3
    [path] = folder.iterdir()
    ranges: list[int] = []
    read = IndexBytes.read

    def counted(data: IndexBytes, offset: int, num_bytes: int) -> bytes:
        ranges.append(num_bytes)
        return read(data, offset, num_bytes)

    monkeypatch.setattr(IndexBytes, "read", counted)
    options = BinlogOptions(index=str(folder))
    sums = Statistics("hour")
    add_logs(sums, logs, options)
    assert ranges == []
    expected = Statistics("hour")
    add_logs(expected, logs, BinlogOptions())
    assert sums.by_table() == expected.by_table()
    assert sums.num_bytes == expected.num_bytes
    kept = IndexFolder(folder)
    assert [kept.find(log) is None for log in logs[:2]] == [False, False]
    assert len(ranges) == 2  # of these three, two are together
    assert kept.find(logs[2]) is not None
    # What is cut or damaged since then is noticed.
    path.write_bytes(path.read_bytes()[:-2000])
    for damage in ("cut", "changed"):
        kept = IndexFolder(folder)
        data = path.read_bytes()
        path.write_bytes(data[:-1000] if damage == "cut" else data[:2000] + bytes(len(data) - 2000))
        with pytest.warns(BinlogWarning):
            assert any(kept.find(log) is None for log in logs)


def test_pack_removes_what_nobody_can_use(log: Path, tmp_path: Path) -> None:
    folder = make_index(tmp_path / "index", log, step=600)
    [path] = folder.iterdir()
    data = path.read_bytes()
    for name, content in (
        ("cut.index", data[:-1]),
        ("old.index", data.replace(b"index 05", b"index 04")),
        ("later.index", data.replace(b"index 05", b"index 99")),
        ("other.index", b"not an index"),
    ):
        (folder / name).write_bytes(content)
    with pytest.warns(BinlogWarning, match="left out.*`index LOGS --pack` makes it again"):
        assert IndexFolder(folder).pack() == 1
    left = {path.name.split("-")[0] for path in folder.iterdir()}
    assert left == {"pack", "later.index", "other.index"}


def test_pack_leaves_what_others_write_meanwhile(log: Path, tmp_path: Path) -> None:
    folder = make_index(tmp_path / "index", log, step=600)
    mine = IndexFolder(folder)
    assert mine.find(log_at(log)) is not None
    make_index(folder, sample_path("mysql-9.7-transactions"), step=600)
    assert mine.pack() == 1
    assert len(files_in(folder)) == 2
    assert is_found(folder, log)
    assert is_found(folder, sample_path("mysql-9.7-transactions"))


def test_only_files_of_the_log_are_read(log: Path, tmp_path: Path) -> None:
    """Names that a file system or a folder cannot have are in the names of the files as well."""
    folder = make_index(tmp_path / "index", log, step=600)
    for name in ("MySQL-bin.000001", "a", "a b.000003", "log" * 70):
        path = tmp_path / name
        shutil.copy(SAMPLE, path)
        make_index(folder, path, step=600)
        assert is_found(folder, path)
    for path in folder.glob("binlog*"):
        path.write_bytes(path.read_bytes()[:-1])
    with warnings.catch_warnings():
        warnings.simplefilter("error", BinlogWarning)
        assert IndexFolder(folder).find(log_at(tmp_path / "a b.000003")) is not None
    assert not is_found(folder, log)


def test_finding_logs_takes_time_in_proportion(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_folder, "read_file", lambda _file: None)
    log_file = log_at(SAMPLE)

    def run(count: int) -> None:
        folder = tmp_path / str(count)
        folder.mkdir(exist_ok=True)
        for number in range(count):
            (folder / f"binlog%2E{number:06}-1-2.index").touch()
        indexes = IndexFolder(folder)
        for number in range(count):
            assert indexes.header_of(replace(log_file, name=f"binlog.{number:06}")) is None
        assert not indexes._unread

    assert growth(run, 1000) < 8


def test_check_finds_an_index_that_lacks_rows(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    index = index_of(log, 600)
    zeros = [0] * index.counts.num_rows
    folder = IndexFolder(tmp_path / "index", may_be_missing=True)
    folder.write(with_column(index, "counts", "num_deletes", zeros))
    assert main(["index", str(log), "--index", str(folder.path), "--check"]) == 1
    error = capsys.readouterr().err
    assert "binlog.000001: its index has other counts" in error
    assert "1 differ; remove the indexes with --drop, and make them again" in error
    folder.write(index)
    assert main(["index", str(log), "--index", str(folder.path), "--check"]) == 0


def test_a_run_goes_on_after_a_log_that_has_no_index(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damaged = tmp_path / "binlog.000000"
    damaged.write_bytes(SAMPLE.read_bytes()[:60] + bytes(100))
    assert main(["index", str(damaged), str(log), "--index", str(tmp_path / "index")]) == 0
    printed = capsys.readouterr().err
    assert "binlog.000000: " in printed
    assert "2 logs" in printed
    assert "1 indexed now" in printed


def test_a_stream_that_becomes_far_larger_is_damaged() -> None:
    batch = pa.record_batch({"number": np.zeros(20 << 20, dtype=np.int64)})
    content = stream_of(batch)
    assert len(content) < 1 << 16
    with pytest.raises(ValueError, match="it becomes 167,772,16"):
        batch_of(content, batch.schema)
    for small in (batch.slice(0, 1 << 20), batch.slice(0, 0)):
        assert batch_of(stream_of(small), batch.schema) == small
    for damaged in (content[:200], content[:100] + bytes(100) + content[200:]):
        with pytest.raises(ValueError, match="is damaged"):
            batch_of(damaged, batch.schema)
