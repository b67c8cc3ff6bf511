"""The encoders of these tests against bytes that real servers logged, as SELECT named them."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from tests.support import encoders


@pytest.mark.parametrize(
    ("number", "precision", "scale", "expected"),
    [
        ("1234567.89", 10, 2, "8012d68759"),
        ("-1234567.89", 10, 2, "7fed2978a6"),
        ("0", 10, 2, "8000000000"),
        ("-0.01", 10, 2, "7ffffffffe"),
        ("99999999.99", 10, 2, "85f5e0ff63"),
        ("1234567890.1234567890", 20, 10, "810dfb38d2075bcd1500"),
        ("-1234567890.1234567890", 20, 10, "7ef204c72df8a432eaff"),
        ("-1234567890.1234", 14, 4, "7ef204c72dfb2d"),
        ("0.12345", 5, 5, "803039"),
        ("123456789", 9, 0, "875bcd15"),
        ("-0.5", 1, 1, "7a"),
        (
            "-12345678901234567890123456789012345.123456789012345678901234567890",
            65,
            30,
            "7f439eb1ca484078caf1cb3fd0f8a086f8a432eaff439eb1ca484078fc85",
        ),
    ],
)
def test_decimals(number: str, precision: int, scale: int, expected: str) -> None:
    assert encoders.decimal(Decimal(number), precision, scale).hex() == expected


@pytest.mark.parametrize(
    ("micros", "fsp", "expected"),
    [
        (45_296_000_000, 0, "80c8b8"),
        (-45_296_000_000, 0, "7f3748"),
        (-3_020_399_000_000, 0, "4b9105"),
        (-1_000_000, 0, "7fffff"),
        (-45_296_100_000, 1, "7f3747f6"),
        (-500_000, 1, "7fffffce"),
        (-10_000, 2, "7fffffff"),
        (45_296_123_000, 3, "80c8b804ce"),
        (45_296_123_460, 5, "80c8b801e244"),
        (-999_999, 6, "7ffffff0bdc1"),
        (-3_600_000_001, 6, "7fefffffffff"),
    ],
)
def test_times(micros: int, fsp: int, expected: str) -> None:
    assert encoders.time2(timedelta(microseconds=micros), fsp).hex() == expected


def test_moments() -> None:
    moment = datetime(2026, 11, 20, 12, 34, 56, 123456)
    assert encoders.datetime2(moment, 0).hex() == "99bb68c8b8"
    assert encoders.datetime2(moment, 6).hex() == "99bb68c8b801e240"
    assert encoders.datetime2(moment.replace(microsecond=100_000), 1).hex() == "99bb68c8b80a"
    assert encoders.timestamp2(0x6B003E70, 123_456, 6).hex() == "6b003e7001e240"
    assert encoders.day(moment.date()).hex() == "74d50f"


# `values.md`: "Old temporals", "GEOMETRY", "VECTOR", "Compressed columns".
def test_old_temporals() -> None:
    assert encoders.old_timestamp(0x695735A5).hex() == "a5355769"
    assert encoders.old_time(-(12 * 3600 + 34 * 60 + 56)).hex() == "c01dfe"
    assert encoders.old_time(838 * 3600 + 59 * 60 + 59).hex() == "a7f57f"
    assert encoders.old_datetime(datetime(2026, 1, 2, 3, 4, 5)).hex() == "45442f2c6d120000"


def test_shapes_and_vectors() -> None:
    point = bytes.fromhex("0101000000000000000000f03f0000000000000040")
    assert encoders.geometry(4326, point)[:9].hex() == "e61000000101000000"
    assert encoders.vector([1.0, -2.5, 3.0]).hex() == "0000803f000020c000004040"


def test_compressed_values() -> None:
    def compressed(data: bytes, *, is_deflated: bool) -> str:
        return encoders.compressed(data, is_deflated=is_deflated, is_raw=True, len_length=1).hex()

    assert compressed(b"w" * 200, is_deflated=True) == "89c82b2f1f1e0000"
    assert compressed(b"q" * 3, is_deflated=False) == "00717171"
    assert compressed(b"", is_deflated=True) == ""


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, "0400"),
        (32768, "0700800000"),
        (18446744073709551615, "0affffffffffffffff"),
        ("abc", "0c03616263"),
        ([], "0200000400"),
        ({}, "0000000400"),
        ([1, 2, 3], "0203000d00050100050200050300"),
        (
            [70000, -70000, 3000000000],
            "0203001d00070d000711000915007011010090eefeff005ed0b200000000",
        ),
        (
            {"b": 1, "a": [True, None, "x"], "cc": {"d": 1.25}},
            "0003004000190001001a0001001b000200021d00050100002c0061626363"
            + "03000f000401000400000c0d000178"
            + "010014000b0001000b0c0064000000000000f43f",
        ),
    ],
)
def test_documents(value: Any, expected: str) -> None:
    assert encoders.json_document(value).hex() == expected
