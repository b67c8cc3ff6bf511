"""A read of some columns gives what the read of all columns gives in them."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from pyspark_adapter import UnsupportedError
from tests.inputs import SAMPLES, UNREADABLE, sample_path
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.support.outcome import read, table_names

INT, VARCHAR = 3, 15
UNKNOWN_COLLATION = 4000

READABLE = [name for name in SAMPLES if name not in UNREADABLE]
# Of the samples with all column types, one is enough.
BY_COLUMN = [n for n in READABLE if "-types" not in n or n == "mariadb-11.8-types-full"]
MOST_COLUMNS = 4  # of a table, about; some have a hundred


@pytest.mark.parametrize("name", BY_COLUMN)
def test_single_columns_are_those_of_the_whole_table(name: str) -> None:
    path = sample_path(name)
    for table in table_names(SAMPLES[name]):
        whole = read(path, table=table, metadata_columns=["_change_type"])
        if whole.rows is None or whole.error is not None:
            continue  # its errors are compared elsewhere
        names = whole.rows.schema.names[::-1]
        back = pa.schema([whole.rows.schema.field(column) for column in names])
        part = read(path, table=table, schema=back)
        assert part.content == (whole.rows.select(names), None), str(table)
        fields = list(whole.rows.schema)
        for field in fields[:: max(1, len(fields) // MOST_COLUMNS)]:
            part = read(path, table=table, schema=pa.schema([field]))
            assert part.content == (whole.rows.select([field.name]), None), f"{table} {field.name}"


def test_columns_that_are_not_read_may_stand_beside_one_that_is(tmp_path: Path) -> None:
    log = LogWriter()
    log.begin()
    text = LoggedColumn("b", VARCHAR, b"\x10\0", collation=UNKNOWN_COLLATION)
    log.table_map(1, "t", [text, LoggedColumn("a", INT)])
    log.rows(1, Rows(WRITE_V2, [[b"\x02hi", b"\x07\0\0\0"]], [True, True]))
    log.commit()
    path = tmp_path / "binlog.000001"
    path.write_bytes(log.data)
    whole = read(path, table="d.t")
    assert whole.error is not None
    assert whole.error[0] is UnsupportedError
    part = read(path, table="d.t", schema=pa.schema([("a", pa.int32())]))
    assert part.error is None
    assert part.rows is not None
    assert part.rows.column(0).to_pylist() == [7]
