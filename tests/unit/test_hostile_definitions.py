"""Definitions that are made to take long, or to be wrong, do not."""

import time

import pytest

from pyspark_adapter.definitions.sql_definitions import AlterTable, CreateTable, parse_definition
from pyspark_adapter.definitions.sql_tokens import NotUnderstoodError, SqlDialect


def test_a_long_alter_ends_soon() -> None:
    created = parse_definition("CREATE TABLE t (c INT)", "d", SqlDialect())
    assert isinstance(created, CreateTable)
    assert created.definition is not None
    items = ", ".join(f"ADD c{i} INT AFTER c{i - 1 if i else ''}" for i in range(4000))
    found = parse_definition(f"ALTER TABLE t {items}", "d", SqlDialect())
    assert isinstance(found, AlterTable)
    start = time.process_time()
    assert len(created.definition.altered(found.alteration).columns) == 4001
    assert time.process_time() - start < 5


def test_more_columns_than_a_table_can_have_are_not_understood() -> None:
    created = parse_definition("CREATE TABLE t (c INT)", "d", SqlDialect())
    items = ", ".join(f"ADD c{i} INT FIRST" for i in range(20_000))
    found = parse_definition(f"ALTER TABLE t {items}", "d", SqlDialect())
    assert isinstance(created, CreateTable)
    assert isinstance(found, AlterTable)
    assert created.definition is not None
    with pytest.raises(NotUnderstoodError, match="too many"):
        created.definition.altered(found.alteration)
