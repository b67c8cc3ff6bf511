"""The folders of a lake, and the Delta tables that `replicate` writes and removes in them."""

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import patch

import pyarrow as pa
import pytest
from deltalake import DeltaTable, write_deltalake
from pyarrow import fs

from pyspark_adapter.errors import BinlogError
from pyspark_adapter.replication.delta_tables import DeltaTables, tables_of, write_rows
from pyspark_adapter.replication.lake import file_name
from pyspark_adapter.sources.arrow_storage import file_system
from pyspark_adapter.sources.delta_storage import (
    CommitConflictError,
    delta_address,
    delta_errors,
    open_delta,
)
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.ownership import DamagedTableError, TakenFolderError
from tests.unit.replication.delta_lake import delta_table, everything


@pytest.fixture
def place(lake: Location) -> Location:
    """Return the folder of a table."""
    return lake.child("shop").child("orders")


@pytest.mark.parametrize("name", ["/victim", "../victim", ".", "..", "", "victim/", "a.b", "_r"])
def test_a_name_is_no_path(name: str) -> None:
    found = file_name(name)
    assert re.fullmatch(r"[\w@$~-]+", found, re.ASCII)
    assert found[0] not in "_."


def test_databases_share_no_folder() -> None:
    databases = ["shop", "shop.state", "shop.history", "shop.2", "Shop", "shop@002estate"]
    folders = [file_name(name) + end for name in databases for end in ("", ".history")]
    assert len({name.lower() for name in folders}) == 2 * len(databases)


def test_two_programs_cannot_write_one_table(place: Location) -> None:
    """The rows of a table are those of the one that committed first."""
    delta_table(place)
    first, second = open_delta(place), open_delta(place)
    rows = pa.table({"id": [7]})
    write_rows(place, first, rows.to_reader(), "append", 4)
    for mode in ("append", "overwrite"):
        with pytest.raises(BinlogError, match="another program has changed the table"):
            write_rows(place, second, rows.to_reader(), mode, 4)
    with pytest.raises(BinlogError):
        write_rows(place, None, rows.to_reader(), "append", 4)


def in_a_thread(body: Callable[[], object]) -> None:
    """Run what deltalake cannot do while it writes in this thread."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(body).result()


def test_two_programs_that_copy_a_table_first_write_it_once(place: Location) -> None:
    """The second takes a lake in storage over; the first has not ended its copy."""
    first, second = DeltaTables(), DeltaTables()
    schema = pa.schema({"id": pa.int64()})

    def rows() -> Iterator[pa.RecordBatch]:
        yield pa.record_batch({"id": [1, 2]})
        other = pa.table({"id": [1, 2, 3]}).to_reader()
        in_a_thread(lambda: second.copy(place, None, other, 9))

    with pytest.raises(CommitConflictError):
        first.copy(place, None, pa.RecordBatchReader.from_batches(schema, rows()), 8)
    found = first.open(place)
    assert found is not None
    assert found.to_pyarrow_table()["id"].to_pylist() == [1, 2, 3]
    assert first.applied(found, place) == 9


@pytest.mark.parametrize("name", ["a%2Fb", "a\\b", "a[b]", "a|b", "a\nb", "a#b", "a?b"])
def test_a_path_that_deltalake_takes_for_another_is_refused(name: str, lake: Location) -> None:
    """The table would be at `a/b`."""
    place = lake.child(name).child("orders")
    if lake.is_local and name in ("a#b", "a?b"):
        delta_table(place)
        assert DeltaTables().remove(place) is None
        return
    with pytest.raises(BinlogError, match="for another path"):
        open_delta(place)


def test_a_panic_of_deltalake_is_an_error_of_ours() -> None:
    panic = type("PanicException", (BaseException,), {})
    place = Location.parse("s3://lake/shop")
    with pytest.raises(BinlogError, match="s3://lake/shop: cannot be read"), delta_errors(place):
        raise panic("index out of bounds")
    with pytest.raises(KeyboardInterrupt), delta_errors(place):
        raise KeyboardInterrupt


def test_the_address_of_a_table_shows_no_password() -> None:
    place = Location.parse("s3://key:hid%2Fden@lake/shop?region=eu-west-1")
    address, options = delta_address(place)
    assert address == "s3://lake/shop"
    assert "hid/den" in options.values()
    assert "den" not in place.shown


def test_a_table_of_another_program_is_refused(place: Location) -> None:
    address, options = delta_address(place)
    write_deltalake(address, pa.table({"id": [1]}), storage_options=options)
    for use in (DeltaTables().open, DeltaTables().remove):
        with pytest.raises(TakenFolderError, match="was not written by this command"):
            use(place)


def test_a_damaged_log_is_an_error_of_its_table(tmp_path: Path) -> None:
    place = Location.parse(tmp_path / "orders")
    delta_table(place)
    for file in (tmp_path / "orders" / "_delta_log").glob("*.*"):
        file.write_bytes(b"")
    before = everything(tmp_path)
    for use in (DeltaTables().open, DeltaTables().remove):
        with pytest.raises(DamagedTableError, match="the log of the table is damaged"):
            use(place)
    assert everything(tmp_path) == before


def test_a_table_is_removed_and_can_come_again(place: Location) -> None:
    for _ in range(2):
        delta_table(place)
        assert DeltaTables().remove(place) is None
        system, path = file_system(place)
        assert system.get_file_info(path).type == fs.FileType.NotFound
        assert DeltaTables().remove(place) is None


def test_files_that_the_log_does_not_name_stay(place: Location) -> None:
    """Those of Spark have names as those of deltalake have."""
    delta_table(place)
    system, path = file_system(place)
    name = "part-00000-9d24ec10-4e4a-4323-b172-a4ba316f376a-c000.snappy.parquet"
    with system.open_output_stream(f"{path}/{name}") as file:
        file.write(b"of another")
    assert DeltaTables().remove(place) == name
    left = system.get_file_info(fs.FileSelector(path, recursive=True))
    assert [info.path for info in left if info.type == fs.FileType.File] == [f"{path}/{name}"]


@pytest.mark.parametrize("step", ["delete", "vacuum"])
def test_a_removal_that_was_stopped_can_be_done_again(step: str, tmp_path: Path) -> None:
    """Meanwhile the table is empty, or not there; a table that comes again is whole."""
    place = Location.parse(tmp_path / "orders")
    delta_table(place)
    with (
        patch.object(DeltaTable, step, after(getattr(DeltaTable, step))),
        pytest.raises(KeyboardInterrupt),
    ):
        DeltaTables().remove(place)
    found = DeltaTables().open(place)
    assert found is None or found.to_pyarrow_table().num_rows == 0
    copy = DeltaTables().copy(place, found, pa.table({"id": [1, 2]}).to_reader(), 9)
    assert copy is not None
    assert copy.to_pyarrow_table().num_rows == 2
    assert DeltaTables().remove(place) is None


def after(step: Callable[..., object]) -> Callable[..., object]:
    """Return a step after which the program is stopped."""

    def stopped(*given: object, **named: object) -> object:
        step(*given, **named)
        raise KeyboardInterrupt

    return stopped


@pytest.mark.parametrize("table_format", ["delta", "iceberg"])
def test_a_lake_above_a_link_is_where_the_system_finds_it(
    table_format: str, tmp_path: Path
) -> None:
    """Deltalake and pyiceberg take `link/..` for the folder that the link is in."""
    (tmp_path / "other" / "lake" / "_replicate").mkdir(parents=True)
    (tmp_path / "other" / "deep").mkdir()
    (tmp_path / "x" / "lake").mkdir(parents=True)
    (tmp_path / "x" / "link").symlink_to(tmp_path / "other" / "deep")
    lake = Location.parse(f"{tmp_path}/x/link/../lake")
    tables = tables_of(lake, table_format)
    tables.copy(lake.child("shop").child("orders"), None, pa.table({"id": [1]}).to_reader(), 9)
    tables.close()
    assert everything(tmp_path / "x" / "lake") == {}
    assert (tmp_path / "other" / "lake" / "shop" / "orders").exists()
