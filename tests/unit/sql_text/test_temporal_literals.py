"""Dates and times as SQL: the vectors of `values.md`, "DATE" to "Old temporals"."""

import pytest

from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.sql_text.refusals import CannotWriteError
from tests.unit.sql_text.test_sql_literals import form_of


@pytest.mark.parametrize(
    ("code", "fsp", "data", "text"),
    [
        (Code.date, 0, "74 d5 0f", "2026-11-20"),
        (Code.date, 0, "9f 1f 4e", "9999-12-31"),
        (Code.date, 0, "21 d0 07", "1000-01-01"),
        (Code.date, 0, "00 00 00", "0000-00-00"),
        (Code.date, 0, "5f ce 0f", "2023-02-31"),
        # "TIME2": the sign is that of the whole number, fraction included.
        (Code.time2, 0, "80 00 00", "00:00:00"),
        (Code.time2, 0, "80 c8 b8", "12:34:56"),
        (Code.time2, 0, "7f 37 48", "-12:34:56"),
        (Code.time2, 0, "b4 6e fb", "838:59:59"),
        (Code.time2, 0, "4b 91 05", "-838:59:59"),
        (Code.time2, 0, "7f ff ff", "-00:00:01"),
        (Code.time2, 1, "80 c8 b8 0a", "12:34:56.1"),
        (Code.time2, 1, "7f 37 47 f6", "-12:34:56.1"),
        (Code.time2, 1, "7f ff ff ce", "-00:00:00.5"),
        (Code.time2, 2, "7f ff ff ff", "-00:00:00.01"),
        (Code.time2, 3, "80 c8 b8 04 ce", "12:34:56.123"),
        (Code.time2, 3, "7f 37 47 fb 32", "-12:34:56.123"),
        (Code.time2, 4, "80 c8 b8 04 d3", "12:34:56.1235"),
        (Code.time2, 4, "7f 37 47 fb 2d", "-12:34:56.1235"),
        (Code.time2, 5, "80 c8 b8 01 e2 44", "12:34:56.12346"),
        (Code.time2, 5, "7f 37 47 fe 1d bc", "-12:34:56.12346"),
        (Code.time2, 6, "7f ff ff f0 bd c1", "-00:00:00.999999"),
        (Code.time2, 6, "7f ef ff ff ff ff", "-01:00:00.000001"),
        (Code.time2, 6, "80 00 00 00 00 00", "00:00:00.000000"),
        (Code.datetime2, 0, "99 bb 68 c8 b8", "2026-11-20 12:34:56"),
        (Code.datetime2, 1, "99 bb 68 c8 b8 0a", "2026-11-20 12:34:56.1"),
        (Code.datetime2, 2, "99 bb 68 c8 b8 0c", "2026-11-20 12:34:56.12"),
        (Code.datetime2, 3, "99 bb 68 c8 b8 04 ce", "2026-11-20 12:34:56.123"),
        (Code.datetime2, 4, "99 bb 68 c8 b8 04 d3", "2026-11-20 12:34:56.1235"),
        (Code.datetime2, 5, "99 bb 68 c8 b8 01 e2 44", "2026-11-20 12:34:56.12346"),
        (Code.datetime2, 6, "99 bb 68 c8 b8 01 e2 40", "2026-11-20 12:34:56.123456"),
        (Code.datetime2, 0, "8c b2 42 00 00", "1000-01-01 00:00:00"),
        (Code.datetime2, 6, "fe f3 ff 7e fb 0f 42 3f", "9999-12-31 23:59:59.999999"),
        (Code.datetime2, 0, "80 00 00 00 00", "0000-00-00 00:00:00"),
        (Code.datetime2, 1, "99 b8 80 10 83 5a", "2026-00-00 01:02:03.9"),
        (Code.timestamp2, 0, "6b 00 3e 70", "2026-11-20 12:34:56"),
        (Code.timestamp2, 1, "6b 00 3e 70 0a", "2026-11-20 12:34:56.1"),
        (Code.timestamp2, 6, "6b 00 3e 70 01 e2 40", "2026-11-20 12:34:56.123456"),
        (Code.timestamp2, 0, "7f ff ff ff", "2038-01-19 03:14:07"),
        # MariaDB 11.5 and later; and SELECT of MariaDB 10.11 and 11.8.
        (Code.timestamp2, 6, "ff ff ff ff 0f 42 3f", "2106-02-07 06:28:15.999999"),
        (Code.timestamp2, 6, "00 00 00 00 07 a1 20", "1970-01-01 00:00:00.500000"),
        (Code.timestamp2, 6, "00 00 00 00 00 00 00", "0000-00-00 00:00:00.000000"),
        (Code.timestamp, 0, "70 3e 00 6b", "2026-11-20 12:34:56"),
        (Code.timestamp, 3, "6b 00 3e 70 01 c8", "2026-11-20 12:34:56.456"),
        (Code.time, 0, "c0 1d fe", "-12:34:56"),
        (Code.time, 0, "a7 f5 7f", "838:59:59"),
        (Code.time, 0, "00 00 00", "00:00:00"),
        (Code.time, 3, "00 b6 ba d2 15", "12:34:56.789"),
        (Code.time, 3, "00 b1 54 78 eb", "-12:34:56.789"),
        (Code.datetime, 0, "45 44 2f 2c 6d 12 00 00", "2026-01-02 03:04:05"),
        (Code.datetime, 0, "9b ab bb 37 66 12 00 00", "2023-02-31 01:02:03"),
        (Code.datetime, 6, "01 02 b7 73 95 52 6f 35", "2026-01-02 03:04:05.678901"),
        # (((((2872 * 13 + 8) * 32 + 0) * 24 + 21) * 60 + 13) * 60 + 21) * 10 + 3: it has no day.
        (Code.datetime, 1, "00 f0 65 0f a8 6d", "2872-08-00 21:13:21.3"),
    ],
)
def test_literals(code: Code, fsp: int, data: str, text: str) -> None:
    assert form_of(code, fsp).store(bytes.fromhex(data)) == f"'{text}'"


def test_dates_that_mysql_5_5_finds_different_from_their_text_are_cast() -> None:
    """SELECT of MySQL 5.5.9; servers from 5.6 on find both the same."""
    for code, data, condition in (
        (Code.date, "1f 00 00", "CAST('0000-00-31' AS DATE)"),
        (Code.date, "20 00 00", "'0000-01-00'"),
        (Code.datetime, "c0 05 d9 01 00 00 00 00", "CAST('0000-00-31 00:00:00' AS DATETIME)"),
        (Code.datetime2, "80 00 00 10 00", "CAST('0000-00-00 01:00:00' AS DATETIME)"),
        (Code.datetime2, "80 00 00 00 00", "'0000-00-00 00:00:00'"),
    ):
        value = bytes.fromhex(data)
        assert form_of(code).find(value) == f"`c` <=> {condition}"
        assert form_of(code).find(value, by_key=True) == f"`c` = {condition}"


@pytest.mark.parametrize(
    ("code", "fsp", "data"),
    [
        (Code.long, 0, "01 02 03 04 05 06 07 08 09"),
        (Code.date, 0, "ff ff ff"),
        (Code.time2, 1, "80 c8 b8 7f"),
        (Code.datetime2, 0, "19 bb 68 c8 b8"),
        (Code.datetime2, 0, "99 bb 69 f8 b8"),
        (Code.timestamp2, 2, "6b 00 3e 70 64"),
        (Code.time, 1, "ff ff ff ff"),
        (Code.datetime, 0, "ff ff ff ff ff ff ff 7f"),
        (Code.datetime, 6, "ff 02 b7 73 95 52 6f 35"),
    ],
)
def test_invalid_values_are_no_literals(code: Code, fsp: int, data: str) -> None:
    with pytest.raises(CannotWriteError, match=f"not one of its type: {data}"):
        form_of(code, fsp).store(bytes.fromhex(data))
