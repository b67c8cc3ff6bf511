"""`check`: whole logs pass, and each kind of damage or gap is named."""

from pathlib import Path

import pytest

from pyspark_adapter.cli.main import main
from pyspark_adapter.reader import read_batches
from tests.inputs import SAMPLES, UNREADABLE, sample_path

Output = pytest.CaptureFixture[str]
OLD_TEMPORALS = {"mariadb-10.11-old-temporals", "mariadb-10.11-old-fractions"}
READABLE = sorted(set(SAMPLES) - UNREADABLE - OLD_TEMPORALS)
SHOP = sample_path("mysql-9.7-shop")


def checked(capsys: Output, *paths: Path) -> tuple[int, str]:
    code = main(["check", *map(str, paths), "--on-statement-events", "ignore"])
    return code, capsys.readouterr().out


@pytest.mark.parametrize("name", READABLE)
def test_samples_are_whole_or_miss_transactions(name: str, capsys: Output) -> None:
    """Some samples set gtid_next, or skip numbers: that is all that is found."""
    code, printed = checked(capsys, sample_path(name))
    problems = printed.splitlines()[1:]
    assert code == bool(problems)
    assert all("are missing" in problem for problem in problems), printed
    assert not problems or "transactions" in name


def starts(path: Path) -> list[tuple[int, str]]:
    events = read_batches(path, view="events").to_table().to_pylist()
    return [(event["start_pos"], event["event_type"]) for event in events]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data[:-400], "the file ends"),
        (lambda data: data[:5000] + b"\xff" + data[5001:], "CRC32"),
    ],
)
def test_damage_is_named(change: object, message: str, tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / "binlog.000001"
    assert callable(change)
    path.write_bytes(change(SHOP.read_bytes()))
    code, printed = checked(capsys, path)
    assert code == 1
    assert message in printed
    assert "binlog.000001@" in printed


def test_a_transaction_that_was_cut_out_is_named(tmp_path: Path, capsys: Output) -> None:
    gtids = [pos for pos, kind in starts(SHOP) if kind == "GTID_EVENT"]
    data = SHOP.read_bytes()
    path = tmp_path / "binlog.000001"
    path.write_bytes(data[: gtids[6]] + data[gtids[7] :])
    code, printed = checked(capsys, path)
    assert code == 1
    assert "transactions 7 to 7 of 795c97f4-badf-559a-96b7-28fc16279c15 are missing" in printed
    assert f"expected {gtids[6] + 79} as the position of the next event" in printed


def test_logs_have_to_follow_each_other(tmp_path: Path, capsys: Output) -> None:
    data = SHOP.read_bytes()
    for number in (1, 3):
        (tmp_path / f"binlog.{number:06}").write_bytes(data)
    code, printed = checked(capsys, tmp_path)
    assert code == 1
    assert "binlog.000003: expected log 2 after binlog.000001: 1 logs are missing" in printed
    (tmp_path / "binlog.000003").rename(tmp_path / "binlog.000002")
    last, kind = starts(SHOP)[-1]
    assert kind in ("ROTATE_EVENT", "STOP_EVENT")
    (tmp_path / "binlog.000001").write_bytes(data[:last])
    code, printed = checked(capsys, tmp_path)
    assert code == 1
    assert "expected ROTATE_EVENT or STOP_EVENT at the end of binlog.000001" in printed
