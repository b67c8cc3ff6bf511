"""Events that MariaDB compressed: damaged ones, and those whose text matters."""

import json
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

import pytest

from pyspark_adapter import (
    BinlogError,
    ChecksumMismatchError,
    CorruptEventError,
    EventSite,
    UnsupportedError,
    list_tables,
    read_batches,
)
from samples.event_headers import EVENT_NAMES
from tests.inputs import sample_path
from tests.support.log_writer import QUERY, WRITE_V1, LoggedColumn, LogWriter, Rows
from tests.support.logs import LOG_NAME, read_sample, read_until_error
from tests.support.packing import compress_events, record, split_log

COMPRESSED = "WRITE_ROWS_COMPRESSED_V1_EVENT"
WRITE_COMPRESSED, QUERY_COMPRESSED = 166, 165
TABLE = [LoggedColumn("id", 3), LoggedColumn("v", 252, b"\x02", False, 63)]
VALUE = b"x" * 300
ROW = b"\xfc" + struct.pack("<iH", 7, len(VALUE)) + VALUE
# Table id, flags, number of columns, columns-present bitmap.
CLEAR = struct.pack("<IHH", 9, 0, 1) + b"\x02\xff"


def log_of(rows: bytes, *, type_code: int = WRITE_COMPRESSED, flipped: int = 0) -> bytes:
    """Return a log of a plain row, and then a compressed event with a body."""
    writer = LogWriter()
    writer.begin()
    writer.table_map(9, "t", TABLE)
    image = [struct.pack("<i", 1), struct.pack("<H", 1) + b"y"]
    writer.rows(9, Rows(WRITE_V1, [image], [True, True], flags=0))
    writer.event(type_code, rows)
    if flipped:
        writer.data[-flipped] ^= 1
    writer.commit()
    return bytes(writer.data)


START = sum(map(len, list(split_log(log_of(b"")))[:4])) + 4
PACKED = zlib.compress(ROW)


@dataclass(frozen=True)
class Damage:
    """Body of a compressed rows event, and the error it has to give."""

    body: bytes
    words: tuple[str, ...]
    error: type[BinlogError] = CorruptEventError


DAMAGES = {
    "length-too-small": Damage(
        CLEAR + record(ROW, length=len(ROW) - 1), (f"expected {len(ROW) - 1} bytes", "found more")
    ),
    "length-too-large": Damage(
        CLEAR + record(ROW, length=len(ROW) + 1),
        (f"expected {len(ROW) + 1} bytes", f"found {len(ROW)}"),
    ),
    "bomb": Damage(CLEAR + record(bytes(1 << 24), length=100), ("expected 100 bytes",)),
    "length-beyond-the-option": Damage(
        CLEAR + record(ROW, length=0xFFFFFFFF),
        ("4294967324 bytes when inflated", "option max_event_bytes"),
    ),
    "cut": Damage(CLEAR + record(ROW)[:-3], ("its end is missing",)),
    "cut-in-data": Damage(CLEAR + record(ROW)[:-6], (f"expected {len(ROW)} bytes",)),
    "wrong-check-value": Damage(CLEAR + record(ROW)[:-2] + b"ab", ("damaged",)),
    "no-zlib": Damage(CLEAR + b"\x82\x01\x33no zlib", ("damaged",)),
    "no-record": Damage(CLEAR, ("the fields of the event reach beyond",)),
    "no-mark": Damage(CLEAR + b"\x01" + record(ROW)[1:], ("compressed data, found 01",)),
    "no-length": Damage(CLEAR + b"\x80" + PACKED, ("compressed data, found 80",)),
    "length-of-five-bytes": Damage(CLEAR + b"\x85" + PACKED, ("compressed data, found 85",)),
    "other-compression": Damage(
        CLEAR + record(ROW, algorithm=1), ("compression 1",), UnsupportedError
    ),
    "cut-in-fields": Damage(CLEAR[:7], ("the fields of the event reach beyond",)),
    "too-many-columns": Damage(
        CLEAR[:8] + b"\xfc\xff\xff" + bytes(9000) + record(ROW), ("reach beyond",)
    ),
    "other-number-of-columns": Damage(
        CLEAR[:8] + b"\x01\xff" + record(ROW), ("another number of columns",)
    ),
    # One byte of the value is missing: value at byte 5 of the rows, these at 19 + 10.
    "row-cut": Damage(
        CLEAR + record(ROW[:-1]), ("beyond the end", "at byte 34 of the decompressed bytes")
    ),
}
damages = pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())


@damages
@pytest.mark.parametrize("window_bytes", ["1k", "4m"])
def test_damage_is_reported_after_the_rows_before_it(
    damage: Damage, window_bytes: str, log_path: Path
) -> None:
    log_path.write_bytes(log_of(damage.body))
    num_rows, error = read_until_error(log_path, window_bytes=window_bytes)
    assert isinstance(error, damage.error), error
    assert error.site == EventSite(LOG_NAME, START, COMPRESSED)
    for word in damage.words:
        assert word in str(error)
    assert num_rows == 1


@damages
def test_a_list_of_tables_fails_at_the_same_place(damage: Damage, log_path: Path) -> None:
    log_path.write_bytes(log_of(damage.body))
    with pytest.raises(damage.error) as caught:
        list_tables(log_path)
    assert isinstance(caught.value, BinlogError)
    assert caught.value.site == EventSite(LOG_NAME, START, COMPRESSED)


def test_a_row_is_inflated(log_path: Path) -> None:
    log_path.write_bytes(log_of(CLEAR + record(ROW)))
    rows = [
        row
        for batch in read_batches(log_path, table="d.t", metadata_columns="_start_pos")
        for row in batch.to_pylist()
    ]
    assert rows[1] == {"_start_pos": START, "id": 7, "v": VALUE}


def test_no_bytes_compressed_are_no_rows(log_path: Path) -> None:
    log_path.write_bytes(log_of(CLEAR + record(b"")))
    assert read_until_error(log_path) == (1, None)


def test_a_checksum_is_that_of_the_compressed_event(log_path: Path) -> None:
    log_path.write_bytes(log_of(CLEAR + record(ROW), flipped=12))
    num_rows, error = read_until_error(log_path)
    assert isinstance(error, ChecksumMismatchError)
    assert error.site == EventSite(LOG_NAME, START, COMPRESSED)
    assert num_rows == 1


def test_an_event_larger_than_the_window_is_inflated(log_path: Path) -> None:
    rows = [b"\xfc" + struct.pack("<iH", i, len(VALUE)) + VALUE for i in range(1000)]
    log_path.write_bytes(log_of(CLEAR + record(b"".join(rows))))
    assert read_until_error(log_path, window_bytes="1k") == (1001, None)
    num_rows, error = read_until_error(log_path, max_event_bytes="100k")
    assert num_rows == 1
    assert isinstance(error, CorruptEventError)
    assert f"event of {19 + len(CLEAR) + 1000 * len(rows[0])} bytes when inflated" in str(error)


def test_the_text_of_a_compressed_statement_is_inflated(log_path: Path) -> None:
    text = b"CREATE TABLE t (id INT) COMMENT '" + b"c" * 300 + b"'"
    writer = LogWriter()
    writer.event(QUERY_COMPRESSED, struct.pack("<IIBHH", 7, 0, 1, 0, 0) + b"d\0" + record(text))
    log_path.write_bytes(writer.data)
    rows = [row for b in read_batches(log_path, view="events") for row in b.to_pylist()]
    assert [row["event_type"] for row in rows][1:] == ["QUERY_COMPRESSED_EVENT"]
    assert rows[1]["len_event"] == len(writer.data) - rows[1]["start_pos"]
    assert json.loads(rows[1]["body"])["query"] == text.decode()
    assert QUERY == 2


def test_events_of_a_sample_keep_their_types_and_lengths() -> None:
    log = read_sample("mariadb-11.8-compressed")
    path = sample_path("mariadb-11.8-compressed")
    found = [
        (row["event_type"], row["len_event"])
        for batch in read_batches(path, view="events")
        for row in batch.to_pylist()
    ]
    assert found == [(f"{EVENT_NAMES[e[4]]}_EVENT", len(e)) for e in split_log(log)]


def test_compressing_again_changes_nothing(tmp_path: Path) -> None:
    # A log with both plain and compressed events: the plain ones are compressed too.
    path = tmp_path / "log.000001"
    path.write_bytes(compress_events(read_sample("mariadb-11.8-compressed")))
    names = ("_row_number", "_gtid")
    of_both = [
        [
            row
            for batch in read_batches(log, table="compressed118.integers", metadata_columns=names)
            for row in batch.to_pylist()
        ]
        for log in (path, sample_path("mariadb-11.8-compressed"))
    ]
    assert of_both[0] == of_both[1] != []
