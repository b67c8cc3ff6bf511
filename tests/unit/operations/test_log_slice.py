"""`slice`: the chosen transactions, byte by byte, in a log that is whole."""

import gzip
import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import ChecksumMismatchError, read_batches
from pyspark_adapter.cli.main import main
from pyspark_adapter.events.windows import raw_events
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.format.event_types import ABOUT_LOG, TRAITS
from pyspark_adapter.format.header import OFS_END_LOG_POS, OFS_FLAGS, type_code_at
from pyspark_adapter.operations.log_slice import choose_transactions, with_definitions
from pyspark_adapter.options.binlog_options import BinlogOptions
from tests.inputs import SAMPLES, UNREADABLE, sample_path
from tests.support.encryption import component_keyring, encrypt_as_mysql
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.unit.growth import growth

# It reads all samples.
pytestmark = pytest.mark.slow

Output = pytest.CaptureFixture[str]
OLD_TEMPORALS = {"mariadb-10.11-old-temporals", "mariadb-10.11-old-fractions"}
READABLE = sorted(set(SAMPLES) - UNREADABLE - OLD_TEMPORALS)
NO_CHECKSUMS = {"mysql-9.7-no-checksum"}
SHOP = sample_path("mysql-9.7-shop")
QUIET = ("--on-statement-events", "ignore")


def cut(source: Path, target: Path, *flags: str) -> None:
    assert main(["slice", str(source), "--out", str(target), *QUIET, *flags]) == 0


def rows_of(path: Path, **options: Any) -> list[tuple[Any, ...]]:
    options = {"on_statement_events": "ignore"} | options
    columns = ("_gtid", "_database_name", "_table_name", "_change_type", "_commit_timestamp")
    read = read_batches(path, metadata_columns=columns, **options).to_table().to_pylist()
    return [tuple(row.values()) for row in read]


def events_in_transactions(path: Path, len_checksum: int) -> Iterator[bytes]:
    """Yield events without what a slice changes."""
    for _, event in raw_events(find_log_files(path)[0], BinlogOptions()):
        if not TRAITS[type_code_at(event)] & ABOUT_LOG:
            data = bytes(event)
            yield data[:OFS_END_LOG_POS] + data[OFS_FLAGS : len(data) - len_checksum]


@pytest.mark.parametrize("name", READABLE)
def test_a_slice_of_everything_has_all_events(name: str, tmp_path: Path, capsys: Output) -> None:
    source, target = sample_path(name), tmp_path / "slice.000001"
    cut(source, target)
    len_checksum = 0 if name in NO_CHECKSUMS else 4
    expected = list(events_in_transactions(source, len_checksum))
    assert list(events_in_transactions(target, len_checksum)) == expected
    assert rows_of(target) == rows_of(source)
    capsys.readouterr()
    assert main(["check", str(source), *QUIET]) == main(["check", str(target), *QUIET])
    assert "position" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "flags", "options"),
    [
        ("mysql-9.7-shop", ["--table", "shop.orders"], {"tables": "shop.orders"}),
        ("mysql-9.7-shop", ["--change", "delete"], {"change_types": "delete"}),
        (
            "mysql-9.7-shop",
            ["--position", "mysql-9.7-shop.000001:25000"],
            {"starting_position": "mysql-9.7-shop.000001:25000"},
        ),
        (
            "mysql-9.7-shop",
            ["--since", "2026-11-20 18:21:35.442"],
            {"starting_timestamp": "2026-11-20 18:21:35.442"},
        ),
        ("mariadb-11.8-transactions", ["--gtid", "0-1-8"], {"include_gtids": "0-1-8"}),
        ("mariadb-11.8-compressed", ["--change", "update"], {"change_types": "update"}),
        ("mysql-9.7-compressed-transactions", ["--change", "update"], {"change_types": "update"}),
        ("mysql-9.7-transactions", ["--change", "insert"], {"change_types": "insert"}),
    ],
)
def test_rows_are_those_of_the_log_filtered(
    name: str, flags: list[str], options: dict[str, Any], tmp_path: Path, capsys: Output
) -> None:
    target = tmp_path / "slice.000001"
    cut(sample_path(name), target, *flags)
    expected = rows_of(sample_path(name), **options)
    assert expected
    of_slice = {k: v for k, v in options.items() if k != "starting_position"}
    assert rows_of(target, **of_slice) == expected
    assert target.stat().st_size < sample_path(name).stat().st_size
    assert "position" not in capsys.readouterr().out


def test_the_largest_are_in_the_order_of_the_log(tmp_path: Path) -> None:
    target = tmp_path / "slice.000001"
    cut(SHOP, target, "--top", "3", "--by", "rows")
    sizes: dict[str, int] = {}
    for gtid, *_ in rows_of(SHOP):
        sizes[gtid] = sizes.get(gtid, 0) + 1
    found = list(dict.fromkeys(gtid for gtid, *_ in rows_of(target)))
    assert len(found) == 3
    assert found == [gtid for gtid in sizes if gtid in found]
    assert min(sizes[gtid] for gtid in found) >= sorted(sizes.values())[-4] / 2
    assert main(["slice", str(SHOP), "--out", str(tmp_path / "none"), "--top", "-1"]) == 1
    assert not (tmp_path / "none").exists()


def test_a_slice_of_an_encrypted_log_is_in_clear(tmp_path: Path) -> None:
    source, keyring = tmp_path / "binlog.000001", tmp_path / "keyring"
    source.write_bytes(encrypt_as_mysql(SHOP.read_bytes()))
    keyring.write_bytes(component_keyring())
    cut(source, tmp_path / "s", "--table", "shop.orders", "--keyring", str(keyring))
    cut(SHOP, tmp_path / "t", "--table", "shop.orders")
    assert (tmp_path / "s").read_bytes() == (tmp_path / "t").read_bytes()


def test_a_slice_of_an_archive_is_that_of_the_log(tmp_path: Path) -> None:
    archive = tmp_path / "mysql-9.7-shop.000001.gz"
    archive.write_bytes(gzip.compress(SHOP.read_bytes()))
    cut(archive, tmp_path / "s", "--change", "delete")
    cut(SHOP, tmp_path / "t", "--change", "delete")
    assert (tmp_path / "s").read_bytes() == (tmp_path / "t").read_bytes()


def test_definitions_give_the_names(tmp_path: Path) -> None:
    source = sample_path("mysql-9.7-types-minimal-metadata")
    last = rows_of(source)[-1][0]
    bare, full = tmp_path / "bare", tmp_path / "full"
    cut(source, bare, "--gtid", last)
    cut(source, full, "--gtid", last, "--definitions")
    expected = rows_of(source, include_gtids=last)
    assert rows_of(full, include_gtids=last) == expected
    assert rows_of(bare) != expected  # without names
    assert full.stat().st_size < source.stat().st_size / 2


def test_definitions_of_earlier_logs_and_names_are_taken(tmp_path: Path) -> None:
    first, second = LogWriter(), LogWriter(has_metadata=False)
    for text in (
        "CREATE TABLE other (z INT)",
        "CREATE TABLE model (a INT, b INT)",
        "CREATE TABLE old LIKE model",
        "ALTER TABLE other ADD y INT",
        "RENAME TABLE old TO t",
    ):
        first.statement(text)
    second.begin()
    second.table_map(9, "t", [LoggedColumn("", 3), LoggedColumn("", 3)])
    second.rows(9, Rows(WRITE_V2, [[b"\1\0\0\0", b"\2\0\0\0"]], [True, True]))
    second.commit()
    second.statement("DROP TABLE t")
    paths = []
    for k, writer in enumerate((first, second)):
        paths.append(str(tmp_path / f"log.{k + 1:06}"))
        Path(paths[-1]).write_bytes(writer.data)
    target = tmp_path / "slice"
    flags = ["--position", "log.000002:4", "--table", "d.t", "--definitions"]
    assert main(["slice", *paths, *flags, "--out", str(target)]) == 0
    assert [row[-1] for row in rows_of(target)] == ['{"a": 1, "b": 2}']
    events = read_batches(target, view="events").to_table().to_pylist()
    texts = [json.loads(event["body"]).get("query", "") for event in events]
    assert [text for text in texts if "TABLE" in text] == [
        "CREATE TABLE model (a INT, b INT)",
        "CREATE TABLE old LIKE model",
        "RENAME TABLE old TO t",
    ]


def write_tables(path: Path, names: Sequence[str]) -> None:
    """Write a log that defines tables, and one row of each."""
    log = LogWriter(has_metadata=False)
    for name in names:
        log.statement(f"CREATE TABLE {name} (a INT)")
    log.begin()
    for name in names:
        log.table_map(9, name, [LoggedColumn("", 3)])
        log.rows(9, Rows(WRITE_V2, [[b"\1\0\0\0"]], [True]))
    log.commit()
    path.write_bytes(log.data)


def test_definitions_of_many_tables_take_time_in_proportion(tmp_path: Path) -> None:
    options = BinlogOptions()
    chosen = {}
    for size in (250, 1000):
        path = tmp_path / f"log.{size:06}"
        write_tables(path, [f"t{k}" for k in range(size)])
        chosen[size] = choose_transactions(find_log_files(path), options)
    assert growth(lambda size: with_definitions(chosen[size], options), 250) < 8


def test_a_table_without_a_name_is_in_a_slice(tmp_path: Path) -> None:
    """No server has one."""
    path = tmp_path / "log.000001"
    write_tables(path, ["t", ""])
    cut(path, tmp_path / "slice.000001", "--definitions")
    assert len(rows_of(tmp_path / "slice.000001", verify_checksums=False)) == 2


def test_a_slice_has_no_half(tmp_path: Path, capsys: Output) -> None:
    """A damaged log gives the transactions before the damage; what is there is not replaced."""
    data = SHOP.read_bytes()
    source, target = tmp_path / "binlog.000001", tmp_path / "slice.000001"
    source.write_bytes(data[:-400])
    assert main(["slice", str(source), "--out", str(target), *QUIET]) == 1
    assert "the file ends" in capsys.readouterr().err
    whole = target.read_bytes()
    assert main(["check", str(target), *QUIET]) == 0
    assert rows_of(target) == rows_of(SHOP)[: len(rows_of(target))] != []
    assert main(["slice", str(SHOP), "--out", str(target), *QUIET]) == 2
    assert "--force" in capsys.readouterr().err
    assert target.read_bytes() == whole
    cut(SHOP, target, "--force")
    assert target.read_bytes() != whole
    before = sorted(tmp_path.iterdir())
    assert main(["slice", str(SHOP), "--gtid", "0-1-1", "--out", str(tmp_path / "x")]) == 1
    assert "no transaction is chosen" in capsys.readouterr().err
    assert sorted(tmp_path.iterdir()) == before


def test_a_wrong_checksum_stays_wrong(tmp_path: Path, capsys: Output) -> None:
    data = bytearray(SHOP.read_bytes())
    place = data.index(b"Lisbon") if b"Lisbon" in data else len(data) // 2
    data[place] ^= 1
    source, target = tmp_path / "binlog.000001", tmp_path / "slice.000001"
    source.write_bytes(data)
    start = rows_of(source, verify_checksums=False)[-1][0]
    cut(source, target, "--no-verify-checksums", "--exclude-gtid", start)
    with pytest.raises(ChecksumMismatchError):
        rows_of(target)
    capsys.readouterr()


def test_logs_of_several_formats(tmp_path: Path) -> None:
    """Each format description is written where it begins to count, and GTIDs before the first."""
    logs = [SHOP, sample_path("mysql-9.7-no-checksum"), sample_path("mysql-9.7-in-use")]
    for k, log in enumerate(logs):
        shutil.copy(log, tmp_path / f"binlog.{k + 1:06}")
    target = tmp_path / "slice"
    paths = [str(tmp_path / f"binlog.{k + 1:06}") for k in range(3)]
    assert main(["slice", *paths, "--out", str(target), *QUIET]) == 0
    assert rows_of(target) == [row for log in logs for row in rows_of(log)]
    kinds = [
        event["event_type"] for event in read_batches(target, view="events").to_table().to_pylist()
    ]
    assert kinds.count("FORMAT_DESCRIPTION_EVENT") == 3
    assert kinds.count("PREVIOUS_GTIDS_EVENT") == 1
