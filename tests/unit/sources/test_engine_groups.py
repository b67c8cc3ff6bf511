"""Real logs as engine binlogs, and damages of these: the writer of files that other tests read."""

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import read_batches
from tests.support.engine_binlog import EngineBinlogWriter, gtid_of
from tests.support.engine_damage import DAMAGES, Damage
from tests.support.engine_groups import GroupWriter, format_description, groups_of, gtid_event
from tests.support.engine_pages import crc32c
from tests.support.logs import events_of, read_sample
from tests.support.packing import split_rows

SAMPLE = "mariadb-11.8-transactions"
# With rows of all shapes, events of a few hundred bytes, and compressed events.
SAMPLES = [SAMPLE, "mariadb-11.8-images", "mariadb-11.8-small-events", "mariadb-11.8-compressed"]


def written(groups: Sequence[Sequence[bytes]], **options: Any) -> EngineBinlogWriter:
    writer = EngineBinlogWriter(**options)
    GroupWriter(writer).write(groups)
    return writer


@pytest.mark.parametrize("page_size", [512, 1024, 16384])
@pytest.mark.parametrize("cache_size", [50, 32768])
def test_each_page_of_a_real_log_is_whole(page_size: int, cache_size: int, tmp_path: Path) -> None:
    groups = groups_of(read_sample(SAMPLE))
    options = {"page_size": page_size, "cache_size": cache_size, "pages_per_file": 5}
    paths = written(groups, **options).write_to(tmp_path)
    assert [path.name for path in paths] == [f"binlog-{n:06}.ibb" for n in range(len(paths))]
    assert len(paths) >= (3 if page_size < 16384 else 2)
    for path in paths:
        data = path.read_bytes()
        assert len(data) == 5 * page_size
        for at in range(0, len(data), page_size):
            content, checksum = (
                data[at : at + page_size - 4],
                data[at + page_size - 4 : at + page_size],
            )
            assert not any(content + checksum) or crc32c(content).to_bytes(4, "little") == checksum
    other = tmp_path / "again"
    other.mkdir()
    again = written(groups, **options).write_to(other)
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in paths]


def test_groups_of_a_real_log_have_its_events() -> None:
    log = read_sample(SAMPLE)
    outside = {
        "FORMAT_DESCRIPTION_EVENT",
        "GTID_LIST_EVENT",
        "BINLOG_CHECKPOINT_EVENT",
        "STOP_EVENT",
    }
    expected = [
        log[event.start_pos + 19 : event.end - 4]
        for event in events_of(log)
        if event.type_name not in outside
    ]
    groups = groups_of(log)
    assert [event[19:] for group in groups for event in group] == expected
    for group in groups:
        assert gtid_of(group[0])
        for event in group:
            assert struct.unpack_from("<II", event, 9) == (len(event), 0)


@pytest.mark.parametrize("sample", SAMPLES)
def test_committed_events_read_as_the_log_itself(sample: str, tmp_path: Path) -> None:
    """What XA rolled back is in the log of a server, and in no group of an engine binlog."""
    writer = written(groups_of(read_sample(sample)), cache_size=100, page_size=1024)
    plain = tmp_path / "plain.000001"
    stream = b"".join(group.events for group in writer.groups)
    plain.write_bytes(b"\xfebin" + format_description() + stream)
    log = tmp_path / "log.000001"
    log.write_bytes(read_sample(sample))
    rows = [row for row in rows_of(log) if row[1] != "prepared_then_lost"]
    assert len(rows) > 20
    assert rows_of(plain) == rows


def test_rows_events_in_parts_within_engine_binlogs(tmp_path: Path) -> None:
    """Pieces of a page of events that are parts of rows."""
    parts = split_rows(read_sample("mariadb-11.8-images"), 60)
    folder = tmp_path / "logs"
    folder.mkdir()
    written(groups_of(parts), cache_size=100, page_size=16384).write_to(folder)
    plain = tmp_path / "log.000001"
    plain.write_bytes(read_sample("mariadb-11.8-images"))
    rows = rows_of(plain)
    assert len(rows) > 20
    assert rows_of(folder) == rows


def rows_of(path: Path, **options: Any) -> list[tuple[str, ...]]:
    return [
        tuple(str(row[name]) for name in ("_change_type", "_table_name", "row"))
        for batch in read_batches(path, **options)
        for row in batch.to_pylist()
    ]


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damage_changes_one_file(name: str, tmp_path: Path) -> None:
    writer = EngineBinlogWriter(page_size=1024, pages_per_file=4, state_interval=0)
    for number in range(1, 9):
        writer.group([gtid_event(number), b"x" * 900])
    whole = writer.pages.on_disk()
    of_header = {"bad header checksum", "bad magic", "page size of 128 KiB", "other file number"}
    page_no = 0 if name in of_header or name.startswith("newer") else 2
    paths = writer.write_to(tmp_path, damages=[Damage(name, 1, page_no)])
    damaged = {int(path.stem[7:]): path.read_bytes() for path in paths}
    assert {n: data for n, data in damaged.items() if n != 1} == {
        n: data for n, data in whole.items() if n != 1
    }
    assert damaged.get(1) != whole[1]


def test_older_files_can_be_left_out(tmp_path: Path) -> None:
    writer = written(groups_of(read_sample(SAMPLE)), page_size=512, pages_per_file=5)
    names = [path.name for path in writer.write_to(tmp_path, first_file_no=2, num_empty=2)]
    assert names[0] == "binlog-000002.ibb"
    assert len(names) == len(writer.pages.files)
    assert not any((tmp_path / names[-1]).read_bytes())
