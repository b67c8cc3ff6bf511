"""Events that lack what their own fields announce: they are refused at their place."""

import struct
import zlib
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import (
    BinlogWarning,
    ChecksumMismatchError,
    CorruptEventError,
    EventSite,
    read_batches,
)
from pyspark_adapter.format.schema import event_type_name
from tests.oracle.rows import images_of
from tests.support.log_writer import QUERY, UPDATE_V2, WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.support.logs import read_until_error

MARIADB_GTID = 162
COMMIT_ID, PREPARED_XA, COMPLETED_XA = 0x02, 0x40, 0x80
XID = struct.pack("<iBB", 7, 2, 3) + b"g1b12"

# Flags, what they announce, extra flags, and what those announce.
GTIDS = [
    (0, b"", None, b""),
    (COMMIT_ID, bytes(8), None, b""),
    (COMPLETED_XA, XID, None, b""),
    (COMPLETED_XA | COMMIT_ID, bytes(8) + XID, None, b""),
    (PREPARED_XA, XID, None, b""),
    (0, b"", 0x01, bytes(1)),
    (0, b"", 0x04, bytes(8)),
    (0, b"", 0x08, bytes(8)),
    (0, b"", 0x10, bytes(4)),
    (COMMIT_ID, bytes(8), 0x1D, bytes(13)),
    (COMPLETED_XA, XID, 0x11, bytes(5)),
]


def outcome(path: Path, log: LogWriter) -> tuple[int, str | None, EventSite | None]:
    """Return rows, class of the error and its site; the rows are as many as the schema finds."""
    path.write_bytes(log.data)
    num_rows, error = read_until_error(path)
    if error is None:
        assert num_rows == len([*images_of(path)])
        return num_rows, None, None
    return num_rows, type(error).__name__, error.site


@pytest.mark.parametrize(("flags", "fields", "extra", "more"), GTIDS)
def test_a_gtid_of_mariadb_without_its_fields(
    flags: int, fields: bytes, extra: int | None, more: bytes, tmp_path: Path
) -> None:
    whole = struct.pack("<QIB", 1, 0, flags) + fields
    len_fields = len(whole)
    if extra is not None:
        whole += bytes([extra]) + more
    for length in range(12, len(whole) + 2):
        log = LogWriter()
        log.event(MARIADB_GTID, whole[:length].ljust(length, b"\0"))
        log.commit()
        found = outcome(tmp_path / "binlog.000001", log)
        is_whole = length >= len(whole) or length == len_fields
        assert (found[1] is None) == is_whole
        if not is_whole:
            assert found[1] == CorruptEventError.__name__


def test_a_statement_without_the_zero_before_it(tmp_path: Path) -> None:
    log = LogWriter()
    log.event(QUERY, struct.pack("<IIBHH", 7, 0, 1, 0, 0) + b"d\x01BEGIN")
    assert outcome(tmp_path / "binlog.000001", log)[1] == CorruptEventError.__name__


def test_a_statement_that_nobody_asks_for_is_not_parsed(tmp_path: Path) -> None:
    """After the first LOAD DATA no more warnings come, so the fields of the next do not matter."""
    log = LogWriter()
    log.event(12, bytes(60))
    log.event(18, bytes(8) + b"\xff" + bytes(60))
    with pytest.warns(BinlogWarning):
        found = outcome(tmp_path / "binlog.000001", log)
    assert found == (0, None, None)


@pytest.mark.parametrize("length", [0, 10, 12, 14, 255])
def test_a_format_description_with_another_post_header_of_statements(
    length: int, tmp_path: Path
) -> None:
    log = LogWriter(has_checksums=False)
    log.data[4 + 19 + 57 + 1] = length
    log.data[-4:] = zlib.crc32(bytes(log.data[4:-4])).to_bytes(4, "little")
    log.begin()
    assert outcome(tmp_path / "binlog.000001", log)[1] == CorruptEventError.__name__


@pytest.mark.parametrize("type_code", [39, 42, 172, 26, 99])
def test_damage_comes_before_what_an_event_means(type_code: int, tmp_path: Path) -> None:
    """A checksum that does not match is the error, also of an event that is not supported."""
    log = LogWriter()
    log.begin()
    log.event(type_code, bytes(40))
    log.data[-1] ^= 1
    assert outcome(tmp_path / "binlog.000001", log)[1] == ChecksumMismatchError.__name__


@pytest.mark.parametrize("type_code", [3, 4, 19, 30, 164])
@pytest.mark.parametrize("length", [10, 19, 52, 1 << 20])
@pytest.mark.parametrize("len_body", [0, 1, 20])
def test_the_first_event_is_a_format_description_whatever_its_length(
    type_code: int, length: int, len_body: int, tmp_path: Path
) -> None:
    log = LogWriter(has_checksums=False)
    del log.data[4:]
    log.event(type_code, bytes(len_body))
    log.data[13:17] = length.to_bytes(4, "little")
    found = outcome(tmp_path / "binlog.000001", log)
    assert found[2] == EventSite("binlog.000001", 4, event_type_name(type_code))


@pytest.mark.parametrize("length", range(19, 24))
def test_the_length_of_an_event_comes_before_what_it_means(length: int, tmp_path: Path) -> None:
    log = LogWriter()
    log.event(164, bytes(17))
    log.data[-31:-27] = length.to_bytes(4, "little")
    found = outcome(tmp_path / "binlog.000001", log)
    assert found[1] == ("CorruptEventError" if length < 23 else "UnsupportedError")


@pytest.mark.parametrize("length", [0, 11, 255])
def test_the_format_of_compressed_statements_is_that_of_others(length: int, tmp_path: Path) -> None:
    """Whatever a format description says of them; MariaDB says 13."""
    log = LogWriter(has_checksums=False)
    types = b"".ljust(164 - 41, b"\0") + bytes([length])
    event = log.data[4:-5] + types + b"\0\0\0\0\0"
    event[9:13] = len(event).to_bytes(4, "little")
    log.data[4:] = event[:-4] + zlib.crc32(event[:-4]).to_bytes(4, "little")
    text = b"DROP TABLE t"
    body = struct.pack("<IIBHH", 7, 0, 1, 0, 0) + b"d\0\x81" + bytes([len(text)])
    log.event(165, body + zlib.compress(text))
    assert outcome(tmp_path / "binlog.000001", log) == (0, None, None)


@pytest.mark.parametrize("begin", [b"BEGIN", b"XA START X'67',X'',1"])
def test_a_begin_after_rows_changes_nothing_of_them(begin: bytes, tmp_path: Path) -> None:
    """Rows of one window are given with what is known at its end, others with what was before."""
    log = LogWriter()
    log.event(33, b"\1" + bytes(16) + struct.pack("<QBQQ", 7, 2, 1, 2))
    for k in range(2):
        log.table_map(9, "t", [LoggedColumn("a", 3)])
        log.rows(9, Rows(WRITE_V2, [[k.to_bytes(4, "little")]], [True], flags=0))
        log.event(QUERY, struct.pack("<IIBHH", 7, 0, 1, 0, 0) + b"d\0" + begin)
    log.commit()
    path = tmp_path / "binlog.000001"
    path.write_bytes(log.data)
    names = ("_thread_id", "_xa")
    for size in (1024, 1 << 20):
        options: dict[str, Any] = {"metadata_columns": names, "window_bytes": size}
        batches = read_batches(path, **options)
        [first, *_] = [row for batch in batches for row in batch.to_pylist()]
        assert (first["_thread_id"], first["_xa"]) == (None, None)


# Extra row info of a rows event; whether it is whole.
INFOS = [
    (WRITE_V2, b"", True),
    (WRITE_V2, b"\x00\x02\x00", True),
    (WRITE_V2, b"\x00\x05\x00abc", True),
    (WRITE_V2, b"\x00", False),
    (WRITE_V2, b"\x00\x02", False),
    (WRITE_V2, b"\x00\x01\x00", False),
    (WRITE_V2, b"\x00\x00\x00", False),
    (WRITE_V2, b"\x00\x09\x00abc", False),
    (WRITE_V2, b"\x01\x05\x00", True),
    (WRITE_V2, b"\x01\x05", False),
    (WRITE_V2, b"\x01", False),
    (UPDATE_V2, b"\x01\x05\x00\x06\x00", True),
    (UPDATE_V2, b"\x01\x05\x00", False),
    (WRITE_V2, b"\x00\x02\x00\x01\x05\x00", True),
    (WRITE_V2, b"\x01\x05\x00\x00\x02\x00", True),
    (WRITE_V2, b"\x01\x05\x00\x00\x02", False),
    (WRITE_V2, b"\x07\x01", True),
    (WRITE_V2, b"\x07", True),
]


@pytest.mark.parametrize(("type_code", "info", "is_whole"), INFOS)
def test_extra_row_info_that_is_not_whole(
    type_code: int, info: bytes, tmp_path: Path, *, is_whole: bool
) -> None:
    log = LogWriter()
    log.begin()
    log.table_map(9, "t", [LoggedColumn("a", 1)])
    images = 2 if type_code == UPDATE_V2 else 1
    body = struct.pack("<IHHH", 9, 0, 1, 2 + len(info)) + info
    log.event(type_code, body + b"\x01" + b"\xff" * images + b"\xfe\x05" * images)
    log.commit()
    found = outcome(tmp_path / "binlog.000001", log)
    assert found[:2] == ((images, None) if is_whole else (0, CorruptEventError.__name__))


@pytest.mark.parametrize("type_code", [20, 21, 22, WRITE_V2, UPDATE_V2])
@pytest.mark.parametrize("has_table_map", [True, False])
def test_rows_events_without_all_their_fields(
    type_code: int, tmp_path: Path, *, has_table_map: bool
) -> None:
    extra = b"\x02\x00" if type_code >= WRITE_V2 else b""
    for fields in (
        b"",
        b"\x01",
        b"\x01\xff",
        b"\x01\xff\xff",
        b"\xfc\x01\x10",
        b"\xfb",
        b"\xfe\xff",
    ):
        log = LogWriter()
        log.begin()
        if has_table_map:
            log.table_map(9, "t", [LoggedColumn("a", 1)])
        log.event(type_code, struct.pack("<IHH", 9, 0, 1) + extra + fields)
        found = outcome(tmp_path / "binlog.000001", log)
        names = {"CorruptEventError", "MissingTableMapError", "TruncatedEventError"}
        assert found[1] in (names if type_code >= WRITE_V2 else {*names, "UnsupportedError"}), (
            fields
        )


def test_extra_row_info_beyond_the_event(tmp_path: Path) -> None:
    log = LogWriter()
    log.begin()
    log.table_map(9, "t", [LoggedColumn("a", 1)])
    log.event(WRITE_V2, struct.pack("<IHHH", 9, 0, 1, 500) + b"\x01\xff\xfe\x05")
    path = tmp_path / "binlog.000001"
    path.write_bytes(log.data)
    assert isinstance(read_until_error(path)[1], CorruptEventError)
