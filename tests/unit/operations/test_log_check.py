"""`check`: whole logs pass, and each kind of damage or gap is named."""

import struct
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

import pytest

from pyspark_adapter.cli.main import main
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.format.schema import EventType
from pyspark_adapter.operations.log_check import check_logs
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.reader import read_batches
from tests.inputs import SAMPLES, UNREADABLE, sample_path
from tests.support.log_writer import LogWriter
from tests.unit.growth import growth

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
    assert "binlog.000003: expected log 2 after binlog.000001: 1 missing" in printed
    (tmp_path / "binlog.000003").rename(tmp_path / "binlog.000002")
    last, kind = starts(SHOP)[-1]
    assert kind in ("ROTATE_EVENT", "STOP_EVENT")
    (tmp_path / "binlog.000001").write_bytes(data[:last])
    code, printed = checked(capsys, tmp_path)
    assert code == 1
    assert "expected ROTATE_EVENT or STOP_EVENT at the end of binlog.000001" in printed


SOURCE = UUID("795c97f4-badf-559a-96b7-28fc16279c15")


def write_log(path: Path, before: Sequence[tuple[int, int]], *numbers: int) -> None:
    """Write a log of transactions with these numbers, after some ranges of earlier ones."""
    log = LogWriter()
    ranges = b"".join(struct.pack("<QQ", first, last + 1) for first, last in before)
    earlier = struct.pack("<Q16sQ", 1, SOURCE.bytes, len(before)) + ranges
    log.event(EventType.previous_gtids, earlier)
    for number in numbers:
        clock = struct.pack("<BQQ", 2, number - 1, number)
        log.event(EventType.gtid, struct.pack("<B16sQ", 0, SOURCE.bytes, number) + clock)
        log.begin()
        log.commit()
    log.event(EventType.stop, b"")
    path.write_bytes(log.data)


def test_transactions_before_the_first_log_may_have_gaps(tmp_path: Path, capsys: Output) -> None:
    """A server that was a replica of several, or whose backup was restored, has such a set."""
    write_log(tmp_path / "binlog.000001", [(1, 9), (11, 100)], 101)
    write_log(tmp_path / "binlog.000002", [(1, 9), (11, 101)], 102, 103)
    code, printed = checked(capsys, tmp_path)
    assert code == 0, printed
    write_log(tmp_path / "binlog.000003", [(1, 9), (11, 150)], 151)
    code, printed = checked(capsys, tmp_path)
    assert code == 1
    assert f"ends with transaction 103 of {SOURCE}, and this one begins after 150" in printed


def test_replicas_may_log_transactions_in_another_order(tmp_path: Path, capsys: Output) -> None:
    """So they do without replica_preserve_commit_order, also across the end of a log."""
    write_log(tmp_path / "binlog.000001", [], 1, 3, 2, 4, 7, 6, 9)
    write_log(tmp_path / "binlog.000002", [(1, 4), (6, 7), (9, 9)], 8, 5, 10)
    write_log(tmp_path / "binlog.000003", [(1, 10)], 12)
    write_log(tmp_path / "binlog.000004", [(1, 10), (12, 12)], 11, 13)
    code, printed = checked(capsys, tmp_path)
    assert code == 0, printed


def test_only_what_no_log_has_is_missing(tmp_path: Path, capsys: Output) -> None:
    write_log(tmp_path / "binlog.000001", [], 1, 8, 3)
    write_log(tmp_path / "binlog.000002", [(1, 1), (3, 3), (8, 8)], 5, 9, 12)
    code, printed = checked(capsys, tmp_path)
    assert code == 1
    problems = [line.strip() for line in printed.splitlines() if line.startswith(" ")]
    missing = [("000001", 2, 2), ("000001", 4, 4), ("000001", 6, 7), ("000002", 10, 11)]
    assert problems == [
        f"binlog.{log}: transactions {first} to {last} of {SOURCE} are missing"
        for log, first, last in missing
    ]


def test_many_gaps_take_time_in_proportion(tmp_path: Path) -> None:
    logs = {}
    for size in (4_000, 16_000):
        folder = tmp_path / str(size)
        folder.mkdir()
        odd = range(1, 2 * size, 2)
        write_log(folder / "binlog.000001", [], *odd)
        write_log(folder / "binlog.000002", [(n, n) for n in odd], odd.stop)
        logs[size] = find_log_files(folder)
    assert growth(lambda size: list(check_logs(logs[size], BinlogOptions())), 4_000) < 8


def test_transactions_in_another_order_take_time_in_proportion(tmp_path: Path) -> None:
    logs = {}
    for size in (4_000, 16_000):
        path = tmp_path / f"binlog.{size:06}"
        write_log(path, [], *(number ^ 1 for number in range(2, size)))  # 3, 2, 5, 4, ...
        logs[size] = find_log_files(path)
    assert growth(lambda size: list(check_logs(logs[size], BinlogOptions())), 4_000) < 8


def test_filters_do_not_hide_transactions_from_the_check(capsys: Output) -> None:
    assert main(["check", str(SHOP), "--table", "shop.customers"]) == 0
    assert "whole; 28 transactions" in capsys.readouterr().out
