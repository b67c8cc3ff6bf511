"""DECIMAL: the vectors of `values.md`, "DECIMAL (246)", and groups that no server writes."""

from decimal import Decimal

import pytest

from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.sql_text.refusals import CannotWriteError
from tests.corpus.handmade import Column, parse_value
from tests.support import encoders
from tests.unit.sql_text.test_sql_literals import form_of

LONG = "12345678901234567890123456789012345.123456789012345678901234567890"
LONG_BYTES = (
    "7f 43 9e b1 ca 48 40 78 ca f1 cb 3f d0 f8 a0 86 f8 a4 32 ea ff 43 9e b1 ca 48 40 78 fc 85"
)


def literal(data: bytes, precision: int, scale: int) -> str:
    return form_of(Code.newdecimal, precision | scale << 8).store(data)


def inverted(data: str) -> str:
    """Return the bytes of the value with the other sign: all bits are inverted."""
    return bytes(byte ^ 0xFF for byte in bytes.fromhex(data)).hex()


@pytest.mark.parametrize(
    ("precision", "scale", "data", "value"),
    [
        (10, 2, "80 12 d6 87 59", "1234567.89"),
        (10, 2, "7f ed 29 78 a6", "-1234567.89"),
        (10, 2, "80 00 00 00 00", "0.00"),
        (10, 2, "7f ff ff ff fe", "-0.01"),
        (10, 2, "85 f5 e0 ff 63", "99999999.99"),
        (20, 10, "81 0d fb 38 d2 07 5b cd 15 00", "1234567890.1234567890"),
        (20, 10, "7e f2 04 c7 2d f8 a4 32 ea ff", "-1234567890.1234567890"),
        (14, 4, "81 0d fb 38 d2 04 d2", "1234567890.1234"),
        (14, 4, "7e f2 04 c7 2d fb 2d", "-1234567890.1234"),
        (5, 5, "80 30 39", "0.12345"),
        (5, 5, "7f cf c6", "-0.12345"),
        (9, 0, "87 5b cd 15", "123456789"),
        (9, 0, "7f ff ff fe", "-1"),
        (1, 1, "7a", "-0.5"),
        (1, 0, "89", "9"),
        (65, 30, LONG_BYTES, f"-{LONG}"),
        (65, 30, inverted(LONG_BYTES), LONG),
    ],
)
def test_decimal(precision: int, scale: int, data: str, value: str) -> None:
    schema = parse_value(Column(246, bytes([precision, scale])), bytes.fromhex(data))
    assert literal(bytes.fromhex(data), precision, scale) == schema.value == value


@pytest.mark.parametrize(
    ("precision", "scale"), [(65, 0), (65, 30), (38, 10), (9, 9), (1, 0), (18, 0)]
)
def test_all_nines_are_the_greatest(precision: int, scale: int) -> None:
    whole = precision - scale
    value = ("9" * whole or "0") + ("." + "9" * scale if scale else "")
    for number in (value, f"-{value}"):
        assert (
            literal(encoders.decimal(Decimal(number), precision, scale), precision, scale) == number
        )


@pytest.mark.parametrize(
    ("precision", "scale", "data"),
    [
        (1, 0, "8a"),
        (1, 1, "75"),
        (2, 0, "e4"),
        (4, 0, "a7 10"),
        (9, 0, "bb 9a ca 00"),
        (10, 2, "80 00 00 00 64"),
        (10, 2, "7f ff ff ff 9b"),
        (18, 9, "80 00 00 00 ff ff ff ff"),
    ],
)
def test_group_beyond_its_digits_is_corrupt(precision: int, scale: int, data: str) -> None:
    with pytest.raises(CannotWriteError, match=data):
        literal(bytes.fromhex(data), precision, scale)
