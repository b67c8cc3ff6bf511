"""Dates and times: the vectors of `values.md`, "DATE" to "Old temporals", and what cannot be."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import pytest

from pyspark_adapter.values.temporal import (
    TO_NULL,
    TO_ROUND,
    decode_date,
    decode_datetime2,
    decode_old_datetime,
    decode_old_time,
    decode_time2,
    decode_timestamp,
)

HOUR, MINUTE, SECOND = 3_600_000_000, 60_000_000, 1_000_000
NOON = 12 * HOUR + 34 * MINUTE + 56 * SECOND


def days_of(text: str) -> int:
    return (date.fromisoformat(text) - date(1970, 1, 1)).days


def micros_of(text: str) -> int:
    moment = datetime.fromisoformat(text).replace(tzinfo=UTC)
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


@pytest.mark.parametrize(
    ("data", "text"),
    [("74 d5 0f", "2026-11-20"), ("9f 1f 4e", "9999-12-31"), ("21 d0 07", "1000-01-01")],
)
def test_date(data: str, text: str) -> None:
    assert decode_date(bytes.fromhex(data), TO_NULL) == days_of(text)


# "TIME2": the sign is that of the whole number, fraction included.
@pytest.mark.parametrize(
    ("fsp", "data", "micros"),
    [
        (0, "80 00 00", 0),
        (0, "80 c8 b8", NOON),
        (0, "7f 37 48", -NOON),
        (0, "b4 6e fb", 838 * HOUR + 59 * MINUTE + 59 * SECOND),
        (0, "4b 91 05", -(838 * HOUR + 59 * MINUTE + 59 * SECOND)),
        (0, "7f ff ff", -SECOND),
        (1, "80 c8 b8 0a", NOON + 100_000),
        (1, "7f 37 47 f6", -(NOON + 100_000)),
        (1, "7f ff ff ce", -500_000),
        (2, "7f ff ff ff", -10_000),
        (3, "80 c8 b8 04 ce", NOON + 123_000),
        (3, "7f 37 47 fb 32", -(NOON + 123_000)),
        (4, "80 c8 b8 04 d3", NOON + 123_500),
        (4, "7f 37 47 fb 2d", -(NOON + 123_500)),
        (5, "80 c8 b8 01 e2 44", NOON + 123_460),
        (5, "7f 37 47 fe 1d bc", -(NOON + 123_460)),
        (6, "7f ff ff f0 bd c1", -999_999),
        (6, "7f ef ff ff ff ff", -(HOUR + 1)),
        (6, "80 00 00 00 00 00", 0),
    ],
)
def test_time2(fsp: int, data: str, micros: int) -> None:
    assert decode_time2(bytes.fromhex(data), fsp) == micros


@pytest.mark.parametrize(
    ("fsp", "data", "text"),
    [
        (0, "99 bb 68 c8 b8", "2026-11-20 12:34:56"),
        (1, "99 bb 68 c8 b8 0a", "2026-11-20 12:34:56.100000"),
        (2, "99 bb 68 c8 b8 0c", "2026-11-20 12:34:56.120000"),
        (3, "99 bb 68 c8 b8 04 ce", "2026-11-20 12:34:56.123000"),
        (4, "99 bb 68 c8 b8 04 d3", "2026-11-20 12:34:56.123500"),
        (5, "99 bb 68 c8 b8 01 e2 44", "2026-11-20 12:34:56.123460"),
        (6, "99 bb 68 c8 b8 01 e2 40", "2026-11-20 12:34:56.123456"),
        (0, "8c b2 42 00 00", "1000-01-01 00:00:00"),
        (0, "fe f3 ff 7e fb", "9999-12-31 23:59:59"),
        (6, "fe f3 ff 7e fb 0f 42 3f", "9999-12-31 23:59:59.999999"),
    ],
)
def test_datetime2(fsp: int, data: str, text: str) -> None:
    assert decode_datetime2(bytes.fromhex(data), fsp, TO_NULL) == micros_of(text)


@pytest.mark.parametrize(
    ("seconds", "fraction", "fsp", "text"),
    [
        (0x6B003E70, 0, 0, "2026-11-20 12:34:56"),
        (0x6B003E70, 0x0A, 1, "2026-11-20 12:34:56.100000"),
        (0x6B003E70, 0x01E240, 6, "2026-11-20 12:34:56.123456"),
        (0x7FFFFFFF, 0, 0, "2038-01-19 03:14:07"),
        (0xFFFFFFFF, 0x0F423F, 6, "2106-02-07 06:28:15.999999"),  # MariaDB 11.5 and later
        (1, 0, 0, "1970-01-01 00:00:01"),
        (0, 0x07A120, 6, "1970-01-01 00:00:00.500000"),  # SELECT of MariaDB 10.11 and 11.8
    ],
)
def test_timestamp(seconds: int, fraction: int, fsp: int, text: str) -> None:
    assert decode_timestamp(seconds, fraction, fsp, TO_NULL) == micros_of(text)


def test_old_temporals() -> None:
    assert decode_old_time(bytes.fromhex("c0 1d fe")) == -NOON
    assert decode_old_time(bytes.fromhex("a7 f5 7f")) == 838 * HOUR + 59 * MINUTE + 59 * SECOND
    assert decode_old_time(bytes(3)) == 0
    data = bytes.fromhex("45 44 2f 2c 6d 12 00 00")
    assert decode_old_datetime(data, TO_NULL) == micros_of("2026-01-02 03:04:05")


# Zero or impossible dates, and what ROUND makes of each.
ZERO_DATES: list[tuple[Callable[[str], int | None], int]] = [
    (lambda p: decode_date(bytes(3), p), days_of("0001-01-01")),
    (lambda p: decode_date(bytes.fromhex("00d40f"), p), days_of("2026-01-01")),
    (
        lambda p: decode_date((2026 << 9 | 2 << 5 | 31).to_bytes(3, "little"), p),
        days_of("2026-02-28"),
    ),
    (
        lambda p: decode_date((2024 << 9 | 2 << 5 | 30).to_bytes(3, "little"), p),
        days_of("2024-02-29"),
    ),
    (
        lambda p: decode_datetime2(bytes.fromhex("8000000000"), 0, p),
        micros_of("0001-01-01 00:00:00"),
    ),
    (
        lambda p: decode_datetime2(bytes.fromhex("99b88010835a"), 1, p),
        micros_of("2026-01-01 01:02:03.900000"),
    ),
    (lambda p: decode_old_datetime(bytes(8), p), micros_of("0001-01-01 00:00:00")),
    (lambda p: decode_timestamp(0, 0, 6, p), micros_of("0001-01-01 00:00:00")),
]


@pytest.mark.parametrize(("decode", "rounded"), ZERO_DATES)
def test_dates_of_no_calendar_by_policy(decode: Callable[[str], int | None], rounded: int) -> None:
    assert decode(TO_NULL) is None
    assert decode(TO_ROUND) == rounded
