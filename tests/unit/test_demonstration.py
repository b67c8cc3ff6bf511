"""A made-up column type over a kind of values that exists."""

from pathlib import Path

import pyarrow as pa

from pyspark_adapter import read_batches
from tests.property.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows


def test_money_is_read(engine: str, tmp_path: Path) -> None:
    writer = LogWriter()
    writer.begin()
    writer.table_map(9, "t", [LoggedColumn("price", 80)])
    writer.rows(9, Rows(WRITE_V2, [[b"\x07\0\0\0"], [None], [b"\xff" * 4]], [True]))
    writer.commit()
    path = tmp_path / "log.000001"
    path.write_bytes(writer.data)
    [batch] = read_batches(path, table="d.t", engine=engine)
    assert batch["price"].type == pa.int32()
    assert batch["price"].to_pylist() == [7, None, -1]
    [batch] = read_batches(path, engine=engine)
    assert batch["row"].to_pylist()[0] == '{"price": 7}'
