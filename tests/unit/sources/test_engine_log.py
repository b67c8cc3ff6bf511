"""Engine binlogs of MariaDB are read as ordinary logs, or end in an error that names the page."""

import random
import shutil
import struct
import tracemalloc
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pyspark_adapter import (
    BinlogError,
    ChecksumMismatchError,
    LogFileError,
    UnsupportedError,
    read_batches,
)
from pyspark_adapter.kernels.entry_points import crc32c
from pyspark_adapter.sources.engine_log import EngineLog, Groups, tree_sizes
from pyspark_adapter.sources.engine_pages import EngineFolder, PageReader
from pyspark_adapter.sources.engine_records import RecordBytes
from pyspark_adapter.sources.locations import Location
from tests.support.engine_binlog import EngineBinlogWriter
from tests.support.engine_damage import DAMAGES, Damage
from tests.support.engine_folders import SIZES, Sizes, event_of, write_workload
from tests.support.engine_groups import GroupWriter, format_description, groups_of, gtid_event
from tests.support.logs import read_sample
from tests.support.streams import FollowedStream

_RNG = random.Random(1)  # noqa: S311 - the same each time
SAMPLES = ("transactions", "images", "small-events", "compressed")
Group = tuple[tuple[int, int], bytes]
_OF_HEADERS = frozenset(
    {
        "bad header checksum",
        "bad magic",
        "page size of 128 KiB",
        "newer major version",
        "newer minor version",
        "other file number",
    }
)
_OF_CHUNKS = frozenset(name for name in DAMAGES if "chunk" in name or "continuation" in name) | {
    "unknown type"
}


def numbers_in(folder: Path) -> list[int]:
    return sorted(int(path.stem.split("-")[1]) for path in folder.glob("*.ibb"))


def read_groups(folder: Path) -> tuple[list[Group], BinlogError | None]:
    """Return the groups of all files, up to an error, and the error."""
    found: list[Group] = []
    for number in numbers_in(folder):
        pages = PageReader(EngineFolder(Location.parse(folder), "binlog"))
        try:
            for place, pieces in Groups(pages, number):
                found.append(((place.file_no, place.offset), b"".join(map(bytes, pieces))))
        except BinlogError as error:
            return found, error
        finally:
            pages.close()
    return found, None


def groups_written(writer: EngineBinlogWriter) -> list[Group]:
    return [
        ((group.position.file_no, group.position.offset), group.events) for group in writer.groups
    ]


def workload(sizes: Sizes, seed: int, num_groups: int) -> EngineBinlogWriter:
    writer = EngineBinlogWriter(**asdict(sizes))
    write_workload(writer, seed, num_groups)
    return writer


def rows_of(path: Path, **options: Any) -> list[dict[str, Any]]:
    """Return the rows of logs without their positions."""
    left_out = {"_commit_version", "_row_number"}
    return [
        {name: value for name, value in row.items() if name not in left_out}
        for batch in read_batches(path, **options)
        for row in batch.to_pylist()
    ]


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_groups_are_those_that_were_committed(sizes: Sizes, tmp_path: Path) -> None:
    for seed in range(2):
        writer = workload(sizes, seed, 40 if sizes.page_size < 4096 else 10)
        folder = tmp_path / str(seed)
        folder.mkdir()
        writer.write_to(folder, num_empty=2 * seed)
        assert read_groups(folder) == (groups_written(writer), None)


def test_the_trees_of_records() -> None:
    """By the rule: a record is the root over the last two trees if these are equally high."""
    heights: list[int] = []
    for count in range(300):
        assert tree_sizes(count) == [2**height - 1 for height in heights]
        if len(heights) > 1 and heights[-1] == heights[-2]:
            heights[-2:] = [heights[-1] + 1]
        else:
            heights.append(1)


@pytest.mark.parametrize("name", SAMPLES)
def test_rows_are_those_of_the_ordinary_log(name: str, tmp_path: Path) -> None:
    log = read_sample(f"mariadb-11.8-{name}")
    ordinary = tmp_path / "log.000001"
    ordinary.write_bytes(log)
    expected = sorted(map(str, rows_of(ordinary)))
    for number, sizes in enumerate(
        (Sizes(pages_per_file=7, cache_size=90), Sizes(16384, 16, 8, 4000))
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        writer = EngineBinlogWriter(**asdict(sizes))
        writer.group([format_description()])
        GroupWriter(writer).write(groups_of(log))
        writer.write_to(folder)
        found = rows_of(folder)
        rows = sorted(map(str, found))
        if name == "transactions":
            # XA PREPARE gives no event, and XA ROLLBACK neither; XA COMMIT has a GTID of its own.
            (other,) = set(rows) - set(expected)
            prepared, lost = sorted(set(expected) - set(rows))
            if "then rolled back" in prepared:
                prepared, lost = lost, prepared
            assert "then rolled back" in lost
            assert other == prepared.replace("'0-1-13'", "'0-1-14'")
            assert len(rows) == len(expected) - 1
        else:
            assert rows == expected
        assert len(rows) > 5
        positions = [
            (row["_log_file"], row["_start_pos"])
            for batch in read_batches(folder, metadata_columns=("_log_file", "_start_pos"))
            for row in batch.to_pylist()
        ]
        places = {
            (f"binlog-{group.position.file_no:06}.ibb", group.position.offset)
            for group in writer.groups
        }
        assert set(positions) <= places


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damage_is_an_error_that_names_the_page(name: str, tmp_path: Path) -> None:
    writer = workload(Sizes(page_size=1024, pages_per_file=4), 1, 12)
    expected = groups_written(writer)
    files = writer.pages.on_disk(num_empty=0)
    last = max(files)
    num_tried = 0
    for number in (0, 1, last - 1):
        for page_no in range(4):
            if page_no and (name in _OF_HEADERS or name == "missing file"):
                continue
            if not page_no and name in _OF_CHUNKS:
                continue
            folder = tmp_path / f"{number}-{page_no}"
            folder.mkdir()
            try:
                writer.write_to(folder, num_empty=1, damages=[Damage(name, number, page_no)])
            except (AssertionError, struct.error):  # the page has nothing of the kind
                continue
            num_tried += 1
            found, error = read_groups(folder)
            if name == "newer minor version":
                assert (found, error) == (expected, None)
            elif error is not None:
                assert found == expected[: len(found)]
                assert error.site is not None
                assert error.site.log_file.startswith("binlog-00000")
                assert "page" in error.site.event_type or isinstance(error, LogFileError)
            else:
                # Nothing was there: a file that the server cut, or has purged.
                assert (name, number) == ("missing file", 0)
                assert found == expected[-len(found) :]
            shutil.rmtree(folder)
    assert num_tried >= 2


def test_the_server_has_not_written_the_last_pages(tmp_path: Path) -> None:
    writer = workload(Sizes(pages_per_file=4), 2, 12)
    expected = groups_written(writer)
    seen = set()
    for num_unwritten in range(12):
        folder = tmp_path / str(num_unwritten)
        folder.mkdir()
        writer.write_to(folder, num_unwritten=num_unwritten)
        found, error = read_groups(folder)
        assert error is None
        assert found == expected[: len(found)]
        seen.add(len(found))
    assert len(seen) > 3


def test_a_checksum_is_only_compared_if_wanted(tmp_path: Path) -> None:
    writer = EngineBinlogWriter()
    GroupWriter(writer).write(groups_of(read_sample("mariadb-11.8-images")))
    writer.write_to(tmp_path, damages=[Damage("bad checksum", 0, 1)])
    with pytest.raises(
        ChecksumMismatchError, match=r"binlog-000000\.ibb page 1: .*CRC-32C"
    ) as caught:
        rows_of(tmp_path)
    assert caught.value.expected ^ caught.value.actual == 0x55 << 24
    assert rows_of(tmp_path, verify_checksums=False)


def test_errors_of_events_name_the_commit_record(tmp_path: Path) -> None:
    writer = EngineBinlogWriter(cache_size=20)
    writer.group([gtid_event(1)])
    bad = bytearray(event_of(60, _RNG))
    bad[4] = 23  # WRITE_ROWS of a table that no table map names
    bad[19:] = bytes(60)
    place = writer.group([gtid_event(2), bytes(bad)])
    writer.write_to(tmp_path)
    with pytest.raises(BinlogError) as caught:
        rows_of(tmp_path)
    assert f"binlog-000000.ibb@{place.offset}+{len(gtid_event(2))} " in str(caught.value)


def test_what_was_purged_and_is_referred_to(tmp_path: Path) -> None:
    writer = EngineBinlogWriter(page_size=512, pages_per_file=4, cache_size=100)
    large = writer.begin()
    large.write(event_of(1500, _RNG))
    writer.flush_logs()
    place = large.commit(gtid_event(1))
    paths = writer.write_to(tmp_path, first_file_no=1)
    assert place.file_no >= 1
    with pytest.raises(LogFileError, match=r"has data in binlog-000000\.ibb, which is not there"):
        list(read_batches(paths))


def test_a_gap_is_an_error(tmp_path: Path) -> None:
    writer = EngineBinlogWriter(page_size=512, pages_per_file=3)
    for number in range(1, 60):
        writer.group([gtid_event(number)])
    paths = writer.write_to(tmp_path)
    assert len(paths) > 3
    paths[1].unlink()
    with pytest.raises(BinlogError, match=r"binlog-000001\.ibb is not there"):
        list(read_batches(tmp_path))


def test_memory_is_bounded(tmp_path: Path) -> None:
    """A transaction of many times what the reader holds, in 2,000 records."""
    writer = EngineBinlogWriter(page_size=16384, pages_per_file=64, cache_size=4096)
    transaction = writer.begin()
    event = event_of(100_000, _RNG)
    for _ in range(80):
        transaction.write(event)
    transaction.commit(gtid_event(1))
    writer.write_to(tmp_path)
    assert len(writer.groups) == 1
    last = writer.groups[0].position.file_no
    log = EngineLog(EngineFolder(Location.parse(tmp_path), "binlog"), last)
    buffer = memoryview(bytearray(1 << 16))
    total = 0
    log.readinto(buffer)  # kernels are loaded
    log.seek(0)
    tracemalloc.start()
    try:
        while count := log.readinto(buffer):
            total += count
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        log.close()
    assert total > 80 * 100_000
    assert peak < 6 << 20  # 16 blocks of 256 KiB, and what is read at a time


def test_refusals(tmp_path: Path) -> None:
    writer = EngineBinlogWriter()
    writer.group([gtid_event(1)])
    (path, *_) = writer.write_to(tmp_path)
    with pytest.raises(UnsupportedError, match="a stream cannot follow it"):
        FollowedStream(tmp_path).poll()
    other = tmp_path / "other"
    other.mkdir()
    shutil.copy(path, other / "copy.000001")
    with pytest.raises(UnsupportedError, match=r"is an engine binlog of MariaDB"):
        list(read_batches(other / "copy.000001"))
    shutil.copy(path, other / "copy.ibb")
    with pytest.raises(BinlogError, match="expected the name of an engine binlog"):
        list(read_batches(other / "copy.ibb"))


def test_crc32c() -> None:
    """MariaDB's test of a bad header has the second one."""
    numbers = (0x010DFEFE, 17, 1, 0, 1, 0, 16, 0, 0x11DD6, 0, 8, 0, 1, 0)
    header = b"".join(number.to_bytes(4, "little") for number in numbers) + b"\xff" * 8
    for data, expected in ((b"123456789", 0xE3069283), (header.ljust(508, b"\0"), 0x81C60910)):
        assert crc32c(np.frombuffer(bytearray(data), dtype=np.uint8)) == expected


def test_integers() -> None:
    cases = {"00": 0, "08": 1, "f8": 31, "01 01": 32, "f9 ff": 8191, "02 00 01": 8192}
    cases |= {"07 00 00 00 00 00 00 01 00": 1 << 53, "ff ff ff ff ff ff ff ff 07": (1 << 64) - 1}
    for text, number in cases.items():
        content = RecordBytes(None, None, iter(()))  # type: ignore[arg-type]
        content._data = memoryview(bytes.fromhex(text))
        assert content.integer() == number
        assert not content._data
