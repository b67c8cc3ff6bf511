"""Events that no server at hand writes, made byte by byte.

The places in parentheses are sections of the notes on the format, `events.md` where no other is
named, and the examples there are bytes of real servers.
"""

from __future__ import annotations

import pytest
from kaitaistruct import KaitaiStructError
from mysql_binlog import MysqlBinlog

from tests.corpus.handmade import MAGIC, MARIADB, event, parse, parse_body

UUID_BYTES = "54c216ebe4ff11f1a8ec02fc00000001"


def old_event(type_code: int, body: bytes) -> bytes:
    """Return an event of MySQL 3.23, whose header has 13 bytes."""
    length = (13 + len(body)).to_bytes(4, "little")
    return b"\x01\0\0\0" + bytes([type_code]) + b"\x07\0\0\0" + length + body


def test_log_of_version_1_has_short_headers() -> None:  # file-and-header.md, Binlog versions
    start = b"\x01\0" + b"3.23.58-log".ljust(50, b"\0") + (5).to_bytes(4, "little")
    query = bytes.fromhex("02000000 03000000 01 0000") + b"d\0" + b"DROP TABLE t"
    log = MAGIC + old_event(1, start) + old_event(2, query) + old_event(4, b"log.002")
    root = MysqlBinlog.from_bytes(log)
    assert [e.len_event for e in root.events[:1]] == [69]
    first, second, third = root.events
    assert (first.body.binlog_version, first.body.server_version) == (1, b"3.23.58-log")
    assert (first.body.created, first.server_id, first.timestamp) == (5, 7, 1)
    assert not hasattr(second, "end_log_pos")
    assert not second.body.has_status_vars
    assert (second.body.thread_id, second.body.exec_time, second.body.error_code) == (2, 3, 0)
    assert (second.body.database_name, second.body.query) == (b"d", b"DROP TABLE t")
    assert third.body.next_log_file == b"log.002"
    assert not hasattr(third.body, "position")
    assert third.frame.flag_bits is None
    assert root.trailing == b""


def test_log_of_version_1_may_have_loads_of_its_kind() -> None:  # 4
    start = b"\x01\0" + b"3.23.58".ljust(50, b"\0") + bytes(4)
    head = bytes.fromhex("01000000 02000000 03000000 02 01 02000000")
    body = head + b'\t"\n\0\\\x02\x08' + b"\1\2" + b"a\0bc\0" + b"t3\0" + b"d\0" + b"/data/f.txt"
    load = MysqlBinlog.from_bytes(MAGIC + old_event(1, start) + old_event(6, body)).events[1].body
    assert (load.thread_id, load.exec_time, load.num_skipped_lines) == (1, 2, 3)
    old = load.old_format
    marks = (old.field_terminator, old.field_enclosure, old.line_terminator, old.escape)
    assert marks == (b"\t", b'"', b"\n", b"\\")
    assert (old.options, old.empty_flags) == (2, 8)
    assert [field.name for field in load.field_names] == [b"a", b"bc"]
    assert (load.table_name, load.database_name) == (b"t3", b"d")
    assert load.file_name == b"/data/f.txt"


LOAD_HEAD = "01000000 00000000 00000000 02 04 01000000"
LOAD_TAIL = "01 09 00 01 0a 00 01 5c 06 01 6100 743300 7465737400"


def test_create_file_brings_the_first_block() -> None:  # 4, sample of 4.1
    body = parse_body(8, f"{LOAD_HEAD} 02000000 {LOAD_TAIL} 6269672e64617400 78790a")
    assert (body.file_id, body.created_file_name, body.block) == (2, b"big.dat", b"xy\n")
    assert (body.format.field_terminator.bytes, body.format.escape.bytes) == (b"\t", b"\\")
    assert (body.format.is_optionally_enclosed, body.format.is_replace) == (True, True)
    assert (body.format.is_ignore, body.format.is_dumpfile) == (False, False)
    assert [field.name for field in body.field_names] == [b"a"]
    assert (body.table_name, body.database_name) == (b"t3", b"test")


def test_new_load_names_the_file() -> None:  # 4
    body = parse_body(12, f"{LOAD_HEAD} {LOAD_TAIL} 6269672e646174")
    assert (body.file_name, body.table_name) == (b"big.dat", b"t3")
    assert not hasattr(body, "file_id")


@pytest.mark.parametrize("type_code", [10, 11])
def test_exec_load_and_delete_file_name_a_file(type_code: int) -> None:  # 4
    assert parse_body(type_code, "02000000").file_id == 2


@pytest.mark.parametrize("type_code", [9, 17])
def test_blocks_of_a_file(type_code: int) -> None:  # 4
    body = parse_body(type_code, "02000000 00ff0a")
    assert (body.file_id, body.block) == (2, b"\x00\xff\n")


def test_slave_names_its_source() -> None:  # 4
    body = parse_body(7, "0400000000000000 ea0c 686f737400 6c6f67")
    assert (body.position, body.port, body.host, body.log_file) == (4, 3306, b"host", b"log")


def test_incident_has_a_message() -> None:  # 6
    body = parse_body(26, "0100 04 6c6f7374")
    assert (body.incident, body.message) == (MysqlBinlog.Incident.lost_events, b"lost")


def test_incident_of_unknown_kind_without_a_message() -> None:  # 6, a sample
    body = parse_body(26, "4200 00")
    assert (int(body.incident), body.message) == (0x42, b"")


def test_ignorable_keeps_its_bytes() -> None:  # 6
    assert parse_body(28, "0102").data == b"\1\2"


def test_heartbeat_has_its_position_in_the_header() -> None:  # 7
    body = parse_body(27, b"binlog.000002".hex(), end_log_pos=1234)
    assert (body.log_file, body.position) == (b"binlog.000002", 1234)


def test_heartbeat_of_mariadb_beyond_4_gib() -> None:  # 7
    body = parse_body(27, "0100000001000000" + b"bin.2".hex(), first=MARIADB)
    assert (body.log_file, body.position) == (b"bin.2", 2**32 + 1)
    short = parse_body(27, b"bin.2".hex(), first=MARIADB, end_log_pos=9)
    assert (short.log_file, short.position) == (b"bin.2", 9)


def test_heartbeat_of_version_2() -> None:  # 7, example
    body = parse_body(41, "01 09 626c2e303030303338 02 03 fc5c01 00")
    log_file, position, end = body.fields
    assert (log_file.value.name, position.value.value, end.is_end) == (b"bl.000038", 348, True)


def test_heartbeat_of_version_2_with_an_unknown_field() -> None:
    assert bytes(parse_body(41, "07 02 abcd 00").fields[0].value.bytes) == b"\xab\xcd"


def test_transaction_context() -> None:  # 10
    uuid = "54c216eb-e4ff-11f1-a8ec-02fc00000001"
    snapshot = f"0100000000000000 {UUID_BYTES} 0100000000000000 0100000000000000 0600000000000000"
    body = parse_body(
        36,
        f"24 09000000 01 30000000 02000000 01000000 {uuid.encode().hex()} {snapshot}"
        " 0300 616263 0000 0100 ff",
    )
    assert (body.server_uuid.decode(), body.thread_id) == (uuid, 9)
    assert body.is_gtid_specified == 1
    assert [item.bytes for item in body.writes] == [b"abc", b""]
    assert [item.bytes for item in body.reads] == [b"\xff"]
    (source,) = body.snapshot.sources
    assert (source.source_uuid.hex(), source.intervals[0].last) == (UUID_BYTES, 5)


def test_view_change() -> None:  # 10
    view = b"17951924:3".ljust(40, b"\0").hex()
    body = parse_body(37, f"{view} 0500000000000000 01000000 0200 6b31 03000000 010203")
    assert (body.view_id, body.sequence_number) == (b"17951924:3", 5)
    (info,) = body.certification_infos
    assert (info.key.bytes, info.value) == (b"k1", b"\1\2\3")


def test_gtid_grows_by_a_ticket() -> None:  # 8, example with both markers
    body = parse_body(
        33,
        f"01 {UUID_BYTES} 0500000000000000 02 0100000000000000 0200000000000000"
        " ad3862cdb76086 c0ba8a3cd56204 fc1f01 50620180 a4380100 0700000000000000",
    )
    assert (body.immediate_commit_timestamp.micros, body.original_commit_timestamp.micros) == (
        1795192401311917,
        1234567890123456,
    )
    assert body.transaction_length.value == 287
    assert (body.immediate_server_version.version, body.original_server_version.version) == (
        90704,
        80036,
    )
    assert (body.commit_group_ticket, body.gno, body.may_have_statements) == (7, 5, True)


@pytest.mark.parametrize("num_bytes", [25, 42, 49, 52, 56])
def test_gtid_of_each_version_ends_where_its_server_ends_it(num_bytes: int) -> None:  # 8
    whole = bytes.fromhex(
        f"00 {UUID_BYTES} 0500000000000000 02 0100000000000000 0200000000000000"
        " ad3862cdb76006 fc1f01 50620100"
    )
    assert len(whole) == 56
    body = parse_body(33, whole[:num_bytes].hex())
    assert hasattr(body, "sequence_number") == (num_bytes >= 42)
    assert (body.immediate_commit_timestamp is not None) == (num_bytes >= 49)
    assert (body.transaction_length is not None) == (num_bytes >= 52)
    assert (body.immediate_server_version is not None) == (num_bytes >= 56)
    assert body.commit_group_ticket is None


def test_gtid_with_a_tag() -> None:  # 8, full example
    body = parse_body(
        42,
        "0276000000 02a809032cad039103fd0322c503a102b10304f10300000002 0414 060a6d79746167 0804"
        " 0a08 0c7f8c3162cdb76006 105d04 1283120b",
    )
    fields = {field.name.name: field.value for field in body.fields}
    assert bytes(b.value for b in fields["source_uuid"].bytes).hex() == UUID_BYTES
    assert (fields["tag"].text, fields["gno"].signed_value) == ("mytag", 5)
    assert fields["immediate_commit_timestamp"].value == 1795192401310092
    assert (fields["transaction_length"].value, fields["immediate_server_version"].value) == (
        279,
        90704,
    )


def test_previous_gtids_with_tags() -> None:  # 9
    interval = "0100000000000000 0100000000000000 0400000000000000"
    body = parse_body(
        35, f"0102000000000001 {UUID_BYTES} 00 {interval} {UUID_BYTES} 0a7461676765 {interval}"
    )
    assert body.is_tagged
    assert [source.tag.text for source in body.sources] == ["", "tagge"]
    assert [source.intervals[0].last for source in body.sources] == [3, 3]


def test_previous_gtids_of_an_unknown_form_stay_raw() -> None:  # 9
    assert bytes(parse_body(35, "00000000000000 02 abcd").unknown) == b"\xab\xcd"


def test_gtid_list_that_is_empty_has_padding() -> None:  # 13
    body = parse_body(163, "00000000 0000", first=MARIADB)
    assert (body.num_gtids, list(body.gtids), body.padding) == (0, [], b"\0\0")


def test_gtid_list_of_a_stream_has_flags() -> None:  # 13
    body = parse_body(163, "01000030 02000000 03000000 0400000000000000", first=MARIADB)
    (gtid,) = body.gtids
    assert (gtid.domain_id, gtid.server_id, gtid.seq_no) == (2, 3, 4)
    assert (body.is_until_reached, body.is_ignorable_gtids) == (True, True)


def test_mariadb_gtid_of_a_prepared_transaction() -> None:  # 13
    body = parse_body(
        162, "0900000000000000 01000000 4c 07000000 02 02 67316231 11 ff 05000000", first=MARIADB
    )
    assert (body.seq_no, body.domain_id, body.xid.format_id) == (9, 1, 7)
    assert (body.xid.gtrid, body.xid.bqual) == (b"g1", b"b1")
    assert (body.num_extra_engines, body.thread_id, body.padding) == (255, 5, b"")


def test_everything_behind_start_encryption_is_ciphertext() -> (
    None
):  # file-and-header.md, Encryption
    start, secret = parse(
        event(164, bytes.fromhex("01 02000000 000102030405060708090a0b")),
        event(2, b"\x99" * 30),
        first=MARIADB,
    )
    secret_start = bytes(4) + b"\2" + b"\1\0\0\0"
    assert (start.body.scheme, start.body.key_version) == (1, 2)
    assert start.body.nonce == bytes(range(12))
    assert secret.frame.is_encrypted
    assert (secret.body.start, secret.body.ciphertext) == (secret_start, b"\0" * 6 + b"\x99" * 30)
    assert (secret.body.ofs_event, secret.body.len_event) == (secret.ofs_event, 49)
    for name in ("timestamp", "event_type", "server_id", "end_log_pos", "flags"):
        assert not hasattr(secret, name)
    for name in ("time", "event_type", "flag_bits", "checksum"):
        assert getattr(secret.frame, name) is None


def test_xa_prepare() -> None:  # 5, example
    body = parse_body(38, "00 07000000 02000000 02000000 67316231")
    assert (body.is_one_phase, body.xid.format_id) == (0, 7)
    assert (body.xid.gtrid, body.xid.bqual) == (b"g1", b"b1")
    assert parse_body(38, "01 ffffffff 00000000 00000000").xid.format_id == -1


def test_xa_prepare_of_a_damaged_length_is_refused() -> None:  # 5: at most 64
    with pytest.raises(KaitaiStructError):
        parse_body(38, "00 07000000 41000000 02000000" + "67" * 80)


@pytest.mark.parametrize(
    ("body", "length", "part"),
    [
        ("01000000 03000000 01 4d00000000000000 f153", 77, b"\xf1S"),
        ("02000000 03000000 00 6517", None, b"e\x17"),
    ],
)
def test_a_part_of_a_rows_event(body: str, length: int | None, part: bytes) -> None:
    parsed = parse_body(172, body)
    assert (parsed.second_number, parsed.part) == (3, part)
    assert getattr(parsed, "len_rows_event", None) == length


@pytest.mark.parametrize("type_code", [0, 43, 100, 159, 173, 255])
def test_unknown_type_stays_raw(type_code: int) -> None:  # code table; gotchas.md 1 and 2
    unknown, stop = parse(event(type_code, b"\1\2", flags=0x80), event(3, b""))
    assert (unknown.body, unknown.frame.flag_bits.is_ignorable) == (b"\1\2", True)
    assert stop.event_type == MysqlBinlog.EventType.stop


@pytest.mark.parametrize(
    ("bit", "name"),
    [
        (0x0001, "is_in_use"),
        (0x0002, "is_forced_rotate"),
        (0x0004, "is_thread_specific"),
        (0x0008, "is_use_suppressed"),
        (0x0010, "is_table_map_version_updated"),
        (0x0020, "is_artificial"),
        (0x0040, "is_relay_log"),
        (0x0080, "is_ignorable"),
        (0x0100, "is_no_filter"),
        (0x0200, "is_mts_isolated"),
        (0x4000, "is_own_accepted"),
        (0x8000, "is_replication_skipped"),
    ],
)
def test_each_flag_has_a_name(bit: int, name: str) -> None:  # file-and-header.md, flags
    (found,) = parse(event(3, b"", flags=bit))
    (other,) = parse(event(3, b"", flags=0xFFFF ^ bit))
    assert getattr(found.frame.flag_bits, name)
    assert not getattr(other.frame.flag_bits, name)
