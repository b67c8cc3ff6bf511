"""Iceberg tables in S3, in a catalog of the user."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pyarrow as pa
import pytest
from pyarrow import fs
from pyiceberg.exceptions import NoSuchTableError

from pyspark_adapter.errors import BinlogError, OptionError
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.replication.history import History
from pyspark_adapter.replication.iceberg_tables import IcebergTables
from pyspark_adapter.replication.lake import State, StateFile, read_state
from pyspark_adapter.replication.versions import Versions
from pyspark_adapter.sources.delta_storage import CommitConflictError
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.ownership import TakenFolderError
from tests.unit.replication.user_catalog import name_catalog, name_glue
from tests.unit.s3_server import S3Server

pytestmark = pytest.mark.slow

NAME = ("shop", "t")
ROWS = pa.table({"id": pa.array([1, 2], pa.int32()), "note": ["a", "b"]})
OTHER = pa.table({"id": pa.array([9], pa.int32()), "note": ["of another"]})


class Lake:
    """A lake in S3 with one table."""

    def __init__(self, place: Location) -> None:
        self.lake = place
        self.tables = IcebergTables(place, "lakehouse")
        self.catalog = self.tables._catalog._catalog
        self.place = place.child("shop").child("t")

    def copy(self, rows: pa.Table, version: int) -> Any:
        return self.tables.copy(self.place, self.tables.open(self.place), rows.to_reader(), version)

    def make_other(self, path: str) -> Any:
        """Have another program make a table of its name, in a folder of the bucket."""
        self.catalog.create_namespace("shop")
        address = f"s3://{self.place.authority.rpartition('@')[2]}{path}"
        found = self.catalog.create_table(NAME, OTHER.schema, address)
        found.append(OTHER)
        return found

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows of the table of its name."""
        return list(self.catalog.load_table(NAME).scan().to_arrow().sort_by("id").to_pylist())

    def files(self) -> set[str]:
        uri = f"s3://key:hidden@x/{self.lake.query}"
        found = fs.FileSystem.from_uri(uri)[0].get_file_info(
            fs.FileSelector(f"lake{self.lake.path}", recursive=True)
        )
        return {info.path for info in found if info.type == fs.FileType.File}


def history_of(lake: Any) -> History:
    return History(lake.lake, lake.tables, Versions(lake.lake, lake.tables, {}))


@pytest.fixture(params=["sql"])
def lake(
    request: pytest.FixtureRequest, s3: S3Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Lake]:
    if request.param == "glue":
        [endpoint] = parse_qs(s3.query[1:])["endpoint_override"]
        name_glue(monkeypatch, "lakehouse", f"http://{endpoint}")
    else:
        name_catalog(monkeypatch, "lakehouse", tmp_path)
    found = Lake(Location.parse(s3.uri(f"key:hidden@lake/{tmp_path.name}")))
    yield found
    found.tables.close()


@pytest.mark.parametrize("lake", ["sql", "glue"], indirect=True)
def test_a_table_is_copied_and_changed(lake: Lake) -> None:
    table = lake.copy(ROWS, 10)
    before = lake.tables.open(lake.place)
    net = ROWS.slice(1).append_column("_change_type", pa.array(["delete"]))
    lake.tables.merge(lake.place, table, net, ["id"], 11)
    assert lake.rows() == ROWS.to_pylist()[:1]
    found = lake.tables.open(lake.place)
    assert found is not None
    assert lake.tables.applied(found, lake.place) == 11
    with pytest.raises(CommitConflictError):  # as of a program whose lake was taken over
        lake.tables.merge(lake.place, before, net, ["id"], 12)
    assert "hidden" not in str(found.metadata)
    history_of(lake).begin(TableName("shop", "t"), found, 11)
    assert lake.catalog.load_table(("shop_history", "t")).scan().to_arrow().num_rows == 2
    assert lake.tables.remove(lake.place) is None
    assert lake.tables.open(lake.place) is None


def test_a_removed_table_can_come_again(lake: Lake) -> None:
    lake.copy(ROWS, 10)
    assert lake.files()
    assert lake.tables.remove(lake.place) is None
    with pytest.raises(NoSuchTableError):
        lake.rows()
    assert not lake.files()
    assert lake.tables.remove(lake.place) is None
    lake.copy(OTHER, 20)
    assert lake.rows() == OTHER.to_pylist()


@pytest.mark.parametrize("path", ["/elsewhere/{}", "/{}/shop/t"])
def test_a_table_of_others_is_neither_written_nor_dropped(lake: Lake, path: str) -> None:
    """In another folder, or by chance in that of the copy."""
    lake.make_other(path.format(lake.lake.path.strip("/")))
    with pytest.raises(TakenFolderError):
        lake.copy(ROWS, 10)
    with pytest.raises(TakenFolderError):
        lake.tables.remove(lake.place)
    assert lake.rows() == OTHER.to_pylist()


def test_a_history_has_a_name_without_a_dot(lake: Lake) -> None:
    table = TableName("shop", "t")
    for version, rows in ((10, ROWS), (20, pa.table({"id": ["1"]}))):
        history_of(lake).begin(table, lake.copy(rows, version), version)
    for name, num_rows in (("t", 3), ("t_2", 2)):
        assert (
            lake.catalog.load_table(("shop_history", name)).scan().to_arrow().num_rows == num_rows
        )


def test_a_lake_has_one_catalog(lake: Lake) -> None:
    state = StateFile(lake.lake, "iceberg", "lakehouse")
    state.save(
        State(tables={TableName("shop", "t"): None}, table_format="iceberg", catalog="lakehouse")
    )
    assert read_state(lake.lake).catalog == "lakehouse"
    for catalog in ("other", ""):
        with pytest.raises(OptionError, match="option catalog: expected lakehouse, which the tab"):
            StateFile(lake.lake, "iceberg", catalog)


def test_a_catalog_that_is_not_configured_is_named(lake: Lake) -> None:
    with pytest.raises(BinlogError, match=r"the catalog nope cannot be .*PYICEBERG_CATALOG__NOPE"):
        IcebergTables(lake.lake, "nope")
