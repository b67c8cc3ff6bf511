"""Small damaged and made-up logs for the compiled schema: a seed gives the same bytes each time."""

import random
import struct
from collections.abc import Callable
from functools import cache

from mysql_binlog import MysqlBinlog

from tests.fuzz.mutation import (
    CHANGES,
    LEN_HEADER,
    ROWS_TYPES,
    TABLE_MAP,
    WEIGHTS,
    Events,
    join_events,
    split_events,
)
from tests.inputs import SAMPLES, sample_path

MAX_EVENTS = 8
MAX_BYTES = 1500  # an event that is longer stands alone
MAX_MADE_BYTES = 160

_ENCRYPTED = 164
_EDGES = (0x00, 0x01, 0x02, 0x7F, 0x80, 0xFA, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF)
# Table id, flags, and the two bytes of extra row info that version 2 has.
_TABLE_START = struct.pack("<IHHB", 7, 0, 0, 1) + b"d\x00\x01t\x00"
_ROWS_START = struct.pack("<IHHH", 7, 0, 1, 2)


@cache
def _events_of(sample: str) -> tuple[bytes, ...]:
    """Return the events of a sample whose bodies can be read."""
    log = sample_path(sample).read_bytes()
    if not log.startswith(b"\xfebin"):
        return ()
    events = split_events(log)
    if any(event[4] == _ENCRYPTED for event in events):
        return ()
    return tuple(map(bytes, events))


@cache
def _samples() -> tuple[str, ...]:
    return tuple(sorted(name for name in SAMPLES if _events_of(name)))


def _excerpt(rng: random.Random) -> Events:
    """Return a format description and some events in a row, table maps before their rows."""
    events = _events_of(rng.choice(_samples()))
    first = rng.randrange(1, len(events)) if len(events) > 1 else 0
    while first > 1 and events[first][4] in ROWS_TYPES:
        first -= 1
    chosen = [bytearray(events[0])]
    num_bytes = 0
    for event in events[max(first, 1) : first + MAX_EVENTS]:
        num_bytes += len(event)
        if num_bytes > MAX_BYTES and len(chosen) > 2:
            break
        chosen.append(bytearray(event))
    return chosen


def _damaged(rng: random.Random) -> bytes:
    events = _excerpt(rng)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        rng.choices(CHANGES, WEIGHTS)[0](events, rng)
    log = join_events(events)
    return log[: rng.randrange(4, len(log))] if rng.random() < 0.06 else log


def _pieces(rng: random.Random, num_bytes: int) -> bytes:
    """Return bytes in which fields of all kinds may be found."""
    data = bytearray()
    while len(data) < num_bytes:
        small = rng.choice((0, 0, 1, 1, 2, 3, 4, 5, 8, 7 * len(data) % 40))
        form = rng.randrange(8)
        if form < 4:
            data += small.to_bytes(1 << form, "little")
        elif form == 4:
            data.append(rng.choice(_EDGES))
        elif form == 5:
            data += rng.randbytes(rng.randrange(1, 9))
        else:
            text = bytes(rng.choices(b"abc$.[\xc3\xa9", k=small % 9))
            data += bytes([len(text)]) + text if form == 6 else text + b"\x00"
    return bytes(data[:num_bytes])


def _event(type_code: int, body: bytes) -> bytearray:
    return bytearray(
        struct.pack("<IBIIIH", 0, type_code, 1, LEN_HEADER + len(body) + 4, 0, 0) + body + bytes(4)
    )


def _format_description(rng: random.Random) -> bytearray:
    return bytearray(_events_of(rng.choice(_samples()))[0])


def make_events(rng: random.Random) -> bytes:
    """Return events of any type the schema has a name for, with bodies of chance."""
    codes = [int(code) for code in MysqlBinlog.EventType]
    events = [_format_description(rng)]
    for _ in range(3):
        body = _pieces(rng, rng.randrange(MAX_MADE_BYTES))
        events.append(_event(rng.choice(codes), body))
    return join_events(events)


def _bitmap(rng: random.Random, num_bits: int) -> bytes:
    full: int = (1 << num_bits) - 1
    number = rng.choice((full, full, full, 0, rng.getrandbits(num_bits)))
    return number.to_bytes((num_bits + 7) // 8, "little")


def _table_map(types: bytes, metadata: bytes, optional_metadata: bytes) -> bytearray:
    body = _TABLE_START + bytes([len(types)]) + types + bytes([len(metadata)]) + metadata
    body += bytes((len(types) + 7) // 8) + optional_metadata
    return _event(TABLE_MAP, body)


def _optional_metadata(rng: random.Random) -> bytes:
    kinds = [int(kind) for kind in MysqlBinlog.OptionalMetadataType]
    fields = b""
    for _ in range(rng.choice((0, 1, 2, 5))):
        data = _pieces(rng, rng.randrange(24))
        fields += bytes([rng.choice((*kinds, rng.randrange(256))), len(data)]) + data
    return fields


def make_table(rng: random.Random) -> bytes:
    """Return a table of columns of chance, and rows of chance."""
    codes = [int(code) for code in MysqlBinlog.ColumnType]
    num_columns = rng.choice((1, 1, 2, 3, 9))
    types = bytes(rng.choice((*codes, rng.randrange(256))) for _ in range(num_columns))
    metadata = bytes(
        rng.choice((0, 1, 2, 2, 3, 4, 6, 10, rng.choice(_EDGES), rng.choice(codes)))
        for _ in range(2 * num_columns)
    )
    present = _bitmap(rng, num_columns) + _bitmap(rng, num_columns) * rng.randrange(2)
    rows = _ROWS_START[: rng.choice((8, 10, 10))] + bytes([num_columns]) + present
    rows += _pieces(rng, rng.randrange(MAX_MADE_BYTES))
    return join_events(
        [
            _format_description(rng),
            _table_map(types, metadata, _optional_metadata(rng)),
            _event(rng.choice(sorted(ROWS_TYPES)), rows),
        ]
    )


def _json_container(rng: random.Random, kind: int) -> bytes:
    """Return a list of entries of chance, most of whose offsets are in the document."""
    width = 4 if kind % 2 else 2
    num_items = rng.choice((0, 1, 1, 2, 3))
    data = num_items.to_bytes(width, "little") + bytes(width)
    offsets = [rng.choice((0, rng.randrange(64), rng.randrange(64))) for _ in range(2 * num_items)]
    if kind < 2:
        for offset in offsets[:num_items]:
            data += offset.to_bytes(width, "little") + rng.choice((0, 1, 5)).to_bytes(2, "little")
    for offset in offsets[num_items:]:
        data += bytes([rng.choice(_json_types())]) + offset.to_bytes(width, "little")
    return data + _pieces(rng, rng.randrange(40))


def _json_types() -> list[int]:
    return [int(kind) for kind in MysqlBinlog.JsonType]


def make_json(rng: random.Random) -> bytes:
    """Return an insert of a document, or an update by differences."""
    kind = rng.choice(_json_types())
    content = _json_container(rng, kind) if kind < 4 else _pieces(rng, rng.randrange(40))
    if kind == MysqlBinlog.JsonType.opaque:
        content = bytes([rng.choice([int(code) for code in MysqlBinlog.ColumnType])]) + content
    if rng.random() < 0.02:
        content = b"\xff" * rng.randrange(100, 10_000)  # a length without an end
    document = bytes([kind]) + content
    start = _ROWS_START + b"\x01"
    row, rows_type = b"\xff\x00" + struct.pack("<I", len(document)) + document, 30
    if len(document) < 0xFB and rng.random() < 0.3:
        difference = bytes([rng.randrange(3), 3]) + b"$.a" + bytes([len(document)]) + document
        before = b"\x00" + struct.pack("<I", 1) + b"\x04"
        row = before + b"\x01\x01\x00" + struct.pack("<I", len(difference)) + difference
        row, rows_type = b"\xff\xff" + row, 39
    table_map = _table_map(bytes([MysqlBinlog.ColumnType.json]), b"\x04", _optional_metadata(rng))
    format_description = bytearray(_events_of("mysql-9.7-shop")[0])
    return join_events([format_description, table_map, _event(rows_type, start + row)])


_WEIGHTED: dict[Callable[[random.Random], bytes], int] = {
    _damaged: 5,
    make_events: 2,
    make_table: 2,
    make_json: 1,
}


def make_input(seed: int) -> bytes:
    rng = random.Random(seed)  # noqa: S311 - has to be the same each time
    return rng.choices(list(_WEIGHTED), list(_WEIGHTED.values()))[0](rng)
