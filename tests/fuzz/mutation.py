"""Seeded damage to logs: the same sample and seed give the same bytes on each machine."""

import random
import struct
from collections.abc import Callable

from tests.inputs import sample_path
from tests.support.packing import TRANSACTION_PAYLOAD, in_one_frame, payload_body

LEN_HEADER = 19
TABLE_MAP = 19
ROWS_TYPES = frozenset({20, 21, 22, 23, 24, 25, 30, 31, 32, 39, 166, 167, 168, 169, 170, 171})
MAX_EVENTS = 60
MAX_BYTES = 20_000

Events = list[bytearray]

# Values at which lengths, signs and codes turn over.
_EDGES = (0x00, 0x01, 0x02, 0x7F, 0x80, 0xFA, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF)


def split_events(log: bytes) -> Events:
    """Return the events of an undamaged log, without its magic."""
    events = []
    offset = 4
    while offset + LEN_HEADER <= len(log):
        (length,) = struct.unpack_from("<I", log, offset + 9)
        events.append(bytearray(log[offset : offset + length]))
        offset += length
    return events


def join_events(events: Events) -> bytes:
    return b"\xfebin" + b"".join(events)


def _excerpt(events: Events, rng: random.Random) -> Events:
    """Return the format description and some events in a row, so that a read is short."""
    first = rng.randrange(1, max(2, len(events) - 10))
    while first > 1 and events[first][4] not in (2, 33, 34, 42, 162):
        first -= 1
    chosen = events[:1]
    for event in events[first : first + MAX_EVENTS]:
        if sum(map(len, chosen)) + len(event) > MAX_BYTES:
            break
        chosen.append(bytearray(event))
    return chosen


def mutate(sample: str, seed: int) -> tuple[bytes, list[str]]:
    """Return a damaged excerpt of a sample, and what was done to it."""
    rng = random.Random(f"{sample} {seed}")  # noqa: S311 - has to be the same each time
    events = _excerpt(split_events(sample_path(sample).read_bytes()), rng)
    notes = []
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        change = rng.choices(CHANGES, WEIGHTS)[0]
        notes.append(f"{change.__name__.lstrip('_')} {change(events, rng)}")
    # With numbers of its own, so that the mutations of other samples stay as they are.
    packing = random.Random(f"packing {sample} {seed}")  # noqa: S311 - the same each time
    if packing.random() < 0.2:
        notes.append(f"packed {_pack(events, packing)}")
    log = join_events(events)
    if rng.random() < 0.06:
        end = rng.randrange(4, len(log))
        log = log[:end]
        notes.append(f"cut at {end}")
    return log, notes


def _pick(events: Events, rng: random.Random) -> tuple[int, bytearray]:
    """Return an event; mostly one that tells of rows."""
    kinds = (TABLE_MAP,) if rng.random() < 0.45 else ROWS_TYPES
    places = [i for i, event in enumerate(events) if event[4] in kinds]
    if not places or rng.random() < 0.2:
        places = [i for i, event in enumerate(events) if event]
    place = rng.choice(places)
    return place, events[place]


def _body_place(event: bytearray, rng: random.Random) -> int:
    """Return a place in the body; the fields at its beginning are met more often."""
    low, high = min(LEN_HEADER, len(event) - 1), max(len(event) - 4, 1)
    if rng.random() < 0.5:
        high = min(high, low + 40)
    return rng.randrange(low, high) if low < high else low


def _flip_bit(events: Events, rng: random.Random) -> str:
    i, event = _pick(events, rng)
    place, bit = _body_place(event, rng), rng.randrange(8)
    event[place] ^= 1 << bit
    return f"{i}: byte {place} bit {bit}"


def _set_byte(events: Events, rng: random.Random) -> str:
    i, event = _pick(events, rng)
    place = _body_place(event, rng)
    event[place] = rng.choice((*_EDGES, rng.randrange(256)))
    return f"{i}: byte {place} = {event[place]:#04x}"


def _set_number(events: Events, rng: random.Random) -> str:
    i, event = _pick(events, rng)
    place, width = _body_place(event, rng), rng.choice((2, 4, 8))
    number = bytes([rng.choice((0x00, 0xFF, 0x7F, 0x80))]) * width
    event[place : place + width] = number[: len(event) - place]
    return f"{i}: bytes {place} = {number.hex()}"


def _zero_run(events: Events, rng: random.Random) -> str:
    i, event = _pick(events, rng)
    place, count = _body_place(event, rng), rng.randrange(1, 40)
    count = min(count, len(event) - place)
    event[place : place + count] = bytes(count)
    return f"{i}: {count} bytes from {place}"


def _set_header_byte(events: Events, rng: random.Random) -> str:
    i, event = _pick(events, rng)
    place = rng.randrange(min(LEN_HEADER, len(event)))
    event[place] = rng.choice((*_EDGES, rng.randrange(256)))
    return f"{i}: byte {place} = {event[place]:#04x}"


def _set_type(events: Events, rng: random.Random) -> str:
    i, event = _pick(events, rng)
    event[4] = rng.choice((*range(1, 43), *range(160, 172), rng.randrange(256)))
    return f"{i}: type {event[4]}"


def _set_length(events: Events, rng: random.Random) -> str:
    i, event = _pick(events, rng)
    length = rng.choice((0, 1, 18, 19, 23, len(event) - 1, len(event) + 1, rng.randrange(2**32)))
    length = rng.choice((length, max(0, len(event) + rng.randrange(-30, 31))))
    event[9:13] = struct.pack("<I", length)
    return f"{i}: length {length}"


def _remove_run(events: Events, rng: random.Random) -> str:
    """Shorten a body; the header's length follows, so that the next event is still found."""
    i, event = _pick(events, rng)
    place, count = _body_place(event, rng), rng.choice((1, 2, 3, 4, 8, rng.randrange(1, 200)))
    del event[place : place + count]
    event[9:13] = struct.pack("<I", len(event))
    return f"{i}: {count} bytes from {place}"


def _insert_run(events: Events, rng: random.Random) -> str:
    i, event = _pick(events, rng)
    place, count = _body_place(event, rng), rng.choice((1, 2, 4, 9, rng.randrange(1, 300)))
    event[place:place] = rng.randbytes(count)
    event[9:13] = struct.pack("<I", len(event))
    return f"{i}: {count} bytes at {place}"


def _swallow(events: Events, rng: random.Random) -> str:
    """Make an event as long as itself and the next ones."""
    i, event = _pick(events, rng)
    end = rng.randrange(i + 1, min(len(events), i + 6) + 1)
    length = sum(map(len, events[i:end]))
    event[9:13] = struct.pack("<I", length)
    return f"{i}: to {end}"


def _copy_within(events: Events, rng: random.Random) -> str:
    """Put a piece of one event over a place of another."""
    (i, source), (k, target) = _pick(events, rng), _pick(events, rng)
    start, place = _body_place(source, rng), _body_place(target, rng)
    piece = source[start : start + rng.randrange(1, 24)]
    target[place : place + len(piece)] = piece[: len(target) - place]
    return f"{len(piece)} bytes from {i}:{start} to {k}:{place}"


def _drop_event(events: Events, rng: random.Random) -> str:
    i, _ = _pick(events, rng)
    if len(events) > 1:
        del events[i]
    return str(i)


def _repeat_event(events: Events, rng: random.Random) -> str:
    (i, event), (k, _) = _pick(events, rng), _pick(events, rng)
    events.insert(k, bytearray(event))
    return f"{i} before {k}"


def _swap_events(events: Events, rng: random.Random) -> str:
    (i, _), (k, _) = _pick(events, rng), _pick(events, rng)
    events[i], events[k] = events[k], events[i]
    return f"{i} and {k}"


def _damage_format(events: Events, rng: random.Random) -> str:
    event = events[0]
    place = rng.randrange(len(event))
    event[place] = rng.choice((*_EDGES, rng.randrange(256)))
    return f"byte {place} = {event[place]:#04x}"


def _pack(events: Events, rng: random.Random) -> str:
    """Put a run of events into a compressed transaction, now and then damaged itself."""
    start = rng.randrange(1, len(events) + 1)
    end = rng.randrange(start, len(events) + 1)
    len_checksum = 4 if events[0][-5:-4] == b"\x01" else 0
    inner = [event[: max(LEN_HEADER, len(event) - len_checksum)] for event in events[start:end]]
    for event in inner:
        if rng.random() < 0.97:
            event[9:13] = struct.pack("<I", len(event))
    content = b"".join(map(bytes, inner))
    size = rng.choice((len(content), len(content), None, rng.randrange(2 * len(content) + 1)))
    body = bytearray(payload_body(in_one_frame(content), size=size))
    if rng.random() < 0.2:
        body[rng.randrange(len(body))] ^= 1 << rng.randrange(8)
    length = LEN_HEADER + len(body) + len_checksum
    header = struct.pack("<IBIIIH", 1, TRANSACTION_PAYLOAD, 1, length, 0, 0)
    events[start:end] = [bytearray(header + body + bytes(len_checksum))]
    return f"{start} to {end}"


_WEIGHTED: dict[Callable[[Events, random.Random], str], int] = {
    _flip_bit: 14,
    _set_byte: 20,
    _set_number: 12,
    _zero_run: 6,
    _set_header_byte: 4,
    _set_type: 5,
    _set_length: 6,
    _remove_run: 10,
    _insert_run: 8,
    _swallow: 3,
    _copy_within: 6,
    _drop_event: 3,
    _repeat_event: 3,
    _swap_events: 2,
    _damage_format: 3,
}
CHANGES, WEIGHTS = list(_WEIGHTED), list(_WEIGHTED.values())
