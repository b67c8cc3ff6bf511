"""The state of a lake: kept, checked, and written by one program at a time."""

import fcntl
import json
import os
import shutil
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from pyspark_adapter.errors import BinlogError, BinlogWarning, OptionError
from pyspark_adapter.options.log_position import StreamOffset
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.replication.lake import State, StateFile, TakenLakeError, read_state
from pyspark_adapter.replication.run import lake_status
from pyspark_adapter.sources.arrow_storage import file_system
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.ownership import LAKE, Owner, own_names, owner_of, write_owner
from tests.unit.spark.test_data_set import die_after

ORDERS, ITEMS = TableName("shop", "orders"), TableName("shop", "items")
STATE = State(StreamOffset("binlog.000001", 4, "id"), {ORDERS: "CREATE"}, {ITEMS: 1_700_000_000})


def test_the_state_is_kept(lake: Location) -> None:
    file = StateFile(lake)
    with pytest.raises(BinlogError, match="no lake of replicate here"):
        read_state(lake)
    file.save(STATE)
    assert read_state(lake) == STATE
    moved = replace(STATE, offset=StreamOffset("binlog.000002", 400, "x"), has_history=True)
    file.save(moved)
    file.save(replace(moved, tables={ORDERS: None}))
    file.close()
    again = StateFile(lake)
    assert again.state == replace(moved, tables={ORDERS: None})
    assert again.state.followed == {}
    again.close()
    lines = lake_status(str(lake))[1:]
    assert lines[:2] == ["read up to binlog.000002@400", "shop.orders: is to be copied"]
    assert lines[2].startswith("shop.items: dropped on the server, noticed at 2023-11-1")


@pytest.mark.parametrize("text", ["[]", "null", "", '{"state": {}}', '{"checksum": 1}', "x", None])
def test_a_damaged_state_is_an_error(text: str | None, tmp_path: Path) -> None:
    lake = Location.parse(tmp_path / "lake")
    with closing(StateFile(lake)) as file:
        file.save(STATE)
    path = tmp_path / "lake" / "_replicate" / "state.json"
    path.write_text(path.read_text().replace("orders", "order") if text is None else text)
    for read in (lambda: lake_status(lake.path), lambda: StateFile(lake)):
        with pytest.raises(BinlogError, match=r"state\.json: the state .* with --reload"):
            read()
    damaged = path.read_bytes()
    with (
        pytest.warns(BinlogWarning, match=r"it is now state\.json\.damaged"),
        closing(StateFile(lake, sets_aside=True)) as file,
    ):
        assert file.state == State()
    assert path.with_name("state.json.damaged").read_bytes() == damaged
    with closing(StateFile(lake)) as file:
        assert file.state == State()


def test_the_marker_names_the_server(lake: Location) -> None:
    system, path = file_system(lake)
    with closing(StateFile(lake)) as file:
        assert file.server == ""
        for server in ("uuid", "other"):
            assert STATE.offset is not None
            file.save(replace(STATE, offset=replace(STATE.offset, server=server)))
            assert file.server == server
    assert owner_of(system, path) == Owner(LAKE, "other")


@pytest.mark.parametrize("other", ["notes.txt", "_replicate/file", "_mysql_binlog"])
def test_a_folder_with_files_of_others_is_no_lake(other: str, lake: Location) -> None:
    system, path = file_system(lake)
    if lake.is_local:
        system.create_dir(f"{path}/{other}".rpartition("/")[0])
    with system.open_output_stream(f"{path}/{other}") as file:
        file.write(b'{"written_by": "another", "kind": "lake"}')
    with pytest.raises(OptionError, match="expected an empty folder or a lake of this package"):
        StateFile(lake)
    if other.startswith("_r"):  # and not a data set, either
        write_owner(system, path, Owner("data set"))
        with pytest.raises(OptionError, match="expected an empty folder or a lake"):
            StateFile(lake)
        assert own_names(lake, "data set", option="out") == ["_mysql_binlog", "_replicate"]


def test_a_second_program_is_refused_on_this_machine(tmp_path: Path) -> None:
    lake = Location.parse(tmp_path)
    first = StateFile(lake)
    with pytest.raises(TakenLakeError, match=r"another replicate writes this lake \(process \d+"):
        StateFile(lake)
    first.save(first.state)
    first.close()
    StateFile(lake).close()


def test_where_files_cannot_be_locked_the_second_program_takes_the_lake_over(
    lake: Location, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(*_: object) -> None:
        raise OSError(os.strerror(37))

    monkeypatch.setattr(fcntl, "flock", flock)
    with closing(StateFile(lake)) as first, closing(StateFile(lake)) as second:
        for use in (first.check, lambda: first.save(State())):
            with pytest.raises(TakenLakeError, match="another replicate writes this lake since"):
                use()
        second.save(STATE)
    assert read_state(lake) == STATE


@pytest.mark.parametrize("is_replaced", [True, False])
def test_a_lake_that_is_moved_meanwhile_is_noticed(is_replaced: bool, tmp_path: Path) -> None:
    """A backup in its place lacks the changes since."""
    lake = tmp_path / "lake"
    StateFile(Location.parse(lake)).close()
    shutil.copytree(lake, tmp_path / "backup")
    with closing(StateFile(Location.parse(lake))) as file:
        file.check()
        lake.rename(tmp_path / "moved")
        if is_replaced:
            (tmp_path / "backup").rename(lake)
        with pytest.raises(TakenLakeError, match="was moved or replaced"):
            file.check()


@pytest.mark.slow
def test_a_kill_at_any_step_leaves_the_old_state_or_the_new(tmp_path: Path) -> None:
    lake, steps, seen = Location.parse(tmp_path / "lake"), 0, set[str]()
    new = replace(STATE, offset=StreamOffset("binlog.000002", 4, "x"))

    def save(state: State) -> None:
        with closing(StateFile(lake)) as file:
            file.save(state)

    save(STATE)
    while not die_after(steps, lambda _: save(new)):
        found = read_state(lake)
        assert found in (STATE, new)
        assert found.offset is not None
        seen.add(found.offset.log_name)
        save(STATE)
        steps += 1
    assert seen == {"binlog.000001", "binlog.000002"}
    assert {path.name for path in (tmp_path / "lake" / "_replicate").iterdir()} == {
        "_lock",
        "state.json",
    }
    assert json.loads((tmp_path / "lake" / "_replicate" / "state.json").read_text())["checksum"]
