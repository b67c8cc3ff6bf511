"""Logs in archives: the same rows at the same positions, and errors where they are damaged."""

import gzip
import lzma
import pickle
import shutil
import subprocess
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pyspark_adapter import (
    BinlogError,
    BinlogWarning,
    CorruptEventError,
    EventSite,
    LogFileError,
    NotABinlogError,
    TruncatedEventError,
    UnsupportedError,
    list_tables,
    read_batches,
)
from pyspark_adapter.events.windows import WindowReader
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.sources.archives import compression_of
from pyspark_adapter.sources.log_file import LogFile
from tests.inputs import SAMPLES
from tests.support.logs import events_of, read_sample, read_until_error


def to_zstd(data: bytes) -> bytes:
    return bytes(pa.Codec("zstd").compress(data))


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "xz": lzma.compress,
    "zst": to_zstd,
}
SHOP = read_sample("mysql-9.7-shop")
# What pzstd puts before each frame, and other tools where they like: RFC 8878, section 3.1.2.
SKIPPABLE = bytes.fromhex("502a4d18 04000000 deadbeef")

packed = pytest.mark.parametrize("kind", PACKERS)


def outcome(path: Path, **options: Any) -> tuple[list[dict[str, Any]], str]:
    """Return the rows of a read, and the text of the error that ended it."""
    rows: list[dict[str, Any]] = []
    try:
        for batch in read_batches(path, **options):
            rows += batch.to_pylist()
    except BinlogError as error:
        return rows, f"{type(error).__name__}: {error.problem}"
    return rows, ""


def write(folder: Path, kind: str, data: bytes, name: str = "binlog.000007") -> Path:
    path = folder / f"{name}.{kind}"
    path.write_bytes(data)
    return path


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_rows_and_places_are_those_of_the_plain_log(name: str, tmp_path: Path) -> None:
    log = read_sample(name)
    plain = tmp_path / "binlog.000007"
    plain.write_bytes(log)
    columns = "_change_type,_commit_version,_log_file,_start_pos,_row_number,_gtid"
    options = {"metadata_columns": columns}
    rows, error = outcome(plain, **options)
    for kind in PACKERS:
        assert (rows, error) == outcome(write(tmp_path, kind, PACKERS[kind](log)), **options), kind
    if not rows:  # some logs are refused, and some hold statements alone
        assert error.startswith("UnsupportedError: ") or name.endswith("-statement")
        return
    assert {row["_log_file"] for row in rows} == {"binlog.000007"}
    assert {row["_commit_version"] >> 40 for row in rows} == {7}


@packed
def test_events_and_tables_are_those_of_the_plain_log(kind: str, tmp_path: Path) -> None:
    plain = tmp_path / "binlog.000007"
    plain.write_bytes(SHOP)
    archive = write(tmp_path, kind, PACKERS[kind](SHOP))
    assert outcome(archive, view="events") == outcome(plain, view="events")
    counts = [
        [(str(t.table), t.num_changes) for t in list_tables(path)] for path in (archive, plain)
    ]
    assert counts[0] == counts[1]
    table = {"table": "shop.orders"}
    assert outcome(archive, **table) == outcome(plain, **table)


@packed
def test_content_and_not_the_name_tells_an_archive(kind: str, tmp_path: Path) -> None:
    archive = tmp_path / "binlog.000007"
    archive.write_bytes(PACKERS[kind](SHOP))
    plain = tmp_path / "other" / "binlog.000008.gz"
    plain.parent.mkdir()
    plain.write_bytes(SHOP)
    [found] = find_log_files(archive)
    assert (found.name, found.number, bool(found.compression)) == ("binlog.000007", 7, True)
    assert found.num_bytes == archive.stat().st_size
    [found] = find_log_files(plain)
    assert (found.name, found.compression) == ("binlog.000008.gz", "")
    num_rows, error = read_until_error(plain)
    assert error is None
    assert num_rows == len(outcome(archive)[0])


@pytest.mark.parametrize("name", ["binlog.000007.gz", "binlog.000007.GZ", "binlog.000007.zstd"])
def test_the_log_has_the_name_of_the_archive_without_its_end(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(gzip.compress(SHOP))
    assert [log.name for log in find_log_files(tmp_path)] == ["binlog.000007"]


def test_archives_stand_among_logs_in_the_order_of_numbers(tmp_path: Path) -> None:
    (tmp_path / "binlog.000010").write_bytes(SHOP)
    write(tmp_path, "gz", gzip.compress(SHOP), "binlog.000009")
    write(tmp_path, "xz", lzma.compress(SHOP), "binlog.000008")
    write(tmp_path, "gz", gzip.compress(b"a dump of something else"), "dump.sql")
    (tmp_path / "binlog.index").write_text("./binlog.000009\n./binlog.000010\n")
    found = [log.name for log in find_log_files(tmp_path)]
    assert found == ["binlog.000008", "binlog.000009", "binlog.000010"]
    found = [log.name for log in find_log_files(tmp_path / "binlog.index")]
    assert found == ["binlog.000009", "binlog.000010"]


def test_an_archive_beside_its_log_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "binlog.000007").write_bytes(SHOP)
    write(tmp_path, "gz", gzip.compress(SHOP))
    text = r"one file of the log binlog.000007, found binlog.000007 and binlog.000007.gz"
    with pytest.raises(LogFileError, match=text) as caught:
        find_log_files(tmp_path)
    assert caught.value.site == EventSite(str(tmp_path))
    num_rows, _ = read_until_error(tmp_path / "binlog.000007")
    assert read_until_error(tmp_path, path_glob_filter="*.gz") == (num_rows, None)


@packed
def test_several_members_are_one_log(kind: str, tmp_path: Path) -> None:
    pack = PACKERS[kind]
    parts = [SHOP[i : i + 777] for i in range(0, len(SHOP), 777)]
    archive = write(tmp_path, kind, b"".join(map(pack, [*parts, b""])))
    whole = write(tmp_path / "..", kind, pack(SHOP), f"{tmp_path.name}.000007")
    rows, error = outcome(archive, metadata_columns="_start_pos")
    assert (rows, error) == outcome(whole, metadata_columns="_start_pos")
    assert rows


@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [
        ("gz", b"", bytes(1000)),
        ("xz", b"", bytes(1000)),
        ("zst", SKIPPABLE, b""),
        ("zst", SKIPPABLE + SKIPPABLE, SKIPPABLE),
    ],
)
def test_padding_of_archives_is_no_damage(
    kind: str, before: bytes, after: bytes, tmp_path: Path
) -> None:
    num_rows, error = read_until_error(write(tmp_path, kind, PACKERS[kind](SHOP), "b.000001"))
    padded = write(tmp_path, kind, before + PACKERS[kind](SHOP) + after)
    assert read_until_error(padded) == (num_rows, error)
    assert error is None


@pytest.mark.slow
@packed
def test_no_cut_of_an_archive_goes_unnoticed(kind: str, tmp_path: Path) -> None:
    data = PACKERS[kind](SHOP)
    for length in [*range(40), *range(40, len(data), 397), *range(len(data) - 30, len(data))]:
        _, error = read_until_error(write(tmp_path, kind, data[:length]))
        if length < 6 and not compression_of(data[:length]):
            assert isinstance(error, NotABinlogError)
            continue
        assert isinstance(error, TruncatedEventError), length
        assert "archive ends too early, at its byte" in error.message
        assert error.site is not None
        assert error.site.log_file == "binlog.000007"


@pytest.mark.slow
@packed
def test_rows_before_a_cut_are_given(kind: str, tmp_path: Path) -> None:
    log = read_sample("mysql-9.7-types")
    data = PACKERS[kind](log)
    cut = write(tmp_path, kind, data[: len(data) * 9 // 10])
    options = {"metadata_columns": "_start_pos", "window_bytes": "4k"}
    rows, error = outcome(cut, **options)
    plain = tmp_path / "binlog.000007"
    plain.write_bytes(log)
    expected, _ = outcome(plain, **options)
    assert 0 < len(rows) < len(expected)
    assert rows == expected[: len(rows)]
    place, text = error.removeprefix("TruncatedEventError: binlog.000007@").split(": ")
    assert int(place) in {event.start_pos for event in events_of(log)}
    assert int(place) > rows[-1]["_start_pos"]
    assert text == f"the {NAMES[kind]} archive ends too early, at its byte {len(data) * 9 // 10}"


NAMES = {"gz": "gzip", "xz": "xz", "zst": "zstd"}


@packed
def test_no_damage_of_an_archive_goes_unnoticed(kind: str, tmp_path: Path) -> None:
    data = PACKERS[kind](SHOP)
    noticed = 0
    for offset in range(12, len(data) - 1, 211):
        damaged = data[:offset] + bytes([data[offset] ^ 0x55]) + data[offset + 1 :]
        _, error = read_until_error(write(tmp_path, kind, damaged))
        # The checksums of the log's own events see it too, and first perhaps.
        assert isinstance(error, (CorruptEventError, TruncatedEventError)), offset
        noticed += f"the {NAMES[kind]} archive is damaged before its byte" in error.message
    assert noticed > 3


@pytest.mark.parametrize("kind", ["gz", "xz"])
def test_the_checksum_of_an_archive_is_verified(kind: str, tmp_path: Path) -> None:
    data = bytearray(PACKERS[kind](SHOP))
    data[-6 if kind == "gz" else -30] ^= 1  # ISIZE's neighbour CRC32; the index of xz
    _, error = read_until_error(write(tmp_path, kind, bytes(data)))
    assert isinstance(error, CorruptEventError)
    assert f"the {NAMES[kind]} archive is damaged" in error.message


def test_what_follows_an_archive_is_an_error(tmp_path: Path) -> None:
    for kind, pack in PACKERS.items():
        _, error = read_until_error(write(tmp_path, kind, pack(SHOP) + b"something else"))
        assert isinstance(error, CorruptEventError), kind


@packed
def test_an_archive_of_something_else_is_no_log(kind: str, tmp_path: Path) -> None:
    archive = write(tmp_path, kind, PACKERS[kind](b"a dump of something else"))
    _, error = read_until_error(archive)
    assert isinstance(error, NotABinlogError)
    assert error.site == EventSite("binlog.000007")
    archive = write(tmp_path, kind, PACKERS[kind](b"\xfdbin" + bytes(600)))
    _, error = read_until_error(archive)
    assert isinstance(error, UnsupportedError)


def test_a_damaged_archive_in_a_directory_is_named_or_ignored(tmp_path: Path) -> None:
    (tmp_path / "binlog.000001").write_bytes(SHOP)
    archive = write(tmp_path, "gz", gzip.compress(SHOP)[:12])
    with pytest.raises(TruncatedEventError, match="gzip archive ends too early") as caught:
        find_log_files(tmp_path)
    assert caught.value.site == EventSite(str(archive))
    num_rows, _ = read_until_error(tmp_path / "binlog.000001")
    with pytest.warns(BinlogWarning, match="gzip archive ends too early"):
        assert read_until_error(tmp_path, ignore_corrupt_files=True) == (num_rows, None)


def test_a_dictionary_of_gigabytes_is_refused(tmp_path: Path) -> None:
    # The xz file format, section 5.3.1: 38 means a dictionary of 2 GiB.
    data = lzma.compress(SHOP, filters=[{"id": lzma.FILTER_LZMA2, "preset": 0}])
    header = bytearray(data[12:24])
    assert header[:4].hex() == "02002101"  # a block of one filter, LZMA2
    header[4] = 38
    header[8:12] = zlib.crc32(bytes(header[:8])).to_bytes(4, "little")
    archive = write(tmp_path, "xz", data[:12] + bytes(header) + data[24:])
    _, error = read_until_error(archive)
    assert isinstance(error, CorruptEventError)
    assert "Memory usage limit exceeded" in error.message


@packed
def test_a_long_log_takes_the_memory_of_a_window(kind: str, tmp_path: Path) -> None:
    length = 64 << 20
    archive = write(tmp_path, kind, PACKERS[kind](b"\xfebin" + bytes(length)))
    [log_file] = find_log_files(archive)
    reader = WindowReader(log_file, 1 << 16)
    with closing(reader):
        assert reader.rest_is_zero(0)
        assert reader.base_pos == 4 + length
        assert len(reader.data) == 1 << 16
        assert reader.file_position(0) == log_file.num_bytes


def test_progress_is_that_of_the_archive(tmp_path: Path) -> None:
    archive = write(tmp_path, "zst", to_zstd(SHOP))
    calls: list[tuple[int, int]] = []
    list_tables(archive, progress=lambda *pair: calls.append(pair))
    size = archive.stat().st_size
    assert calls[-1] == (size, size)
    assert all(0 < done <= size == total for done, total in calls)


@pytest.mark.parametrize(("tool", "kind"), [("gzip", "gz"), ("xz", "xz")])
def test_archives_of_the_tools_are_read(tool: str, kind: str, tmp_path: Path) -> None:
    program = shutil.which(tool)
    assert program is not None, f"{tool} is part of every system that the tests run on"
    log = tmp_path / "binlog.000007"
    log.write_bytes(SHOP)
    expected = read_until_error(log)
    subprocess.run([program, "-9", str(log)], check=True)
    assert read_until_error(tmp_path / f"binlog.000007.{kind}") == expected
    assert expected[0] > 0


def test_a_log_in_an_archive_is_small_to_send(tmp_path: Path) -> None:
    [found] = find_log_files(write(tmp_path, "gz", gzip.compress(SHOP)))
    copy: LogFile = pickle.loads(pickle.dumps(found))  # noqa: S301  # of our own making
    assert copy == found
    assert len(pickle.dumps(found)) < 1000
