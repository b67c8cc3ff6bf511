"""A made-up kind of values, and a column type of it."""

from pathlib import Path

import pyarrow as pa

from pyspark_adapter import read_batches
from tests.property.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows


def test_halves_are_read(engine: str, tmp_path: Path) -> None:
    writer = LogWriter()
    writer.begin()
    writer.table_map(9, "t", [LoggedColumn("size", 81)])
    writer.rows(9, Rows(WRITE_V2, [[b"\x07\0"], [None], [b"\xfd\xff"]], [True]))
    writer.commit()
    path = tmp_path / "log.000001"
    path.write_bytes(writer.data)
    [batch] = read_batches(path, table="d.t", engine=engine)
    assert batch["size"].type == pa.float64()
    assert batch["size"].to_pylist() == [3.5, None, -1.5]
    [batch] = read_batches(path, engine=engine)
    assert batch["row"].to_pylist()[0] == '{"size": 3.5}'
