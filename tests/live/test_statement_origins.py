"""Connection, statement and bytes of changes that several connections make on a real server."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import StatementEventError, read_batches
from samples.truth import fetch_rows
from tests.live.capture import LiveServer
from tests.live.servers import connect

pytestmark = pytest.mark.live

NAME = "live.origins"
COLUMNS = ("_thread_id", "_query", "_transaction_bytes", "_commit_version")
# The last two: with a byte that is not UTF-8, and longer than what is returned.
FIRST = f"INSERT INTO {NAME} VALUES (1, 'é'), (2, 'b')  -- zwei"  # noqa: S608
SECOND = f"UPDATE {NAME} SET v = 'changed' WHERE id <= 2"  # noqa: S608
BINARY = f"INSERT INTO {NAME} VALUES (3, _binary '?')".encode().replace(b"?", b"\xff")  # noqa: S608
LONG = f"DELETE FROM {NAME} /* {'long ' * 2000}*/"  # noqa: S608


def test_changes_name_who_made_them_and_how(server: LiveServer) -> None:
    connection = server.connection
    show = "SHOW BINARY LOG STATUS" if server.is_mysql else "SHOW MASTER STATUS"
    logs = "binlog_rows_query_log_events" if server.is_mysql else "binlog_annotate_row_events"
    fetch_rows(connection, "FLUSH BINARY LOGS")
    [(log_name, *_)] = fetch_rows(connection, show)
    fetch_rows(connection, f"DROP TABLE IF EXISTS {NAME}")
    fetch_rows(connection, f"CREATE TABLE {NAME} (id INT PRIMARY KEY, v VARBINARY(9))")
    expected: list[tuple[int, str | None]] = []
    ends = []
    with closing(connect(server.state)) as one, closing(connect(server.state)) as two:
        for client in (one, two):
            [(thread_id,)] = fetch_rows(client, "SELECT CONNECTION_ID()")
            for is_logged in ("ON", "OFF"):
                fetch_rows(client, f"SET {logs} = {is_logged}")
                fetch_rows(client, "BEGIN")
                for text in (FIRST, SECOND, BINARY, LONG):
                    client.query(text)
                fetch_rows(client, "COMMIT")
                ends.append(int(fetch_rows(connection, show)[0][1]))
                shown = [FIRST] * 2 + [SECOND] * 4
                shown += [BINARY.decode(errors="backslashreplace")]
                shown += [f"{LONG[:4096]}... ({len(LONG)} bytes)"] * 3
                expected += [(int(thread_id), t if is_logged == "ON" else None) for t in shown]
    rows = [
        tuple(row[name] for name in COLUMNS)
        for batch in read_batches(
            Path(server.state.binlog_dir) / log_name, table=NAME, metadata_columns=COLUMNS
        )
        for row in batch.to_pylist()
    ]
    assert [(thread_id, text) for thread_id, text, _, _ in rows] == expected
    starts = sorted({version & ((1 << 40) - 1) for *_, version in rows})
    sizes = [end - start for start, end in zip(starts, ends, strict=True)]
    assert sorted({(v & ((1 << 40) - 1), size) for _, _, size, v in rows}) == [
        (start, size if server.is_mysql else None)
        for start, size in zip(starts, sizes, strict=True)
    ]


@pytest.mark.parametrize(
    ("charset", "statement"),
    [
        ("latin1", "TRUNCATE TABLE`größe`"),
        ("gbk", "TRUNCATE live./* all */表"),
        ("sjis", "TRUNCATE `live` . `表`"),  # its second byte is a backslash
        ("utf8mb4", "TRUNCATE/**/größe"),
    ],
)
def test_statements_name_tables_in_the_character_set_of_the_client(
    server: LiveServer, charset: str, statement: str
) -> None:
    table = "live.größe" if "größe" in statement else "live.表"
    show = "SHOW BINARY LOG STATUS" if server.is_mysql else "SHOW MASTER STATUS"
    fetch_rows(server.connection, "FLUSH BINARY LOGS")
    [(log_name, *_)] = fetch_rows(server.connection, show)
    with closing(connect(server.state)) as client:
        fetch_rows(client, f"DROP TABLE IF EXISTS {table}")
        fetch_rows(client, f"CREATE TABLE {table} (id INT PRIMARY KEY)")
        fetch_rows(client, f"INSERT INTO {table} VALUES (1)")  # noqa: S608
        fetch_rows(client, "USE live")
        fetch_rows(client, f"SET NAMES {charset}")
        client.query(statement.encode(charset.replace("utf8mb4", "utf-8")))
    path = Path(server.state.binlog_dir) / log_name
    options: dict[str, Any] = {"on_statement_events": "error"}
    with pytest.raises(StatementEventError, match=f"changed rows of {table}, "):
        list(read_batches(path, table=table, **options))
