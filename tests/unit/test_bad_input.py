"""Files that are no log, end too early or hold what cannot be: the error and the rows before it."""

import zlib
from dataclasses import dataclass
from pathlib import Path

import pytest

from pyspark_adapter import (
    BinlogError,
    ChecksumMismatchError,
    CorruptEventError,
    EventSite,
    MissingTableMapError,
    NotABinlogError,
    TruncatedEventError,
    UnsupportedError,
    list_tables,
)
from samples.event_headers import ENCRYPTED_MAGIC, PLAIN_MAGIC
from tests.support.logs import (
    LEN_HEADER,
    LOG_NAME,
    find_event,
    read_sample,
    read_until_error,
    replaced,
    with_length,
)

# The same statements in both: three rows in one insert, an update, an insert, a delete.
PLAIN = read_sample("mysql-9.7-no-checksum")
CHECKED = read_sample("mysql-9.7-in-use")
ROWS_BEFORE_UPDATE = 3
ALL_ROWS = 4 + 2 * 1 + 1  # an update has two images

TABLE_MAP = find_event(PLAIN, "TABLE_MAP_EVENT", 1)
UPDATE = find_event(PLAIN, "UPDATE_ROWS_EVENT")
CHECKED_UPDATE = find_event(CHECKED, "UPDATE_ROWS_EVENT")
# The text `first` is in the row's image; another letter in it is as good a text.
LETTER = CHECKED.index(b"first", CHECKED_UPDATE.start_pos)
FLIPPED = replaced(CHECKED, LETTER, b"g")
SECOND_GTID = find_event(PLAIN, "GTID_EVENT", 3)


@dataclass(frozen=True)
class Damage:
    """A damaged log and what is to come of it.

    Attributes:
        log: its bytes.
        error: class of the error.
        start_pos, event_type: site of the error.
        words: parts of its message.
        num_rows: row images before it.
    """

    log: bytes
    error: type[BinlogError]
    words: tuple[str, ...]
    start_pos: int = -1
    event_type: str = ""
    num_rows: int = 0


DAMAGES = {
    "empty": Damage(b"", NotABinlogError, ("fe 62 69 6e", "the file is empty")),
    "text": Damage(b"a text\n", NotABinlogError, ("fe 62 69 6e", "found 61 20 74 65")),
    "cut-in-magic": Damage(PLAIN[:3], NotABinlogError, ("found fe 62 69",)),
    "mysql-encrypted": Damage(
        ENCRYPTED_MAGIC + bytes(600), UnsupportedError, ("encrypted", "without its key")
    ),
    "mysql-encrypted-sample": Damage(
        read_sample("mysql-9.7-encrypted"), UnsupportedError, ("binlog_encryption=ON", "8.0.14")
    ),
    "mariadb-encrypted-sample": Damage(
        read_sample("mariadb-11.8-encrypted"),
        UnsupportedError,
        ("encrypt_binlog=ON", "without the key"),
        start_pos=4 + 252,
        event_type="START_ENCRYPTION_EVENT",
    ),
    "rows-event-in-parts": Damage(
        replaced(PLAIN, UPDATE.start_pos + 4, bytes([172])),
        UnsupportedError,
        ("rows events in parts", "MariaDB 12.3"),
        start_pos=UPDATE.start_pos,
        event_type="PARTIAL_ROW_DATA_EVENT",
        num_rows=ROWS_BEFORE_UPDATE,
    ),
    "no-format-description": Damage(
        PLAIN_MAGIC + PLAIN[find_event(PLAIN, "PREVIOUS_GTIDS_EVENT").start_pos :],
        CorruptEventError,
        ("expected a format description as the first event",),
        start_pos=4,
        event_type="PREVIOUS_GTIDS_EVENT",
    ),
    "cut-in-first-header": Damage(
        PLAIN[: 4 + 18], TruncatedEventError, ("expected 19 bytes, found 18",), start_pos=4
    ),
    "cut-in-header": Damage(
        PLAIN[: UPDATE.start_pos + 10],
        TruncatedEventError,
        ("inside an event header", "expected 19 bytes, found 10"),
        start_pos=UPDATE.start_pos,
        num_rows=ROWS_BEFORE_UPDATE,
    ),
    "cut-in-body": Damage(
        PLAIN[: UPDATE.start_pos + 40],
        TruncatedEventError,
        ("inside an event", f"expected {UPDATE.len_event} bytes, found 40"),
        start_pos=UPDATE.start_pos,
        event_type="UPDATE_ROWS_EVENT",
        num_rows=ROWS_BEFORE_UPDATE,
    ),
    "cut-before-last-byte": Damage(
        CHECKED[: CHECKED_UPDATE.end - 1],
        TruncatedEventError,
        (f"expected {CHECKED_UPDATE.len_event} bytes, found {CHECKED_UPDATE.len_event - 1}",),
        start_pos=CHECKED_UPDATE.start_pos,
        event_type="UPDATE_ROWS_EVENT",
        num_rows=ROWS_BEFORE_UPDATE,
    ),
    "cut-before-commit": Damage(
        PLAIN[: UPDATE.end],
        TruncatedEventError,
        ("inside the transaction that begins here", "not committed"),
        start_pos=SECOND_GTID.start_pos,
        num_rows=ROWS_BEFORE_UPDATE + 2,
    ),
    "flipped-byte": Damage(
        FLIPPED,
        ChecksumMismatchError,
        (f"{zlib.crc32(FLIPPED[CHECKED_UPDATE.start_pos : CHECKED_UPDATE.end - 4]):#010x}",),
        start_pos=CHECKED_UPDATE.start_pos,
        event_type="UPDATE_ROWS_EVENT",
        num_rows=ROWS_BEFORE_UPDATE,
    ),
    "flipped-byte-of-control-event": Damage(
        replaced(CHECKED, 4 + 40, b"x"),
        ChecksumMismatchError,
        ("as logged, the bytes have",),
        start_pos=4,
        event_type="FORMAT_DESCRIPTION_EVENT",
    ),
    "no-table-map": Damage(
        PLAIN[: TABLE_MAP.start_pos] + PLAIN[TABLE_MAP.end :],
        MissingTableMapError,
        ("table id 106", "started in the middle of a transaction"),
        start_pos=TABLE_MAP.start_pos,
        event_type="UPDATE_ROWS_EVENT",
        num_rows=ROWS_BEFORE_UPDATE,
    ),
    "length-0": Damage(
        with_length(PLAIN, UPDATE, 0),
        CorruptEventError,
        ("at least 19 bytes, found 0",),
        start_pos=UPDATE.start_pos,
        event_type="UPDATE_ROWS_EVENT",
        num_rows=ROWS_BEFORE_UPDATE,
    ),
    "length-18": Damage(
        with_length(PLAIN, UPDATE, 18),
        CorruptEventError,
        ("at least 19 bytes, found 18",),
        start_pos=UPDATE.start_pos,
        event_type="UPDATE_ROWS_EVENT",
        num_rows=ROWS_BEFORE_UPDATE,
    ),
    "length-beyond-option": Damage(
        with_length(PLAIN, UPDATE, 0xFFFFFFF0),
        CorruptEventError,
        ("event of 4294967280 bytes", "at most 1073741824", "maxEventBytes"),
        start_pos=UPDATE.start_pos,
        event_type="UPDATE_ROWS_EVENT",
        num_rows=ROWS_BEFORE_UPDATE,
    ),
    "length-without-room-for-checksum": Damage(
        with_length(CHECKED, CHECKED_UPDATE, LEN_HEADER + 2),
        CorruptEventError,
        ("at least 23 bytes, found 21",),
        start_pos=CHECKED_UPDATE.start_pos,
        event_type="UPDATE_ROWS_EVENT",
        num_rows=ROWS_BEFORE_UPDATE,
    ),
    "zeros-then-more": Damage(
        PLAIN + bytes(100) + b"x",
        CorruptEventError,
        ("at least 19 bytes, found 0",),
        start_pos=len(PLAIN),
        event_type="UNKNOWN_EVENT",
        num_rows=ALL_ROWS,
    ),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_damage_is_reported_after_the_rows_before_it(
    damage: Damage, engine: str, log_path: Path
) -> None:
    log_path.write_bytes(damage.log)
    num_rows, error = read_until_error(log_path, engine=engine)
    assert isinstance(error, damage.error)
    assert error.site == EventSite(LOG_NAME, damage.start_pos, damage.event_type)
    for word in damage.words:
        assert word in error.message
    assert num_rows == damage.num_rows


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_both_engines_say_the_same(damage: Damage, log_path: Path) -> None:
    log_path.write_bytes(damage.log)
    _, fast = read_until_error(log_path, engine="kernels")
    _, slow = read_until_error(log_path, engine="reference")
    assert (type(fast), str(fast)) == (type(slow), str(slow))


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_list_of_tables_fails_at_the_same_place(
    damage: Damage, engine: str, log_path: Path
) -> None:
    log_path.write_bytes(damage.log)
    with pytest.raises(damage.error) as caught:
        list_tables(log_path, engine=engine)
    assert isinstance(caught.value, BinlogError)
    assert caught.value.site == EventSite(LOG_NAME, damage.start_pos, damage.event_type)


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_small_window_changes_nothing_about_an_error(
    damage: Damage, engine: str, log_path: Path
) -> None:
    log_path.write_bytes(damage.log)
    num_rows, error = read_until_error(log_path, engine=engine)
    small, same = read_until_error(log_path, engine=engine, window_bytes="1k")
    assert (small, type(same), str(same)) == (num_rows, type(error), str(error))
