"""Documents that a server logs as differences are those that it selects after each statement."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyspark_adapter import UnsupportedError, read_batches, rows_at
from samples.truth import fetch_rows
from tests.live.random_updates import first_documents, update
from tests.live.random_values import source_of
from tests.live.servers import ServerState, connect, running_server
from tests.oracle.comparison import first_difference, rows_with_places
from tests.support import json_model

pytestmark = pytest.mark.live

SEED = "partial json 1"
NUM_ROWS = 8
NUM_UPDATES = 400
OPTIONS = {"binlog-row-metadata": "FULL", "binlog-row-value-options": "PARTIAL_JSON"}
METADATA = ("_change_type", "_absent_columns", "_json_diff")


@pytest.fixture(scope="module")
def server(servers_folder: Path) -> Iterator[ServerState]:
    """Give a server that logs differences."""
    with running_server(servers_folder, "mysql-latest", "partial-json", options=OPTIONS) as state:
        yield state


def write_updates(
    state: ServerState,
    image: str,
    table: str,
    value_options: str = "PARTIAL_JSON",
    moments: dict[str, list[tuple[int, str]]] | None = None,
) -> tuple[Path, list[tuple[int, str]]]:
    """Update documents at random; return the log, and (id, document) after each statement.

    Some positions are added to `moments`, each with all rows at that time.
    """
    source = source_of(SEED + image)
    selected = []
    with closing(connect(state)) as connection:
        fetch_rows(connection, "SET sql_mode = 'STRICT_ALL_TABLES'")
        fetch_rows(connection, "SET binlog_row_image = %s", image)
        fetch_rows(connection, "SET binlog_row_value_options = %s", value_options)
        fetch_rows(connection, "FLUSH BINARY LOGS")
        [(log_name, *_)] = fetch_rows(connection, "SHOW BINARY LOG STATUS")
        fetch_rows(connection, "CREATE DATABASE IF NOT EXISTS live")
        fetch_rows(
            connection, f"CREATE TABLE {table} (id INT PRIMARY KEY, note INT, other JSON, doc JSON)"
        )
        for key, document in enumerate(first_documents(source, NUM_ROWS)):
            insert = f"INSERT INTO {table} VALUES (%s, 0, '[1]', %s)"  # noqa: S608
            fetch_rows(connection, insert, str(key), document)
        texts = dict(_select(connection, table))
        for number in range(NUM_UPDATES):
            key = source.randrange(NUM_ROWS)
            expression = update(source, json.loads(texts[key]))
            changes = f"note = %s, doc = {expression}"
            statement = f"UPDATE {table} SET {changes} WHERE id = %s"  # noqa: S608
            fetch_rows(connection, statement, str(number + 1), str(key))
            texts = dict(_select(connection, table))
            selected.append((key, texts[key]))
            if moments is not None and number % 90 == 39:
                [(name, position, *_)] = fetch_rows(connection, "SHOW BINARY LOG STATUS")
                moments[f"{name}:{position}"] = sorted(texts.items())
        fetch_rows(connection, "FLUSH BINARY LOGS")
    return Path(state.binlog_dir) / log_name, selected


def _select(connection: Any, table: str) -> list[tuple[int, str]]:
    rows = fetch_rows(connection, f"SELECT id, CAST(doc AS CHAR) FROM {table}")  # noqa: S608
    return [(int(key), text) for key, text in rows]


def read_updates(log: Path, table: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return both images of each update."""
    batches = read_batches(log, table=table, metadata_columns=METADATA)
    rows = [row for batch in batches for row in batch.to_pylist()]
    updates = [row for row in rows if row["_change_type"].startswith("update")]
    return list(zip(updates[::2], updates[1::2], strict=True))


def test_documents_are_those_of_select(server: ServerState) -> None:
    log, selected = write_updates(server, "FULL", "live.whole")
    found = read_updates(log, "live.whole")
    assert not first_difference(log, rows_with_places(log))
    assert [(after["id"], after["doc"]) for _, after in found] == selected
    assert all(after["other"] == "[1]" for _, after in found)
    differences = [json.loads(after["_json_diff"] or "{}").get("doc") for _, after in found]
    # Most are logged so; the test is about these.
    assert sum(map(bool, differences)) > NUM_UPDATES / 2
    operations = {change["op"] for changes in differences for change in changes or ()}
    assert operations == {"replace", "insert", "remove"}


def test_whole_documents_have_gaps_that_updates_leave(server: ServerState) -> None:
    """Without the option, documents that were changed in place are logged as they are stored."""
    table = "live.gaps"
    log, selected = write_updates(server, "FULL", table, "")
    with closing(connect(server)) as connection:
        select = f"SELECT SUM(JSON_STORAGE_FREE(doc)) FROM {table}"  # noqa: S608
        [(num_free,)] = fetch_rows(connection, select)
    assert num_free > 100
    found = read_updates(log, table)
    assert [(after["id"], after["doc"]) for _, after in found] == selected
    assert all(after["_json_diff"] is None for _, after in found)


def test_differences_alone_lead_to_the_selected_documents(
    server: ServerState, tmp_path: Path
) -> None:
    """With MINIMAL images no document is logged before an update: the model makes the changes."""
    moments: dict[str, list[tuple[int, str]]] = {}
    log, selected = write_updates(server, "MINIMAL", "live.minimal", moments=moments)
    found = read_updates(log, "live.minimal")
    batches = read_batches(
        log,
        table="live.minimal",
        schema=pa.schema([("_change_type", pa.string()), ("id", pa.int32()), ("doc", pa.string())]),
    )
    rows = [row for batch in batches for row in batch.to_pylist()]
    documents = {row["id"]: row["doc"] for row in rows if row["_change_type"] == "insert"}
    models = {key: json.loads(text) for key, text in documents.items()}
    num_unknown = 0
    for (before, after), (key, text) in zip(found, selected, strict=True):
        assert (before["id"], before["doc"]) == (key, None)
        if after["_json_diff"] is None:
            assert after["doc"] in (text, None)
            models[key] = json.loads(text)
            continue
        assert after["doc"] is None
        assert "doc" in after["_absent_columns"]
        num_unknown += 1
        for change in json.loads(after["_json_diff"])["doc"]:
            path = json_model.parse_path(change["path"], models[key])
            value = change.get("value")
            models[key] = json_model.changed(models[key], change["op"], path, value)
        assert json.dumps(models[key], sort_keys=True) == json.dumps(
            json.loads(text), sort_keys=True
        )
    assert num_unknown > NUM_UPDATES / 2
    check_moments(log, "live.minimal", moments, tmp_path)


def check_moments(
    log: Path, table: str, moments: dict[str, list[tuple[int, str]]], folder: Path
) -> None:
    """Compare the rows at moments, from the start of the log and from a baseline."""
    past, first = folder / "past.parquet", next(iter(moments))
    pq.write_table(rows_at(log, table=table, ending_position=first).rows, past)
    for position, rows in moments.items():
        for baseline in (None, past):
            found = rows_at(log, table=table, ending_position=position, baseline=baseline)
            assert found.is_whole
            assert sorted({row["id"]: row["doc"] for row in found.rows.to_pylist()}.items()) == rows
    with pytest.raises(UnsupportedError, match=r"without the columns .*doc, whose values are not"):
        rows_at(log, table=table, starting_position=first)
