"""Statements and their rows, byte by byte: `rows.md` and sections 1, 3, 4, 12 of `events.md`."""

from __future__ import annotations

import zlib
from typing import Any

import pytest
from mysql_binlog import MysqlBinlog

from tests.corpus.handmade import (
    MARIADB,
    UPDATE_ROWS,
    WRITE_ROWS,
    Column,
    event,
    parse,
    parse_body,
    rows_event,
    table_map,
)
from tests.corpus.json_tree import difference_documents, difference_text

LONG = Column(3)
PARTIAL_UPDATE_ROWS = 39
Key = MysqlBinlog.StatusVarKey


def status_vars(hexadecimal: str) -> list[Any]:
    """Return the status variables of a QUERY, as the schema parses them."""
    data = bytes.fromhex(hexadecimal)
    head = bytes.fromhex("02000000 03000000 01 0500") + len(data).to_bytes(2, "little")
    body = parse(event(2, head + data + b"d\0DROP TABLE t"))[0].body
    assert (body.thread_id, body.exec_time, body.error_code) == (2, 3, 5)
    assert (body.database_name, body.query) == (b"d", b"DROP TABLE t")
    found: list[Any] = body.session.vars
    return found


def test_status_vars_of_mysql() -> None:  # 1, example of 9.7
    found = status_vars(
        "00 00000000 01 2000a04500000000 06 03 737464 04 ff00ff00ff00 0c 01 6833 00 12 ff00 15 00"
    )
    by_key = {var.key: var.value for var in found}
    assert by_key[Key.flags2].bits == 0
    assert by_key[Key.sql_mode].sql_mode == 0x45A00020
    assert by_key[Key.catalog_nz].text == "std"
    assert by_key[Key.charset].character_set_client == 255
    assert [name.text for name in by_key[Key.updated_db_names].names] == ["h3"]
    assert by_key[Key.default_collation_for_utf8mb4].value == 255
    assert by_key[Key.enable_cascade_triggers].value == 0
    assert len(found) == 7


@pytest.mark.parametrize(
    ("hexadecimal", "key", "field", "value"),
    [
        ("02 03 737464 00", Key.catalog, "text", b"std"),
        ("03 0200 0300", Key.auto_increment, "increment", 2),
        ("03 0200 0300", Key.auto_increment, "offset", 3),
        ("05 06 2b30323a3030", Key.time_zone, "text", "+02:00"),
        ("07 0100", Key.lc_time_names, "value", 1),
        ("08 0800", Key.charset_database, "value", 8),
        ("09 0300000000000080", Key.table_map_for_update, "value", 2**63 + 3),
        ("0a 01000000", Key.master_data_written, "value", 1),
        ("0c fe", Key.updated_db_names, "num_names", 254),
        ("0d 40e201", Key.microseconds, "value", 123456),
        ("10 01", Key.explicit_defaults_for_timestamp, "value", 1),
        ("11 0900000000000000", Key.ddl_logged_with_xid, "value", 9),
        ("13 01", Key.sql_require_primary_key, "value", 1),
        ("14 01", Key.default_table_encryption, "value", 1),
        ("80 40e201", Key.hrnow, "value", 123456),
        ("81 0900000000000000", Key.xid, "value", 9),
        ("82 04 4300000000000000", Key.gtid_flags3, "start_alter_seq_no", 67),
        ("82 02", Key.gtid_flags3, "flags_extra", 2),
    ],
)
def test_each_status_var_ends_where_the_next_begins(
    hexadecimal: str, key: MysqlBinlog.StatusVarKey, field: str, value: object
) -> None:
    first, last = status_vars(hexadecimal + "0d 010000")
    assert first.key == key
    assert getattr(first.value, field) == value
    assert (last.key, last.value.value) == (Key.microseconds, 1)


def test_invoker_and_many_databases() -> None:
    invoker, databases = status_vars("0b 04 726f6f74 01 25 0c 02 6100 6200")
    assert (invoker.value.user.text, invoker.value.host.text) == ("root", "%")
    assert [name.text for name in databases.value.names] == ["a", "b"]


def test_collations_of_character_sets() -> None:
    (found,) = status_vars("83 02 2100 0008 5300 0009")
    pairs = [(item.character_set, item.collation) for item in found.value.items]
    assert pairs == [(33, 2048), (83, 2304)]


@pytest.mark.parametrize("key", [14, 15, 22, 127, 200, 255])
def test_what_follows_an_unknown_status_var_stays_raw(key: int) -> None:  # gotchas.md 71
    first, unknown = status_vars(f"07 0100 {key:02x} ffee")
    assert first.value.value == 1
    assert (int(getattr(unknown.key, "value", unknown.key)), unknown.value.bytes) == (
        key,
        b"\xff\xee",
    )


def test_flags_of_the_session() -> None:
    (flags,) = status_vars("00 00400804")
    value = flags.value.flag_bits
    assert (value.is_auto_is_null, value.is_not_autocommit) == (True, True)
    assert (value.is_no_foreign_key_checks, value.is_relaxed_unique_checks) == (True, False)


def test_query_that_mariadb_compressed() -> None:  # 12
    text = b"INSERT INTO t VALUES ('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')"
    record = b"\x81" + bytes([len(text)]) + zlib.compress(text)
    head = bytes.fromhex("02000000 00000000 01 0000 0000") + b"d\0"
    body = parse(event(165, head + record), first=MARIADB)[0].body
    assert body.compressed_query.len_data.value == len(text)
    assert zlib.decompress(body.compressed_query.data) == text


def test_compressed_length_has_its_highest_byte_first() -> None:  # 12: 82 01 33 is 307
    head = "02000000 00000000 00 0000 0000 00"
    body = parse_body(165, f"{head} 82 0133 789c", first=MARIADB)
    assert body.compressed_query.len_data.value == 307


def test_load_data_has_the_place_of_its_file() -> None:  # 4
    head = "02000000 00000000 01 0000 0000 01000000 09000000 33000000 02"
    body = parse_body(18, f"{head} 6400" + b"LOAD DATA".hex())
    assert (body.file_id, body.ofs_file_name, body.ofs_file_name_end) == (1, 9, 51)
    assert body.duplicate_handling == MysqlBinlog.DuplicateHandling.replace
    assert (body.database_name, body.query) == (b"d", b"LOAD DATA")


NAME = "01000000 61 00"


@pytest.mark.parametrize(
    ("hexadecimal", "value", "is_unsigned"),
    [
        ("00 ff000000 02000000 c5be", "ž".encode(), False),
        ("01 3f000000 08000000 000000000000f83f", 1.5, False),
        ("02 3f000000 08000000 fbffffffffffffff 00", -5, False),
        ("02 3f000000 08000000 fbffffffffffffff 01", -5, True),
        ("02 3f000000 08000000 0500000000000000", 5, False),
    ],
)
def test_user_variables(hexadecimal: str, value: object, *, is_unsigned: bool) -> None:  # 3
    body = parse_body(14, f"{NAME} {hexadecimal}")
    assert body.name == b"a"
    assert body.value.value == value
    assert body.is_unsigned == is_unsigned


def test_decimal_of_a_user_variable() -> None:  # 3: 02 01 81 05 is 1.5
    assert parse_body(14, f"{NAME} 04 3f000000 04000000 02018105").value.value.value == "1.5"


def test_user_variable_without_a_value() -> None:  # 3
    body = parse_body(14, "01000000 61 01")
    assert body.is_null
    assert not hasattr(body, "value")
    assert not body.is_unsigned


JSON_TABLE = table_map([Column(3), Column(245, b"\4")])


def partial_row(differences: str) -> Any:
    """Return the JSON cell of an updated row that is logged as differences."""
    data = bytes.fromhex(differences)
    before = b"\2\1\0\0\0"  # the document is NULL, as in an image without it
    after = b"\0\1\0\0\0" + len(data).to_bytes(4, "little") + data
    rows = rows_event(PARTIAL_UPDATE_ROWS, 2, before + b"\1\1" + after, num_bitmaps=2)
    return parse(JSON_TABLE, rows)[1].body.rows[0].after_image[1].value


@pytest.mark.parametrize(
    ("hexadecimal", "text", "documents"),
    [
        (
            "00 03 242e78 03 050200 01 05 242e6e6577 08 02 01000700 050100",
            "JSON_INSERT(JSON_REPLACE(@2, '$.x', ?), '$.new', ?)",
            ["2", ["1"]],
        ),
        ("02 06 242e795b315d", "JSON_REMOVE(@2, '$.y[1]')", []),
        ("", "@2", []),
    ],
)
def test_differences_of_documents(hexadecimal: str, text: str, documents: list[Any]) -> None:
    value = partial_row(hexadecimal)
    assert value.is_difference
    assert difference_text(2, value.differences) == text
    assert difference_documents(value.differences) == documents


def test_partial_update_may_have_a_whole_document() -> None:
    document = b"\3\0\0\0\x05\2\0"
    after = b"\0\1\0\0\0" + document
    rows = rows_event(PARTIAL_UPDATE_ROWS, 2, b"\2\1\0\0\0\0" + after, num_bitmaps=2)
    cell = parse(JSON_TABLE, rows)[1].body.rows[0].after_image[1]
    assert (cell.is_difference, cell.value.document.value.value) == (False, 2)


def test_update_of_documents_that_are_whole_is_no_partial_one() -> None:
    document = b"\3\0\0\0\x05\2\0"
    image = b"\0\1\0\0\0" + document
    rows = rows_event(UPDATE_ROWS, 2, image + image, num_bitmaps=2)
    body = parse(JSON_TABLE, rows)[1].body
    assert body.operation.name == "update"
    assert not hasattr(body.rows[0], "value_options")


def test_rows_with_information_of_ndb() -> None:  # rows.md
    rows = rows_event(WRITE_ROWS, 1, b"\0\5\0\0\0", extra=bytes.fromhex("00 04 00 abcd"))
    body = parse(table_map([LONG]), rows)[1].body
    (info,) = body.head.extra_row_info.infos
    assert info.info_type == MysqlBinlog.ExtraRowInfoType.ndb
    assert (info.info.format, info.info.data) == (0, b"\xab\xcd")
    assert body.rows[0].after_image[0].value.value == 5


def test_rows_of_partitions() -> None:  # rows.md; 3 bytes, of updates 5
    insert = rows_event(WRITE_ROWS, 1, b"\0\5\0\0\0", extra=bytes.fromhex("01 0200"))
    body = parse(table_map([LONG]), insert)[1].body
    assert body.head.extra_row_info.infos[0].info.partition_id == 2
    both = b"\0\5\0\0\0\0\6\0\0\0"
    update = rows_event(UPDATE_ROWS, 1, both, extra=bytes.fromhex("01 0200 0100"), num_bitmaps=2)
    body = parse(table_map([LONG]), update)[1].body
    info = body.head.extra_row_info.infos[0].info
    assert (info.partition_id, info.source_partition_id) == (2, 1)
    assert body.rows[0].after_image[0].value.value == 6


@pytest.mark.parametrize("type_code", [0, 20, 243, 244])
def test_rows_of_a_column_of_unknown_width_stay_raw(type_code: int) -> None:
    rows = rows_event(WRITE_ROWS, 1, b"\0\5")
    body = parse(table_map([Column(type_code)]), rows)[1].body
    assert (body.layout.is_row_sized, body.layout.num_rows, body.row_data) == (False, 0, b"\0\5")


@pytest.mark.parametrize(("num_columns", "bits"), [(8, "80"), (9, "0001")])
def test_differences_have_a_bit_for_each_document(num_columns: int, bits: str) -> None:
    columns = [Column(245, b"\4")] * num_columns
    nulls = b"\xff" * ((num_columns + 7) // 8)
    last = bytes.fromhex(bits)
    is_null = bytes(0xFF ^ byte for byte in last)
    after = is_null + (8).to_bytes(4, "little") + bytes.fromhex("02 06 242e795b315d")
    data = nulls + b"\1" + last + after
    rows = rows_event(PARTIAL_UPDATE_ROWS, num_columns, data, num_bitmaps=2)
    (row,) = parse(table_map(columns), rows)[1].body.rows
    assert row.partial_bitmap == last
    assert row.after_image[-1].value.differences.items[0].path.text == "$.y[1]"
