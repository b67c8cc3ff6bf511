"""Reads of rows by their keys: with an index, without one, and by hand give the same rows."""

import json
import warnings
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from pyspark_adapter import BinlogError, BinlogWarning, read_batches
from pyspark_adapter.errors import OptionError
from pyspark_adapter.events.row_filter import RowFilter
from pyspark_adapter.index.build_index import build_index
from pyspark_adapter.index.make_index import check_indexes
from pyspark_adapter.index.wanted_blocks import wanted_blocks
from pyspark_adapter.index_store.index_file import decode, encode
from pyspark_adapter.index_store.index_folder import IndexFolder
from pyspark_adapter.index_store.keys import (
    IndexBytes,
    KeyColumn,
    KeySpec,
    are_chunks,
    find_blocks,
    read_chunk,
    write_chunks,
)
from pyspark_adapter.index_store.log_index import LogIndex
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.filter_values import MAX_KEYS, parse_keys
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.spark.pushed_filters import Comparison, push_filters
from tests.inputs import SAMPLES, UNREADABLE, sample_path
from tests.support.indexes import OPTIONS, index_of, log_at, make_index, rows_at

# With and without names, keys of texts and of several columns, images without keys.
NAMES = [
    name
    for name in sorted(set(SAMPLES) - UNREADABLE)
    if name.endswith(("charsets", "image", "images", "minimal-metadata", "few", "shop", "-v1"))
]
SHOP = sample_path("mysql-9.7-shop")
STEP = 600


def table_rows(path: Path, table: TableName) -> list[dict[str, Any]]:
    """Return the rows of a table, by column; none if the read ends in an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BinlogWarning)
        try:
            rows: list[dict[str, Any]] = read_batches(path, table=table).to_table().to_pylist()
        except BinlogError:
            rows = []
    return rows


def as_json(value: Any) -> Any:
    return value if isinstance(value, (int, str)) else int(value)


def keys_in(spec: KeySpec, rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield keys of some rows, as JSON has them, and one that no row has."""
    by_lower = {name.lower(): name for name in rows[0]}
    names = [by_lower[column.name] for column in spec.columns]
    for row in (rows[0], rows[len(rows) // 2], rows[-1]):
        values = [row[name] for name in names]
        if all(isinstance(value, (int, str, Decimal)) for value in values):
            yield dict(zip(names, map(as_json, values), strict=True))
    yield {name: "no" if isinstance(rows[0][name], str) else 99 for name in names}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_rows_of_keys_are_those_of_the_table(name: str, tmp_path: Path) -> None:
    path = sample_path(name)
    index = index_of(path, STEP)
    folder = IndexFolder(tmp_path / "index", may_be_missing=True)
    folder.write(index)
    for spec in index.specs[:6]:
        rows = table_rows(path, spec.table)
        if not rows:
            continue
        keys = list(keys_in(spec, rows))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", BinlogWarning)
            read = read_batches(path, table=spec.table, keys=keys, index=folder.path)
            found = [str(row) for row in read.to_table().to_pylist()]
        expected = [str(row) for row in rows if any(row.items() >= key.items() for key in keys)]
        assert found == expected, spec
        assert rows_at(path, table=spec.table, keys=json.dumps(keys)) == [
            str(row) for row in rows if str(row) in set(expected)
        ]


def test_a_key_is_looked_up_in_its_blocks_alone() -> None:
    index = index_of(SHOP, STEP)
    log_file = log_at(SHOP)
    statements = index.block("num_statements") > 0
    for table, column in (("shop.orders", "order_id"), ("shop.products", "product_id")):
        rows = read_batches(SHOP, table=table, metadata_columns="_start_pos").to_table()
        values = rows.column(column).to_pylist()
        block = np.searchsorted(index.bounds, rows.column("_start_pos").to_numpy(), "right") - 1
        options = BinlogOptions(table=TableName.parse(table))
        for key in {*values, 10_000}:
            keys = [[{column: (key,)}]]
            found = wanted_blocks(index, RowFilter(options, log_file), options, keys).may
            expected = statements.copy()
            expected[block[[value == key for value in values]]] = True
            assert found.tolist() == expected.tolist()


def test_only_blocks_of_the_key_are_read(tmp_path: Path, num_read: list[int]) -> None:
    folder = make_index(tmp_path, SHOP, step=STEP)
    expected = rows_at(SHOP, table="shop.orders", keys=3, columns="order_id")
    num_read.clear()
    columns = pa.schema([("order_id", pa.int64())])
    asked = {"table": "shop.orders", "keys": [{"order_id": 3}], "schema": columns}
    assert len(rows_at(SHOP, index=folder, **asked)) == len(expected) > 0
    # Those with statements come before, and are read along.
    assert sum(num_read) < SHOP.stat().st_size / 2


@pytest.mark.parametrize("seed", range(6))
def test_damaged_indexes_and_changed_logs_lack_no_row(seed: int, tmp_path: Path) -> None:
    """Logs grow and are cut, bytes of indexes change: the read is that without an index."""
    random = np.random.default_rng(seed)
    log = SHOP.read_bytes()
    path = tmp_path / SHOP.name
    folder = tmp_path / "index"
    for _ in range(4):
        path.write_bytes(log[: random.integers(2000, len(log))])
        make_index(folder, path, step=int(random.integers(200, 5000)))
        path.write_bytes(log[: random.integers(2000, len(log))])
        [file] = folder.iterdir()
        data = bytearray(file.read_bytes())
        for place in random.integers(len(data), size=random.integers(3)).tolist():
            data[place] ^= 1 << random.integers(8)
        file.write_bytes(data)
        keys = random.integers(1, 30, size=2).tolist()
        for table, asked in (("shop.orders", keys), ("shop.order_items", [[keys[0], 1]])):
            expected = rows_at(path, table=table, keys=asked)
            assert rows_at(path, table=table, keys=asked, index=folder) == expected
        file.unlink()


def test_damaged_keys_are_not_believed(tmp_path: Path) -> None:
    folder = make_index(tmp_path, SHOP, step=STEP)
    [file] = folder.iterdir()
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    asked: dict[str, Any] = {"table": "shop.products", "keys": 1}  # its keys are the last
    with pytest.warns(BinlogWarning, match="its index is not used for keys: .* checksum differs"):
        found = read_batches(SHOP, index=folder, **asked).to_table()
    assert [str(row) for row in found.to_pylist()] == rows_at(SHOP, **asked)


def changed(index: LogIndex, name: str, value: Any, k: int = 0) -> LogIndex:
    batch = index.chunks
    values = batch.column(name).to_pylist()
    values[k] = value
    i = batch.schema.get_field_index(name)
    columns = [*batch.columns[:i], pa.array(values, batch.schema.types[i]), *batch.columns[i + 1 :]]
    return replace(index, chunks=pa.RecordBatch.from_arrays(columns, schema=batch.schema))


def test_chunks_that_cannot_be_of_a_log_are_refused() -> None:
    index = index_of(SHOP, STEP)
    last = index.chunks.num_rows - 1
    assert are_chunks(index.chunks, len(index.specs))
    for made in (
        changed(index, "spec", len(index.specs), last),
        changed(index, "spec", -1),
        changed(index, "count", 0),
        changed(index, "count", 1 << 40),
        changed(index, "offset", -1),
        changed(index, "offset", 7, last),
        changed(index, "num_bytes", 1 << 40, last),
        changed(index, "first", (1 << 64) - 1),
    ):
        assert not are_chunks(made.chunks, len(index.specs))
    spec = replace(index.specs[0], columns=(KeyColumn("id", "klingon"),))
    with pytest.raises(ValueError, match="is no key"):
        decode(encode([replace(index, specs=(spec, *index.specs[1:]))]))
    # A content that has the right checksum, and other numbers than its row says.
    for name, value in (("last", 10**9), ("count", 3)):
        made = changed(index, name, value)
        with pytest.raises(ValueError, match=r"damaged|short|decompress"):
            find_blocks(made.chunks, index.key_data, 0, [1], index.num_blocks)
    with pytest.raises(ValueError, match="damaged"):
        find_blocks(index.chunks, index.key_data, 0, [1], 1)


def test_keys_of_many_chunks() -> None:
    random = np.random.default_rng(1)
    keys = random.integers(1 << 40, size=30_000).astype(np.uint64)
    keys[::7] = keys[0]  # longer than a chunk, with the others of its hash
    blocks = random.integers(500, size=len(keys))
    chunks, data = write_chunks([(keys, blocks), (keys[:10], blocks[:10])])
    assert are_chunks(chunks, 2)
    assert len(data) < 8 * len(keys)
    for key in (keys[0], keys[3], keys[-1], np.uint64(5)):
        found = find_blocks(chunks, IndexBytes(data), 0, [int(key)], 500)
        assert set(np.flatnonzero(found)) == set(blocks[keys == key])
    first = np.flatnonzero(chunks.column("spec").to_numpy() == 0).tolist()
    parts = [read_chunk(chunks, IndexBytes(data), k, 500) for k in first]
    pairs = {pair for both in parts for pair in zip(*both, strict=True)}
    assert pairs == {*zip(keys, blocks, strict=True)}


def test_sequential_keys_take_little_room() -> None:
    keys = np.arange(1_000_000, dtype=np.uint64)
    _, data = write_chunks([(keys, keys.astype(np.int64) // 5000)])
    assert len(data) < 100_000


def test_bytes_are_looked_up_as_they_are_logged() -> None:
    """BINARY(n) is logged without the zero bytes at its end, and read with them."""
    columns = (KeyColumn("code", "binary"), KeyColumn("n"))
    spec = KeySpec(TableName("d", "t"), columns, is_logged=True)
    asked, logged = (spec.numbers({"code": (code,), "n": (7,)}) for code in (b"a\0\0", b"a"))
    assert asked is not None
    assert logged is not None
    assert set(asked) > set(logged)
    assert spec.numbers({"code": ("a",), "n": (7,)}) is None


def test_texts_of_uuids_and_addresses_are_looked_up_as_their_bytes() -> None:
    spec = KeySpec(TableName("d", "t"), (KeyColumn("u", "binary"),), is_logged=True)
    for text, data in (
        ("00112233-4455-1677-8899-aabbccdd0000", "00112233445516778899aabbccdd"),
        ("10.1.0.0", "0a01"),
        ("::1", "00" * 15 + "01"),
    ):
        asked, logged = (spec.numbers({"u": (v,)}) for v in (text, bytes.fromhex(data)))
        assert asked is not None
        assert logged is not None
        assert set(asked) > set(logged)
        assert set(asked) > set(spec.numbers({"u": (text.encode(),)}) or ())  # a VARBINARY
    for text in ("00112233445516778899aabbccddeeff", "a-b", "10.1", "AQIDBA=="):
        assert spec.numbers({"u": (text,)}) is None


def test_tables_are_chosen_by_patterns(tmp_path: Path) -> None:
    for keys_of, tables in (("shop.order*", ["order_items", "orders"]), ("", []), ("x.*", [])):
        index = build_index(log_at(SHOP), OPTIONS, step=STEP, keys_of=keys_of)
        assert index is not None
        assert [spec.table.table_name for spec in index.specs] == tables
        IndexFolder(tmp_path, may_be_missing=True).write(index)
        for table in ("shop.orders", "shop.products"):
            asked = {"table": table, "keys": [2, 4]}
            assert rows_at(SHOP, index=tmp_path, **asked) == rows_at(SHOP, **asked)


def test_check_compares_keys(tmp_path: Path) -> None:
    index = index_of(SHOP, STEP)
    folder = IndexFolder(tmp_path / "index", may_be_missing=True)
    parts = [
        read_chunk(index.chunks, index.key_data, k, index.num_blocks)
        for k in range(index.chunks.num_rows)
    ]
    lists = [(keys[1:], blocks[1:]) for keys, blocks in parts]
    chunks, data = write_chunks(lists)
    for made, expected in (
        (index, ""),
        (replace(index, chunks=chunks, key_data=IndexBytes(data)), "its index has other keys"),
    ):
        folder.write(made)
        [done] = check_indexes([log_at(SHOP)], IndexFolder(folder.path), OPTIONS)
        assert done.problem == expected


def test_filters_of_a_query_are_values_of_keys() -> None:
    options = BinlogOptions(table=TableName.parse("shop.orders"))
    comparisons = [
        Comparison("Order_ID", "in", (1, 2)),
        Comparison("status", "=", "new", is_negated=True),
        Comparison("_server_id", "=", 1),
    ]
    assert push_filters(options, ["_server_id"], comparisons).values == {"order_id": (1, 2)}


def test_keys_are_parsed() -> None:
    one = ((("", "42"),),)
    assert parse_keys("42") == one
    assert parse_keys(one) == one
    assert parse_keys(42) == ((("", 42),),)
    assert parse_keys(["a,b", "c"]) == ((("", "a,b"),), (("", "c"),))
    assert parse_keys([(1, "a")]) == ((("", 1), ("", "a")),)
    assert parse_keys('[""]') == ((("", ""),),)


@pytest.mark.parametrize(
    "value", ["", "1,,2", "[", [], [None], [[]], [{"": 1}], [*range(MAX_KEYS + 1)]]
)
def test_what_is_no_key(value: Any) -> None:
    with pytest.raises(ValueError, match=r"expected|Expecting"):
        parse_keys(value)


@pytest.mark.parametrize(
    ("table", "keys", "message"),
    [
        ("shop.orders", "[[1, 2]]", "expected a value for each of order_id"),
        ("shop.orders", '[{"id": 1}]', "expected a column that the read returns, got id"),
        ("shop.orders", "a", "column order_id: expected a value of type"),
        ("shop.orders", "[true]", "column order_id: expected a value of type"),
        ("shop.order_items", "7", "expected a value for each of order_id"),
        ("shop.price_history", "7", "expected a value for each of product_id, changed_at"),
    ],
)
def test_keys_that_do_not_fit_the_table(table: str, keys: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        read_batches(SHOP, table=table, keys=keys)


def test_keys_need_a_table() -> None:
    for options in ({}, {"table": "shop.orders", "schema_changes": True}):
        with pytest.raises(OptionError, match="option keys: expected no value"):
            BinlogOptions.from_python({"keys": "1", **options})
