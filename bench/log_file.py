"""Cuts a binary log into events by their 19-byte headers.

The benchmark counts events and feeds the peers without the package, so an error of the decoder
cannot hide itself.
"""

import struct
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

MAGIC = b"\xfebin"
_EVENT_HEADER = struct.Struct("<IBIIIH")

# Only types in the benchmark logs; the schema has all of them.
EVENT_NAMES = {
    2: "QUERY_EVENT",
    3: "STOP_EVENT",
    4: "ROTATE_EVENT",
    15: "FORMAT_DESCRIPTION_EVENT",
    16: "XID_EVENT",
    19: "TABLE_MAP_EVENT",
    30: "WRITE_ROWS_EVENT",
    31: "UPDATE_ROWS_EVENT",
    32: "DELETE_ROWS_EVENT",
    33: "GTID_EVENT",
    34: "ANONYMOUS_GTID_EVENT",
    35: "PREVIOUS_GTIDS_EVENT",
}
XID_EVENT = 16


class Frame(NamedTuple):
    """One event: its type, its bytes, and the offset of its end in the file."""

    type_code: int
    data: bytes
    end_pos: int


def iter_frames(path: Path) -> Iterator[Frame]:
    """Yield every event of a plain version 4 log in file order.

    Raises:
        ValueError: the magic is wrong or the last event is cut off.
    """
    with path.open("rb") as file:
        if (magic := file.read(len(MAGIC))) != MAGIC:
            raise ValueError(f"{path.name} is no binary log: starts with {magic.hex()}")
        pos = len(MAGIC)
        while header := file.read(_EVENT_HEADER.size):
            if len(header) < _EVENT_HEADER.size:
                raise ValueError(f"{path.name}@{pos}: event header is cut off")
            _, type_code, _, len_event, _, _ = _EVENT_HEADER.unpack(header)
            data = header + file.read(max(0, len_event - _EVENT_HEADER.size))
            if len(data) != len_event:
                raise ValueError(f"{path.name}@{pos}: event of {len_event} bytes is cut off")
            pos += len_event
            yield Frame(type_code, data, pos)


def count_events(path: Path) -> dict[str, int]:
    """Return the number of events by name, the most frequent first."""
    counts = Counter(frame.type_code for frame in iter_frames(path))
    return {EVENT_NAMES.get(code, f"{code:#04x}"): n for code, n in counts.most_common()}


def transaction_end(path: Path, len_slice: int) -> int:
    """Return the end position of the first transaction that reaches `len_slice` bytes.

    If none does, return the end of the log.
    """
    end_pos = 0
    for frame in iter_frames(path):
        end_pos = frame.end_pos
        if frame.type_code == XID_EVENT and end_pos >= len_slice:
            break
    return end_pos


def copy_beginning(path: Path, num_bytes: int, folder: Path) -> Path:
    """Copy the transactions that end within the first `num_bytes` of a log, under the same name.

    Positions and checksums are unchanged: the copy is the log as it was earlier.
    """
    end_pos = 0
    for frame in iter_frames(path):
        if frame.end_pos > num_bytes:
            break
        if frame.type_code == XID_EVENT:
            end_pos = frame.end_pos
    copy = folder / path.name
    with path.open("rb") as file:
        copy.write_bytes(file.read(end_pos))
    return copy
