"""Values at the edges of their types, made byte by byte: examples of `values.md`."""

from __future__ import annotations

from typing import Any

import pytest

from tests.corpus.handmade import (
    MARIADB,
    MYSQL,
    MYSQL_LENGTHS,
    Column,
    format_description,
    parse,
    parse_value,
    table_map,
)
from tests.corpus.json_tree import is_same, load_text, value_of

JSON = Column(245, b"\4")
TIMESTAMP, TIME, DATETIME, DATE = Column(7), Column(11), Column(12), Column(10)


def first_of_mysql(num_types: int, version: bytes) -> bytes:
    """Return the format description of an earlier server, which knows of fewer event types."""
    lengths = MYSQL_LENGTHS.split()[:num_types]
    lengths[14] = str(57 + num_types)  # its own
    return format_description(" ".join(lengths), version)


def json_document(hexadecimal: str) -> Any:
    """Return a document, as the schema parses it."""
    data = bytes.fromhex(hexadecimal)
    return parse_value(JSON, len(data).to_bytes(4, "little") + data).document


@pytest.mark.parametrize(
    ("column", "hexadecimal", "text"),
    [
        (TIMESTAMP, "a5355769", "2026-01-02 03:04:05"),
        (TIMESTAMP, "00000000", "0000-00-00 00:00:00"),
        (TIMESTAMP, "ffffffff", "2106-02-07 06:28:15"),
        (TIME, "c01dfe", "-12:34:56"),
        (TIME, "a7f57f", "838:59:59"),
        (TIME, "000000", "00:00:00"),
        (DATETIME, "45442f2c6d120000", "2026-01-02 03:04:05"),
        (DATETIME, "0000000000000000", "0000-00-00 00:00:00"),
        (DATE, "74d50f", "2026-11-20"),
        (DATE, "000000", "0000-00-00"),
        (DATE, "9f1f4e", "9999-12-31"),
        (DATE, "00d40f", "2026-00-00"),
        (Column(14), "74d50f", "2026-11-20"),
        (Column(19, b"\0"), "7fffff", "-00:00:01"),
        (Column(19, b"\0"), "4b9105", "-838:59:59"),
        (Column(19, b"\1"), "7fffffce", "-00:00:00.5"),
        (Column(19, b"\2"), "7fffffff", "-00:00:00.01"),
        (Column(19, b"\3"), "7f3747fb32", "-12:34:56.123"),
        (Column(19, b"\5"), "80c8b801e244", "12:34:56.12346"),
        (Column(19, b"\6"), "7ffffff0bdc1", "-00:00:00.999999"),
        (Column(19, b"\6"), "7fefffffffff", "-01:00:00.000001"),
        (Column(18, b"\0"), "fef3ff7efb", "9999-12-31 23:59:59"),
        (Column(18, b"\1"), "99b88010835a", "2026-00-00 01:02:03.9"),
        (Column(18, b"\0"), "8000000000", "0000-00-00 00:00:00"),
        (Column(17, b"\6"), "ffffffff0f423f", "2106-02-07 06:28:15.999999"),
        (Column(17, b"\1"), "6b003e700a", "2026-11-20 12:34:56.1"),
    ],
)
def test_dates_and_times(column: Column, hexadecimal: str, text: str) -> None:
    assert parse_value(column, bytes.fromhex(hexadecimal)).value == text


@pytest.mark.parametrize(
    ("num_bits", "hexadecimal", "number"),
    [
        (13, "1001", 0b1000000000001),
        (64, "8000000000000001", 2**63 + 1),
        (64, "ff" * 8, 2**64 - 1),
        (1, "01", 1),
    ],
)
def test_bits(num_bits: int, hexadecimal: str, number: int) -> None:
    column = Column(16, bytes([num_bits % 8, num_bits // 8]))
    assert parse_value(column, bytes.fromhex(hexadecimal)).value == number


SET_64 = Column(254, b"\xf8\x08")


@pytest.mark.parametrize(
    ("first", "signs"),
    [
        (first_of_mysql(39, b"8.0.15"), "40"),
        (first_of_mysql(41, b"8.0.31"), "60"),
        (MYSQL, "60"),
        (MARIADB, "60"),
    ],
)
def test_signs_of_columns_after_a_year(first: bytes, signs: str) -> None:
    """The bits are those that servers wrote for a INT, y YEAR, b BIGINT UNSIGNED, c INT."""
    columns = [Column(3), Column(13), Column(8), Column(3)]
    body = parse(table_map(columns, b"\1\1" + bytes.fromhex(signs)), first=first)[0].body
    a, _, b, c = (column.is_unsigned for column in body.columns)
    assert (a, b, c) == (False, True, False)


def test_set_of_64_members() -> None:
    members = [f"m{number}" for number in range(1, 65)]
    lists = b"\x40" + b"".join(bytes([len(m)]) + m.encode() for m in members)
    optional = b"\x05\xfc" + len(lists).to_bytes(2, "little") + lists
    value = parse_value(SET_64, bytes.fromhex("0100000000000080"), optional)
    assert value.value == 2**63 + 1
    assert [m.name for m in value.members if m.is_in_value] == [b"m1", b"m64"]
    assert parse_value(SET_64, b"\xff" * 8).value == 2**64 - 1


@pytest.mark.parametrize(
    ("code", "hexadecimal", "number"),
    [(1, "80", -128), (2, "0080", -32768), (9, "000080", -8388608), (3, "fdffffff", -3)],
)
def test_integers_without_a_sign_logged_are_signed(
    code: int, hexadecimal: str, number: int
) -> None:
    assert parse_value(Column(code), bytes.fromhex(hexadecimal)).value == number


@pytest.mark.parametrize(
    ("code", "hexadecimal", "number"),
    [(1, "80", 128), (2, "0080", 32768), (9, "000080", 8388608), (3, "fdffffff", 2**32 - 3)],
)
def test_integers_with_the_bit_of_their_sign(code: int, hexadecimal: str, number: int) -> None:
    assert parse_value(Column(code), bytes.fromhex(hexadecimal), b"\x01\x01\x80").value == number


def test_bigint_at_its_edges() -> None:
    assert parse_value(Column(8), bytes(7) + b"\x80").signed_value.value == -(2**63)
    assert parse_value(Column(8), b"\xff" * 8, b"\x01\x01\x80").unsigned_value == 2**64 - 1


def test_char_of_1020_bytes_hides_its_length_in_its_type() -> None:  # table-map.md; gotchas.md 18
    assert parse_value(Column(254, b"\xce\xfc"), b"\3\0abc").value == b"abc"


@pytest.mark.parametrize(
    ("hexadecimal", "text"),
    [
        ("0400", "null"),
        ("0401", "true"),
        ("05ffff", "-1"),
        ("0700800000", "32768"),
        ("090000008000000000", "2147483648"),
        ("0affffffffffffffff", "18446744073709551615"),
        ("0b000000000000f83f", "1.5"),
        ("0c03616263", '"abc"'),
        ("0200000400", "[]"),
        ("0000000400", "{}"),
        ("0203000d00050100050200050300", "[1, 2, 3]"),
        ("0402", "false"),
        (
            "02 0300 1d00 070d00 071100 091500 70110100 90eefeff 005ed0b200000000",
            "[70000, -70000, 3000000000]",
        ),
        (
            "00 0300 4000 19000100 1a000100 1b000200 021d00 050100 002c00 61626363"
            " 0300 0f00 040100 040000 0c0d00 0178"
            " 0100 1400 0b000100 0b0c00 64 000000000000f43f",
            '{"a": [true, null, "x"], "b": 1, "cc": {"d": 1.25}}',
        ),
        ("06e807", "2024"),
        ("0ff6070b0280000001 17", "1.23"),
        ("0ff60d1601806400000000000000 0005", "100000000000000000000.5"),
        ("0f0a0800000000 0068bb19", '"2026-11-20"'),
        ("0f0b08000000b9c8000000", '"12:34:57.000000"'),
        ("0f0b080000004737ffffff", '"-12:34:57.000000"'),
        ("0f0c0890d003b8c868bb19", '"2026-11-20 12:34:56.250000"'),
        ("0f0f0200ff", '"base64:type15:AP8="'),
        ("0f0f0105", '"base64:type15:BQ=="'),
    ],
)
def test_json_documents(hexadecimal: str, text: str) -> None:  # json-binary.md
    assert is_same(load_text(text), value_of(json_document(hexadecimal)))


def test_json_document_of_no_bytes_is_null() -> None:  # json-binary.md
    assert not hasattr(parse_value(JSON, bytes(4)), "document")


def test_json_string_of_200_bytes_has_a_length_of_two() -> None:  # json-binary.md: c8 01
    assert json_document("0cc801" + "61" * 200).value.value == "a" * 200
