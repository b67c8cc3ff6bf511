"""Names, signs, members and collations of columns, against the tables that the server showed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from mysql_binlog import MysqlBinlog

from pyspark_adapter.events.table_map import TableMap
from tests.corpus.logs import sample_logs
from tests.inputs import SAMPLES, expected_tables
from tests.truth.selected_values import MEMBER

TABLE_MAP = 19
LOGS = {log.name: log for log in sample_logs()}
WITH_NAMES = [
    name
    for name, entry in SAMPLES.items()
    if name in LOGS
    and entry["options"].get("binlog_row_metadata") == "FULL"
    and "TABLE_MAP" in entry["events"]
    and not entry["file"].startswith("evolution/")
]
NUMERIC = re.compile(r"(tiny|small|medium|big)?int|decimal|float|double")


def table_maps(name: str) -> Iterator[tuple[Any, Any]]:
    """Yield the table maps of a sample with their events."""
    for event in MysqlBinlog.from_bytes(LOGS[name].content).events:
        if event.event_type == TABLE_MAP:
            yield event, event.body


def members_of(column: Any, table_map: Any) -> list[bytes] | None:
    """Return the members of an ENUM or SET column, where they are logged."""
    layout = table_map.column_layouts[column.column_index]
    if layout.members_index < 0:
        return None
    field = table_map.optional_fields[layout.members_index]
    return [member.bytes for member in field.data.lists[layout.member_list_index].members]


@pytest.mark.parametrize("name", WITH_NAMES)
def test_columns_are_those_of_the_server(name: str) -> None:
    tables = expected_tables(SAMPLES[name])
    num_columns = 0
    for _, table_map in table_maps(name):
        table = tables.get(f"{table_map.database}.{table_map.table}")
        if table is None:
            continue  # dropped before the end of the log
        by_name = {column.name: column for column in table_map.columns}
        for described in table["columns"]:
            column = by_name[described["name"]]
            kind = described["type"]
            num_columns += 1
            if NUMERIC.match(kind):
                assert column.is_unsigned == ("unsigned" in kind), (table_map.table, kind)
            members = members_of(column, table_map)
            if kind.startswith(("enum(", "set(")) and kind.isascii() and "?" not in kind:
                wanted = [text.replace("''", "'").encode() for text in MEMBER.findall(kind)]
                assert members == wanted
            elif not kind.startswith(("enum(", "set(")):
                assert members is None
    assert num_columns > 0


@pytest.mark.parametrize("name", [name for name in LOGS if "TABLE_MAP" in SAMPLES[name]["events"]])
def test_columns_are_those_of_the_adapter(name: str) -> None:
    is_mariadb = SAMPLES[name]["flavor"] == "mariadb"
    num_columns = 0
    for _, table_map in table_maps(name):
        reference = TableMap.from_event(table_map, is_mariadb=is_mariadb)
        len_metadata = sum(len(column.metadata) for column in table_map.columns)
        assert len_metadata == table_map.layout.len_column_metadata.value
        for column, wanted in zip(table_map.columns, reference.columns, strict=True):
            num_columns += 1
            assert column.type_code == wanted.type_code
            assert column.name == (wanted.name or f"@{wanted.index + 1}")
            assert column.is_unsigned == bool(wanted.is_unsigned)
            if column.is_character:
                assert column.collation == (wanted.collation or 0)
            if wanted.members is not None:
                assert members_of(column, table_map) == list(wanted.members)
    assert num_columns > 0
