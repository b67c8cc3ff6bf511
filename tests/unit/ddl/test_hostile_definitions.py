"""Definitions that are made to take long, or to be wrong, do not."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from pyspark_adapter import read_batches
from pyspark_adapter.ddl.sql_definitions import (
    AlterTable,
    CreateTable,
    DropTables,
    UnknownChange,
    parse_definition,
)
from pyspark_adapter.ddl.sql_session import SqlSession
from pyspark_adapter.ddl.sql_tokens import NotUnderstoodError, SqlDialect, tokenize
from pyspark_adapter.ddl.table_definition import Alteration, TableDefinition
from pyspark_adapter.events.statements import StatementKind, kind_of_statement
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.timeline.catalog import Catalog
from tests.support.catalogs import follow
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.unit.growth import count_calls, growth


def test_a_long_alter_takes_time_in_proportion() -> None:
    created = definition_of("CREATE TABLE t (c INT)")

    def run(size: int) -> None:
        items = ", ".join(f"ADD c{i} INT AFTER c{i - 1 if i else ''}" for i in range(size))
        assert len(created.altered(alteration_of(f"ALTER TABLE t {items}")).columns) == size + 1

    assert growth(run, 1000) < 8


def test_more_columns_than_a_table_can_have_are_not_understood() -> None:
    created = parse_definition("CREATE TABLE t (c INT)", "d", SqlDialect())
    items = ", ".join(f"ADD c{i} INT FIRST" for i in range(20_000))
    found = parse_definition(f"ALTER TABLE t {items}", "d", SqlDialect())
    assert isinstance(created, CreateTable)
    assert isinstance(found, AlterTable)
    assert created.definition is not None
    with pytest.raises(NotUnderstoodError, match="too many"):
        created.definition.altered(found.alteration)


def definition_of(text: str) -> TableDefinition:
    found = parse_definition(text, "d", SqlDialect())
    assert isinstance(found, CreateTable)
    assert found.definition is not None
    return found.definition


def alteration_of(text: str) -> Alteration:
    found = parse_definition(text, "d", SqlDialect())
    assert isinstance(found, AlterTable)
    return found.alteration


def test_drops_of_indexes_that_are_not_known_take_time_in_proportion() -> None:
    def calls(count: int) -> int:
        keys = ", ".join(f"UNIQUE KEY k{i} (a)" for i in range(count))
        table = definition_of(f"CREATE TABLE t (a INT NOT NULL, {keys})")
        drops = alteration_of(f"ALTER TABLE t {', '.join(['DROP KEY x'] * count)}")
        assert table.row_key == ("a",)
        assert table.altered(drops).row_key == ()
        return count_calls(lambda: table.altered(drops))

    assert calls(400) / calls(100) < 8


def test_parents_do_not_grow_with_each_statement() -> None:
    table = definition_of("CREATE TABLE t (a INT)")
    key = "ADD FOREIGN KEY (a) REFERENCES {}(a) ON DELETE CASCADE"
    for _ in range(3):
        table = table.altered(alteration_of(f"ALTER TABLE t {key.format('p')}"))
    assert [key.parent for key in table.foreign_keys] == [TableName("d", "p")]
    many = alteration_of("ALTER TABLE t " + ", ".join(key.format(f"p{i}") for i in range(2000)))
    with pytest.raises(NotUnderstoodError, match="too many foreign keys"):
        table.altered(many)


@pytest.mark.parametrize("start", ["CREATE TABLE t (a INT, KEY (", "CREATE INDEX i ON t ("])
def test_an_index_of_more_columns_than_servers_allow_is_not_understood(start: str) -> None:
    found = parse_definition(f"{start}{','.join(['a'] * 1000)}))", "d", SqlDialect())
    assert isinstance(found, UnknownChange)


SESSION = SqlSession(SqlDialect(90700), "utf8mb4", "latin1")


def apply_all(texts: list[str]) -> Catalog:
    catalog = Catalog()
    for text in texts:
        follow(catalog, text, SESSION)
    return catalog


def spelling(number: int) -> str:
    """Return one of many names that differ in case alone."""
    return "".join("xX"[number >> bit & 1] for bit in range(14))


@pytest.mark.slow
@pytest.mark.parametrize(
    "statements",
    [
        lambda k: [f"CREATE TABLE t{k} (a INT)", f"DROP TABLE t{k - 1}x"],
        lambda k: [f"CREATE TABLE t{k} (a INT)", f"RENAME TABLE u{k} TO v{k}"],
        lambda k: [f"CREATE TABLE t{k} (a INT)", "ALTER TABLE nowhere ADD b INT"],
        lambda k: [f"CREATE TABLE {spelling(k)} (a INT)", f"DROP TABLE {spelling(k + 1)}"],
        lambda k: [f"CREATE TABLE d{k}.t (a INT)", f"DROP DATABASE d{k - 1}"],
        lambda k: [f"CREATE TABLE t{k} (a INT)", f"DROP DATABASE e{k}"],
        lambda k: [f"CREATE TABLE t{k} (a INT)", "DROP TABLE 'no name'"],  # any table
    ],
    ids=["drop", "rename", "alter", "spellings", "databases", "no database", "unknown"],
)
def test_a_statement_costs_the_same_however_many_tables_there_are(
    statements: Callable[[int], list[str]],
) -> None:
    def run(count: int) -> None:
        apply_all([text for k in range(count) for text in statements(k)])

    assert growth(run, 700) < 8


def test_tables_are_found_by_any_spelling_that_is_theirs_alone() -> None:
    first = ["CREATE TABLE Abc (a INT)", "CREATE TABLE x (b INT)", "RENAME TABLE x TO ABC"]
    catalog = apply_all(first)
    assert catalog.definition_of(TableName("d", "abc")) is None
    follow(catalog, "DROP TABLE ABC", SESSION)
    found = catalog.definition_of(TableName("d", "abc"))
    assert found is not None
    assert [column.name for column in found.columns] == ["a"]
    follow(catalog, "DROP TABLE 'no name'", SESSION)
    assert catalog.definition_of(TableName("d", "abc")) is None
    assert len(catalog.tables) == 1
    follow(catalog, "DROP DATABASE d", SESSION)
    assert not catalog.tables


@pytest.mark.slow
@pytest.mark.parametrize("has_backslash_escapes", [True, False])
@pytest.mark.parametrize("has_ansi_quotes", [True, False])
@pytest.mark.parametrize("quote", ["'", '"'])
@pytest.mark.parametrize("between", [" ", "\\"])
@pytest.mark.parametrize("content", ["\\", "\\\\", "", "@", "@\\"])
def test_strings_are_cut_in_proportion_to_the_text(
    quote: str, content: str, between: str, has_ansi_quotes: bool, has_backslash_escapes: bool
) -> None:
    dialect = SqlDialect(
        has_ansi_quotes=has_ansi_quotes, has_backslash_escapes=has_backslash_escapes
    )
    piece = quote + content.replace("@", quote + quote) + quote + between

    def run(count: int) -> None:
        try:
            for _ in tokenize(piece * count, dialect):
                pass
        except NotUnderstoodError:
            pass

    assert growth(run, 2500) < 8


def test_settings_for_one_statement_may_be_nested() -> None:
    text = "SET STATEMENT a=1 FOR " * 2_500 + "DROP TABLE t"
    found = parse_definition(text, "d", SqlDialect(is_mariadb=True))
    assert found == DropTables((TableName("d", "t"),))
    assert kind_of_statement(text.encode()) == StatementKind.DEFINES


def test_definitions_between_open_table_maps_take_time_in_proportion(tmp_path: Path) -> None:
    """After each of them the same table map may have other names, so it is completed again."""

    def read(count: int) -> None:
        log = LogWriter(has_checksums=False, has_metadata=False)
        log.begin()
        for k in range(count):
            log.table_map(k + 1, f"t{k}", [LoggedColumn("a", 3)])
            log.statement(f"CREATE TABLE u{k} (a INT)")
        for k in range(count):
            log.rows(k + 1, Rows(WRITE_V2, [[bytes(4)]], [True], flags=int(k == count - 1)))
        log.commit()
        path = tmp_path / "binlog.000001"
        path.write_bytes(log.data)
        assert sum(batch.num_rows for batch in read_batches(path)) == count

    read(1)  # what is made once is made before
    counts = [count_calls(partial(read, size)) for size in (40, 80, 160)]
    assert counts[1] < 2.5 * counts[0]
    assert counts[2] < 2.5 * counts[1]
