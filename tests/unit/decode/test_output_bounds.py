"""Small logs with large output, and logs whose cost could grow faster than their size."""

import struct
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from pyspark_adapter import (
    BinlogOptionsDict,
    CorruptEventError,
    OptionError,
    UnsupportedError,
    read_batches,
)
from pyspark_adapter.decode import output_batch
from pyspark_adapter.decode.output_batch import cut_inflated
from pyspark_adapter.events.table_map import Column, TableMap
from pyspark_adapter.kernels.layout import MAX_INT32, MAX_WINDOW, Change, Op
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.plan.output_schema import ROW_NAME
from pyspark_adapter.plan.row_plan import WantedColumn
from pyspark_adapter.values.column_types import Decoding
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, bits, packed
from tests.support.logs import read_until_error
from tests.unit.growth import count_calls

BATCH_BYTES = 1 << 14
# Of `output_size`, and as much again for arrays that Arrow makes along the way.
MOST_BYTES = 2 * 16 * BATCH_BYTES
WIDE = [LoggedColumn(f"c{i}", 3) for i in range(4096)]


def rows_event(
    writer: LogWriter, table_id: int, present: list[bool], rows: bytes, end: int
) -> None:
    body = struct.pack("<IHHH", table_id, 0, end, 2) + packed(len(present))
    writer.event(WRITE_V2, body + bits(present, padding=True) + rows)


def log_of(tmp_path: Path, tables: list[list[LoggedColumn]], rows: list[bytes]) -> Path:
    """Write a statement with a rows event for each table in turn, all columns present."""
    writer = LogWriter(has_checksums=False)
    writer.begin()
    for table_id, logged in enumerate(tables):
        writer.table_map(table_id + 1, f"t{table_id}", logged)
    for number, data in enumerate(rows):
        table_id = number % len(tables)
        present = [True] * len(tables[table_id])
        rows_event(writer, table_id + 1, present, data, int(number == len(rows) - 1))
    writer.commit()
    path = tmp_path / "log.000001"
    path.write_bytes(writer.data)
    return path


def enum_log(tmp_path: Path) -> Path:
    members = LoggedColumn("v", 254, b"\xf7\x01", collation=63, members=("x" * 60_000,))
    return log_of(tmp_path, [[members]], [b"\xfe\x01" * 200])


def set_log(tmp_path: Path) -> Path:
    members = LoggedColumn("v", 254, b"\xf8\x01", collation=63, members=("x" * 60_000,))
    return log_of(tmp_path, [[members]], [b"\xfe\x01" * 200])


def compressed_log(tmp_path: Path) -> Path:
    value = b"\x84" + (200_000).to_bytes(4, "big") + zlib.compress(bytes(200_000))
    row = b"\xfe" + len(value).to_bytes(4, "little") + value
    return log_of(tmp_path, [[LoggedColumn("v", 140, b"\x04", collation=63)]], [row * 60])


@pytest.mark.parametrize("make", [enum_log, set_log, compressed_log])
def test_a_batch_is_bounded_by_what_it_gives(make: Callable[[Path], Path], tmp_path: Path) -> None:
    options: BinlogOptionsDict = {"table": "d.t0", "batch_bytes": BATCH_BYTES}
    batches = list(read_batches(make(tmp_path), **options))
    assert sum(batch.nbytes for batch in batches) > 2 * MOST_BYTES
    assert max(batch.nbytes for batch in batches) < MOST_BYTES
    assert len({value for batch in batches for value in batch["v"].to_pylist()}) == 1


@pytest.mark.parametrize("make", [enum_log, set_log, compressed_log])
def test_memory_to_make_rows_as_json_is_bounded(
    make: Callable[[Path], Path], tmp_path: Path
) -> None:
    """The text of a row is made of several copies of its values."""
    path = make(tmp_path)
    before = pa.default_memory_pool()
    pool = pa.proxy_memory_pool(before)
    pa.set_memory_pool(pool)
    try:
        for batch in read_batches(path, batch_bytes=1 << 16):
            del batch
    finally:
        pa.set_memory_pool(before)
    assert pool.max_memory() < 4 * 16 * (1 << 16)


def test_rows_as_json_are_bounded_too(tmp_path: Path) -> None:
    logged = [LoggedColumn(f"{'x' * 50}{i}", 3) for i in range(200)]
    path = log_of(tmp_path, [logged, logged], [b"\xff" * 25] * 200)
    batches = list(read_batches(path, batch_bytes=BATCH_BYTES))
    assert sum(batch.nbytes for batch in batches) > 2 * MOST_BYTES
    assert max(batch.nbytes for batch in batches) < MOST_BYTES
    names = [name for batch in batches for name in batch["_table_name"].to_pylist()]
    assert names == ["t0", "t1"] * 100


def test_columns_that_rows_lack_count_too(tmp_path: Path) -> None:
    tables = [
        [LoggedColumn(f"{'x' * 50}{i}", 3) for i in range(k * 200, k * 200 + 200)] for k in (0, 1)
    ]
    writer = LogWriter(has_checksums=False)
    for logged in tables:
        writer.begin()
        writer.table_map(9, "t", logged)
        rows_event(writer, 9, [True] + [False] * 199, b"\xff" * 1000, 1)
        writer.commit()
    path = tmp_path / "log.000001"
    path.write_bytes(writer.data)
    options: dict[str, Any] = {"batch_bytes": BATCH_BYTES}
    more: dict[str, Any]
    for more in ({"table": "d.t"}, {"metadata_columns": ("_absent_columns",)}):
        batches = list(read_batches(path, **options, **more))
        assert sum(batch.num_rows for batch in batches) == 2000
        assert sum(batch.nbytes for batch in batches) > 2 * MOST_BYTES
        assert max(batch.nbytes for batch in batches) < MOST_BYTES


def test_shapes_of_a_table_share_batches(tmp_path: Path) -> None:
    """Each batch has all columns: one for each shape would be quadratic."""

    def read(count: int) -> list[pa.RecordBatch]:
        writer = LogWriter(has_checksums=False)
        for k in range(count):
            writer.begin()
            writer.table_map(9, "t", [LoggedColumn("id", 3), LoggedColumn(f"c{k}", 3)])
            rows_event(writer, 9, [True, True], struct.pack("<Bii", 0xFC, k, -k), 1)
            writer.commit()
        path = tmp_path / "log.000001"
        path.write_bytes(writer.data)
        return list(read_batches(path, table="d.t"))

    read(1)  # what is made once is made before
    counts = [count_calls(partial(read, size)) for size in (25, 50, 100)]
    assert counts[1] < 2.5 * counts[0]
    assert counts[2] < 2.5 * counts[1]
    [batch] = read(100)
    assert batch["id"].to_pylist() == list(range(100))
    rows = batch.drop_columns([n for n in batch.schema.names if n[0] == "_"]).to_pylist()
    for k, row in enumerate(rows):
        assert {name: value for name, value in row.items() if value is not None} == {
            "id": k,
            f"c{k}": -k,
        }


@pytest.mark.parametrize("cost", [0, 1, 100])
def test_images_of_an_update_stay_together(cost: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pair = [Change.UPDATE_PREIMAGE, Change.UPDATE_POSTIMAGE]
    change = np.array(pair * 10)

    def lengths(*_: Any) -> Any:
        return np.full(20, cost)

    monkeypatch.setattr("pyspark_adapter.decode.output_batch.inflated_lengths", lengths)
    decoding = Decoding(pa.binary(), Op.COMPRESSED_TEXT, (4, 0, 0))
    column = WantedColumn(
        Column(0, "v", 140, 4, True, None, 63, None), decoding, pa.field("v", pa.binary())
    )
    ends = cut_inflated(np.zeros(1), np.zeros((1, 20)), change, [column], 7)
    assert ends[-1] == 20
    assert all(end % 2 == 0 for end in ends)
    assert len(ends) == {0: 1, 1: 4, 100: 10}[cost]


@pytest.mark.parametrize("options", [{"table": "d.t"}, {}], ids=["typed", "json"])
def test_columns_that_no_row_holds_share_an_array(options: dict[str, Any], tmp_path: Path) -> None:
    writer = LogWriter(has_checksums=False)
    writer.begin()
    writer.table_map(9, "t", WIDE)
    rows_event(writer, 9, [True] + [False] * 4095, b"\xff" * 7 + b"\xfe\x05\0\0\0", 1)
    writer.commit()
    path = tmp_path / "log.000001"
    path.write_bytes(writer.data)
    [batch] = read_batches(path, **options)
    if not options:
        assert batch[ROW_NAME].to_pylist() == ['{"c0": null}'] * 7 + ['{"c0": 5}']
        return
    assert batch["c0"].to_pylist() == [None] * 7 + [5]
    absent = [batch[f"c{i}"] for i in range(1, 4096)]
    assert all(column.null_count == 8 for column in absent)
    assert len({column.buffers()[1].address for column in absent}) == 1


def test_tables_are_not_compared_with_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts: list[int] = []
    equal = TableMap.__eq__

    def count(self: TableMap, other: object) -> bool:
        counts[-1] += 1
        return bool(equal(self, other))

    monkeypatch.setattr(TableMap, "__eq__", count)
    for num_tables in (100, 200, 400):
        counts.append(0)
        tables = [[LoggedColumn("a", 3)]] * num_tables
        path = log_of(tmp_path, tables, [b"\xfe\x01\0\0\0"] * num_tables)
        assert sum(b.num_rows for b in read_batches(path)) == num_tables
    assert counts[2] <= 8 * max(counts[0], 400)


def test_no_memory_is_asked_for_a_length_beyond_the_event(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = [0]
    allocate = pa.allocate_buffer

    def spy(size: int, *arguments: Any, **keywords: Any) -> pa.Buffer:
        sizes.append(size)
        return allocate(size, *arguments, **keywords)

    monkeypatch.setattr(pa, "allocate_buffer", spy)
    good = b"\xfe\x03\0\0\0abc"
    path = log_of(
        tmp_path,
        [[LoggedColumn("v", 252, b"\x04", collation=63)]],
        [good + b"\xfe\xff\xff\xff\x7f"],
    )
    num_rows, error = read_until_error(path, table="d.t0")
    assert num_rows == 1
    assert isinstance(error, CorruptEventError)
    assert "beyond the end" in str(error)
    assert max(sizes) < 1 << 20


def test_keys_that_overlap_are_refused_before_they_are_sorted(tmp_path: Path) -> None:
    """Thousands of keys over the same bytes: each comparison would take their whole length."""
    count, length = 3000, 30_000
    head = 8 + count * 11
    document = struct.pack("<BII", 1, count, head + length)
    document += b"".join(struct.pack("<IH", head, length - i) for i in range(count))
    document += struct.pack("<BI", 4, 0) * count + b"k" * length
    path = log_of(
        tmp_path,
        [[LoggedColumn("v", 245, b"\x04")]],
        [b"\xfe" + len(document).to_bytes(4, "little") + document],
    )
    num_rows, error = read_until_error(path, table="d.t0", json="variant")
    assert num_rows == 0
    assert isinstance(error, CorruptEventError)
    assert "overlap" in str(error)


@pytest.mark.parametrize(("count", "length"), [(2, 20), (12, 400), (400, 20_000)])
def test_values_that_overlap_are_no_variant(count: int, length: int, tmp_path: Path) -> None:
    head = 8 + count * 5
    text = bytes([length & 127 | 128, length >> 7 & 127 | 128, length >> 14]) + b"x" * length
    document = struct.pack("<BII", 3, count, head + len(text))
    document += struct.pack("<BI", 0x0C, head) * count + text
    row = b"\xfe" + len(document).to_bytes(4, "little") + document
    path = log_of(tmp_path, [[LoggedColumn("v", 245, b"\x04")]], [row])
    num_rows, error = read_until_error(path, table="d.t0", json="variant")
    assert num_rows == 0
    assert isinstance(error, CorruptEventError)
    assert "its values overlap" in str(error)


def test_an_event_fits_the_positions_of_the_kernels() -> None:
    assert BinlogOptions(max_event_bytes=MAX_WINDOW).max_event_bytes == MAX_WINDOW
    # A window may hold a piece of a compressed transaction more than its event.
    assert MAX_WINDOW + (1 << 16) <= MAX_INT32
    with pytest.raises(OptionError, match="32-bit positions"):
        BinlogOptions(max_event_bytes=MAX_WINDOW + 1)


@pytest.mark.parametrize(
    "raised", [pa.ArrowCapacityError("x"), pa.ArrowInvalid("x"), pa.ArrowIndexError("x")]
)
def test_more_rows_as_json_than_an_array_holds_are_an_error(
    raised: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise raised

    monkeypatch.setattr(output_batch, "render_rows", fail)
    path = log_of(tmp_path, [[LoggedColumn("a", 3)]], [b"\xfe\x01\0\0\0"])
    _, error = read_until_error(path)
    assert isinstance(error, UnsupportedError)
    assert str(error).startswith("log.000001: table d.t0: more than 2 GiB of text")
