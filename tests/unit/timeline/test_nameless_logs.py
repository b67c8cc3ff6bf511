"""Names and types that a log does not hold in its table maps, in logs made by hand."""

import struct
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pyspark_adapter import list_tables, read_batches, read_schema
from pyspark_adapter.errors import BinlogWarning, OptionError, SchemaMismatchError
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows

INT, TINY, VARCHAR, STRING, BLOB = 3, 1, 15, 254, 252
COLUMNS = [
    LoggedColumn("", INT),
    LoggedColumn("", VARCHAR, struct.pack("<H", 12)),  # 3 characters of 4 bytes
    LoggedColumn("", STRING, b"\xf7\1"),  # ENUM
]
ROW = [struct.pack("<I", 0xFFFFFFFF), b"\2\xc3\xa9", b"\2"]
CREATE = "CREATE TABLE t (id INT UNSIGNED, name VARCHAR(3) CHARSET utf8mb4, kind ENUM('a', 'é'))"
NAMED = {"id": 0xFFFFFFFF, "name": "é", "kind": "é"}
NAMELESS = {"col_1": -1, "col_2": "é".encode(), "col_3": 2}


def rows(
    writer: LogWriter, table: str = "t", columns: list[LoggedColumn] = COLUMNS, table_id: int = 9
) -> None:
    writer.begin()
    writer.table_map(table_id, table, columns)
    writer.rows(table_id, Rows(WRITE_V2, [ROW[: len(columns)]], [True] * len(columns)))
    writer.commit()


def log(path: Path, *parts: str | Callable[[LogWriter], None]) -> Path:
    """Write a log of statements and of what functions append."""
    writer = LogWriter(has_metadata=False)
    for part in parts:
        if isinstance(part, str):
            writer.statement(part)
        else:
            part(writer)
    path.write_bytes(writer.data)
    return path


def read(paths: Any, table: str = "d.t", **options: Any) -> list[dict[str, Any]]:
    batches = read_batches(paths, table=table, metadata_columns="", **options)
    return [row for batch in batches for row in batch.to_pylist()]


def test_names_signs_members_and_charsets_come_from_create_table(tmp_path: Path) -> None:
    path = log(tmp_path / "l", CREATE, rows)
    assert read(path) == [NAMED]
    assert list_tables(path)[0].column_names == ("id", "name", "kind")


def test_rows_as_json_have_the_names_too(tmp_path: Path) -> None:
    [batch] = read_batches(log(tmp_path / "l", CREATE, rows))
    assert batch.column("row").to_pylist() == ['{"id": 4294967295, "name": "é", "kind": "é"}']


def test_without_a_definition_columns_have_numbers_and_one_warning(tmp_path: Path) -> None:
    path = log(tmp_path / "l", rows, rows, rows)
    with pytest.warns(BinlogWarning, match=r"l@\d+ .*table d.t: neither the log nor") as warned:
        assert read(path) == [NAMELESS] * 3
    assert len({str(warning.message) for warning in warned}) == 1


def first_names(path: Path) -> list[str]:
    """Return how each row begins in the view of all tables: with the name of its first column."""
    rows = [row for batch in read_batches(path) for row in batch.column("row").to_pylist()]
    return [row.split(":")[0] for row in rows]


def test_names_change_where_the_same_table_map_follows_a_rename(tmp_path: Path) -> None:
    path = log(tmp_path / "l", CREATE, rows, "ALTER TABLE t RENAME COLUMN id TO number", rows)
    assert first_names(path) == ['{"id"', '{"number"']
    assert read(path) == [
        {**NAMED, "number": None},
        {"id": None, "name": "é", "kind": "é", "number": 0xFFFFFFFF},
    ]


def test_a_swap_of_names_takes_effect_at_its_place(tmp_path: Path) -> None:
    two = [LoggedColumn("", INT)] * 2

    def pair(writer: LogWriter) -> None:
        writer.begin()
        writer.table_map(9, "t", two)
        writer.rows(9, Rows(WRITE_V2, [[struct.pack("<i", value) for value in (1, 2)]], [True] * 2))
        writer.commit()

    swap = "ALTER TABLE t RENAME COLUMN a TO b, RENAME COLUMN b TO a"
    path = log(tmp_path / "l", "CREATE TABLE t (a INT, b INT)", pair, swap, pair, swap, pair)
    first, second = {"a": 1, "b": 2}, {"a": 2, "b": 1}
    assert read(path) == [first, second, first]


def test_a_definition_that_contradicts_the_log_is_told_and_not_used(tmp_path: Path) -> None:
    for wrong, words in (
        (CREATE.replace("INT UNSIGNED", "BIGINT"), "column 1 id: BIGINT, logged as LONG"),
        (CREATE.replace("VARCHAR(3)", "VARCHAR(5)"), "column 2 name: VARCHAR.5., logged with meta"),
        (CREATE.replace("utf8mb4", "latin1"), "column 2 name: VARCHAR.3., logged with metadata 12"),
        (CREATE.replace("UNSIGNED", "NOT NULL"), "column 1 id: NOT NULL, logged otherwise"),
        (CREATE.replace("id", "x INT, id"), "4 columns, logged with 3"),
    ):
        path = log(tmp_path / "l", wrong, rows)
        with pytest.warns(BinlogWarning, match=words):
            assert read(path) == [NAMELESS], wrong


def test_a_statement_that_is_not_understood_ends_the_names_and_not_the_read(tmp_path: Path) -> None:
    path = log(tmp_path / "l", CREATE, rows, "ALTER TABLE t FANCY", rows)
    assert first_names(path) == ['{"id"', '{"col_1"']
    with pytest.raises(SchemaMismatchError, match="3 columns without names here, and 3 columns wi"):
        read(path)


def test_logs_know_what_earlier_ones_define(tmp_path: Path) -> None:
    paths = [
        log(tmp_path / "l.1", CREATE),
        log(tmp_path / "l.2", rows, "ALTER TABLE t RENAME COLUMN id TO number"),
        log(tmp_path / "l.3", rows),
    ]
    renamed = {"id": None, "name": "é", "kind": "é", "number": 0xFFFFFFFF}
    assert read(paths) == [{**NAMED, "number": None}, renamed]
    assert read(paths, schema_at="first") == [NAMED, {**NAMED, "id": None}]
    found = [row for batch in read_batches(paths) for row in batch.column("row").to_pylist()]
    assert [row.split(":")[0] for row in found] == ['{"id"', '{"number"']


def test_definitions_of_the_user_count_before_those_of_the_log(tmp_path: Path) -> None:
    ddl = tmp_path / "shop.sql"
    ddl.write_text(
        "-- MySQL dump\n/*!40101 SET NAMES utf8 */;\nDROP TABLE IF EXISTS `t`;\n"
        "CREATE TABLE `t` (\n  `number` int unsigned,\n  `text` varchar(3) DEFAULT NULL,\n"
        "  `sort` enum(';','x') DEFAULT ';'\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;\n"
        "INSERT INTO x VALUES (1);\nDELIMITER ;;\nCREATE TRIGGER a BEFORE INSERT ON t FOR EACH ROW"
        " BEGIN SET @a = 1; SET @b = 2; END ;;\nDELIMITER ;\n"
    )
    own = {"number": 0xFFFFFFFF, "text": "é", "sort": "x"}
    assert read(log(tmp_path / "l", rows), ddl=ddl) == [own]
    # The file may be from before a CREATE TABLE in the log: then that counts.
    same = CREATE.replace("'a', 'é'", "';', 'x'")
    logged = {"id": 0xFFFFFFFF, "name": "é", "kind": "x"}
    assert read(log(tmp_path / "l", same, rows), ddl=ddl) == [logged]
    [batch] = read_batches(log(tmp_path / "l", rows), ddl=str(ddl))
    assert batch.column("row").to_pylist() == ['{"number": 4294967295, "text": "é", "sort": "x"}']
    ddl.write_text("USE `e`; CREATE TABLE t (a INT);" + "USE d; CREATE TABLE t (b INT)")
    with pytest.warns(BinlogWarning, match="is not as the option ddl defines it: 1 columns"):
        assert read(log(tmp_path / "l", rows), ddl=ddl) == [NAMELESS]


@pytest.mark.parametrize(
    ("first", "encoding"),
    [
        ("\ufeff", "utf-8"),
        ("\ufeff", "utf-16-le"),
        ("\ufeff", "utf-16-be"),
        ("/*M!999999\\- enable the sandbox mode */ \n", "utf-8"),
    ],
)
def test_the_first_statement_of_the_user_counts(tmp_path: Path, first: str, encoding: str) -> None:
    """Windows writes U+FEFF, and UTF-16 into a file; mariadb-dump a comment for its client."""
    ddl = tmp_path / "shop.sql"
    named = "CREATE TABLE t (number INT UNSIGNED, text VARCHAR(3), sort ENUM('y', 'x'));"
    ddl.write_text(f"{first}{named}\nUSE e;\n{named.replace('number', 'other')}", encoding)
    [row] = read(log(tmp_path / "l", rows), ddl=ddl)
    assert list(row) == ["number", "text", "sort"]


def test_a_routine_of_the_user_defines_nothing(tmp_path: Path) -> None:
    """As `mysqldump --no-data --routines` writes it, after the tables."""
    ddl = tmp_path / "shop.sql"
    ddl.write_text(
        "CREATE TABLE t (number INT UNSIGNED, text VARCHAR(3), sort ENUM('y', 'x'));\n"
        "DELIMITER ;;\nCREATE DEFINER=`root`@`localhost` PROCEDURE `p`()\nBEGIN\n"
        "  SET @a = ';;'; DROP TABLE IF EXISTS t; CREATE TABLE t (a INT);\nEND ;;\nDELIMITER ;\n"
        "CREATE TABLE u (a INT);\n"
    )
    [row] = read(log(tmp_path / "l", rows), ddl=ddl)
    assert list(row) == ["number", "text", "sort"]


def test_a_table_that_the_log_creates_with_other_members_is_that_of_the_log(tmp_path: Path) -> None:
    ddl = tmp_path / "shop.sql"
    ddl.write_text("CREATE TABLE t (id INT UNSIGNED, name VARCHAR(3), kind ENUM('x', 'y'));")
    assert read(log(tmp_path / "l", CREATE, rows), ddl=ddl) == [NAMED]


@pytest.mark.parametrize("text", ["", "SELECT 1", "CREATE TABLE t (a INT) COMMENT 'x"])
def test_a_file_without_definitions_is_refused(tmp_path: Path, text: str) -> None:
    ddl = tmp_path / "empty.sql"
    ddl.write_text(text)
    with pytest.raises(OptionError, match="option ddl: expected a file with CREATE TABLE"):
        read_schema(log(tmp_path / "l", rows), table="d.t", ddl=ddl)
    with pytest.raises(OptionError, match="No such file"):
        read_schema(log(tmp_path / "l", rows), table="d.t", ddl=tmp_path / "none")


def test_a_schema_of_the_users_names_columns_without_logged_names(tmp_path: Path) -> None:
    by_name = pa.schema([("name", pa.string()), ("id", pa.int64())])
    by_place = pa.schema([("a", pa.int64()), ("b", pa.string()), ("c", pa.string())])
    by_number = pa.schema([("col_2", pa.string())])
    path = log(tmp_path / "l", CREATE, rows)
    with warnings.catch_warnings():
        warnings.simplefilter("error", BinlogWarning)
        for schema, values in (
            (by_name, ["é", 0xFFFFFFFF]),
            (by_place, [0xFFFFFFFF, "é", "é"]),
            (by_number, ["é"]),
        ):
            assert [list(row.values()) for row in read(path, schema=schema)] == [values]
        nameless = log(tmp_path / "m", rows)
        own = pa.schema([("a", pa.int32()), ("b", pa.binary()), ("c", pa.int32())])
        assert [list(row.values()) for row in read(nameless, schema=own)] == [
            list(NAMELESS.values())
        ]


def test_a_table_that_is_made_again_has_its_new_names(tmp_path: Path) -> None:
    other = "CREATE TABLE t (x TINYINT)"
    tiny = [LoggedColumn("", TINY)]

    def small(writer: LogWriter) -> None:
        writer.begin()
        writer.table_map(11, "t", tiny)
        writer.rows(11, Rows(WRITE_V2, [[b"\5"]], [True]))
        writer.commit()

    path = log(tmp_path / "l", CREATE, rows, "DROP TABLE t", other, small)
    assert read(path) == [{**NAMED, "x": None}, {"id": None, "name": None, "kind": None, "x": 5}]


def test_the_servers_character_set_counts_if_lengths_agree(tmp_path: Path) -> None:
    """The default of the server is latin1 in these logs; that of the database is not known."""
    short = [COLUMNS[0], LoggedColumn("", VARCHAR, struct.pack("<H", 3)), COLUMNS[2]]
    blob = [COLUMNS[0], LoggedColumn("", BLOB, b"\1"), COLUMNS[2]]
    plain = CREATE.replace(" CHARSET utf8mb4", "")
    agrees = log(tmp_path / "l", plain, lambda writer: rows(writer, columns=short))
    assert read(agrees)[0]["name"] == "Ã©"
    assert read(log(tmp_path / "m", plain, rows))[0]["name"] == "é".encode()
    alone = log(
        tmp_path / "n",
        plain.replace("VARCHAR(3)", "TINYTEXT"),
        lambda writer: rows(writer, columns=blob),
    )
    assert read(alone)[0]["name"] == "é".encode()
    known = log(
        tmp_path / "o",
        "CREATE DATABASE d CHARSET utf8mb4",
        plain.replace("VARCHAR(3)", "TINYTEXT"),
        lambda writer: rows(writer, columns=blob),
    )
    assert read(known)[0]["name"] == "é"


def test_a_table_is_to_be_read_from_the_logs_that_define_it_too(tmp_path: Path) -> None:
    """As `export` does, on a server whose logs do not name columns."""
    paths = [
        log(tmp_path / "l.1", CREATE),
        log(tmp_path / "l.2", rows, "ALTER TABLE t RENAME COLUMN id TO number"),
        log(tmp_path / "l.3", lambda writer: rows(writer, "u")),
        log(tmp_path / "l.4", rows),
        log(tmp_path / "l.5"),
    ]
    found = list_tables(paths)[0]
    assert found.paths == tuple(str(path) for path in paths[:4])
    assert read(list(found.paths)) == read(paths)
    assert read(list(found.paths))[0]["id"] == NAMED["id"]
    named = [LogWriter(), LogWriter()]
    rows(named[1], columns=[LoggedColumn("id", INT)])
    for number, writer in enumerate(named, 6):
        (tmp_path / f"l.{number}").write_bytes(writer.data)
    [found] = list_tables([tmp_path / "l.6", tmp_path / "l.7"])
    assert found.paths == (str(tmp_path / "l.7"),)
