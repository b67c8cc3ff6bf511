"""The option ddl with a file of before or after statements of the logs that change its tables."""

from __future__ import annotations

import json
import random
import struct
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import read_batches
from pyspark_adapter.discovery.log_survey import follow_given, given_tables
from pyspark_adapter.errors import BinlogWarning, EventSite, UnsupportedError
from pyspark_adapter.events.statements import Statement
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.schema_history import given_history
from pyspark_adapter.schema_history.given_history import GivenHistory
from pyspark_adapter.schema_history.given_tables import GivenTables
from pyspark_adapter.splits.log_splits import plan_splits
from pyspark_adapter.splits.offset_range import OffsetRange
from pyspark_adapter.splits.plan_read import plan_read
from pyspark_adapter.splits.read_split import read_split
from pyspark_adapter.stream.stream_schema_history import StreamSchemaHistory
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.unit.growth import growth

COLUMNS = [LoggedColumn("", 3), LoggedColumn("", 254, b"\xf7\1"), LoggedColumn("", 3)]
FIRST = "CREATE TABLE t (id INT, kind ENUM('a', 'b'), size INT)"
ROW = 2  # of the member with this number
WIDENED = "ALTER TABLE t MODIFY kind ENUM('a', 'b', 'c')"
REVERSED = "ALTER TABLE t MODIFY COLUMN kind ENUM('b', 'a')"
ADDED = "ALTER TABLE t ADD COLUMN size INT"
SHORT = "CREATE TABLE t (id INT, kind ENUM('a', 'b'))"

Part = str | int


def rows(writer: LogWriter, number: int, table: str = "t", num_columns: int = 3) -> None:
    columns = COLUMNS[:num_columns]
    image = [struct.pack("<i", number), bytes([number]), b"\0\0\0\0"][:num_columns]
    writer.begin()
    writer.table_map(9, table, columns)
    writer.rows(9, Rows(WRITE_V2, [image], [True] * num_columns))
    writer.commit()


def write_log(path: Path, *parts: Part) -> Path:
    """Write a log of statements and of rows; a negative number is a row without the last column."""
    writer = LogWriter(has_metadata=False)
    for part in parts:
        if isinstance(part, str):
            writer.statement(part)
        else:
            rows(writer, abs(part), num_columns=3 if part > 0 else 2)
    path.write_bytes(writer.data)
    return path


def write_ddl(folder: Path, text: str) -> str:
    path = folder / "tables.sql"
    path.write_text(text + ";")
    return str(path)


def objects(paths: Any, ddl: str, engine: str, **options: Any) -> list[dict[str, Any]]:
    batches = read_batches(paths, tables="d.t", ddl=ddl, engine=engine, **options)
    return [json.loads(row["row"]) for batch in batches for row in batch.to_pylist()]


def kinds(paths: Any, ddl: str, engine: str) -> list[Any]:
    return [row["kind"] for row in objects(paths, ddl, engine)]


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([1, WIDENED, 3], ["a", "c"]),
        ([1, REVERSED, 1], ["a", "b"]),
        ([1, "ALTER TABLE d.T CHANGE kind kind ENUM('x', 'a')", 1], ["a", "x"]),
        ([1, WIDENED, REVERSED, 1], ["a", "b"]),
        ([1, "ALTER TABLE t ADD INDEX (kind)", 2], ["a", "b"]),
        ([1, "ALTER TABLE other MODIFY kind ENUM('a', 'b')", 2], ["a", "b"]),
        # As online schema changes do.
        (
            [
                1,
                "CREATE TABLE _t_new LIKE t",
                WIDENED.replace("t MOD", "_t_new MOD"),
                "RENAME TABLE t TO _t_old, _t_new TO t",
                3,
            ],
            ["a", "c"],
        ),
        ([1, "DROP TABLE t", FIRST.replace("'a', 'b'", "'x', 'y'"), 1], ["a", "x"]),
    ],
)
def test_a_file_of_before_follows_the_statements(
    tmp_path: Path, engine: str, parts: list[Part], expected: list[str]
) -> None:
    ddl = write_ddl(tmp_path, FIRST)
    assert kinds(write_log(tmp_path / "l.000001", *parts), ddl, engine) == expected


@pytest.mark.parametrize(
    ("file", "parts"),
    [
        (FIRST.replace("'b'", "'b', 'c'"), [1, WIDENED, 3]),
        (FIRST.replace("'a', 'b'", "'b', 'a'"), [1, REVERSED, 1]),
        (FIRST.replace("'a', 'b'", "'b', 'a'"), [1, WIDENED, 3, REVERSED, 1]),
    ],
)
def test_a_file_of_after_is_not_used_before_the_statement(
    tmp_path: Path, engine: str, file: str, parts: list[Part]
) -> None:
    path, ddl = write_log(tmp_path / "l.000001", *parts), write_ddl(tmp_path, file)
    with pytest.raises(UnsupportedError, match=r"table d.t column 2 kind \(ENUM\): its") as raised:
        objects(path, ddl, engine)
    assert "option ddl has column kind as this statement leaves it" in str(raised.value)
    # The others can be read, and those after.
    others = read_batches(path, table="d.t", columns="id", ddl=ddl, engine=engine)
    num_rows = sum(isinstance(part, int) for part in parts)
    assert others.to_table().num_rows == num_rows


def test_statements_between_say_the_members(tmp_path: Path, engine: str) -> None:
    """Where a later file does not help, an earlier statement may."""
    path = write_log(tmp_path / "l.000001", WIDENED, 3, REVERSED, 1)
    ddl = write_ddl(tmp_path, FIRST.replace("'a', 'b'", "'b', 'a'"))
    assert kinds(path, ddl, engine) == ["c", "b"]


@pytest.mark.parametrize("file", [SHORT, FIRST])
def test_added_columns_and_new_names_are_followed_and_undone(
    tmp_path: Path, engine: str, file: str
) -> None:
    path = write_log(tmp_path / "l.000001", -1, ADDED, 2)
    found = objects(path, write_ddl(tmp_path, file), engine)
    assert found == [{"id": 1, "kind": "a"}, {"id": 2, "kind": "b", "size": 0}]


@pytest.mark.parametrize("name", ["id", "number"])
def test_new_names_are_followed_and_undone(tmp_path: Path, engine: str, name: str) -> None:
    renamed = "ALTER TABLE t RENAME COLUMN id TO number"
    path = write_log(tmp_path / "l.000001", 1, renamed, 2)
    found = objects(path, write_ddl(tmp_path, FIRST.replace("id", name)), engine)
    assert [next(iter(row)) for row in found] == ["id", "number"]


@pytest.mark.parametrize(
    ("name", "expected"), [("REPLICATION SOURCE", "SOURCE"), ("MASTER", "MASTER")]
)
def test_a_file_that_says_its_place_is_of_there(
    tmp_path: Path, engine: str, name: str, expected: str
) -> None:
    """As with `mysqldump --source-data=2`: ALTERs that change nothing are no question then."""
    same = "ALTER TABLE t MODIFY kind ENUM('a', 'b')"
    path = write_log(tmp_path / "l.000001", 1, same, 2)
    for number, pos in ((1, 4), (0, 4), (9, 4)):
        place = f"{expected}_LOG_FILE='l.00000{number}', {expected}_LOG_POS={pos}"
        place = f"-- CHANGE {name} TO {place};\n"
        ddl = write_ddl(tmp_path, place + FIRST)
        if number == 9:
            with pytest.raises(UnsupportedError, match="as this statement leaves it"):
                kinds(path, ddl, engine)
        else:
            assert kinds(path, ddl, engine) == ["a", "b"]


@pytest.mark.parametrize(
    "statements",
    [
        ["ALTER TABLE t DROP COLUMN size, ADD COLUMN n INT"],
        ["DROP TABLE t", FIRST.replace("size", "n")],
    ],
)
def test_columns_that_a_later_file_does_not_show_have_no_names(
    tmp_path: Path, engine: str, statements: list[str]
) -> None:
    path = write_log(tmp_path / "l.000001", 1, *statements, 2)
    ddl = write_ddl(tmp_path, FIRST.replace("size", "n"))
    with pytest.warns(BinlogWarning) as warned:
        found = objects(path, ddl, engine)
    assert f"QUERY_EVENT: {statements[-1][:12]}" in str(warned[0].message)
    assert [list(row) for row in found] == [["col_1", "col_2", "col_3"], ["id", "kind", "n"]]


@pytest.mark.parametrize("file", [SHORT, FIRST])
def test_logs_and_splits_know_of_statements_in_others(tmp_path: Path, file: str) -> None:
    first = write_log(tmp_path / "l.000001", *[-1] * 700, ADDED, WIDENED, *[3] * 700)
    second = write_log(tmp_path / "l.000002", *[3] * 700)
    options = BinlogOptions.from_python(
        {"tables": "d.t", "ddl": write_ddl(tmp_path, file), "max_partition_bytes": 1 << 16}
    )
    logs = find_log_files([first, second], options)
    request = plan_read(logs, options, in_splits=True)
    splits = plan_splits([(log, None) for log in logs], request)
    assert len(splits) > 4
    batches = [batch for split in splits for batch in read_split(split, request)]
    found = [json.loads(row["row"])["kind"] for batch in batches for row in batch.to_pylist()]
    assert found == ["a"] * 700 + ["c"] * 1400


def test_a_stream_follows_the_file_from_where_it_starts(tmp_path: Path) -> None:
    """Statements after the query has started are later than the file, whatever they say."""
    same = "ALTER TABLE t MODIFY kind ENUM('a', 'b')"
    path = write_log(tmp_path / "l.000001", WIDENED, 1, 2)
    options = BinlogOptions.from_python({"tables": "d.t", "ddl": write_ddl(tmp_path, FIRST)})
    request = plan_read(find_log_files(path, options), options, follows_given=False)
    history = StreamSchemaHistory(request)
    writer_end = path.stat().st_size
    start = 4 + _first_rows(path)

    def batch(start: int, stop: int) -> list[str]:
        [log] = find_log_files(path, options)
        added = history.with_catalogs([(log, OffsetRange(start, stop))])
        found = [row for pair in plan_splits(added, request) for row in read_split(pair, request)]
        rows = [row for batch in found for row in batch.to_pylist()]
        return [json.loads(row["row"])["kind"] for row in rows]

    # A log may end in an event that is not complete yet.
    whole = path.read_bytes()
    path.write_bytes(whole + b"\0\0\0\0\2\1")
    assert batch(start, writer_end) == ["a", "b"]
    write_log(path, WIDENED, 1, 2, 1, same, 2, REVERSED, 1)
    end = path.stat().st_size
    assert batch(writer_end, end) == ["a", "b", "b"]
    assert batch(writer_end, end) == ["a", "b", "b"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert batch(start, writer_end) == ["a", "b"]


def _first_rows(path: Path) -> int:
    """Return the bytes of the statement after the format description."""
    data = path.read_bytes()
    first = int.from_bytes(data[13:17], "little")
    return first + int.from_bytes(data[4 + first + 9 : 4 + first + 13], "little")


def statements_of(path: Path, options: BinlogOptions) -> list[Statement]:
    """Return the statements of a log that the history takes."""
    taken: list[Statement] = []

    class Taken(GivenHistory):
        def take(self, statement: Statement) -> None:
            taken.append(statement)

    (log_file,) = find_log_files(path, options)
    follow_given(Taken(given_tables(options)), log_file, options)
    return taken


def followed(path: Path, statements: list[Statement], options: BinlogOptions) -> GivenTables:
    history = GivenHistory(given_tables(options))
    history.begin_log(str(path))
    for statement in statements:
        history.take(statement)
    return history.tables()


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE t ADD COLUMN x INT, DROP COLUMN x",
        "ALTER TABLE t something that is not understood",
    ],
)
def test_a_statement_costs_the_same_however_many_there_are(
    tmp_path: Path, statement: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(given_history, "_MOST_STEPS", 1 << 20)
    options = BinlogOptions(ddl=write_ddl(tmp_path, FIRST))
    path = write_log(tmp_path / "binlog.000001", statement)
    (first,) = statements_of(path, options)

    def follow(count: int) -> None:
        taken = [replace(first, site=EventSite(path.name, pos)) for pos in range(count)]
        assert len(followed(path, taken, options).changed) == 1

    assert growth(follow, 800) < 8


ODD = "ALTER TABLE t something odd"


@pytest.mark.parametrize("place", ["", "MASTER_LOG_POS=900"])
def test_statements_that_are_not_understood_are_kept_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """They may change thousands of tables, and nothing is known between two of them."""
    text = f"{PLACE}{place};\nUSE d;\n{FIRST}" if place else FIRST
    options = BinlogOptions(ddl=write_ddl(tmp_path, text))
    path = tmp_path / "binlog.000001"
    table = TableName("d", "t")
    source = random.Random(1)  # noqa: S311 - to be the same each time is the purpose
    created = FIRST.replace("'a', 'b'", "'x'")
    choices = [ODD, ODD, ODD, QUERIED, WIDENED, REVERSED, ADDED, SHORT, FIRST, created]
    num_unknown = 0
    for _ in range(100):
        write_log(path, *source.choices([*choices, "DROP TABLE t"], k=10))
        statements = statements_of(path, options)
        kept = followed(path, statements, options)
        with monkeypatch.context() as patch:
            patch.setattr(given_history._Step, "leaves_unknown", False)
            each = followed(path, statements, options)
        for pos in [0, *(statement.site.start_pos for statement in statements)]:
            one, other = kept.at(table, str(path), pos), each.at(table, str(path), pos)
            if one is None or other is None:
                assert one is other
                continue
            assert (one.definition, one.assumed) == (other.definition, other.assumed)
            assert bool(one.doubt) == bool(other.doubt)
            num_unknown += one.definition is None
    assert num_unknown > 100
    write_log(path, *[ODD] * 500)
    kept = followed(path, statements_of(path, options), options)
    assert len(kept.changed[table]) <= 4


PLACE = "-- CHANGE MASTER TO MASTER_LOG_FILE='binlog.000001', "
UNCLEAR = "ALTER TABLE t something odd, MODIFY kind ENUM('b', 'a')"


QUERIED = "CREATE OR REPLACE TABLE t SELECT * FROM u"


@pytest.mark.parametrize(
    ("parts", "statement"),
    [
        ([UNCLEAR, ROW], "ALTER TABLE t something odd"),
        ([WIDENED, UNCLEAR, REVERSED, ROW], "ALTER TABLE t something odd"),
        ([QUERIED, ROW], r"CREATE OR REPLACE TABLE t SELECT \*"),
    ],
)
def test_a_file_that_is_only_assumed_to_be_newer_is_reported(
    tmp_path: Path, engine: str, parts: list[Part], statement: str
) -> None:
    """If it is older, its members may be wrong."""
    log = write_log(tmp_path / "binlog.000001", *parts)
    message = rf"@\d+ TABLE_MAP_EVENT: table d\.t: .*@\d+ .*: {statement}.* states its position"
    with pytest.warns(BinlogWarning, match=message):
        objects(log, write_ddl(tmp_path, FIRST), engine)


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        # The file has the column that a later statement adds.
        ([UNCLEAR, ADDED, ROW], FIRST),
        ([UNCLEAR, "DROP TABLE t", FIRST.replace("'a'", "'x'"), ROW], FIRST),
        ([UNCLEAR, ROW], f"{PLACE}MASTER_LOG_POS=9999;\nUSE d;\n{FIRST}"),
    ],
)
def test_a_file_that_is_newer_is_not_reported(
    tmp_path: Path, engine: str, parts: list[Part], text: str
) -> None:
    log = write_log(tmp_path / "binlog.000001", *parts)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert kinds(log, write_ddl(tmp_path, text), engine) == ["b"]


def test_a_table_that_many_statements_change_is_not_known(
    tmp_path: Path, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(given_history, "_MOST_STEPS", 3)
    ddl = write_ddl(tmp_path, FIRST)
    few = write_log(
        tmp_path / "binlog.000001", *["ALTER TABLE t ADD COLUMN x INT, DROP x"] * 3, ROW
    )
    assert kinds(few, ddl, engine) == ["b"]
    many = write_log(tmp_path / "binlog.000002", ROW, *[WIDENED, REVERSED] * 2, ROW)
    with pytest.warns(BinlogWarning, match=r"more than 3 statements change it"):
        found = objects(many, ddl, engine)
    assert [list(row) for row in found] == [["col_1", "col_2", "col_3"]] * 2
    partitions = ["ALTER TABLE t ADD PARTITION (PARTITION p VALUES LESS THAN (9))"] * 5
    assert kinds(write_log(tmp_path / "binlog.000003", *partitions, ROW), ddl, engine) == ["b"]
