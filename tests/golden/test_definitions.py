"""Definitions in real logs give the columns that the servers themselves show."""

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from pyspark_adapter import (
    BinlogError,
    BinlogOptions,
    EventSite,
    TableName,
    list_tables,
    read_batches,
)
from pyspark_adapter.charsets.charset import charset_of, decode_text
from pyspark_adapter.ddl.sql_definitions import CreateTable, UnknownChange, parse_definition
from pyspark_adapter.ddl.sql_session import SqlSession
from pyspark_adapter.errors import UnsupportedError
from pyspark_adapter.events.frame_reader import FrameReader
from pyspark_adapter.events.statements import Statement, StatementKind
from pyspark_adapter.events.table_map import Column, TableMap
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.format.event_types import STATEMENT_EVENTS
from pyspark_adapter.format.schema import ColumnTypeCode, EventParser, EventType
from pyspark_adapter.plan.survey import Surveyor
from pyspark_adapter.timeline.followed_log import FollowedLog
from pyspark_adapter.timeline.table_map_completer import CompletionWarnings, TableMapCompleter
from pyspark_adapter.timeline.timeline import Timeline
from pyspark_adapter.timeline.user_ddl import UserDdl
from tests.inputs import CORPUS, SAMPLES, corpus_entries, expected_tables, need_corpus, sample_path
from tests.support.outcome import ALL_METADATA, typed_rows

# The same SQL on the same server: with names in the log, and without.
TWINS = [
    ("mysql-9.7-types", "mysql-9.7-types-minimal-metadata"),
    ("mariadb-10.11-types-full", "mariadb-10.11-types"),
]
END = EventSite("", sys.maxsize)  # after what was read so far
NAMELESS = [
    "mysql-9.7-types-minimal-metadata",
    "mariadb-10.11-types",
    "mysql-5.6-types-v1",
    "mysql-5.6-types-v2",
]


def content(name: str, table: str) -> pa.Table | str:
    """Return the rows of a table, or why they cannot be read."""
    outcome = typed_rows(name, TableName(*table.split(".", 1)))
    if outcome.error is None:
        assert outcome.rows is not None
        left_out = set(ALL_METADATA) - {"_change_type"}
        return outcome.rows.select([n for n in outcome.rows.schema.names if n not in left_out])
    assert outcome.error[0] is UnsupportedError
    with pytest.raises(UnsupportedError) as caught:
        list(read_batches(sample_path(name), table=table))
    return str(caught.value.message)


@pytest.mark.parametrize(("full", "bare"), TWINS)
def test_rows_are_those_of_a_log_with_names(full: str, bare: str) -> None:
    tables = {found.table.table_name: found.table for found in list_tables(sample_path(bare))}
    others = {found.table.table_name: found.table for found in list_tables(sample_path(full))}
    assert len(set(tables) & set(others)) > 20
    for table_name in set(tables) & set(others):
        found = content(bare, str(tables[table_name]))
        expected = content(full, str(others[table_name]))
        if isinstance(found, str):
            database = tables[table_name].database_name
            found = found.replace(database, others[table_name].database_name)
        assert found == expected, table_name


@pytest.mark.parametrize("name", NAMELESS)
def test_names_are_those_that_the_server_shows(name: str) -> None:
    shown = {
        table: tuple(column["name"] for column in content["columns"])
        for table, content in expected_tables(SAMPLES[name]).items()
    }
    found = {str(f.table): f.column_names for f in list_tables(sample_path(name))}
    assert len(found) > 20
    assert found == {table: shown[table] for table in found}


def follow(path: Path) -> Iterator[TableMap | Statement]:
    """Yield the table maps and statements of a log, up to a damage."""
    [log_file] = find_log_files(path)
    frames = FrameReader(log_file, BinlogOptions())
    parser: EventParser | None = None
    try:
        for frame in frames:
            description = frames.format_description
            assert description is not None
            if parser is None or parser.format_description is not description:
                parser = EventParser(description)
            if frame.plain_type == EventType.table_map:
                parsed = parser.parse(frame.event)
                parser.release_table_maps()
                yield TableMap.from_event(parsed.body, is_mariadb=description.is_mariadb)
            elif frame.plain_type in STATEMENT_EVENTS:
                parsed = parser.parse(frame.event)
                yield Statement.from_event(parsed, EventSite(log_file.name, frame.start_pos))
    except BinlogError:
        return


def bare(column: Column) -> Column:
    """Return a column as a log without optional metadata has it."""
    return replace(column, name=None, is_unsigned=None, collation=None, members=None)


def facts(column: Column) -> tuple[object, ...]:
    """Return what a reader takes from a column; a collation as its character set."""
    is_unsigned = column.type_code != ColumnTypeCode.year and bool(column.is_unsigned)
    charset = charset_of(column.collation) if column.collation is not None else None
    if column.type_code == ColumnTypeCode.geometry:
        charset = None  # which MariaDB logs, and a definition has no word for
    if charset == "utf8mb3":  # where the definition says `utf8`, which may be either
        charset = "utf8mb4"
    members: object = None
    if column.members is not None:
        assert charset is not None
        members, charset = [decode_text(member, charset) for member in column.members], None
    return column.name, column.type_code, column.metadata, is_unsigned, charset, members


def readable(columns: tuple[Column, ...]) -> bool:
    """Tell whether members of ENUM and SET are in a character set that is read."""
    try:
        for column in columns:
            facts(column)
    except UnsupportedError:
        return False
    return True


def compare_columns(path: Path) -> tuple[int, set[str]]:
    """Complete all table maps of a log that has names, as if it had none."""
    [log_file] = find_log_files(path)
    timeline = Timeline([log_file], Surveyor(BinlogOptions()))
    completer = TableMapCompleter(
        FollowedLog(timeline, log_file, is_whole=True),
        UserDdl(),
        warns=CompletionWarnings(of_missing_names=False),
    )
    count = 0
    undefined = set()
    for item in follow(path):
        if isinstance(item, Statement):
            if item.kind & StatementKind.DEFINES:
                completer.take(item)
        elif item.has_logged_names and readable(item.columns):
            stripped = replace(item, columns=tuple(map(bare, item.columns)), has_logged_names=False)
            completed = completer.complete(stripped, END)
            if completed.has_names:
                logged = [
                    # MariaDB does not log the digits of its old dates and times.
                    replace(column, metadata=found.metadata) if column.metadata < 0 else column
                    for column, found in zip(item.columns, completed.columns, strict=True)
                ]
                assert list(map(facts, completed.columns)) == list(map(facts, logged))
                assert all(column.metadata >= 0 for column in completed.columns)
                count += len(item.columns)
            else:
                undefined.add(str(item.table))
    return count, undefined


FULL = [name for name, entry in SAMPLES.items() if "FULL" in entry["options"].values()]


@pytest.mark.filterwarnings("error::pyspark_adapter.errors.BinlogWarning")
@pytest.mark.parametrize("name", FULL)
def test_definitions_say_what_full_metadata_says(name: str) -> None:
    count, undefined = compare_columns(sample_path(name))
    assert undefined == set()
    is_empty = "encrypted" in name or "compressed-transactions" in name or name.endswith("mixed")
    assert count > 0 or is_empty


def corpus_logs() -> list[Path]:
    return [CORPUS / entry["file"] for entry in corpus_entries()]


def test_all_definitions_of_the_corpus_are_understood() -> None:
    need_corpus()
    kinds: Counter[str] = Counter()
    unknown = []
    for path in [*corpus_logs(), *map(sample_path, SAMPLES)]:
        for item in follow(path):
            if not isinstance(item, Statement) or not item.kind & StatementKind.DEFINES:
                continue
            session = SqlSession.from_event(item.server, item.status_vars)
            text = session.decode(item.text)
            found = parse_definition(text, item.database, session.dialect)
            kinds[type(found).__name__] += 1
            if isinstance(found, UnknownChange):
                unknown.append(f"{item.site}: {item.summary}")
            if isinstance(found, CreateTable) and found.definition is None and not found.like:
                kinds["of a query"] += 1
    print(dict(kinds))  # noqa: T201
    assert unknown == []
    assert kinds["CreateTable"] > 200
    assert kinds["AlterTable"] > 50
