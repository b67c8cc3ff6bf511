"""Makes an input smaller as long as it still shows the same finding."""

import struct
from collections.abc import Callable, Sequence

from tests.fuzz.mutation import join_events

LEN_HEADER = 19


def minimise(
    data: bytes, shows: Callable[[bytes], bool], *, is_log: bool, max_tries: int = 400
) -> bytes:
    """Return a smaller input, by delta debugging of events first and bytes then."""
    tries = 0

    def asks(candidate: bytes) -> bool:
        nonlocal tries
        tries += 1
        return tries <= max_tries and shows(candidate)

    if is_log:
        events = _events(data)
        if join_events([bytearray(event) for event in events]) == data:
            kept = _delta(events, lambda some: asks(_joined(some)))
            data = _joined(kept)
    return b"".join(
        _delta([data[i : i + 1] for i in range(len(data))], lambda s: asks(b"".join(s)))
    )


def _joined(events: Sequence[bytes]) -> bytes:
    return join_events([bytearray(event) for event in events])


def _events(log: bytes) -> list[bytes]:
    """Return the events of a log by the lengths in their headers; what follows them is one more."""
    events, place = [], 4
    while place + LEN_HEADER <= len(log):
        (length,) = struct.unpack_from("<I", log, place + 9)
        if length < LEN_HEADER or place + length > len(log):
            break
        events.append(log[place : place + length])
        place += length
    return [*events, log[place:]] if place < len(log) else events


def _delta(parts: list[bytes], shows: Callable[[list[bytes]], bool]) -> list[bytes]:
    """Return some of the parts that still show it: runs are left out, long ones first."""
    length = max(1, len(parts) // 2)
    while True:
        place, found = 0, False
        while place < len(parts):
            fewer = parts[:place] + parts[place + length :]
            if len(fewer) < len(parts) and shows(fewer):
                parts, found = fewer, True
            else:
                place += length
        if length == 1 and not found:
            return parts
        if not found:
            length = max(1, length // 2)
