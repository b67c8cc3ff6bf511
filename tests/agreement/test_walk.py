"""Where no transaction is open: the walk over headers agrees with the tracker of transactions.

The walk reads little of each event; the tracker has them parsed.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pyspark_adapter.errors import UnsupportedError
from pyspark_adapter.events.frame_reader import FrameReader
from pyspark_adapter.events.transactions import PARSED_EVENTS, TransactionTracker
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.format.event_types import GTID_EVENTS, ROWS_EVENTS
from pyspark_adapter.format.schema import EventParser, EventType
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.splits import transaction_bounds
from pyspark_adapter.splits.transaction_bounds import TransactionBounds
from tests.agreement.test_corpus import logs
from tests.inputs import CORPUS, SAMPLES, UNREADABLE, need_corpus, sample_path

_END_OF_STATEMENT = 1


def tracked_places(log_file: LogFile) -> list[int]:
    """Return offsets as the tracker has them: before events, and at the end if that is one.

    After a compressed transaction, which the walk does not look into, up to the next GTID: none.
    """
    frames = FrameReader(log_file, BinlogOptions(verify_checksums=False))
    tracker = TransactionTracker()
    places = []
    end = 4
    is_after_payload = False
    for frame in frames:
        assert frames.format_description is not None
        if frame.inner_pos < 0:
            is_gtid = frame.type_code in GTID_EVENTS
            if is_gtid or not (tracker.is_open or is_after_payload):
                places.append(frame.start_pos)
            is_payload = frame.type_code == EventType.transaction_payload
            is_after_payload = is_payload or (is_after_payload and not is_gtid)
            end = frame.start_pos + frame.len_event
        parsed = None
        if frame.plain_type in PARSED_EVENTS:
            parsed = EventParser(frames.format_description).parse(frame.event)
        tracker.follow(frame, parsed)
        if frame.plain_type in ROWS_EVENTS:
            flags = frame.body[frames.format_description.len_table_id]
            if flags & _END_OF_STATEMENT:
                tracker.end_statement()
    if not tracker.is_open:
        places.append(end)
    return places


def walked_places(log_file: LogFile) -> list[int]:
    """Return offsets as the walk finds them."""
    options = BinlogOptions()
    frames = FrameReader(log_file, options)
    next(iter(frames))
    assert frames.format_description is not None
    walk = TransactionBounds(frames.format_description, 4, options)
    places = [place for found in walk.find(log_file) for place in found]
    assert walk.damage is None
    return places


def assert_same(path: Path) -> None:
    [log_file] = find_log_files(path)
    expected = tracked_places(log_file)
    assert walked_places(log_file) == expected, path.name


@pytest.mark.parametrize("name", sorted(SAMPLES.keys() - UNREADABLE))
def test_samples(name: str) -> None:
    assert_same(sample_path(name))


def test_corpus() -> None:
    count = 0
    for entry, path in logs(largest=1 << 20):
        if {"encrypted", "corrupt", "relay", "many_definitions"}.isdisjoint(entry["labels"]):
            assert_same(path)
            count += 1
    assert count > 50


def test_a_second_format_description_ends_the_walk() -> None:
    """As in relay logs; what follows may be written in another way."""
    need_corpus()
    [path] = CORPUS.rglob("std_data__binlog_savepoint.000001")
    [log_file] = find_log_files(path)
    frames = FrameReader(log_file, BinlogOptions())
    next(iter(frames))
    assert frames.format_description is not None
    walk = TransactionBounds(frames.format_description, 4, BinlogOptions())
    places = [place for found in walk.find(log_file) for place in found]
    assert isinstance(walk.damage, UnsupportedError)
    assert walk.damage.site is not None
    assert walk.damage.site.start_pos == walk.position == places[-1]
    assert walk.position < log_file.num_bytes


@pytest.mark.parametrize("num_bytes", [1, 1000, 4096])
def test_windows_of_few_bytes(num_bytes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Events are cut by their ends; one is larger than they are, and stepped over."""
    path = sample_path("mysql-9.7-types")
    [log_file] = find_log_files(path)
    expected = tracked_places(log_file)
    monkeypatch.setattr(transaction_bounds, "_LEN_WINDOW", 1024 + num_bytes)
    assert walked_places(log_file) == expected


def test_places_beyond_the_room_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    [log_file] = find_log_files(sample_path("mysql-9.7-transactions"))
    expected = tracked_places(log_file)
    monkeypatch.setattr(transaction_bounds, "_MAX_FOUND", 1)
    assert walked_places(log_file) == expected
