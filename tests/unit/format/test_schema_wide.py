"""The widest table, and a statement with thousands of tables: nothing recurses in the schema."""

from mysql_binlog import MysqlBinlog

from tests.support.log_writer import STMT_END, WRITE_V2, LoggedColumn, LogWriter, Rows

INT = 3
MAX_COLUMNS = 4096


def rows_events(log: LogWriter) -> list[MysqlBinlog.RowsEvent]:
    root = MysqlBinlog.from_bytes(bytes(log.data))
    bodies = [event.body for event in root.events]
    return [body for body in bodies if isinstance(body, MysqlBinlog.RowsEvent)]


def test_a_table_of_4096_columns() -> None:
    log = LogWriter()
    log.begin()
    log.table_map(1, "t", [LoggedColumn(f"c{i}", INT, b"") for i in range(MAX_COLUMNS)])
    values = [i.to_bytes(4, "little") for i in range(MAX_COLUMNS)]
    log.rows(1, Rows(WRITE_V2, [values], [True] * MAX_COLUMNS))
    log.commit()
    (body,) = rows_events(log)
    cells = body.rows[0].after_image
    assert [cell.name for cell in cells] == [f"c{i}" for i in range(MAX_COLUMNS)]
    assert [cell.value.value for cell in cells] == list(range(MAX_COLUMNS))


def test_a_statement_of_3000_tables() -> None:
    log = LogWriter()
    log.begin()
    for i in range(3000):
        log.table_map(i + 1, f"t{i}", [LoggedColumn("a", INT, b"")])
    for i in (0, 1500, 2999):
        value = i.to_bytes(4, "little")
        log.rows(i + 1, Rows(WRITE_V2, [[value]], [True], (), STMT_END if i == 2999 else 0))
    log.commit()
    found = [(body.table, body.rows[0].after_image[0].value.value) for body in rows_events(log)]
    assert found == [("t0", 0), ("t1500", 1500), ("t2999", 2999)]
