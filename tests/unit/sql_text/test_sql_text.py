"""Row changes as SQL: undo, redo, and what is refused."""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import (
    BinlogOptions,
    BinlogWarning,
    OptionError,
    TruncatedEventError,
    UnsupportedError,
)
from pyspark_adapter.events.frame_reader import FrameReader
from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.format.schema import EventType
from pyspark_adapter.sql_text.script import redo_statements, sql_rows, undo_statements
from pyspark_adapter.sql_text.script_writer import Spool
from pyspark_adapter.sql_text.session import LENIENT, STRICT
from tests.inputs import sample_path
from tests.support import encoders
from tests.support.log_writer import (
    ABSENT,
    DELETE_V2,
    UPDATE_V2,
    WRITE_V2,
    LoggedColumn,
    LogWriter,
    Rows,
)

SHOP = sample_path("mysql-9.7-shop")
UTF8MB4 = 255


ID, NAME = LoggedColumn("id", 3), LoggedColumn("na`me", 15, b"\x14\0", collation=UTF8MB4)
TOUCHED = LoggedColumn("at", 17, b"\0")
COLUMNS = (ID, NAME, TOUCHED)
BEFORE = [encoders.integer(1, 4), b"\1a", encoders.timestamp2(1, 0, 0)]
AFTER = [encoders.integer(1, 4), b"\1b", encoders.timestamp2(1, 0, 0)]
ALL = [True] * 3
A_ROW = "`id` <=> 1 AND `na``me` <=> _binary'{}' AND `at` <=> '1970-01-01 00:00:01'"


@pytest.fixture
def log(tmp_path: Path) -> tuple[LogWriter, Path]:
    return LogWriter(), tmp_path / "binlog.000001"


def write(log: tuple[LogWriter, Path], *events: Rows | str) -> Path:
    """Write a log in which each rows event is a transaction, and texts are statements."""
    writer, path = log
    for event in events:
        if isinstance(event, str):
            writer.statement(event)
            continue
        writer.begin()
        writer.table_map(1, "t", COLUMNS)
        writer.rows(1, event)
        writer.commit()
    path.write_bytes(writer.data)
    return path


def row_lines(lines: Iterator[str]) -> list[str]:
    words = ("INSERT", "UPDATE", "DELETE", "START", "COMMIT")
    return [line for line in lines if line.startswith(words)]


def test_statements_without_a_known_key(log: tuple[LogWriter, Path]) -> None:
    path = write(
        log,
        Rows(WRITE_V2, [BEFORE], ALL),
        Rows(UPDATE_V2, [BEFORE, AFTER], ALL, ALL),
        Rows(DELETE_V2, [AFTER], ALL),
    )
    values = "(`id`, `na``me`, `at`) VALUES (1, '{}', '1970-01-01 00:00:01')"
    update = "UPDATE `d`.`t` SET `na``me` = '{}', `at` = `at` WHERE " + A_ROW + " LIMIT 1;"
    redo = [
        f"INSERT INTO `d`.`t` {values.format('a')};",
        update.format("b", "a"),
        f"DELETE FROM `d`.`t` WHERE {A_ROW.format('b')} LIMIT 1;",
    ]
    undo = [
        f"INSERT INTO `d`.`t` {values.format('b')};",
        update.format("a", "b"),
        f"DELETE FROM `d`.`t` WHERE {A_ROW.format('a')} LIMIT 1;",
    ]
    apart = [
        [line for sql in statements for line in ("START TRANSACTION;", sql, "COMMIT;")]
        for statements in (redo, undo)
    ]
    assert list(sql_rows(path)) == redo
    assert row_lines(redo_statements(path, transaction_rows=1)) == apart[0]
    assert row_lines(undo_statements(path, transaction_rows=1)) == apart[1]
    joined = [["START TRANSACTION;", *statements, "COMMIT;"] for statements in (redo, undo)]
    assert row_lines(redo_statements(path)) == joined[0]
    assert row_lines(undo_statements(path)) == joined[1]


def test_the_key_of_a_definition_finds_rows(log: tuple[LogWriter, Path], tmp_path: Path) -> None:
    writer, path = log
    writer.has_metadata = False
    write(log, Rows(DELETE_V2, [BEFORE], ALL), Rows(UPDATE_V2, [BEFORE, AFTER], ALL, ALL))
    ddl = tmp_path / "tables.sql"
    columns = "`id` INT, `na``me` VARCHAR(5) CHARSET utf8mb4, `at` TIMESTAMP NULL"
    ddl.write_text(f"CREATE TABLE d.t ({columns}, twice INT AS (id * 2), PRIMARY KEY (`id`));")
    with pytest.raises(UnsupportedError, match="does not name its columns"):
        undo_statements(path, ddl=str(ddl))  # it has another number of columns
    ddl.write_text(f"CREATE TABLE d.t ({columns.replace('INT', 'INT PRIMARY KEY')});")
    with pytest.raises(UnsupportedError, match="does not name its columns"):
        undo_statements(path, ddl=str(ddl))  # a primary key is NOT NULL, and the log has NULL
    ddl.write_text(f"CREATE TABLE d.t ({columns});")
    lines = list(undo_statements(path, ddl=str(ddl)))
    assert [line for line in lines if line.startswith("UPDATE")] == [
        f"UPDATE `d`.`t` SET `na``me` = 'a', `at` = `at` WHERE {A_ROW.format('b')} LIMIT 1;"
    ]


@pytest.mark.parametrize(
    ("definition", "condition"),
    [
        ("id INT NOT NULL, `na``me` VARCHAR(5), at TIMESTAMP NULL, UNIQUE (id)", "`id` = 1"),
        ("id INT NOT NULL UNIQUE, `na``me` VARCHAR(5), at TIMESTAMP NULL", "`id` = 1"),
        (
            "id INT NOT NULL, `na``me` VARCHAR(5) CHARSET utf8mb4 NOT NULL, at TIMESTAMP NULL,"
            " UNIQUE u (`na``me`, id)",
            "`na``me` = 'a' AND `id` = 1",
        ),
        ("id INT NOT NULL, `na``me` VARCHAR(5), at TIMESTAMP NULL, KEY (id)", None),
        ("id INT NOT NULL, `na``me` VARCHAR(5) NOT NULL, at DATE, UNIQUE (`na``me`(2))", None),
    ],
)
def test_a_unique_key_finds_rows(
    definition: str, condition: str | None, log: tuple[LogWriter, Path]
) -> None:
    """A key of a definition does; one that may hold NULL, or is of prefixes, does not."""
    writer, path = log
    writer.statement(f"CREATE TABLE t ({definition})")
    begin = len(writer.data)
    write(log, Rows(WRITE_V2, [BEFORE], ALL), Rows(DELETE_V2, [BEFORE], ALL))
    position = f"binlog.000001:{begin}"
    lines = redo_statements(path, starting_position=position)
    [delete] = [line for line in lines if line.startswith("DELETE")]
    if condition is not None:
        assert delete == f"DELETE FROM `d`.`t` WHERE {condition} LIMIT 1;"
    else:
        assert delete.count("<=>") == 3


def test_what_minimal_images_lack_is_refused(log: tuple[LogWriter, Path]) -> None:
    key_only, name_only = [True, False, False], [False, True, False]
    path = write(
        log,
        Rows(WRITE_V2, [[BEFORE[0], BEFORE[1], ABSENT]], [True, True, False]),
        Rows(DELETE_V2, [[BEFORE[0], ABSENT, ABSENT]], key_only),
        Rows(
            UPDATE_V2,
            [[BEFORE[0], ABSENT, ABSENT], [ABSENT, AFTER[1], ABSENT]],
            key_only,
            name_only,
        ),
    )
    assert [sql.split(" WHERE ")[-1] for sql in sql_rows(path)][1:] == ["`id` <=> 1 LIMIT 1;"] * 2
    with pytest.raises(UnsupportedError) as caught:
        undo_statements(path)
    text = str(caught.value)
    assert (
        "insert of table d.t: the row image lacks columns, and the table has no known key" in text
    )
    assert "delete of table d.t: the image before the delete lacks columns: `na``me`, `at`" in text
    assert "update of table d.t: the image before the update lacks `na``me`" in text
    with pytest.raises(UnsupportedError):
        undo_statements(path, force=True)
    assert len(row_lines(undo_statements(path, starting_timestamp="2100-01-01"))) == 0


@pytest.mark.parametrize(
    ("statement", "is_refused"),
    [
        ("TRUNCATE TABLE t", True),
        ("ALTER TABLE t ADD COLUMN x INT", True),
        ("DROP TABLE o, t", True),
        ("RENAME TABLE o TO t", True),
        ("DROP DATABASE d", True),
        ("UPDATE t SET id = 1", True),
        ("CALL something()", True),
        ("ALTER TABLE o EXCHANGE PARTITION p WITH TABLE t", True),
        # As of a server with lower_case_table_names=1.
        ("TRUNCATE TABLE T", True),
        ("ALTER TABLE D.T DROP COLUMN x", True),
        ("DROP DATABASE D", True),
        ("DROP DATABASE E", False),
        ("TRUNCATE TABLE o", False),
        ("ALTER TABLE d.o RENAME TO p", False),
        ("CREATE TABLE o (id INT)", False),
        ("CREATE TRIGGER r AFTER INSERT ON t FOR EACH ROW SET @x = 1", False),
        ("GRANT ALL ON t TO u", False),
        ("CREATE INDEX i ON t (id)", False),
        ("ALTER TABLE t ADD INDEX i (id), DROP INDEX j", False),
        ("ALTER TABLE t ADD INDEX i (id), DROP COLUMN x", True),
    ],
)
def test_statements_of_chosen_tables_need_force(
    log: tuple[LogWriter, Path], statement: str, is_refused: bool
) -> None:
    path = write(log, Rows(WRITE_V2, [BEFORE], ALL), statement)
    if not is_refused:
        assert len(row_lines(undo_statements(path, table="d.t"))) == 3
        return
    with pytest.raises(UnsupportedError, match=statement.split()[0]):
        undo_statements(path, table="d.t")
    lines = list(undo_statements(path, table="d.t", force=True))
    assert any(line.startswith("-- Not covered: binlog.000001@") for line in lines)
    assert len(row_lines(iter(lines))) == 3
    ending = Path(path).read_bytes().rindex(statement.encode()) - 100
    assert undo_statements(path, table="d.t", ending_position=f"binlog.000001:{ending}")


@pytest.mark.parametrize(
    ("statements", "is_refused"),
    [
        (["CREATE TABLE t (id INT)", "ALTER TABLE t ADD COLUMN x INT"], False),
        (["CREATE TABLE n (id INT)", "RENAME TABLE n TO t", "ALTER TABLE t DROP x"], False),
        (["CREATE TABLE IF NOT EXISTS t (id INT)"], False),
        # The old table is still there, under another name.
        (["CREATE TABLE n (id INT)", "RENAME TABLE t TO o, n TO t"], True),
        (["CREATE TABLE n (id INT)", "RENAME TABLE n TO t, o TO p"], True),
        (["CREATE TABLE n (id INT)", "RENAME TABLE n TO t", "ALTER TABLE n DROP x"], True),
        (["CREATE TABLE t (id INT)", "ALTER TABLE t EXCHANGE PARTITION p WITH TABLE o"], True),
        (["CREATE TABLE t (id INT)", "ALTER TABLE t RENAME TO o"], True),
    ],
)
def test_definitions_before_rows_need_no_force_for_new_tables(
    log: tuple[LogWriter, Path], statements: list[str], is_refused: bool
) -> None:
    path = write(log, *statements, Rows(WRITE_V2, [BEFORE], ALL))
    if is_refused:
        with pytest.raises(UnsupportedError, match="a statement that SQL of rows does not cover"):
            undo_statements(path)
    else:
        assert undo_statements(path)


@pytest.mark.parametrize(("version", "is_refused"), [(b"5.7.44", True), (b"8.0.36", False)])
def test_a_table_may_be_older_than_create_if_not_exists(
    log: tuple[LogWriter, Path], version: bytes, is_refused: bool
) -> None:
    """MySQL before 8.0 logs the statement also if it does nothing."""
    statements = ["CREATE TABLE IF NOT EXISTS t (id INT)", "ALTER TABLE t DROP COLUMN x"]
    path = write(log, *statements, Rows(WRITE_V2, [BEFORE], ALL))
    path.write_bytes(path.read_bytes().replace(b"8.0.36", version))
    if is_refused:
        with pytest.raises(UnsupportedError, match="ALTER TABLE t"):
            undo_statements(path, verify_checksums=False)
    else:
        assert undo_statements(path, verify_checksums=False)


def test_cascades_that_are_not_logged_need_force(log: tuple[LogWriter, Path]) -> None:
    key = "FOREIGN KEY (a) REFERENCES t (id) ON DELETE CASCADE"
    path = write(
        log,
        f"CREATE TABLE child (a INT, {key})",
        Rows(WRITE_V2, [BEFORE], ALL),
        Rows(DELETE_V2, [BEFORE], ALL),
    )
    with pytest.raises(
        UnsupportedError, match=r"table d\.child: foreign keys carry changes of d\.t"
    ):
        undo_statements(path, table="d.t")
    assert undo_statements(path, table="d.t", change_types="insert")


def test_foreign_keys_count_where_later_logs_are_known(
    log: tuple[LogWriter, Path], tmp_path: Path
) -> None:
    """A file of the option ddl has all logs read first, also those that drop the child."""
    key = "FOREIGN KEY (a) REFERENCES t (id) ON DELETE CASCADE"
    path = write(log, f"CREATE TABLE child (a INT, {key})", Rows(DELETE_V2, [BEFORE], ALL))
    later = LogWriter()
    later.statement("DROP TABLE child")
    after = path.with_name("binlog.000002")
    after.write_bytes(later.data)
    ddl = tmp_path / "ddl.sql"
    ddl.write_text("CREATE TABLE d.t (`id` INT, `na``me` VARCHAR(5), at TIMESTAMP NULL);")
    with pytest.raises(UnsupportedError, match=r"child: foreign keys carry changes of d\.t"):
        undo_statements([path, after], table="d.t", ddl=str(ddl))


@pytest.mark.parametrize(
    ("reference", "version", "is_refused"),
    [
        ("REFERENCES t (id) ON DELETE CASCADE", b"9.0.01", True),
        ("REFERENCES d.t (id) ON UPDATE SET NULL", b"9.0.01", True),
        ("REFERENCES t (id) ON DELETE RESTRICT", b"9.0.01", False),
        ("REFERENCES t (id) ON DELETE CASCADE", b"8.0.36", False),
    ],
)
def test_references_of_columns_are_foreign_keys_of_newer_servers(
    reference: str, version: bytes, is_refused: bool, log: tuple[LogWriter, Path]
) -> None:
    path = write(log, f"CREATE TABLE child (a INT {reference})", Rows(DELETE_V2, [BEFORE], ALL))
    path.write_bytes(path.read_bytes().replace(b"8.0.36", version))
    if is_refused:
        with pytest.raises(UnsupportedError, match=r"child: foreign keys carry changes of d\.t"):
            undo_statements(path, table="d.t", verify_checksums=False)
    else:
        assert undo_statements(path, table="d.t", verify_checksums=False)


def test_ends_of_distributed_transactions_are_looked_for_in_later_logs(
    log: tuple[LogWriter, Path], tmp_path: Path
) -> None:
    writer, path = log
    writer.statement("XA START X'31',X'',1")
    writer.table_map(1, "t", COLUMNS)
    writer.rows(1, Rows(DELETE_V2, [BEFORE], ALL))
    writer.statement("XA END X'31',X'',1")
    writer.event(38, struct.pack("<BIII", 0, 1, 1, 0) + b"1")
    path.write_bytes(writer.data)
    options: dict[str, Any] = {"ending_position": f"binlog.000001:{len(writer.data)}"}
    for statement in ("XA COMMIT X'31',X'',1", "XA ROLLBACK X'31',X'',1"):
        later = LogWriter()
        later.begin()
        later.commit()
        later.statement(statement)
        last = tmp_path / "binlog.000002"
        last.write_bytes(later.data + b"damaged")
        with pytest.raises(UnsupportedError, match="the logs do not say whether"):
            undo_statements(path, **options)
        lines = list(undo_statements([path, last], **options))
        assert any("INSERT" in line for line in lines) == ("COMMIT" in statement)
    cut = tmp_path / "binlog.000002"
    cut.write_bytes(later.data[:-10])
    with pytest.raises(TruncatedEventError):
        undo_statements([path, cut], **options)
    with (
        pytest.warns(BinlogWarning, match="the rest of the log is skipped"),
        pytest.raises(UnsupportedError, match="the logs do not say whether"),
    ):
        undo_statements([path, cut], ignore_corrupt_files=True, **options)


def test_distributed_transactions_follow_their_end(log: tuple[LogWriter, Path]) -> None:
    def prepare(name: str) -> None:
        writer.statement(f"XA START X'{name}',X'',1")
        writer.table_map(1, "t", COLUMNS)
        writer.rows(1, Rows(DELETE_V2, [[encoders.integer(ord(name[-1]), 4), *BEFORE[1:]]], ALL))
        writer.statement(f"XA END X'{name}',X'',1")
        xid = struct.pack("<BIII", 0, 1, 1, 0) + bytes.fromhex(name)
        writer.event(38, xid)

    writer, path = log
    prepare("31")
    prepare("32")
    writer.statement("XA ROLLBACK X'31',X'',1")
    path.write_bytes(writer.data)
    with pytest.raises(UnsupportedError, match="X'32',X'',1: the logs do not say whether"):
        undo_statements(path)
    writer.statement("XA COMMIT X'32',X'',1")
    path.write_bytes(writer.data)
    [insert] = [line for line in undo_statements(path) if line.startswith("INSERT")]
    assert "VALUES (50, 'a'" in insert
    second = Path(path).read_bytes().rindex(b"XA START") - 100
    with pytest.raises(UnsupportedError, match="XA COMMIT X'32',X'',1, which was prepared before"):
        undo_statements(path, starting_position=f"binlog.000001:{second + 100}")


def test_nothing_is_read_after_the_range(log: tuple[LogWriter, Path]) -> None:
    path = write(log, Rows(WRITE_V2, [BEFORE], ALL), Rows(DELETE_V2, [BEFORE], ALL))
    second = path.read_bytes().rindex(b"BEGIN") - 50
    path.write_bytes(path.read_bytes()[:-40])  # damaged in the second transaction
    assert len(row_lines(undo_statements(path, ending_position=f"binlog.000001:{second}"))) == 3
    with pytest.raises(TruncatedEventError):
        undo_statements(path)


def test_changes_that_the_server_lost_need_force(log: tuple[LogWriter, Path]) -> None:
    writer, path = log
    write(log, Rows(WRITE_V2, [BEFORE], ALL))
    writer.event(26, b"\1\0\4lost")
    path.write_bytes(writer.data)
    with pytest.raises(UnsupportedError, match="an incident: the server lost changes"):
        undo_statements(path)
    assert undo_statements(path, force=True)


def test_one_image_of_updates_is_not_enough() -> None:
    with pytest.raises(OptionError, match="both images of updates"):
        undo_statements(SHOP, change_types="update_preimage")


def test_transactions_are_named_and_end_as_they_began() -> None:
    lines = list(undo_statements(SHOP, tables="shop.orders", transaction_rows=1))
    comments = [line for line in lines if line.startswith("-- mysql-9.7-shop.000001:")]
    assert comments[0].startswith("-- mysql-9.7-shop.000001:25836 795c97f4-badf-559a-96b7-")
    assert len(comments) == lines.count("START TRANSACTION;") == lines.count("COMMIT;")
    starts = [int(comment.split(":")[1].split()[0]) for comment in comments]
    assert starts == sorted(starts, reverse=True)
    assert "WHERE `order_id` = 10 LIMIT 1;" in "\n".join(lines)  # the key that the log names


def test_a_spool_is_read_from_both_ends() -> None:
    spool = Spool()
    texts = ["", "é" * 700_000, "a", "b" * 3_000_000, "", *map(str, range(50_000)), "c" * 9_000_000]
    for i, text in enumerate(texts):
        spool.append(i, text.encode())
    content = [(i, text.encode()) for i, text in enumerate(texts)]
    assert list(spool.read(is_backwards=False)) == content
    assert list(spool.read(is_backwards=True)) == content[::-1]
    spool.close()


def test_values_that_strict_mode_refuses(log: tuple[LogWriter, Path]) -> None:
    writer, path = log
    enum = LoggedColumn("e", 254, b"\xf7\1", collation=UTF8MB4, members=("x", "y"))
    writer.begin()
    writer.table_map(1, "t", [enum])
    writer.rows(1, Rows(WRITE_V2, [[b"\1"], [b"\0"]], [True]))
    writer.commit()
    path.write_bytes(writer.data)
    lines = list(redo_statements(path))
    lenient = lines.index("INSERT INTO `d`.`t` (`e`) VALUES (0);")
    assert lines[lenient - 1 : lenient + 2 : 2] == [LENIENT, STRICT]
    assert lines[lenient - 2] == "INSERT INTO `d`.`t` (`e`) VALUES ('x');"


def test_the_log_names_the_primary_key() -> None:
    log_file = find_log_files(SHOP)[0]
    table_maps = [
        TableMap.from_event(frames.parser.parse(frame.event).body, is_mariadb=False)
        for frames in [FrameReader(log_file, BinlogOptions())]
        for frame in frames
        if frame.plain_type == EventType.table_map
    ]
    keys = {table_map.table.table_name: table_map.primary_key for table_map in table_maps}
    assert keys["orders"] == (0,)
    assert keys["order_items"] == (0, 1)
