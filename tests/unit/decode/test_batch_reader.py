"""What `read_batches` returns, and what other libraries make of it."""

import os
import sys
from pathlib import Path

import duckdb
import polars as pl
import pyarrow as pa
import pytest

from pyspark_adapter import BatchReader, CorruptEventError, read_batches, read_schema
from tests.inputs import ROOT, sample_path
from tests.support.logs import find_event, read_sample
from tests.support.programs import captured

SHOP = sample_path("mysql-9.7-shop")
ORDERS = "shop.orders"
NUM_ORDERS = 53 + 2 * 61 + 2
PIPELINES = Path(sys.prefix) / "pipelines"  # pandas is nowhere else


def read() -> BatchReader:
    return read_batches(SHOP, table=ORDERS, batch_rows=20)


def test_the_schema_is_known_before_the_first_batch() -> None:
    reader = read()
    assert reader.schema == read_schema(SHOP, table=ORDERS)
    assert next(reader).schema == reader.schema


def test_a_table_has_all_batches_and_the_schema_of_an_empty_result() -> None:
    table = read().to_table()
    assert table.num_rows == NUM_ORDERS
    assert table.column("_row_number").num_chunks > 5
    empty = read_batches(SHOP, table=ORDERS, starting_timestamp="2099-01-01").to_table()
    assert empty.num_rows == 0
    assert empty.schema == table.schema


def test_what_was_taken_is_not_returned_again() -> None:
    reader = read()
    first = next(reader)
    assert reader.to_table().num_rows == NUM_ORDERS - first.num_rows
    assert list(reader) == []


def test_it_can_be_closed() -> None:
    with read() as reader:
        next(reader)
    assert list(reader) == []


def test_it_is_an_arrow_stream() -> None:
    shape = NUM_ORDERS, len(read().schema)
    assert pa.table(read()).shape == shape
    assert pl.DataFrame(read()).shape == shape
    # Polars returns a Series for any stream except pyarrow's own.
    series = pl.from_arrow(read())
    assert isinstance(series, pl.Series)
    assert series.struct.unnest().shape == shape
    assert pl.from_arrow(read().to_table()).shape == shape


def test_duckdb_selects_from_it() -> None:
    reader = read()
    found = duckdb.sql("SELECT _change_type, count(*) FROM reader GROUP BY ALL ORDER BY ALL")
    assert found.fetchall() == [
        ("delete", 2),
        ("insert", 53),
        ("update_postimage", 61),
        ("update_preimage", 61),
    ]
    assert reader.schema.names


def test_pandas_takes_it() -> None:
    program = f"""
import pandas as pd
from pyspark_adapter import read_batches
print(pd.DataFrame.from_arrow(read_batches({str(SHOP)!r}, table={ORDERS!r})).shape)
"""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(PIPELINES)])}
    done = captured([sys.executable, "-c", program], env=environment, check=True)
    assert done.stdout == f"({NUM_ORDERS}, {len(read().schema)})\n"


def test_an_error_keeps_its_class_and_reaches_other_libraries_as_text(tmp_path: Path) -> None:
    log = bytearray(read_sample("mysql-9.7-shop"))
    damaged = find_event(bytes(log), "UPDATE_ROWS_EVENT", 3).start_pos
    log[damaged + 30] ^= 1
    path = tmp_path / "log.000001"
    path.write_bytes(log)
    with pytest.raises(CorruptEventError, match="expected CRC32"):
        read_batches(path).to_table()
    with pytest.raises(Exception, match=rf"log\.000001@{damaged} .*expected CRC32"):
        pl.DataFrame(read_batches(path))
