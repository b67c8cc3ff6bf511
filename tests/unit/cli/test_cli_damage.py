"""Each command gives what comes before a damage, then the error on one line, and ends with 1."""

from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from pyspark_adapter.cli.main import COMMANDS, main
from pyspark_adapter.reader import read_batches
from tests.inputs import sample_path
from tests.support.logs import events_of, find_event

# It reads logs with every command.
pytestmark = pytest.mark.slow

Output = pytest.CaptureFixture[str]
SHOP = sample_path("mysql-9.7-shop").read_bytes()
# A rows event in the middle of the log, after some of each table's.
MIDDLE = find_event(SHOP, "UPDATE_ROWS_EVENT", 5).start_pos

DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda data: data[: MIDDLE + 30],
    "checksum": lambda data: (
        data[: MIDDLE + 30] + bytes([data[MIDDLE + 30] ^ 1]) + data[MIDDLE + 31 :]
    ),
    "length": lambda data: data[: MIDDLE + 9] + b"\x05\0\0\0" + data[MIDDLE + 13 :],
}
# Where its transaction begins, which is not complete then.
BEGIN = max(
    event.start_pos
    for event in events_of(SHOP)
    if event.type_name == "GTID_EVENT" and event.start_pos < MIDDLE
)
# What each command prints of a whole log whose last transaction is before the damage; `report`,
# `slice` and files are compared below. SQL that is not of all changes is none.
PRINTED = {
    "tables": ["tables"],
    "rows": ["rows"],
    "jsonl": ["rows", "--format", "jsonl"],
    "history": ["history", "--table", "shop.orders", "--key", "1"],
    "csv": ["rows", "--format", "csv"],
    "sql": ["rows", "--format", "sql"],
    "transactions": ["transactions"],
    "top": ["transactions", "--top", "3"],
    "stats": ["stats", "--by", "hour"],
    "events": ["events"],
    "check": ["check"],
}
NONE = ["undo", "redo"]


def split(tmp_path: Path, damage: str) -> tuple[Path, Path]:
    """Write the damaged log, and what of it is whole; return their paths."""
    damaged, whole = tmp_path / "damaged" / "binlog.000001", tmp_path / "whole" / "binlog.000001"
    for path, data in ((damaged, DAMAGES[damage](SHOP)), (whole, SHOP[:MIDDLE])):
        path.parent.mkdir()
        path.write_bytes(data)
    return damaged, whole


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", PRINTED)
def test_what_is_before_the_damage_is_printed(
    name: str, damage: str, tmp_path: Path, capsys: Output
) -> None:
    damaged, whole = split(tmp_path, damage)
    command, *flags = PRINTED[name]
    if command in ("transactions", "stats"):
        whole.write_bytes(SHOP[:BEGIN])
    assert main([command, str(damaged), *flags]) == 1
    out, err = capsys.readouterr()
    code = main([command, str(whole), *flags])
    assert code in (0, 1)  # it may end inside a transaction
    expected = capsys.readouterr().out
    if name == "check":
        assert f"binlog.000001@{MIDDLE}" in out
        return
    assert err.count("error: ") == 1
    assert f"error: binlog.000001@{MIDDLE}" in err
    assert out
    if name == "sql":
        expected = expected.replace("\nCOMMIT;\n", "\nROLLBACK;\n")
    assert out == expected


def test_rows_at_a_moment_of_a_damaged_log_are_not_written(tmp_path: Path) -> None:
    damaged, _ = split(tmp_path, "checksum")
    rows = tmp_path / "rows.parquet"
    assert main(["as-of", str(damaged), "--table", "shop.orders", "--output", str(rows)]) == 1
    assert not rows.exists()


@pytest.mark.parametrize("command", NONE)
def test_sql_of_a_damaged_log_is_refused(command: str, tmp_path: Path, capsys: Output) -> None:
    damaged, _ = split(tmp_path, "checksum")
    assert main([command, str(damaged), "--force"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"error: binlog.000001@{MIDDLE} UPDATE_ROWS_EVENT: ")


@pytest.mark.parametrize("command", [["rows", "--format", "parquet"], ["slice"]])
def test_a_part_does_not_take_the_place_of_a_file(command: list[str], tmp_path: Path) -> None:
    damaged, whole = split(tmp_path, "checksum")
    out = tmp_path / "out"
    assert main([*command, str(whole), "--output", str(out)]) == 0
    before = out.read_bytes()
    assert main([*command, str(damaged), "--output", str(out), "--force"]) == 1
    assert out.read_bytes() == before


@pytest.mark.parametrize("damage", DAMAGES)
def test_files_hold_what_is_before_the_damage(damage: str, tmp_path: Path, capsys: Output) -> None:
    damaged, _ = split(tmp_path, damage)
    rows, page, cut = (str(tmp_path / name) for name in ("rows", "page", "slice"))
    assert main(["rows", str(damaged), "--format", "parquet", "--output", rows]) == 1
    found = pq.read_table(rows).num_rows
    assert found == read_batches(damaged, ignore_corrupt_files=True).to_table().num_rows > 50
    assert main(["report", str(damaged), "--out", page]) == 1
    assert "shop.orders" in Path(page).read_text()
    assert main(["slice", str(damaged), "--out", cut]) == 1
    assert capsys.readouterr().err.count(f"error: binlog.000001@{MIDDLE}") == 3
    assert main(["check", cut]) == 0


def test_every_command_is_tried() -> None:
    tried = {command for command, *_ in PRINTED.values()} | set(NONE)
    tried |= {"report", "slice", "as-of"}
    # `export` lists the tables as `tables` does, `doctor` says what `tables` does; `sample`
    # reads nothing; `mask` and `index` print nothing of it; `replicate` reads a server.
    assert tried | {"export", "doctor", "sample", "mask", "index", "replicate"} == set(COMMANDS)
