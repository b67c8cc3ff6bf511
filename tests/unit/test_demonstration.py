"""A made-up column type, with its forms as a value, in JSON, VARIANT, SQL and definitions."""

import json
from pathlib import Path

import pyarrow as pa
import pytest

from pyspark_adapter import read_batches
from pyspark_adapter.sql_text.script import redo_statements
from tests.support.log_writer import WRITE_V2, Image, LoggedColumn, LogWriter, Rows

CREATE = "CREATE TABLE t (id INT PRIMARY KEY, paint HUE)"
IMAGES: list[Image] = [[b"\1\0\0\0", b"\xff\xa0\x0b"], [b"\2\0\0\0", None], [b"\3\0\0\0", bytes(3)]]


@pytest.fixture(params=[True, False], ids=["names in the log", "names of the definition"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    writer = LogWriter(has_metadata=request.param)
    writer.begin()
    writer.statement(CREATE)
    writer.table_map(9, "t", [LoggedColumn("id", 3, is_nullable=False), LoggedColumn("paint", 81)])
    writer.rows(9, Rows(WRITE_V2, IMAGES, [True, True]))
    writer.commit()
    path = tmp_path / "log.000001"
    path.write_bytes(writer.data)
    return path


def test_the_type_is_read(engine: str, log: Path) -> None:
    [batch] = read_batches(log, table="d.t", engine=engine)
    assert batch["paint"].type == pa.string()
    assert batch["paint"].to_pylist() == ["#ffa00b", None, "#000000"]
    [batch] = read_batches(log, engine=engine)
    rows = [json.loads(text) for text in batch["row"].to_pylist()]
    assert rows == [
        {"id": 1, "paint": "rgb(ff a0 0b)"},
        {"id": 2, "paint": None},
        {"id": 3, "paint": "rgb(00 00 00)"},
    ]
    [batch] = read_batches(log, row="variant", engine=engine)
    assert b"rgb(ff a0 0b)" in batch["row"].to_pylist()[0]["value"]
    assert batch["row"].to_pylist()[0]["value"].count(b"rgb") == 1
    [statement, *_] = [s for s in redo_statements(log, engine=engine) if "ffa00b" in s]
    assert "HUE(x'ffa00b')" in statement
