"""Rows that foreign keys changed below the log: what is rebuilt, and what is named."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import UnsupportedError, redo_statements, undo_statements
from pyspark_adapter.cli.main import main
from tests.support.log_writer import DELETE_V2, UPDATE_V2, WRITE_V2, LoggedColumn, LogWriter, Rows

STMT_END, NO_CHECKS = 1, 2
UTF8MB4 = 255
ID = LoggedColumn("id", 3, is_nullable=False)
TABLES = {
    "p": (ID,),
    "c": (ID, LoggedColumn("p_id", 3)),
    "g": (ID, LoggedColumn("c_id", 3)),
    "t": (LoggedColumn("code", 15, b"\x50\0", collation=UTF8MB4, is_nullable=False),),
    "u": (ID, LoggedColumn("code", 15, b"\x50\0", collation=UTF8MB4)),
}
NAMES = {name: ", ".join(column.name for column in columns) for name, columns in TABLES.items()}
P = "CREATE TABLE p (id INT PRIMARY KEY)"
KEY = "FOREIGN KEY (p_id) REFERENCES p (id)"
C = f"CREATE TABLE c (id INT PRIMARY KEY, p_id INT, {KEY} ON DELETE CASCADE ON UPDATE CASCADE)"
C_NULL = f"CREATE TABLE c (id INT PRIMARY KEY, p_id INT, {KEY} ON DELETE SET NULL)"
G = (
    "CREATE TABLE g (id INT PRIMARY KEY, c_id INT,"
    " FOREIGN KEY (c_id) REFERENCES c (id) ON DELETE CASCADE)"
)
NOT_KNOWN = "not rebuilt are rows that foreign keys to d.p may have changed"
Value = int | str | None


@dataclass
class Log:
    """Writes changes; each is a transaction."""

    path: Path
    writer: LogWriter = field(default_factory=lambda: LogWriter(has_metadata=False))

    def add(self, *steps: str | tuple[Any, ...]) -> str:
        """Write statements, and changes as (table, before, after); return the position after."""
        for step in steps:
            if isinstance(step, str):
                self.writer.statement(step)
                continue
            self.writer.begin()
            self.change(*step)
            self.writer.commit()
        self.path.write_bytes(self.writer.data)
        return f"{self.path.name}:{len(self.writer.data)}"

    def change(
        self,
        table: str,
        before: Sequence[Value] | None,
        after: Sequence[Value] | None,
        flags: int = STMT_END,
    ) -> None:
        """Write a rows event."""
        columns = TABLES[table]
        rows = [list(map(encoded, row)) for row in (before, after) if row is not None]
        kind = UPDATE_V2 if len(rows) == 2 else WRITE_V2 if before is None else DELETE_V2
        used = [True] * len(columns)
        number = sorted(TABLES).index(table) + 1
        self.writer.table_map(number, table, columns)
        after_used = used if kind == UPDATE_V2 else ()
        self.writer.rows(number, Rows(kind, rows, used, after_used, flags=flags))


def encoded(value: Value) -> bytes | None:
    if isinstance(value, str):
        data = value.encode()
        return bytes([len(data)]) + data
    return None if value is None else struct.pack("<i", value)


@pytest.fixture
def log(tmp_path: Path) -> Log:
    return Log(tmp_path / "binlog.000001")


def undo(log: Log, position: str, **options: Any) -> list[str]:
    """Return the statements that take back what is after a position, comments of rows with them."""
    lines = undo_statements(log.path, starting_position=position, rebuild_cascades=True, **options)
    words = ("INSERT", "UPDATE", "DELETE", "-- Rebuilt", "-- Not covered: binlog")
    return [line for line in lines if line.startswith(words)]


def inserted(table: str, *values: Value) -> str:
    names = ", ".join(f"`{name}`" for name in NAMES[table].split(", "))
    shown = ", ".join("NULL" if value is None else repr(value) for value in values)
    return f"INSERT INTO `d`.`{table}` ({names}) VALUES ({shown});"


def deleted_by(child: str, parent: str) -> str:
    return f"-- Rebuilt: d.{child}, deleted by a foreign key to d.{parent}"


def test_rows_are_those_that_the_child_had(log: Log) -> None:
    """Changed since their insert, deleted before, moved to another parent, or of no parent."""
    position = log.add(
        *(P, C, G, ("p", None, [1]), ("p", None, [2])),
        *[("c", None, [number, 1]) for number in (10, 11, 12, 13)],
        *(("c", None, [14, None]), ("c", [10, 1], [20, 1]), ("c", [11, 1], None)),
        *(("c", [12, 1], [12, 2]), ("g", None, [100, 13]), ("g", None, [101, 12])),
    )
    log.add(("p", [1], None))
    assert undo(log, position) == [
        "-- Rebuilt: d.c: 2 rows that foreign keys deleted",
        "-- Rebuilt: d.g: 1 row that foreign keys deleted",
        *(deleted_by("c", "p"), inserted("c", 20, 1)),
        *(deleted_by("g", "c"), inserted("g", 100, 13)),
        *(deleted_by("c", "p"), inserted("c", 13, 1)),
        inserted("p", 1),
    ]
    redone = redo_statements(log.path, starting_position=position, rebuild_cascades=True)
    assert [line for line in redone if line.startswith("DELETE")] == [
        *(
            "DELETE FROM `d`.`p` WHERE `id` = 1 LIMIT 1;",
            "DELETE FROM `d`.`c` WHERE `id` = 13 LIMIT 1;",
        ),
        *(
            "DELETE FROM `d`.`g` WHERE `id` = 100 LIMIT 1;",
            "DELETE FROM `d`.`c` WHERE `id` = 20 LIMIT 1;",
        ),
    ]


def test_keys_that_change_are_carried_over_before_the_range_as_well(log: Log) -> None:
    position = log.add(
        *(P, C, ("p", None, [1]), ("p", None, [2]), ("c", None, [10, 1]), ("c", None, [11, 2])),
        *(("p", [1], [5]), ("p", [2], None), ("c", None, [11, 5])),
    )
    log.add(("p", [5], [6]), ("p", [6], None))
    changed = "-- Rebuilt: d.c, changed by a foreign key to d.p"
    assert undo(log, position)[2:] == [
        *(deleted_by("c", "p"), inserted("c", 11, 6), deleted_by("c", "p"), inserted("c", 10, 6)),
        inserted("p", 6),
        *(changed, "UPDATE `d`.`c` SET `p_id` = 5 WHERE `id` = 11 LIMIT 1;"),
        *(changed, "UPDATE `d`.`c` SET `p_id` = 5 WHERE `id` = 10 LIMIT 1;"),
        "UPDATE `d`.`p` SET `id` = 5 WHERE `id` = 6 LIMIT 1;",
    ]


def test_columns_that_became_null_are_set_back(log: Log) -> None:
    position = log.add(P, C_NULL, ("p", None, [1]), ("c", None, [10, 1]))
    log.add(("p", [1], None))
    assert undo(log, position)[2:] == [
        "UPDATE `d`.`c` SET `p_id` = 1 WHERE `id` = 10 LIMIT 1;",
        inserted("p", 1),
    ]


def test_rows_of_no_insert_in_the_logs_are_named(log: Log, tmp_path: Path) -> None:
    """Except those of a parent that was inserted in the logs: they are newer."""
    ddl = tmp_path / "tables.sql"
    ddl.write_text(f"USE d; {P}; {C};")
    position = log.add(("p", None, [1]), ("c", None, [10, 1]), ("c", [11, 2], [11, 2]))
    log.add(("p", [1], None))
    assert len(undo(log, position, ddl=str(ddl))) == 4
    log.add(("p", [2], None), ("p", [3], None))
    unknown = (
        rf"table d\.c: {NOT_KNOWN}, whose inserts are not in these logs: `p_id` = 2; `p_id` = 3"
    )
    with pytest.raises(UnsupportedError, match=unknown) as raised:
        undo(log, position, ddl=str(ddl))
    assert "force=True gives the SQL" in str(raised.value)
    forced = undo(log, position, ddl=str(ddl), force=True)
    assert "`p_id` = 2; `p_id` = 3" in next(line for line in forced if "Not covered" in line)
    assert inserted("c", 11, 2) in forced
    assert inserted("c", 10, 1) in forced


@pytest.mark.parametrize(
    "steps",
    [
        ["ALTER TABLE c ADD x INT", "ALTER TABLE c DROP x"],
        ["RENAME TABLE c TO d", "RENAME TABLE d TO c"],
        ["DELETE FROM c WHERE id = 7"],
        ["ALTER TABLE c DROP FOREIGN KEY c_ibfk_1"],
    ],
)
def test_rows_that_statements_may_have_changed_are_named(log: Log, steps: list[str]) -> None:
    position = log.add(P, C, ("p", None, [1]), ("c", None, [10, 1]), *steps)
    log.add(("p", [1], None))
    with pytest.raises(UnsupportedError, match=NOT_KNOWN):
        undo(log, position)
    assert inserted("c", 10, 1) not in undo(log, position, force=True)


@pytest.mark.parametrize(
    ("steps", "count"),
    [
        (["ALTER TABLE c ADD INDEX (p_id)"], 1),
        (["TRUNCATE TABLE c"], 0),
        (["DROP TABLE c", C], 0),
        (["DROP TABLE c"], 0),
    ],
)
def test_rows_follow_statements_that_are_understood(log: Log, steps: list[str], count: int) -> None:
    position = log.add(P, C, ("p", None, [1]), ("c", None, [10, 1]), *steps)
    log.add(("p", [1], None))
    assert undo(log, position).count(inserted("c", 10, 1)) == count


def test_nothing_is_carried_over_without_checks(log: Log) -> None:
    """Also before the range: the child is there until its parent is deleted with checks."""
    position = log.add(P, C, ("p", None, [1]), ("c", None, [10, 1]))
    log.add(("p", [1], None, STMT_END | NO_CHECKS), ("p", None, [1]))
    assert undo(log, position) == ["DELETE FROM `d`.`p` WHERE `id` = 1 LIMIT 1;", inserted("p", 1)]
    log.add(("p", [1], None))
    assert inserted("c", 10, 1) in undo(log, position)


@pytest.mark.parametrize(("create", "version"), [(C, b"9.6.00"), (f"{C} ENGINE=MyISAM", b"8.0.36")])
def test_servers_that_log_all_need_nothing(log: Log, create: str, version: bytes) -> None:
    position = log.add(P, create, ("p", None, [1]), ("c", None, [10, 1]))
    log.add(("p", [1], None))
    log.path.write_bytes(log.path.read_bytes().replace(b"8.0.36", version))
    assert undo(log, position, verify_checksums=False) == [inserted("p", 1)]


def test_texts_that_the_server_may_take_for_equal_are_named(log: Log) -> None:
    position = log.add(
        "CREATE TABLE t (code VARCHAR(20) CHARSET utf8mb4 PRIMARY KEY)",
        "CREATE TABLE u (id INT PRIMARY KEY, code VARCHAR(20) CHARSET utf8mb4,"
        " FOREIGN KEY (code) REFERENCES t (code) ON DELETE CASCADE)",
        *(("t", None, ["a"]), ("t", None, ["b"])),
        *(("u", None, [1, "a"]), ("u", None, [2, "Á "]), ("u", None, [3, "b"])),
    )
    log.add(("t", ["b"], None))
    assert inserted("u", 3, "b") in undo(log, position)
    log.add(("t", ["a"], None))
    with pytest.raises(UnsupportedError, match=r"differs in case.*: `id` = 2"):
        undo(log, position)
    assert {inserted("u", 1, "a"), inserted("u", 3, "b")} < set(undo(log, position, force=True))


def test_logs_that_are_missing_in_between_make_rows_unknown(log: Log) -> None:
    log.add(P, C, ("p", None, [1]), ("c", None, [10, 1]))
    later = Log(log.path.with_name("binlog.000003"))
    later.add(("p", [1], None))
    options: dict[str, Any] = {"starting_position": "binlog.000003:4", "rebuild_cascades": True}
    with pytest.raises(UnsupportedError, match=NOT_KNOWN):
        undo_statements([log.path, later.path], **options)
    between = log.path.with_name("binlog.000002")
    between.write_bytes(LogWriter(has_metadata=False).data)
    lines = list(undo_statements([log.path, between, later.path], **options))
    assert inserted("c", 10, 1) in lines


@pytest.mark.parametrize(("end", "count"), [("COMMIT", 0), ("ROLLBACK", 1)])
def test_distributed_transactions(log: Log, end: str, count: int) -> None:
    """Rows of a table are not known after a transaction that was rolled back late."""
    position = log.add(P, C, ("p", None, [1]), ("c", None, [10, 1]))
    log.writer.statement("XA START X'31',X'',1")
    log.change("c", [10, 1], None)
    log.writer.statement("XA END X'31',X'',1")
    log.writer.event(38, struct.pack("<BIII", 0, 1, 1, 0) + b"1")
    log.add(f"XA {end} X'31',X'',1", ("p", [1], None))
    if count:
        with pytest.raises(UnsupportedError, match=NOT_KNOWN):
            undo(log, position)
    else:
        assert undo(log, position) == [inserted("p", 1), inserted("c", 10, 1)]


def test_the_command_names_the_flag(log: Log, capsys: pytest.CaptureFixture[str]) -> None:
    position = log.add(P, C, ("p", None, [1]), ("c", None, [10, 1]))
    log.add(("p", [1], None))
    words = ["undo", str(log.path), "--table", "d.p", "--position", position]
    assert main(words) == 1
    assert "  --rebuild-cascades adds what foreign keys did" in capsys.readouterr().err
    assert main([*words, "--rebuild-cascades"]) == 0
    assert inserted("c", 10, 1) in capsys.readouterr().out
