"""The state of a lake: kept, checked, and written by one program at a time."""

import json
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from deltalake import CommitProperties
from pyarrow import fs

from pyspark_adapter.errors import BinlogError
from pyspark_adapter.options.stream_offset import StreamOffset
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.replication import state as state_module
from pyspark_adapter.replication.run import lake_status
from pyspark_adapter.replication.state import State, StateTable, TakenLakeError, read_state
from pyspark_adapter.sources import delta_commits
from pyspark_adapter.sources.arrow_storage import file_system
from pyspark_adapter.sources.delta_storage import CommitConflictError, open_delta
from pyspark_adapter.sources.locations import Location

ORDERS = TableName("shop", "orders")


def test_the_state_is_kept(lake: Location) -> None:
    table = StateTable(lake)
    wanted = State(StreamOffset("binlog.000001", 4, "id"), {ORDERS: "CREATE"}, True, {})
    table.save(wanted)
    assert read_state(lake) == wanted
    moved = replace(wanted, offset=StreamOffset("binlog.000002", 400, "x"))
    table.save(moved)
    table.save(replace(moved, tables={ORDERS: None}))
    table.close()
    again = StateTable(lake)
    assert again.state == replace(moved, tables={ORDERS: None})
    assert again.state.followed == {}
    again.close()
    assert lake_status(str(lake))[1:] == [
        "read up to binlog.000002@400",
        "shop.orders: is to be copied",
    ]
    with pytest.raises(BinlogError, match="no lake of replicate here"):
        read_state(lake.child("other"))


@pytest.mark.parametrize(
    "said",
    ["[]", "null", '{"offset": "x"}', '{"offset": {}}', '{"round": 5}', '{"digest": 1}', "x"],
)
def test_a_damaged_state_is_an_error(said: str, tmp_path: Path) -> None:
    lake = Location.parse(tmp_path / "lake")
    StateTable(lake).close()
    delta = open_delta(lake.child("_replicate"))
    assert delta is not None
    properties = CommitProperties(custom_metadata={"mysqlBinlog": said})
    delta.create_write_transaction([], "append", delta.schema(), commit_properties=properties)
    for read in (lambda: lake_status(lake.path), lambda: StateTable(lake)):
        with pytest.raises(BinlogError, match="_replicate: "):
            read()


def test_a_table_that_is_changed_in_the_state_is_noticed(tmp_path: Path) -> None:
    lake = Location.parse(tmp_path / "lake")
    table = StateTable(lake)
    table.save(State(tables={ORDERS: "CREATE TABLE orders (id INT)"}))
    table.close()
    [path] = (tmp_path / "lake" / "_replicate").glob("*.parquet")
    rows = pq.read_table(path).to_pylist()
    rows[0]["table_name"] = "order"
    pq.write_table(pa.Table.from_pylist(rows), path)
    with pytest.raises(BinlogError, match="its checksum differs"):
        StateTable(lake)


def test_tables_with_uuids_that_an_earlier_version_copied_are_copied_again(tmp_path: Path) -> None:
    """It copied them as bytes."""
    lake, items = Location.parse(tmp_path), TableName("shop", "items")
    tables = {ORDERS: "CREATE TABLE t (`u` uuid)", items: "CREATE TABLE u (`uuid` int)"}

    def without(said: Any, **how: Any) -> str:
        commit = said[0] if isinstance(said, list) else said  # with the tables, for the checksum
        commit.pop("has_texts", None)
        return json.dumps(said, **how)

    earlier = SimpleNamespace(dumps=without, loads=json.loads)
    with closing(StateTable(lake)) as table, patch.object(state_module, "json", earlier):
        table.save(State(tables=tables))
    for _ in range(3):  # also if the program ends before it has copied them
        assert read_state(lake).tables == {ORDERS: None, items: tables[items]}
        StateTable(lake).close()


def test_a_second_program_is_refused_on_this_machine(tmp_path: Path) -> None:
    place = Location.parse(tmp_path)
    first = StateTable(place)
    with pytest.raises(TakenLakeError, match=r"another replicate writes this lake \(process \d+"):
        StateTable(place)
    first.save(first.state)
    first.close()
    StateTable(place).close()


def test_a_second_program_takes_a_lake_over_in_storage(lake: Location) -> None:
    """Also on a file system without locks: whoever commits last without the newest state fails."""
    with patch("fcntl.flock", side_effect=OSError):
        first, second = StateTable(lake), StateTable(lake)
    with pytest.raises(TakenLakeError, match="another replicate writes this lake since then"):
        first.save(replace(first.state, tables={ORDERS: "CREATE"}))
    second.save(replace(second.state, tables={ORDERS: None}))
    with pytest.raises(TakenLakeError):
        first.save(first.state)
    assert read_state(lake).tables == {ORDERS: None}
    first.close()
    second.close()


def test_the_state_is_read_without_python_in_threads_of_arrow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that ends right after would be aborted, after it has printed what it should."""
    lake = Location.parse(tmp_path / "lake")
    StateTable(lake).close()
    monkeypatch.setattr("deltalake.fs.DeltaStorageHandler.from_table", None)
    assert read_state(lake).tables == {}


def test_old_commits_go_and_files_with_such_names_stay(
    lake: Location, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A backup within the log, for example, which deltalake takes for old commits."""
    monkeypatch.setattr(delta_commits, "CLEANED_AFTER", 5)
    monkeypatch.setitem(state_module._CONFIGURATION, "delta.checkpointInterval", "5")
    system, path = file_system(lake.child("_replicate").child("_delta_log"))
    first = f"{0:020}.json"
    others = [f"{path}/backup/{first}", f"{path}/x{first}", f"{path}/{first}.bak"]

    with closing(StateTable(lake)) as table:

        def save() -> None:
            for number in range(12):
                table.save(replace(table.state, round={"number": number}))

        save()
        system.create_dir(f"{path}/backup")
        for name in others:
            with system.open_output_stream(name) as file:
                file.write(b"of another")
        assert system.get_file_info(f"{path}/{first}").type == fs.FileType.File
        for file in Path(path).rglob("*") if lake.is_local else ():
            os.utime(file, (time.time() - 7200,) * 2)
        later = time.time() + (0 if lake.is_local else 7200)
        with patch.object(delta_commits, "time", SimpleNamespace(time=lambda: later)):
            save()
    names = {info.base_name for info in system.get_file_info(fs.FileSelector(path))}
    assert first not in names
    assert f"{14 if lake.is_local else 24:020}.checkpoint.parquet" in names
    assert {info.type for info in system.get_file_info(others)} == {fs.FileType.File}
    assert read_state(lake).round == {"number": 11}


@pytest.mark.parametrize("form", ["link", "hard link", "file"])
def test_a_lock_of_another_is_not_written(form: str, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("of another")
    StateTable(Location.parse(tmp_path / "lake")).close()
    lock = tmp_path / "lake" / "_replicate" / "_lock"
    lock.unlink()
    if form == "link":
        lock.symlink_to(victim)
    elif form == "hard link":
        os.link(victim, lock)
    else:
        lock.write_text("of another")
    if form == "link":
        with pytest.raises(BinlogError, match="is a link"):
            StateTable(Location.parse(tmp_path / "lake"))
    else:
        StateTable(Location.parse(tmp_path / "lake")).close()
        assert lock.read_text() == "of another"
    assert victim.read_text() == "of another"


def test_a_backup_of_hard_links_in_the_place_of_a_lake_is_noticed(tmp_path: Path) -> None:
    """`cp -al`: its lock is the same file."""
    lake = tmp_path / "lake"
    with closing(StateTable(Location.parse(lake))) as state:
        shutil.copytree(lake, tmp_path / "backup", copy_function=os.link)
        state.check_place()
        lake.rename(tmp_path / "moved")
        (tmp_path / "backup").rename(lake)
        with pytest.raises(BinlogError, match="moved away or replaced"):
            state.check_place()


@pytest.mark.parametrize("is_same", [True, False])
@pytest.mark.parametrize("fault", ["answer", "reading", "reading, and then the next"])
def test_a_commit_whose_answer_is_lost_is_no_other_program(
    fault: str, is_same: bool, lake: Location
) -> None:
    """The package deltalake sends it again, finds the first one, and reports a conflict."""
    first = State(StreamOffset("binlog.000001", 4, "id"), {ORDERS: "CREATE"})
    second = replace(first, offset=StreamOffset("binlog.000002", 400, "x"))
    third = replace(second, offset=StreamOffset("binlog.000003", 500, "x"))
    if not is_same:
        second = replace(second, tables={ORDERS: None})
    committing = delta_commits.committing

    @contextmanager
    def lost(*given: Any) -> Iterator[Any]:
        with committing(*given) as hooks:
            yield hooks
        raise CommitConflictError("conflict") if fault == "answer" else BinlogError("outage")

    @contextmanager
    def outage(*_: Any) -> Iterator[Any]:
        raise BinlogError("outage")
        yield

    with closing(StateTable(lake)) as table:
        table.save(first)
        with patch.object(state_module, "committing", lost):
            if fault == "answer":
                table.save(second)
            else:
                version = table._delta.version()
                with pytest.raises(BinlogError, match="outage"):
                    table.save(second)
                before = open_delta(table._folder, version)
                assert before is not None
                table._delta = before
        if fault.endswith("next"):
            with (
                patch.object(state_module, "committing", outage),
                pytest.raises(BinlogError, match="outage"),
            ):
                table.save(third)
        table.save(third)
    assert read_state(lake) == third
