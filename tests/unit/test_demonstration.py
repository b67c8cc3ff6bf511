"""A made-up event type: rows that are inserted."""

from pathlib import Path

from pyspark_adapter import list_tables, read_batches
from pyspark_adapter.sql_text.script import undo_statements
from tests.support.log_writer import LoggedColumn, LogWriter, Rows

WRITE_V3 = 43


def test_events_of_the_type_are_read(engine: str, tmp_path: Path) -> None:
    writer = LogWriter()
    writer.begin()
    writer.table_map(9, "t", [LoggedColumn("id", 3)])
    writer.rows(9, Rows(WRITE_V3, [[b"\1\0\0\0"], [None]], [True]))
    writer.commit()
    path = tmp_path / "log.000001"
    path.write_bytes(writer.data)
    [batch] = read_batches(path, table="d.t", engine=engine)
    assert batch["id"].to_pylist() == [1, None]
    assert batch["_change_type"].to_pylist() == ["insert", "insert"]
    [summary] = list_tables(path, engine=engine)
    assert summary.num_inserts == 2
    assert "".join(undo_statements(path, engine=engine)).count("DELETE") == 2
    events = [row["event_type"] for row in read_batches(path, view="events").to_table().to_pylist()]
    assert "WRITE_ROWS_V3_EVENT" in events
