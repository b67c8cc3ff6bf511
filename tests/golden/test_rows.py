"""Decoded rows against the server's own SELECT and against what the official tools print."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import pyarrow as pa
import pytest

from pyspark_adapter import TableName, UnsupportedError, list_tables, read_batches
from pyspark_adapter.plan.output_schema import METADATA_BY_NAME
from tests.golden.decoded import read_table
from tests.inputs import ROOT, SAMPLES, UNREADABLE, expected_tables, sample_path
from tests.support.logs import events_of
from tests.truth.printed_cells import bytes_selected, same_as_printed
from tests.truth.replayed_rows import replay
from tests.truth.selected_values import find_selected
from tests.truth.tool_text import Flavor, RowImage, parse_tool_events, parse_tool_text

# What is not read, by sample and table, with what the error says; `*` is a read of all tables.
NOT_READ: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "mysql-9.7-encrypted": {
            "*": "the log is encrypted",
            "encrypted97.notes": "the log is encrypted",
        },
        "mariadb-11.8-encrypted": {"*": "are encrypted", "encrypted118.notes": "are encrypted"},
    }
)
# Of these there is nothing to compare with: the tool ends where it does not know the digits.
FRACTIONS: Final = "mariadb-10.11-old-fractions"
UNCOUNTED: Final = UNREADABLE | {FRACTIONS}
COUNTED: Final = sorted(set(SAMPLES) - UNCOUNTED)
METADATA: Final = ("_change_type", "_start_pos", "_gtid", "_database_name", "_table_name")


def tables_of(name: str) -> list[str]:
    """Return the tables of a sample whose rows are read, and have one shape."""
    return [
        table
        for table in SAMPLES[name]["row_changes"]
        if table not in NOT_READ.get(name, {}) and table != "alter97.people"
    ]


READ: Final = sorted(name for name in SAMPLES if name not in UNREADABLE and tables_of(name))


def tool_text(name: str) -> bytes:
    """Return the tool's text of a sample."""
    data = (ROOT / SAMPLES[name]["golden"]).read_bytes()
    return gzip.decompress(data) if SAMPLES[name]["golden"].endswith(".gz") else data


def flavor_of(name: str) -> Flavor:
    """Return the flavor of the tool that printed a sample's text."""
    return Flavor.MARIADB if SAMPLES[name]["tool"].startswith("mariadb") else Flavor.MYSQL


def images_of(name: str) -> list[RowImage]:
    """Return the printed images of a sample."""
    return parse_tool_text(tool_text(name), flavor_of(name))


@pytest.mark.parametrize(
    ("name", "table"), [(name, table) for name, tables in NOT_READ.items() for table in tables]
)
def test_what_is_not_read_is_refused(name: str, table: str) -> None:
    wanted = None if table == "*" else TableName(*table.split(".", 1))
    with pytest.raises(UnsupportedError, match=NOT_READ[name][table]):
        list(read_batches(sample_path(name), table=wanted))


def test_rows_that_the_tool_cannot_print_are_those_of_select() -> None:
    [(table, expected)] = expected_tables(SAMPLES[FRACTIONS]).items()
    rows = replay(read_table(FRACTIONS, table).images)
    assert len(rows) == len(expected["rows"]) > 0
    for cells in expected["rows"]:
        assert find_selected(rows, expected["columns"], cells) is not None


@pytest.mark.parametrize("name", COUNTED)
def test_counts_are_those_that_the_tool_prints(name: str) -> None:
    counts = {
        f"{found.table.database_name}.{found.table.table_name}": {
            "insert": found.num_inserts,
            "update": found.num_updates,
            "delete": found.num_deletes,
        }
        for found in list_tables(sample_path(name))
        if found.num_changes
    }
    assert counts == SAMPLES[name]["row_changes"]


# Fails on JSON documents with opaque values of more than 57 bytes: the server breaks their base64
# into lines of 76 letters, `\n` in JSON, and both decoders do not.
@pytest.mark.parametrize("name", READ)
def test_changes_leave_the_rows_that_the_server_selects(name: str) -> None:
    expected = expected_tables(SAMPLES[name])
    for table in [table for table in tables_of(name) if table in expected]:
        decoded = read_table(name, table)
        names = [field.name for field in decoded.fields]
        columns = expected[table]["columns"]
        if names[0] != "col_1":
            assert names[: len(columns)] == [column["name"] for column in columns]
        if table in SAMPLES[name]["diverging"]:
            continue
        rows = replay(decoded.images)
        assert len(rows) == len(expected[table]["rows"])
        for cells in expected[table]["rows"]:
            row = find_selected(rows, columns, cells)
            assert row is not None, f"{table}: no decoded row is {cells}"
            rows.remove(row)


@pytest.mark.parametrize("name", COUNTED)
def test_images_are_printed_in_the_same_order(name: str) -> None:
    printed = images_of(name)
    cut = {image.table_name for image in printed if not image.is_complete}
    schema = pa.schema([(column, METADATA_BY_NAME[column].arrow_type) for column in METADATA])
    batches = read_batches(sample_path(name), schema=schema)
    rows = [row for batch in batches for row in batch.to_pylist() if row["_table_name"] not in cut]
    gtids = gtids_by_position(name)
    payloads = payloads_by_end(name)
    printed = [image for image in printed if image.table_name not in cut]
    for row, image in zip(rows, printed, strict=True):
        assert row["_change_type"] == image.change_type.value
        assert (row["_database_name"], row["_table_name"]) == (
            image.database_name,
            image.table_name,
        )
        assert row["_start_pos"] in {payloads.get(at, at) for at in image.event_positions}
        assert row["_gtid"] == gtid_at(gtids, image.start_pos)
    assert {row["_start_pos"] for row in rows} == {
        payloads.get(position, position) for image in printed for position in image.event_positions
    }
    positions = [row["_start_pos"] for row in rows]
    assert positions == sorted(positions)


def payloads_by_end(name: str) -> dict[int, int]:
    """Return the start of each compressed transaction by its end, where the tool places it."""
    return {
        event.end: event.start_pos
        for event in events_of(sample_path(name).read_bytes())
        if event.type_name == "TRANSACTION_PAYLOAD_EVENT"
    }


def gtids_by_position(name: str) -> list[tuple[int, str]]:
    """Return the positions of the GTID events with what they say."""
    events = parse_tool_events(tool_text(name))
    return [(event.start_pos, event.gtid) for event in events if event.gtid is not None]


def gtid_at(gtids: list[tuple[int, str]], position: int) -> str | None:
    """Return the GTID of the transaction that holds a position."""
    before = [gtid for start, gtid in gtids if start < position]
    return None if not before or before[-1] == "ANONYMOUS" else before[-1]


@pytest.mark.parametrize("name", READ)
def test_values_are_those_that_the_tool_prints(name: str) -> None:
    expected = expected_tables(SAMPLES[name])
    images: dict[str, list[RowImage]] = {}
    for image in images_of(name):
        images.setdefault(f"{image.database_name}.{image.table_name}", []).append(image)
    for table in tables_of(name):
        if table not in expected:
            continue  # a sequence
        columns = expected[table]["columns"]
        decoded = read_table(name, table).images
        if not all(printed.is_complete for printed in images[table]):
            # mysqlbinlog prints nothing from a GEOMETRY to the end of the event; here each event
            # has one row.
            decoded = tuple(i for i in decoded if i.change_type != "update_postimage")
        for ours, printed in zip(decoded, images[table], strict=True):
            assert ours.change_type == printed.change_type.value
            # Differences to a document that is not logged are printed, and no value for us.
            logged = set(ours.values) if printed.is_complete else set(printed.values)
            assert logged == set(printed.values) - ours.changed
            for number, column in enumerate(columns, start=1):
                if number in logged:
                    value = ours.values[number]
                    selected = bytes_selected(value, expected[table]["rows"], number)
                    same = same_as_printed(value, printed, number, column, selected)
                    assert same, f"{table}.{column['name']}: {ours}"
