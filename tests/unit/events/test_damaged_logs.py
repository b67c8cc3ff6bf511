"""Damaged and odd logs: rows before a damage are read, and the error after them names its place."""

import zlib
from dataclasses import dataclass
from pathlib import Path

import pytest

from pyspark_adapter import (
    BinlogError,
    ChecksumMismatchError,
    CorruptEventError,
    EventSite,
    LogFileError,
    MissingTableMapError,
    NotABinlogError,
    TruncatedEventError,
    UnsupportedError,
    list_tables,
    read_batches,
)
from samples.event_headers import ENCRYPTED_MAGIC, HEADER, PLAIN_MAGIC
from tests.inputs import SAMPLES, sample_path
from tests.support.logs import (
    LEN_HEADER,
    LOG_NAME,
    Event,
    events_of,
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
    """A damaged log and what is to come of it."""

    log: bytes
    error: type[BinlogError]
    words: tuple[str, ...]
    start_pos: int = -1
    event_type: str = ""
    num_rows: int = 0


def of_update(log: bytes, error: type[BinlogError], *words: str, at: Event = UPDATE) -> Damage:
    start_pos, kind = at.start_pos, "UPDATE_ROWS_EVENT"
    return Damage(log, error, words, start_pos, event_type=kind, num_rows=ROWS_BEFORE_UPDATE)


DAMAGES = {
    "empty": Damage(b"", NotABinlogError, ("fe 62 69 6e", "the file is empty")),
    "text": Damage(b"a text\n", NotABinlogError, ("fe 62 69 6e", "found 61 20 74 65")),
    "cut-in-magic": Damage(PLAIN[:3], NotABinlogError, ("found fe 62 69",)),
    "mysql-encrypted": Damage(
        ENCRYPTED_MAGIC + bytes(600), UnsupportedError, ("encrypted", "option keyring")
    ),
    "mysql-encrypted-sample": Damage(
        read_sample("mysql-9.7-encrypted"), UnsupportedError, ("binlog_encryption=ON", "8.0.14")
    ),
    "mariadb-encrypted-sample": Damage(
        read_sample("mariadb-11.8-encrypted"),
        UnsupportedError,
        ("encrypt_binlog=ON", "option keyring"),
        start_pos=4 + 252,
        event_type="START_ENCRYPTION_EVENT",
    ),
    "rows-event-in-parts": Damage(
        replaced(PLAIN, UPDATE.start_pos + 4, bytes([172])),
        UnsupportedError,
        ("flags 0x2 of a part",),
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
    "cut-in-body": of_update(
        PLAIN[: UPDATE.start_pos + 40],
        TruncatedEventError,
        "inside an event",
        f"expected {UPDATE.len_event} bytes, found 40",
    ),
    "cut-before-last-byte": of_update(
        CHECKED[: CHECKED_UPDATE.end - 1],
        TruncatedEventError,
        f"expected {CHECKED_UPDATE.len_event} bytes, found {CHECKED_UPDATE.len_event - 1}",
        at=CHECKED_UPDATE,
    ),
    "cut-before-commit": Damage(
        PLAIN[: UPDATE.end],
        TruncatedEventError,
        ("inside the transaction that begins here", "not committed"),
        start_pos=SECOND_GTID.start_pos,
        num_rows=ROWS_BEFORE_UPDATE + 2,
    ),
    "flipped-byte": of_update(
        FLIPPED,
        ChecksumMismatchError,
        f"{zlib.crc32(FLIPPED[CHECKED_UPDATE.start_pos : CHECKED_UPDATE.end - 4]):#010x}",
        at=CHECKED_UPDATE,
    ),
    "flipped-byte-of-control-event": Damage(
        replaced(CHECKED, 4 + 40, b"x"),
        ChecksumMismatchError,
        ("as logged, the bytes have",),
        start_pos=4,
        event_type="FORMAT_DESCRIPTION_EVENT",
    ),
    "no-table-map": of_update(
        PLAIN[: TABLE_MAP.start_pos] + PLAIN[TABLE_MAP.end :],
        MissingTableMapError,
        "table id 106",
        "started in the middle of a transaction",
        at=TABLE_MAP,
    ),
    "length-0": of_update(
        with_length(PLAIN, UPDATE, 0), CorruptEventError, "at least 19 bytes, found 0"
    ),
    "length-18": of_update(
        with_length(PLAIN, UPDATE, 18), CorruptEventError, "at least 19 bytes, found 18"
    ),
    "length-beyond-option": of_update(
        with_length(PLAIN, UPDATE, 0xFFFFFFF0),
        CorruptEventError,
        "event of 4294967280 bytes",
        "at most 1073741824",
        "option max_event_bytes",
    ),
    "length-without-room-for-checksum": of_update(
        with_length(CHECKED, CHECKED_UPDATE, LEN_HEADER + 2),
        CorruptEventError,
        "at least 23 bytes, found 21",
        at=CHECKED_UPDATE,
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
def test_damage_is_reported_after_the_rows_before_it(damage: Damage, log_path: Path) -> None:
    log_path.write_bytes(damage.log)
    num_rows, error = read_until_error(log_path)
    assert isinstance(error, damage.error)
    assert error.site == EventSite(LOG_NAME, damage.start_pos, damage.event_type)
    for word in damage.words:
        assert word in str(error)
    assert num_rows == damage.num_rows


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_list_of_tables_fails_at_the_same_place(damage: Damage, log_path: Path) -> None:
    log_path.write_bytes(damage.log)
    with pytest.raises(damage.error) as caught:
        list_tables(log_path)
    assert isinstance(caught.value, BinlogError)
    assert caught.value.site == EventSite(LOG_NAME, damage.start_pos, damage.event_type)


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_small_window_changes_nothing_about_an_error(damage: Damage, log_path: Path) -> None:
    log_path.write_bytes(damage.log)
    num_rows, error = read_until_error(log_path)
    small, same = read_until_error(log_path, window_bytes="1k")
    assert (small, type(same), str(same)) == (num_rows, type(error), str(error))


def test_a_log_of_the_magic_alone_has_no_rows(log_path: Path) -> None:
    log_path.write_bytes(PLAIN_MAGIC)
    assert list(read_batches(log_path)) == []
    assert list_tables(log_path) == []


# File systems and snapshots leave them: `file-and-header.md`, "Damaged, open and odd files".
@pytest.mark.parametrize("num_zeros", [1, 18, 19, 100, 5000])
def test_zeros_up_to_the_end_are_no_error(num_zeros: int, log_path: Path) -> None:
    log_path.write_bytes(PLAIN + bytes(num_zeros))
    assert read_until_error(log_path, window_bytes="1k") == (ALL_ROWS, None)


def test_a_transaction_cut_before_its_first_row_is_no_error(log_path: Path) -> None:
    log_path.write_bytes(PLAIN[: TABLE_MAP.end])
    assert read_until_error(log_path) == (3, None)


def test_unverified_checksums_let_a_flipped_letter_pass(log_path: Path) -> None:
    log_path.write_bytes(FLIPPED)
    batches = read_batches(
        log_path, table="inuse97.notes", verify_checksums=False, metadata_columns=()
    )
    rows = [row for batch in batches for row in batch.to_pylist()]
    assert len(rows) == ALL_ROWS
    assert [row["title"] for row in rows].count("girst") == 1


def test_a_checksum_error_carries_both_checksums(log_path: Path) -> None:
    log_path.write_bytes(FLIPPED)
    _, error = read_until_error(log_path)
    assert isinstance(error, ChecksumMismatchError)
    end = CHECKED_UPDATE.end - 4
    assert error.expected == int.from_bytes(CHECKED[end : end + 4], "little")
    assert error.actual == zlib.crc32(FLIPPED[CHECKED_UPDATE.start_pos : end])
    assert str(error).startswith(
        f"{LOG_NAME}@{CHECKED_UPDATE.start_pos} UPDATE_ROWS_EVENT: expected CRC32"
    )


# What a MariaDB server sends of its encrypted log, and `mariadb-binlog --raw` writes of that.
@pytest.mark.parametrize(("flags", "num_rows"), [(0x80, ALL_ROWS), (0, 0)])
def test_what_a_server_has_decrypted_is_read(flags: int, num_rows: int, log_path: Path) -> None:
    body = b"\1" + (1).to_bytes(4, "little") + bytes(12)  # scheme, version of the key, nonce
    event = HEADER.pack(0, 164, 1, HEADER.size + len(body), 0, flags) + body
    second = events_of(PLAIN)[1].start_pos
    log_path.write_bytes(PLAIN[:second] + event + PLAIN[second:])
    found, error = read_until_error(log_path)
    assert (found, error is None) == (num_rows, flags == 0x80)


def test_an_error_of_a_cut_log_carries_its_bytes(log_path: Path) -> None:
    log_path.write_bytes(DAMAGES["cut-in-body"].log)
    _, error = read_until_error(log_path)
    assert isinstance(error, TruncatedEventError)
    assert (error.needed, error.available) == (UPDATE.len_event, 40)
    log_path.write_bytes(DAMAGES["cut-in-header"].log)
    _, error = read_until_error(log_path)
    assert isinstance(error, TruncatedEventError)
    assert (error.needed, error.available) == (19, 10)


def test_an_error_of_a_lost_table_map_carries_the_table_id(log_path: Path) -> None:
    log_path.write_bytes(DAMAGES["no-table-map"].log)
    _, error = read_until_error(log_path)
    assert isinstance(error, MissingTableMapError)
    assert error.table_id == int.from_bytes(PLAIN[TABLE_MAP.start_pos + 19 :][:6], "little")


# The first insert is the first event above 512 bytes; the smallest limit of the option is 1024.
def test_an_event_beyond_the_option_is_an_error() -> None:
    path = sample_path("mysql-9.7-types")
    _, error = read_until_error(path, max_event_bytes="1k")
    assert isinstance(error, CorruptEventError)
    assert error.site is not None
    log = path.read_bytes()
    length = int.from_bytes(log[error.site.start_pos + 9 :][:4], "little")
    assert length > 1024
    assert f"event of {length} bytes: expected at most 1024" in error.message


def test_a_path_that_is_missing_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "binlog.000001"
    with pytest.raises(LogFileError, match="No such file") as caught:
        read_batches(missing)
    assert caught.value.site == EventSite(str(missing))
    assert isinstance(caught.value, OSError)
    with pytest.raises(LogFileError, match="No such file"):
        list_tables([sample_path("mysql-9.7-no-checksum"), missing])


def test_a_folder_without_logs_is_named(tmp_path: Path) -> None:
    (tmp_path / "binlog.index").write_text("./binlog.000001\n")
    with pytest.raises(LogFileError, match="no file that begins as one") as caught:
        read_batches(tmp_path)
    assert caught.value.site == EventSite(str(tmp_path))


def test_a_file_that_is_gone_when_it_is_opened_is_named(log_path: Path) -> None:
    log_path.write_bytes(PLAIN)
    batches = read_batches(log_path)
    log_path.unlink()
    with pytest.raises(LogFileError, match="cannot be opened: No such file") as caught:
        list(batches)
    assert caught.value.site == EventSite(LOG_NAME)


def test_no_path_at_all_is_an_error() -> None:
    with pytest.raises(LogFileError, match="got none"):
        list_tables([])


def test_logs_of_a_folder_are_read_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for number in ("1000000", "000002", "999999"):
        (tmp_path / f"binlog.{number}").write_bytes(PLAIN)
    (tmp_path / "binlog.index").write_text("./binlog.000002\n")
    rows = [
        name
        for batch in read_batches(tmp_path, metadata_columns="_log_file")
        for name in batch.column("_log_file").to_pylist()
    ]
    numbers = ("000002", "999999", "1000000")
    assert rows == [f"binlog.{number}" for number in numbers for _ in range(ALL_ROWS)]


def test_partial_updates_are_counted() -> None:
    name = "mysql-9.7-partial-json"
    counts = {
        str(found.table): {
            "insert": found.num_inserts,
            "update": found.num_updates,
            "delete": found.num_deletes,
        }
        for found in list_tables(sample_path(name))
    }
    assert counts == SAMPLES[name]["row_changes"]


def test_the_events_before_a_damage_are_given(log_path: Path) -> None:
    log_path.write_bytes(DAMAGES["cut-in-body"].log)
    num_rows, error = read_until_error(log_path, view="events")
    assert isinstance(error, TruncatedEventError)
    assert num_rows == sum(event.end <= UPDATE.start_pos for event in events_of(PLAIN))
