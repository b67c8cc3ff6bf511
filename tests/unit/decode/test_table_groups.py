"""Changes of all tables in groups, option `row` = `arrow`: the rows of typed reads."""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import groupby
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pyspark_adapter import OptionError, SchemaMismatchError, read_batches
from pyspark_adapter.decode.table_groups import KEY
from tests.inputs import SAMPLES, sample_path
from tests.support.groups import unpacked
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.support.outcome import table_names

Groups = dict[str, list[tuple[dict[str, Any], pa.RecordBatch]]]


def groups_of(path: Path, **options: Any) -> Groups:
    """Return the groups of each table, in order, each with its rows."""
    found: Groups = defaultdict(list)
    for group, rows in unpacked(read_batches(path, row="arrow", **options)):
        versions = rows.column("_commit_version").to_pylist()
        bounds = [group["first_commit_version"], group["last_commit_version"]]
        assert bounds == [min(versions), max(versions)]
        found[f"{group['database_name']}.{group['table_name']}"].append((group, rows))
    return found


@pytest.mark.parametrize(
    "name", ["mysql-9.7-types", "mysql-9.7-minimal-image", "mariadb-11.8-own-types"]
)
def test_rows_are_those_of_typed_reads(name: str) -> None:
    found = groups_of(sample_path(name))
    assert set(found) == set(map(str, table_names(SAMPLES[name])))
    for table in found:
        typed = read_batches(sample_path(name), table=table).to_table()
        rows = pa.Table.from_batches([rows for _, rows in found[table]])
        assert rows.replace_schema_metadata() == typed
        assert rows.schema.names == typed.schema.names


def test_options_of_typed_reads_apply() -> None:
    options: dict[str, Any] = {"time": "string", "json": "variant", "metadata_columns": METADATA}
    found = groups_of(sample_path("mysql-9.7-types"), tables="*.times,*.json_documents", **options)
    assert set(found) == {"types97.times", "types97.json_documents"}
    for table, groups in found.items():
        typed = read_batches(sample_path("mysql-9.7-types"), table=table, **options).to_table()
        rows = pa.Table.from_batches([rows for _, rows in groups])
        assert rows.replace_schema_metadata() == typed


METADATA = ["_row_number", "_commit_version", "_change_type"]


def test_a_group_has_one_shape_and_its_key() -> None:
    groups = groups_of(sample_path("mysql-9.7-alter"))["alter97.people"]
    # Two table maps may have the same columns.
    shapes = [shape for shape, _ in groupby(group["shape"] for group, _ in groups)]
    assert len(set(shapes)) == len(shapes) == 9
    versions = [group["first_commit_version"] for group, _ in groups]
    assert versions == sorted(versions)
    keys = [key for key, _ in groupby(rows.schema.metadata[KEY] for _, rows in groups)]
    assert list(map(json.loads, keys)) == [["id"], ["id", "full_name"], ["uid"]]


def test_shapes_that_take_turns_are_cut(tmp_path: Path) -> None:
    """Also within a window, where rows of one shape are decoded together."""
    writer = LogWriter()
    narrow, wide = ([LoggedColumn(f"c{i}", 3) for i in range(n)] for n in (1, 2))
    for number, columns in enumerate([narrow, narrow, wide, narrow, wide, wide]):
        writer.begin()
        writer.table_map(7, "t", columns)
        image = [number.to_bytes(4, "little")] * len(columns)
        writer.rows(7, Rows(WRITE_V2, [image, image], [True] * len(columns)))
        writer.commit()
    path = tmp_path / "log.000001"
    path.write_bytes(writer.data)
    found = groups_of(path)["d.t"]
    runs = [rows.column("c0").to_pylist() for _, rows in found]
    assert [run for run in runs if run] == [[0, 0, 1, 1], [2, 2], [3, 3], [4, 4, 5, 5]]
    assert len({group["shape"] for group, _ in found}) == 2


def test_statements_are_groups_in_their_place() -> None:
    path = sample_path("mysql-9.7-alter")
    groups: list[dict[str, Any]] = []
    for batch in read_batches(path, row="arrow", schema_changes=True):
        groups += batch.to_pylist()
    wanted = read_batches(path, schema_changes=True, change_types="create,alter,rename,drop")
    expected = [
        (row["_change_type"], row["_table_name"], row["_commit_version"], row["_statement"])
        for row in wanted.to_table().to_pylist()
    ]
    names = ("change_type", "table_name", "last_commit_version", "statement")
    found = [tuple(group[name] for name in names) for group in groups if group["change_type"]]
    assert found == expected
    assert len(found) > 8
    versions = [group["first_commit_version"] for group in groups]
    assert versions == sorted(versions)


def test_groups_need_the_order_of_changes() -> None:
    with pytest.raises(OptionError, match="metadata_columns: expected _commit_version with option"):
        read_batches(sample_path("mysql-9.7-shop"), row="arrow", metadata_columns="_gtid")


def test_groups_take_no_schema() -> None:
    schema = pa.schema([("rows", pa.binary())])
    with pytest.raises(SchemaMismatchError, match="option row=arrow: expected no schema"):
        read_batches(sample_path("mysql-9.7-shop"), row="arrow", schema=schema)
