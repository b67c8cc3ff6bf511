"""A read with filters returns the rows of an unfiltered read whose metadata pass."""

from collections.abc import Callable
from datetime import timedelta
from fnmatch import fnmatchcase
from functools import cache
from operator import itemgetter
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyspark_adapter import list_tables, read_batches
from tests.inputs import sample_path
from tests.support.reading import PROFILE

SAMPLES = (
    "mysql-9.7-shop",
    "mysql-9.7-transactions",
    "mysql-9.7-tagged-gtids",
    "mysql-9.7-compressed-transactions",
    "mysql-9.7-small-events",
    "mysql-9.7-anonymous",
    "mysql-9.7-partial-json",
    "mysql-5.6-types-v1",
    "mariadb-11.8-transactions",
    "mariadb-11.8-compressed",
    "mariadb-11.8-small-events",
)
METADATA = (
    *("_change_type", "_commit_version", "_row_number", "_commit_timestamp", "_gtid"),
    *("_start_pos", "_database_name", "_table_name", "_server_id"),
)
START_POS = (1 << 40) - 1  # these bits of _commit_version

Row = dict[str, Any]
Condition = Callable[[Row], bool]


@cache
def whole_log(name: str) -> list[Row]:
    """Return all rows of a sample, as the reader gives them without filters."""
    return read(name)


def read(name: str, **options: Any) -> list[Row]:
    batches = read_batches(
        sample_path(name), metadata_columns=METADATA, on_statement_events="ignore", **options
    )
    return [row for batch in batches for row in batch.to_pylist()]


def split(gtid: str) -> tuple[str, str, int]:
    """Return source, separator and number of a GTID."""
    separator = ":" if ":" in gtid else "-"
    source, _, number = gtid.rpartition(separator)
    return source, separator, int(number)


@st.composite
def gtid_sets(draw: st.DrawFn, rows: list[Row]) -> list[tuple[str, str, int, int]]:
    """Draw source, separator, first and last number of the items of a set."""
    known = sorted({row["_gtid"] for row in rows if row["_gtid"] is not None})
    known = known or ["0-1-1", "00010203-0405-0607-0809-0a0b0c0d0e0f:1"]
    chosen = draw(st.lists(st.sampled_from(known), min_size=1, max_size=4))
    found = []
    for source, separator, number in map(split, chosen):
        first = max(1, number - draw(st.integers(0, 3)))
        found.append((source, separator, first, number + draw(st.integers(0, 3))))
    return found


def as_text(gtids: list[tuple[str, str, int, int]]) -> str:
    return ",".join(f"{source}{mark}{first}-{last}" for source, mark, first, last in gtids)


def is_in(row: Row, gtids: list[tuple[str, str, int, int]]) -> bool:
    if row["_gtid"] is None:
        return False
    source, _, number = split(row["_gtid"])
    return any(source == s and first <= number <= last for s, _, first, last in gtids)


@st.composite
def name_patterns(draw: st.DrawFn, name: str) -> str:
    """Draw a pattern that matches a name, and maybe others."""
    kind = draw(st.integers(0, 3))
    k = draw(st.integers(0, len(name) - 1))
    return (name, f"{name[:k]}*", f"{name[:k]}?{name[k + 1 :]}", f"{name[:k]}[{name[k]}-z]*")[kind]


def changes_condition(wanted: list[str]) -> Condition:
    return lambda row: row["_change_type"] in wanted


def gtid_condition(gtids: list[tuple[str, str, int, int]], *, includes: bool) -> Condition:
    return lambda row: is_in(row, gtids) == includes


def bound_condition(key: Callable[[Row], Any], bound: Any, *, is_first: bool) -> Condition:
    return lambda row: (key(row) >= bound) == is_first


def name_condition(column: str, pattern: str) -> Condition:
    return lambda row: fnmatchcase(row[column], pattern)


def start_of_transaction(row: Row) -> int:
    return int(row["_commit_version"]) & START_POS


KINDS = (
    *("include_gtids", "exclude_gtids", "starting_position", "ending_position"),
    *("starting_timestamp", "ending_timestamp", "tables", "databases"),
    *("change_types", "server_ids"),
)


@st.composite
def filters(draw: st.DrawFn, name: str) -> tuple[dict[str, Any], list[Condition]]:
    """Draw options, and the condition for rows to pass."""
    rows = whole_log(name)
    options: dict[str, Any] = {}
    conditions: list[Condition] = []
    for kind in draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=3, unique=True)):
        row = draw(st.sampled_from(rows))
        is_first = kind.startswith("starting")
        match kind:
            case "include_gtids" | "exclude_gtids":
                gtids = draw(gtid_sets(rows))
                options[kind] = as_text(gtids)
                conditions.append(gtid_condition(gtids, includes=kind == "include_gtids"))
            case "starting_position" | "ending_position":
                pos = start_of_transaction(row) + draw(st.integers(-1, 1))
                options[kind] = f"{sample_path(name).name}:{pos}"
                conditions.append(bound_condition(start_of_transaction, pos, is_first=is_first))
            case "starting_timestamp" | "ending_timestamp":
                step = timedelta(microseconds=draw(st.integers(-1, 1)))
                instant = row["_commit_timestamp"] + step
                options[kind] = instant.isoformat() if draw(st.booleans()) else instant
                key = itemgetter("_commit_timestamp")
                conditions.append(bound_condition(key, instant, is_first=is_first))
            case "tables":
                database = draw(name_patterns(row["_database_name"]))
                table = draw(name_patterns(row["_table_name"]))
                options[kind] = f"{database}.{table}"
                conditions.append(name_condition("_database_name", database))
                conditions.append(name_condition("_table_name", table))
            case "databases":
                database = draw(name_patterns(row["_database_name"]))
                options[kind] = f"{database}, `{database}`"
                conditions.append(name_condition("_database_name", database))
            case "change_types":
                names = sorted({r["_change_type"] for r in rows} | {"delete"})
                wanted = draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
                options[kind] = ",".join(wanted)
                conditions.append(changes_condition(wanted))
            case "server_ids":
                low = max(0, row["_server_id"] - draw(st.integers(0, 1)))
                high = low + draw(st.integers(0, 1))
                options[kind] = f"{low}-{high}"
                servers = itemgetter("_server_id")
                conditions.append(bound_condition(servers, low, is_first=True))
                conditions.append(bound_condition(servers, high + 1, is_first=False))
    return options, conditions


@pytest.mark.parametrize("name", SAMPLES)
@settings(PROFILE, max_examples=15)
@given(data=st.data(), window_bytes=st.sampled_from([1024, 8192, 4 << 20]))
def test_filters_leave_out_rows_and_change_nothing(
    name: str, data: st.DataObject, window_bytes: int
) -> None:
    options, conditions = data.draw(filters(name))
    expected = [row for row in whole_log(name) if all(holds(row) for holds in conditions)]
    assert read(name, window_bytes=window_bytes, **options) == expected

    changes = [row for row in expected if row["_change_type"] != "update_preimage"]
    if "update_preimage" not in options.get("change_types", ""):
        found = list_tables(sample_path(name), **options)
        counts = {(f.table.database_name, f.table.table_name): f.num_changes for f in found}
        listed = [(row["_database_name"], row["_table_name"]) for row in changes]
        assert {key: n for key, n in counts.items() if n} == {
            key: listed.count(key) for key in set(listed)
        }


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("mysql-9.7-partial-json", {"json": "variant"}),
        ("mysql-9.7-partial-json", {}),
        ("mysql-9.7-minimal-image", {}),
        ("mysql-9.7-geometry-vector", {}),
        ("mysql-9.7-shop", {}),
    ],
)
@pytest.mark.parametrize("image", ["update_preimage", "update_postimage"])
def test_one_image_of_updates_in_typed_rows(name: str, options: dict[str, str], image: str) -> None:
    path = sample_path(name)
    num_rows = 0
    for found in list_tables(path, change_types="update", on_statement_events="ignore"):
        arguments: dict[str, Any] = {
            "table": found.table,
            "metadata_columns": (*METADATA, "_absent_columns", "_json_diff"),
            "on_statement_events": "ignore",
            **options,
        }
        whole = pa.Table.from_batches(read_batches(path, **arguments)).to_pylist()
        filtered = read_batches(path, change_types=image, **arguments)
        rows = pa.Table.from_batches(filtered).to_pylist()
        assert rows == [row for row in whole if row["_change_type"] == image]
        num_rows += len(rows)
        assert len(rows) == found.num_updates
    assert num_rows > 0


def test_the_samples_let_filters_choose() -> None:
    for column in ("_gtid", "_commit_version", "_commit_timestamp", "_table_name", "_change_type"):
        assert any(len({row[column] for row in whole_log(name)}) > 3 for name in SAMPLES), column
