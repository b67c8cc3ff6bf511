"""The rows of a table at a moment: what is refused, and what a dump may hold.

That the rows are right is shown on real servers, in `tests/live/test_rows_at.py`.
"""

import struct
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from deltalake import write_deltalake

from pyspark_adapter import (
    BinlogError,
    BinlogWarning,
    DataLossError,
    OptionError,
    SchemaMismatchError,
    UnsupportedError,
    rows_at,
)
from pyspark_adapter.as_of.row_state import RowState
from pyspark_adapter.cli.main import main
from tests.inputs import sample_path
from tests.support import gtid_logs
from tests.support.ddl_logs import write_log
from tests.support.indexes import make_index
from tests.support.log_writer import DELETE_V2, UPDATE_V2, WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.support.logs import events_of

CREATE = "CREATE TABLE d.t (id INT PRIMARY KEY, v INT)"
HEAD = (
    "-- MySQL dump 10.13\n/*!50503 SET NAMES utf8mb4 */;\n"
    "-- CHANGE REPLICATION SOURCE TO SOURCE_LOG_FILE='binlog.000001', SOURCE_LOG_POS=4;\n"
    "CREATE TABLE `t` (\n  `id` int NOT NULL,\n  `v` int,\n  PRIMARY KEY (`id`)\n);\n"
)
END = "\n-- Dump completed\n"


def rows_of(path: Path, **options: Any) -> list[tuple[int, int]]:
    found = rows_at(path, table="d.t", **options)
    return sorted((row["id"], row["v"]) for row in found.rows.to_pylist())


def test_a_table_that_is_dropped_and_made_again_begins_empty(tmp_path: Path) -> None:
    log = write_log(tmp_path / "binlog.000001", CREATE, 1, "DROP TABLE d.t", CREATE, 2)
    assert rows_of(log) == [(2, 7)]
    log = write_log(tmp_path / "binlog.000002", CREATE, 1, "DROP DATABASE d", CREATE, 3)
    assert rows_of(log) == [(3, 7)]
    log = write_log(tmp_path / "binlog.000003", CREATE, 1, "TRUNCATE TABLE d.t")
    assert rows_of(log) == []


def test_rows_that_foreign_keys_change_below_the_log_are_warned_of(tmp_path: Path) -> None:
    create = "CREATE TABLE d.t (id INT PRIMARY KEY, v INT, FOREIGN KEY (v) REFERENCES d.p (id)"
    log = write_log(tmp_path / "binlog.000001", f"{create} ON DELETE CASCADE)", 1)
    with pytest.warns(BinlogWarning, match=r"foreign keys to d\.p deleted or changed"):
        assert rows_of(log) == [(1, 7)]
    log = write_log(tmp_path / "binlog.000002", f"{create})", 1)
    assert rows_of(log) == [(1, 7)]


def test_a_table_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    log = write_log(tmp_path / "binlog.000001", CREATE, 1, "DROP TABLE d.t")
    with pytest.raises(SchemaMismatchError, match=r"found that it was dropped at .*DROP TABLE d.t"):
        rows_of(log)


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("RENAME TABLE d.t TO d.u", "it renames d.t to d.u: RENAME TABLE d.t TO d.u"),
        ("ALTER TABLE d.t RENAME TO d.u", "it renames d.t to d.u"),
        ("ALTER TABLE d.t MODIFY v SMALLINT", "changes the type of column v from INT to SMALLINT"),
        ("ALTER TABLE d.t MODIFY v BIGINT UNSIGNED NOT NULL DEFAULT 1, DROP COLUMN x", "no column"),
        ("ALTER TABLE d.t ADD COLUMN w INT DEFAULT (v + 1)", "w has a default that is not a plain"),
        ("ALTER TABLE d.t ADD COLUMN w TIMESTAMP DEFAULT CURRENT_TIMESTAMP", "w has a default"),
        ("ALTER TABLE d.t TRUNCATE PARTITION p", "TRUNCATE PARTITION p"),
        ("ALTER TABLE d.t EXCHANGE PARTITION p WITH TABLE d.u", "EXCHANGE PARTITION"),
        ("ALTER TABLE d.t CONVERT TO CHARACTER SET latin1", "it converts text to a character set"),
        (CREATE, "it creates the table, which exists"),
    ],
)
def test_a_statement_that_cannot_be_followed_is_named(
    tmp_path: Path, statement: str, reason: str
) -> None:
    log = write_log(tmp_path / "binlog.000001", CREATE, 1, statement)
    with pytest.raises(BinlogError) as error:
        rows_of(log)
    assert reason in str(error.value)
    assert "binlog.000001@" in str(error.value)


@pytest.mark.parametrize("kind", ["SET('b','a')", "SET('b','c','a')", "ENUM('b','a')"])
def test_a_set_shows_its_members_in_their_order(tmp_path: Path, kind: str) -> None:
    """So another order is another text; a value of an ENUM stays the same text."""
    before, after = f"ADD s {kind[: kind.index('(')]}('a','b')", f"MODIFY s {kind}"
    statements = [f"ALTER TABLE d.t {statement}" for statement in (before, after)]
    log = write_log(tmp_path / "binlog.000001", CREATE, 1, *statements)
    if kind.startswith("SET"):
        with pytest.raises(BinlogError, match="changes the type of column s from SET to SET"):
            rows_at(log, table="d.t")
    else:
        assert len(rows_at(log, table="d.t").rows) == 1


@pytest.mark.parametrize(
    ("statement", "column", "value"),
    [
        ("ADD COLUMN w INT NOT NULL", "w", 0),
        ("ADD COLUMN w VARCHAR(9) DEFAULT 'it''s' FIRST", "w", "it's"),
        ("MODIFY v BIGINT", "v", 7),
        ("CHANGE v w INT", "w", 7),
        ("RENAME COLUMN v TO w", "w", 7),
        ("ADD INDEX (v), ENGINE=InnoDB", "v", 7),
    ],
)
def test_a_statement_is_followed(
    tmp_path: Path, statement: str, column: str, value: int | str
) -> None:
    log = write_log(tmp_path / "binlog.000001", CREATE, 1, f"ALTER TABLE d.t {statement}")
    [row] = rows_at(log, table="d.t").rows.to_pylist()
    assert (row["id"], row[column]) == (1, value)


def test_without_a_baseline_rows_that_the_logs_do_not_insert_are_counted() -> None:
    log = sample_path("mysql-9.7-shop")
    whole = rows_at(log, table="shop.orders")
    found = rows_at(log, table="shop.orders", starting_position=f"{log.name}:10300")
    assert whole.is_whole
    assert (found.is_whole, found.num_unknown) == (False, 2)


def test_an_index_changes_no_rows(tmp_path: Path) -> None:
    log = sample_path("mysql-9.7-shop")
    folder = make_index(tmp_path / "index", log, step=700)
    for position in (8723, 10300, 15976, 26320):
        given: Any = {"table": "shop.orders", "ending_position": f"{log.name}:{position}"}
        for keys in ({}, {"keys": [2, 4]}, {"keys": [{"order_id": 5}]}):
            without = rows_at(log, **given, **keys).rows.sort_by("order_id")
            found = rows_at(log, index=folder, **given, **keys).rows.sort_by("order_id")
            assert found.equals(without), (position, keys)
            assert len(found) or position < 15976


def test_a_baseline_of_another_position_is_noticed(tmp_path: Path) -> None:
    log = write_log(tmp_path / "binlog.000001", 1, 2)
    past = tmp_path / "past.parquet"
    pq.write_table(pa.table({"id": [2], "v": [7]}), past)
    ddl = tmp_path / "t.sql"
    ddl.write_text(CREATE)
    given: Any = {"baseline": past, "ddl": ddl}
    with pytest.raises(OptionError, match="expected the position of the baseline, found none"):
        rows_of(log, **given)
    with pytest.raises(BinlogError, match="insert of a row that already exists with id = 2"):
        rows_of(log, starting_position="binlog.000001:4", **given)
    with pytest.raises(DataLossError, match=r"expected log binlog.000000, where the baseline ends"):
        rows_of(log, starting_position="binlog.000000:4", **given)
    pq.write_table(pa.table({"id": [3], "w": [7]}), past)
    with pytest.raises(SchemaMismatchError, match="only the rows have w, only the log v"):
        rows_of(log, starting_position="binlog.000001:4", **given)


def test_a_version_of_a_delta_table_is_a_baseline(tmp_path: Path) -> None:
    log = write_log(tmp_path / "binlog.000001", CREATE, 1, 2, 3)
    delta, ddl = str(tmp_path / "lake"), tmp_path / "t.sql"
    ddl.write_text(CREATE)
    ends = [event.end for event in events_of(log.read_bytes()) if event.type_name == "XID_EVENT"]
    for number in range(3):
        found = rows_at(log, table="d.t", ending_position=f"binlog.000001:{ends[number]}")
        write_deltalake(delta, found.rows, mode="overwrite")
    given: Any = {"ddl": ddl, "starting_position": f"binlog.000001:{ends[1]}"}
    assert rows_of(log, baseline=f"{delta}@v1", **given) == [(1, 7), (2, 7), (3, 7)]
    with pytest.raises(BinlogError, match="insert of a row that already exists with id = 3"):
        rows_of(log, baseline=delta, **given)
    with pytest.raises(BinlogError, match="cannot be read"):
        rows_of(log, baseline=f"{delta}@v9", **given)
    with pytest.raises(OptionError, match="expected the position of the baseline"):
        rows_of(log, baseline=delta)


def test_a_data_set_whose_write_was_stopped_is_no_baseline(tmp_path: Path) -> None:
    """`_SUCCESS` is written last."""
    log = write_log(tmp_path / "binlog.000001", CREATE, 1, 2, 3)
    out, end = tmp_path / "out", f"binlog.000001:{log.stat().st_size}"
    words = ["as-of", str(log), "--table", "d.t", "--output", str(out)]
    assert main([*words, "--until-position", end]) == 0
    given: Any = {"baseline": str(out), "starting_position": end}
    assert rows_of(log, **given) == [(1, 7), (2, 7), (3, 7)]
    (out / "_SUCCESS").unlink()
    with pytest.raises(OptionError, match="it lacks _SUCCESS, as after a write"):
        rows_of(log, **given)


@pytest.mark.parametrize("is_mariadb", [False, True])
def test_logs_that_lack_after_a_baseline_with_gtids_are_noticed(
    tmp_path: Path, *, is_mariadb: bool
) -> None:
    names: list[gtid_logs.Name] = [(0, 1, k) if is_mariadb else (0, k) for k in range(1, 9)]
    for number in range(4):
        before = names[: 2 * number][-1:] if is_mariadb else names[: 2 * number]
        made = names[2 * number : 2 * number + 2]
        gtid_logs.write_log(tmp_path / f"binlog.{number + 1:06}", before, made)
    past, ddl = tmp_path / "past.parquet", tmp_path / "t.sql"
    pq.write_table(pa.table({"id": [1, 2, 3]}), past)
    ddl.write_text("CREATE TABLE d.t (id INT PRIMARY KEY)")
    done = "0-1-1-3" if is_mariadb else f"{gtid_logs.UUIDS[0]}:1-3"
    given: Any = {"baseline": past, "ddl": ddl, "exclude_gtids": done, "table": "d.t"}
    logs = [str(path) for path in sorted(tmp_path.glob("binlog.*"))]
    for there in (logs, logs[1:]):
        assert sorted(rows_at(there, **given).rows["id"].to_pylist()) == [*range(1, 9)]
    lacking = "0-1-4" if is_mariadb else f"{gtid_logs.UUIDS[0]}:4"
    with pytest.raises(DataLossError, match=f"before log binlog.000003, .* lacks {lacking};"):
        rows_at(logs[2:], **given)
    with pytest.raises(DataLossError, match=r"found binlog\.000002 and then binlog\.000004"):
        rows_at([logs[1], logs[3]], **given)
    # What is before the baseline need not be there.
    assert rows_at([logs[1], logs[2]], **given).rows.num_rows == 6


def test_a_moment_is_a_place_in_the_log_also_where_the_clock_was_set_back(tmp_path: Path) -> None:
    """Transactions before the last one of the moment are applied, whatever their time."""
    log = write_log(tmp_path / "binlog.000001", CREATE, 1, 2, 3)
    data = bytearray(log.read_bytes())
    position, seconds = 4, iter([1000, 3000, 2000, 4000])
    now = next(seconds)
    while position < len(data):
        _, _, _, size = struct.unpack_from("<IBII", data, position)
        now = next(seconds) if data[position : position + size].find(b"BEGIN") > 0 else now
        struct.pack_into("<I", data, position, now)
        position += size
    log.write_bytes(data)
    given: Any = {"verify_checksums": False}
    with pytest.warns(BinlogWarning, match=r"1 transactions before binlog.000001:\d+ have a later"):
        assert rows_of(log, at=datetime.fromtimestamp(2000, UTC), **given) == [(1, 7), (2, 7)]
    assert rows_of(log, at=datetime.fromtimestamp(3999, UTC), **given) == [(1, 7), (2, 7)]
    assert rows_of(log, at=datetime.fromtimestamp(4000, UTC), **given) == [(1, 7), (2, 7), (3, 7)]
    assert rows_of(log, at=datetime.fromtimestamp(1999, UTC), **given) == []


def test_a_dump_is_read(tmp_path: Path) -> None:
    log = write_log(tmp_path / "binlog.000001", 9)
    past = tmp_path / "past.sql"
    past.write_text(
        f"{HEAD}INSERT INTO `t` VALUES (1,NULL),(2,-5);\nINSERT INTO `t` (`v`, `id`)"
        f" VALUES\n(4,3);\nINSERT INTO `u` VALUES ('(1,2);');{END}"
    )
    found = rows_at(log, table="d.t", baseline=past).rows.to_pylist()
    assert {row["id"]: row["v"] for row in found} == {1: None, 2: -5, 3: 4, 9: 7}
    found = rows_at(log, table="d.t", baseline=past, keys=[3]).rows.to_pylist()
    assert found == [{"id": 3, "v": 4}]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{HEAD}INSERT INTO `t` VALUES (1,2)", "found no line `-- Dump completed`"),
        (f"{HEAD}INSERT INTO `t` VALUES (1,2){END}", "past.sql@237: expected `,` or `;` after"),
        (f"{HEAD}INSERT INTO `t` VALUES (1,x);{END}", "past.sql@235: expected a value of a row"),
        (f"{HEAD}INSERT INTO `t` VALUES (1,2,3);{END}", "expected a row with values of 2 columns"),
        (f"{HEAD}INSERT INTO `t` VALUES (1,'x');{END}", "column v: expected values of type INT"),
        (f"{HEAD}INSERT INTO `t` VALUES (1,2),(1,3);{END}", "found two rows with id = 1"),
        (HEAD.replace("utf8mb4", "latin1") + END, "text in latin1, expected utf8mb4"),
        (HEAD.replace("`v` int", "`v` timestamp") + END, "in the time zone of a session"),
        (HEAD.replace("`t`", "`u`") + END, "no definition of table d.t"),
    ],
)
def test_a_dump_that_is_not_whole_or_not_understood_is_refused(
    tmp_path: Path, text: str, reason: str
) -> None:
    log = write_log(tmp_path / "binlog.000001", 9)
    past = tmp_path / "past.sql"
    past.write_text(text)
    with pytest.raises(BinlogError) as error:
        rows_of(log, baseline=past)
    assert reason in str(error.value)


def images(*rows: tuple[str, int | None]) -> pa.Table:
    kinds, values = zip(*rows, strict=True)
    columns = {"_change_type": pa.array(kinds), "_log_file": pa.array(["l"] * len(rows))}
    columns["_start_pos"] = pa.array(range(len(rows)))
    return pa.table(columns | {"v": pa.array(values, pa.int32())})


def write_partial(path: Path, create: str, *events: Rows) -> Path:
    """Write a log of images that lack columns, of the table d.t (id, v, w)."""
    writer = LogWriter()
    if create:
        writer.statement(create)
    for event in events:
        writer.begin()
        writer.table_map(9, "t", [LoggedColumn(name, 3) for name in ("id", "v", "w")])
        writer.rows(9, event)
        writer.commit()
    path.write_bytes(writer.data)
    return path


def test_images_without_columns_have_the_values_from_before(tmp_path: Path) -> None:
    """That they are right is shown in `tests/live`; here is what they cannot tell."""

    def numbers(*values: int) -> list[bytes | None]:
        return [struct.pack("<i", value) for value in values]

    create = "CREATE TABLE d.t (id INT PRIMARY KEY, v INT DEFAULT 5, w INT DEFAULT (1 + 1))"
    insert = Rows(WRITE_V2, [numbers(1, 9)], [True, False, True])
    key = [True, False, False]
    update = Rows(UPDATE_V2, [numbers(1), numbers(8)], key, [False, False, True])
    move = Rows(UPDATE_V2, [numbers(1), numbers(2)], key, key)
    delete = Rows(DELETE_V2, [numbers(2)], key)
    path = tmp_path / "binlog.000001"

    def rows(*events: Rows, create: str = create) -> list[tuple[int, ...]]:
        found = rows_at(write_partial(path, create, *events), table="d.t").rows
        return [tuple(row.values()) for row in found.to_pylist()]

    assert rows(insert) == [(1, 5, 9)]
    assert rows(insert, update, move) == [(2, 5, 8)]
    assert rows(insert, move, delete, insert, update) == [(1, 5, 8)]
    with pytest.raises(UnsupportedError, match="default is not a literal, or not known"):
        rows(Rows(WRITE_V2, [numbers(1, 9)], [True, True, False]))
    ddl = tmp_path / "t.sql"
    ddl.write_text(create)
    write_partial(path, "", update)
    with pytest.raises(UnsupportedError, match="without the columns v, whose values are not known"):
        rows_at(path, table="d.t", ddl=str(ddl))


def test_rows_of_a_table_without_a_key_are_counted() -> None:
    state = RowState("d.t", pa.table({"v": pa.array([1, 1, None], pa.int32())}), is_whole=True)
    state.apply(images(("delete", 1), ("insert", 2), ("insert", 2), ("insert", None)), ())
    assert sorted(state.rows["v"].to_pylist(), key=str) == [1, 2, 2, None, None]
    with pytest.raises(BinlogError, match=r"l@1: table d.t: delete of a row that does not exist"):
        state.apply(images(("delete", 1), ("delete", 1)), ())


def test_a_null_in_a_key_is_refused() -> None:
    state = RowState("d.t", pa.table({"v": pa.array([1], pa.int32())}), is_whole=True)
    with pytest.raises(UnsupportedError, match="column v of its key has a null"):
        state.apply(images(("insert", None)), ["v"])


@pytest.mark.parametrize("name", ["row", "tables", "columns", "starting_timestamp"])
def test_an_option_that_leaves_out_changes_is_refused(name: str) -> None:
    with pytest.raises(OptionError, match=f"option {name}"):
        rows_at(sample_path("mysql-9.7-shop"), table="shop.orders", **{name: "2026-01-01"})  # type: ignore[arg-type]


def test_a_folder_with_files_is_replaced_with_force_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["as-of", str(sample_path("mysql-9.7-shop")), "--table", "shop.orders", "-q"]
    out = tmp_path / "orders"
    assert main([*words, "--output", str(out)]) == 0
    before = {path.name for path in out.iterdir()}
    assert main([*words, "--output", str(out)]) == 2
    said = f"error: --output: {out} is not empty; choose another folder, or add --force\n"
    assert capsys.readouterr().err == said
    assert {path.name for path in out.iterdir()} == before
    assert main([*words, "--output", str(out), "--force"]) == 0
    assert pq.read_table(out).num_rows == 51
