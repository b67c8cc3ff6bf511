"""Logs that are damaged on purpose: where the events of a sample begin, and edits of its bytes."""

from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from pyspark_adapter import BinlogError, read_batches
from samples.event_headers import EVENT_NAMES, HEADER, PLAIN_MAGIC
from tests.inputs import sample_path

# Of the logs that tests write.
LOG_NAME = "binlog.000007"

# Where a header has the length of its event, and how long the header is.
OFFSET_OF_LENGTH = 9
LEN_HEADER = HEADER.size


@dataclass(frozen=True)
class Event:
    """An event of a log, as the walk over the headers finds it."""

    start_pos: int
    type_name: str
    len_event: int

    @property
    def end(self) -> int:
        """Where the next event begins."""
        return self.start_pos + self.len_event


def read_sample(name: str) -> bytes:
    return sample_path(name).read_bytes()


def events_of(log: bytes) -> list[Event]:
    events = []
    start_pos = len(PLAIN_MAGIC)
    while start_pos < len(log):
        _, code, _, len_event, _, _ = HEADER.unpack_from(log, start_pos)
        events.append(Event(start_pos, f"{EVENT_NAMES[code]}_EVENT", len_event))
        start_pos += len_event
    return events


def find_event(log: bytes, type_name: str, nth: int = 0) -> Event:
    """Return an event of a type, the first or a later one."""
    found = (event for event in events_of(log) if event.type_name == type_name)
    return next(islice(found, nth, None))


def replaced(log: bytes, offset: int, data: bytes) -> bytes:
    """Return a log with other bytes at an offset."""
    assert log[offset : offset + len(data)] != data
    return log[:offset] + data + log[offset + len(data) :]


def with_length(log: bytes, event: Event, length: int) -> bytes:
    """Return a log in which the header of an event claims another length."""
    return replaced(log, event.start_pos + OFFSET_OF_LENGTH, length.to_bytes(4, "little"))


def read_until_error(path: Path, **options: Any) -> tuple[int, BinlogError | None]:
    """Return the row images that a read gives, and the error that ends it."""
    num_rows = 0
    try:
        for batch in read_batches(path, **options):
            num_rows += batch.num_rows
    except BinlogError as error:
        return num_rows, error
    return num_rows, None
