"""Compressed transactions of MySQL that are damaged, oversized or odd: errors, and rows before."""

import struct
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from pyspark_adapter import (
    BinlogError,
    ChecksumMismatchError,
    CorruptEventError,
    EventSite,
    TruncatedEventError,
    UnsupportedError,
    list_tables,
    read_batches,
)
from pyspark_adapter.events.event_errors import check_inner_header
from pyspark_adapter.kernels.entry_points import skip_inner_events
from tests.support.log_writer import QUERY, WRITE_V2, XID, LoggedColumn, LogWriter, Rows
from tests.support.logs import LOG_NAME, read_until_error
from tests.support.packing import (
    NONE,
    TRANSACTION_PAYLOAD,
    in_frames_of_unknown_size,
    in_one_frame,
    payload_body,
    split_log,
)

OUTER = "TRANSACTION_PAYLOAD_EVENT"
NUM_ROWS = 6
ID = [LoggedColumn("id", 3)]
HEADER = struct.Struct("<IBIIIH")


def inner_log(num_rows: int = NUM_ROWS) -> list[bytes]:
    """Return the events of a transaction: BEGIN, table map, one rows event for each row, XID."""
    writer = LogWriter(has_checksums=False)
    start = len(writer.data)
    writer.begin()
    writer.table_map(9, "t", ID)
    for i in range(num_rows):
        writer.rows(9, Rows(WRITE_V2, [[struct.pack("<i", i)]], [True], flags=i == num_rows - 1))
    writer.commit()
    return list(split_log(b"\xfebin" + bytes(writer.data[start:])))


EVENTS = inner_log()
CONTENT = b"".join(EVENTS)
FRAME = in_one_frame(CONTENT)
# Offset of the third rows event in the decompressed bytes: two rows come before.
THIRD = sum(map(len, EVENTS[:4]))


def log_of(*bodies: bytes, has_checksums: bool = True) -> bytes:
    """Return a log of TRANSACTION_PAYLOAD events with these bodies."""
    writer = LogWriter(has_checksums=has_checksums)
    for body in bodies:
        writer.event(TRANSACTION_PAYLOAD, body)
    return bytes(writer.data)


START = len(LogWriter().data)  # of the first payload event


def body_of(content: bytes) -> bytes:
    """Return the body of an undamaged payload event."""
    return payload_body(in_one_frame(content), size=len(content))


def with_inner(place: int, event: bytes) -> bytes:
    """Return the content with another event in the place of one."""
    return b"".join([*EVENTS[:place], event, *EVENTS[place + 1 :]])


def event(type_code: int, body: bytes = b"", length: int | None = None) -> bytes:
    """Return an event without a checksum."""
    length = HEADER.size + len(body) if length is None else length
    return HEADER.pack(1_700_000_000, type_code, 1, length, 0, 0) + body


@dataclass(frozen=True)
class Damage:
    """A payload event and the error that it has to give, after some rows."""

    body: bytes
    words: tuple[str, ...]
    num_rows: int = 0
    event_type: str = OUTER
    inner_pos: int = -1
    error: type[BinlogError] = CorruptEventError


DAMAGES = {
    "declared-too-small": Damage(
        payload_body(FRAME, size=len(CONTENT) - 1), (f"expected {len(CONTENT) - 1} bytes", "more")
    ),
    "declared-too-large": Damage(
        payload_body(FRAME, size=len(CONTENT) + 1),
        (f"expected {len(CONTENT) + 1} bytes", f"found {len(CONTENT)}"),
        NUM_ROWS,
    ),
    "declared-beyond-all-memory": Damage(
        payload_body(FRAME, size=1 << 62), (f"expected {1 << 62} bytes",), NUM_ROWS
    ),
    "cut-frame": Damage(payload_body(FRAME[:-3], size=len(CONTENT)), ("damaged", "Truncated")),
    "cut-in-magic-of-frame": Damage(payload_body(FRAME[:3], size=None), ("damaged",)),
    "no-frame": Damage(payload_body(b"no zstd frame", size=None), ("damaged",)),
    "bytes-behind-frame": Damage(payload_body(FRAME + b"behind", size=None), ("damaged",)),
    "size-of-payload": Damage(
        payload_body(FRAME, size=None, payload_size=len(FRAME) + 1),
        (f"a payload of {len(FRAME) + 1} bytes, found {len(FRAME)}",),
    ),
    "unknown-compression": Damage(
        payload_body(FRAME, size=None, compression=7), ("compression 7",), error=UnsupportedError
    ),
    "no-compression-field": Damage(b"\x01\x01" + bytes([len(FRAME)]) + b"\0" + FRAME, ("names",)),
    "no-end-mark": Damage(b"\x02\x01\0", ("the fields before the payload reach beyond",)),
    "field-beyond-end": Damage(b"\x02\xfd\xff\xff\xff\0\0" + FRAME, ("payload",)),
    "empty": Damage(b"", ("reach beyond its 0 bytes",)),
    "cut-in-inner-event": Damage(
        body_of(CONTENT[: THIRD + 25]),
        ("ends inside an event", f"expected {len(EVENTS[4])} bytes, found 25"),
        2,
        "WRITE_ROWS_EVENT",
        THIRD,
    ),
    "cut-in-inner-header": Damage(
        body_of(CONTENT[: THIRD + 10]), ("expected 19 bytes, found 10",), 2, "", THIRD
    ),
    "inner-length-too-small": Damage(
        body_of(with_inner(4, event(30, b"", 18))),
        ("at least 19 bytes, found 18",),
        2,
        "WRITE_ROWS_EVENT",
        THIRD,
    ),
    "inner-length-too-large": Damage(
        body_of(with_inner(4, event(30, b"", 0xFFFFFFF0))),
        ("event of 4294967280 bytes", "option max_event_bytes"),
        2,
        "WRITE_ROWS_EVENT",
        THIRD,
    ),
    "inner-event-of-unknown-table": Damage(
        body_of(with_inner(4, event(30, b"\x08" + EVENTS[4][20:]))),
        ("table id 8",),
        2,
        "WRITE_ROWS_EVENT",
        THIRD,
        BinlogError,
    ),
    "inner-row-too-short": Damage(
        body_of(with_inner(4, event(30, EVENTS[4][19:-1]))),
        ("beyond the end of the event", f"byte {THIRD + len(EVENTS[4]) - 4} of the decompr"),
        2,
        "WRITE_ROWS_EVENT",
        THIRD,
    ),
    "inner-without-a-body": Damage(
        body_of(with_inner(4, event(QUERY))), ("QUERY_EVENT",), 2, "QUERY_EVENT", THIRD
    ),
    "payload-within-a-payload": Damage(
        body_of(with_inner(4, event(TRANSACTION_PAYLOAD, body_of(CONTENT)))),
        ("cannot be within a compressed transaction",),
        2,
        OUTER,
        THIRD,
    ),
    "format-description-within": Damage(
        body_of(with_inner(4, bytes(LogWriter().data[4:]))),
        ("cannot be within",),
        2,
        "FORMAT_DESCRIPTION_EVENT",
        THIRD,
    ),
    "rotate-within": Damage(
        body_of(with_inner(4, event(4, bytes(8) + b"x"))),
        ("cannot be within",),
        2,
        "ROTATE_EVENT",
        THIRD,
    ),
    "compressed-rows-of-mariadb-within": Damage(
        body_of(with_inner(4, event(166, EVENTS[4][19:]))),
        ("cannot be within",),
        2,
        "WRITE_ROWS_COMPRESSED_V1_EVENT",
        THIRD,
    ),
    "bomb": Damage(
        payload_body(in_one_frame(bytes(1 << 24)), size=None),
        ("at least 19 bytes, found 0",),
        0,
        "UNKNOWN_EVENT",
        0,
    ),
}
damages = pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())


@damages
@pytest.mark.parametrize("window_bytes", ["1k", "4m"])
def test_damage_is_reported_after_the_rows_before_it(
    damage: Damage, window_bytes: str, log_path: Path
) -> None:
    # An undamaged transaction comes first.
    log_path.write_bytes(log_of(body_of(CONTENT), damage.body))
    num_rows, error = read_until_error(log_path, window_bytes=window_bytes)
    assert isinstance(error, damage.error), error
    start_pos = len(log_of(body_of(CONTENT)))
    assert error.site == EventSite(LOG_NAME, start_pos, damage.event_type, damage.inner_pos)
    for word in damage.words:
        assert word in str(error)
    assert num_rows == NUM_ROWS + damage.num_rows


@damages
def test_lists_and_shapes_and_events_fail_at_the_same_place(damage: Damage, log_path: Path) -> None:
    log_path.write_bytes(log_of(damage.body))
    site = EventSite(LOG_NAME, START, damage.event_type, damage.inner_pos)
    with pytest.raises(damage.error) as caught:
        list_tables(log_path)
    assert isinstance(caught.value, BinlogError)
    assert caught.value.site == site
    if damage.num_rows == 0:  # else the table is found before
        with pytest.raises(damage.error) as caught:
            list(read_batches(log_path, table="d.t"))
        assert isinstance(caught.value, BinlogError)
        assert caught.value.site == site


FORMS: dict[str, Callable[[bytes], bytes]] = {
    "one-frame": lambda content: payload_body(in_one_frame(content), size=len(content)),
    "undeclared": lambda content: payload_body(in_one_frame(content), size=None),
    "frames": lambda content: payload_body(in_frames_of_unknown_size(content), size=len(content)),
    "none": lambda content: payload_body(content, size=len(content), compression=NONE),
    "other-fields": lambda content: (
        b"\x63\x02\xff\xff" + payload_body(content, size=None, compression=NONE)
    ),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
@pytest.mark.parametrize("has_checksums", [True, False])
def test_rows_are_those_within(
    form: Callable[[bytes], bytes], has_checksums: bool, log_path: Path
) -> None:
    log_path.write_bytes(log_of(form(CONTENT), form(CONTENT), has_checksums=has_checksums))
    names = ("_row_number", "_start_pos", "_commit_version")
    batches = read_batches(log_path, table="d.t", metadata_columns=names)
    rows = [tuple(row.values()) for batch in batches for row in batch.to_pylist()]
    version = 7 << 40
    starts = [START, len(log_of(form(CONTENT), has_checksums=has_checksums))]
    if not has_checksums:
        starts[0] = len(log_of(has_checksums=False))
    assert rows == [(i, pos, version + pos, i) for pos in starts for i in range(NUM_ROWS)]


def test_an_empty_payload_holds_nothing(log_path: Path) -> None:
    log_path.write_bytes(log_of(body_of(b""), body_of(CONTENT)))
    assert read_until_error(log_path) == (NUM_ROWS, None)


def test_an_empty_payload_before_a_large_event_holds_nothing(log_path: Path) -> None:
    writer = LogWriter()
    writer.event(TRANSACTION_PAYLOAD, body_of(b""))
    writer.event(QUERY, bytes(13) + b"\0SELECT '" + b"x" * 5000 + b"'")
    writer.event(TRANSACTION_PAYLOAD, body_of(CONTENT))
    log_path.write_bytes(writer.data)
    assert read_until_error(log_path, window_bytes="1k") == (NUM_ROWS, None)


def test_more_empty_payloads_than_a_window_has_places_hold_nothing(log_path: Path) -> None:
    log_path.write_bytes(log_of(*[body_of(b"")] * 70_000, body_of(CONTENT)))
    assert read_until_error(log_path) == (NUM_ROWS, None)


@pytest.mark.parametrize(
    "events", [inner_log(3000), EVENTS * 1100], ids=["one transaction", "many"]
)
def test_a_small_log_may_hold_more_events_than_its_tables_have_places(
    events: list[bytes], log_path: Path
) -> None:
    log_path.write_bytes(log_of(body_of(b"".join(events))))
    assert log_path.stat().st_size < 19 * 1024
    batches = read_batches(log_path, metadata_columns="_row_number", table="d.t")
    rows = [row for batch in batches for row in batch.to_pylist()]
    count = 3000 if len(events) == 3003 else NUM_ROWS
    assert len(rows) in (3000, 1100 * NUM_ROWS)
    assert all(row == {"_row_number": k % count, "id": k % count} for k, row in enumerate(rows))


def test_several_transactions_in_one_payload_are_numbered_apart(log_path: Path) -> None:
    log_path.write_bytes(log_of(body_of(CONTENT * 300)))
    batches = read_batches(log_path, metadata_columns="_row_number", table="d.t", window_bytes="1k")
    numbers = [number for batch in batches for number in batch.column(0).to_pylist()]
    assert numbers == [*range(NUM_ROWS)] * 300


def test_an_event_larger_than_window_and_piece_is_read(log_path: Path) -> None:
    large = event(QUERY, bytes(13) + b"\0SELECT '" + b"x" * 300_000 + b"'")
    log_path.write_bytes(log_of(body_of(b"".join([*EVENTS[:4], large, *EVENTS[4:]]))))
    assert read_until_error(log_path, window_bytes="1k") == (NUM_ROWS, None)
    num_rows, error = read_until_error(log_path, max_event_bytes="100k")
    assert num_rows == 2
    assert str(error).startswith(f"{LOG_NAME}@{START}+{THIRD} QUERY_EVENT: event of {len(large)} ")


def test_more_than_the_option_allows_is_an_error(log_path: Path) -> None:
    log_path.write_bytes(log_of(payload_body(in_one_frame(CONTENT * 300), size=None)))
    num_rows, error = read_until_error(log_path, max_payload_bytes="70k")
    assert isinstance(error, CorruptEventError)
    assert "at most 71680 bytes" in str(error)
    assert "option max_payload_bytes" in str(error)
    assert error.site == EventSite(LOG_NAME, START, OUTER)
    assert 0 < num_rows <= 70 * 1024 // len(CONTENT) * NUM_ROWS


def test_a_flipped_byte_of_a_payload_is_a_wrong_checksum(log_path: Path) -> None:
    log = bytearray(log_of(body_of(CONTENT), body_of(CONTENT)))
    log[-10] ^= 1
    log_path.write_bytes(log)
    num_rows, error = read_until_error(log_path)
    assert isinstance(error, ChecksumMismatchError)
    assert error.site == EventSite(LOG_NAME, len(log_of(body_of(CONTENT))), OUTER)
    assert num_rows == NUM_ROWS


def test_a_transaction_without_its_end_is_not_committed(log_path: Path) -> None:
    log_path.write_bytes(log_of(body_of(b"".join(EVENTS[:-1]))))
    num_rows, error = read_until_error(log_path)
    assert isinstance(error, TruncatedEventError)
    assert error.site == EventSite(LOG_NAME, START)
    assert num_rows == NUM_ROWS


@pytest.mark.parametrize("type_code", range(256))
def test_engines_agree_on_what_can_stand_in_a_payload(type_code: int) -> None:
    event = np.frombuffer(bytearray(HEADER.pack(0, type_code, 1, 19, 0, 0)), dtype=np.uint8)
    if skip_inner_events(event, 0, 19, 19) == 19:
        check_inner_header(type_code, 19, 19)
    else:
        with pytest.raises(CorruptEventError, match="cannot be within"):
            check_inner_header(type_code, 19, 19)


def test_memory_does_not_grow_with_a_transaction(log_path: Path) -> None:
    # 60 MB of events in few compressed bytes; statements, which are quickly passed over.
    statement = event(QUERY, bytes(13) + b"\0SELECT '" + b"x" * 60_000 + b"'")
    content = b"".join([*EVENTS[:-1], *[statement] * 1000, EVENTS[-1]])
    log_path.write_bytes(log_of(body_of(content)))
    del content
    list(read_batches(log_path))  # loads what has to be loaded
    tracemalloc.start()
    num_rows = sum(batch.num_rows for batch in read_batches(log_path, window_bytes="1m"))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert num_rows == NUM_ROWS
    assert peak < 32 << 20


def test_the_events_view_lists_the_events_within(log_path: Path) -> None:
    log_path.write_bytes(log_of(body_of(CONTENT)))
    columns = ("start_pos", "inner_pos", "event_type", "len_event")
    found = [
        tuple(row[name] for name in columns)
        for batch in read_batches(log_path, view="events")
        for row in batch.to_pylist()
    ]
    offsets = [sum(map(len, EVENTS[:i])) for i in range(len(EVENTS))]
    names = ["QUERY", "TABLE_MAP", *["WRITE_ROWS"] * NUM_ROWS, "XID"]
    assert found == [
        (4, None, "FORMAT_DESCRIPTION_EVENT", START - 4),
        (START, None, OUTER, 19 + len(body_of(CONTENT)) + 4),
        *(
            (START, offset, f"{name}_EVENT", len(inner))
            for offset, name, inner in zip(offsets, names, EVENTS, strict=True)
        ),
    ]
    assert EVENTS[-1][4] == XID
