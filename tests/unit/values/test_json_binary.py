"""Binary JSON: the vectors of `json-binary.md`, and documents that no server writes."""

import json
import struct

import pytest

from pyspark_adapter.errors import CorruptEventError
from pyspark_adapter.values.binary_json.text import decode_json, quote_json


def opaque(data: str) -> str:
    return f"0f {data}"


# "Examples" and "Opaque values (0x0f)".
@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("", "null"),
        ("04 00", "null"),
        ("04 01", "true"),
        ("04 02", "false"),
        ("05 01 00", "1"),
        ("05 ff ff", "-1"),
        ("06 e8 07", "2024"),
        ("07 00 80 00 00", "32768"),
        ("07 00 00 01 00", "65536"),
        ("08 ff ff ff ff", "4294967295"),
        ("09 00 00 00 80 00 00 00 00", "2147483648"),
        ("09 00 00 00 00 00 00 00 80", "-9223372036854775808"),
        ("0a 00 00 00 00 01 00 00 00", "4294967296"),
        ("0a ff ff ff ff ff ff ff ff", "18446744073709551615"),
        ("0b 00 00 00 00 00 00 f8 3f", "1.5"),
        ("0c 03 61 62 63", '"abc"'),
        ("0c 00", '""'),
        ("02 00 00 04 00", "[]"),
        ("00 00 00 04 00", "{}"),
        ("03 00 00 00 00 08 00 00 00", "[]"),
        ("01 00 00 00 00 08 00 00 00", "{}"),
        ("02 03 00 0d 00 05 01 00 05 02 00 05 03 00", "[1, 2, 3]"),
        (
            "02 03 00 1d 00 07 0d 00 07 11 00 09 15 00 70 11 01 00 90 ee fe ff"
            " 00 5e d0 b2 00 00 00 00",
            "[70000, -70000, 3000000000]",
        ),
        (
            "00 03 00 40 00 19 00 01 00 1a 00 01 00 1b 00 02 00 02 1d 00 05 01 00 00 2c 00"
            " 61 62 63 63"
            " 03 00 0f 00 04 01 00 04 00 00 0c 0d 00 01 78"
            " 01 00 14 00 0b 00 01 00 0b 0c 00 64 00 00 00 00 00 00 f4 3f",
            '{"a": [true, null, "x"], "b": 1, "cc": {"d": 1.25}}',
        ),
        # Large containers hold 32-bit numbers inline.
        ("03 02 00 00 00 12 00 00 00 07 90 ee fe ff 08 ff ff ff ff", "[-70000, 4294967295]"),
        ("03 01 00 00 00 0d 00 00 00 05 fe ff 00 00", "[-2]"),
        (
            "01 01 00 00 00 1a 00 00 00 13 00 00 00 01 00 0c 14 00 00 00 6b 05 68 65 6c 6c 6f",
            '{"k": "hello"}',
        ),
        (opaque("0a 08 00 00 00 00 00 68 bb 19"), '"2026-11-20"'),
        (opaque("0b 08 00 00 00 b9 c8 00 00 00"), '"12:34:57.000000"'),
        (opaque("0b 08 00 00 00 47 37 ff ff ff"), '"-12:34:57.000000"'),
        (opaque("0c 08 90 d0 03 b8 c8 68 bb 19"), '"2026-11-20 12:34:56.250000"'),
        (opaque("07 08 90 d0 03 b8 c8 68 bb 19"), '"2026-11-20 12:34:56.250000"'),
        (opaque("f6 07 0b 02 80 00 00 01 17"), "1.23"),
        (opaque("f6 0d 16 01 80 64 00 00 00 00 00 00 00 00 05"), "100000000000000000000.5"),
        (opaque("0f 02 00 ff"), '"base64:type15:AP8="'),
        (opaque("0f 01 05"), '"base64:type15:BQ=="'),
        (opaque("ff 00"), '"base64:type255:"'),
    ],
)
def test_document(data: str, text: str) -> None:
    assert decode_json(bytes.fromhex(data)) == text


# "Do not assume contiguity": what JSON_SET and JSON_REMOVE leave in place.
def test_gaps_and_stale_bytes_are_passed_over() -> None:
    document = bytes.fromhex(
        "00 02 00 50 00 19 00 01 00 1a 00 01 00 05 01 00 0c 1c 00"
        " 00 0c 1c 00 0c 3b 00 6e 73 74 02 78 78"
    ).ljust(0x51, b"a")
    document = document[:0x1A] + b"ns" + document[0x1C:0x1D] + b"\x02xx" + document[0x20:]
    assert decode_json(document) == '{"n": 1, "s": "xx"}'


@pytest.mark.parametrize("length", [127, 128, 200, 16383, 16384])
def test_lengths_have_seven_bits_a_byte(length: int) -> None:
    prefix, rest = b"", length
    while rest > 127:
        prefix, rest = prefix + bytes([rest & 127 | 128]), rest >> 7
    document = b"\x0c" + prefix + bytes([rest]) + b"x" * length
    assert decode_json(document) == f'"{"x" * length}"'


def test_length_of_200_is_c8_01() -> None:
    assert decode_json(bytes.fromhex("0c c8 01") + b"y" * 200) == f'"{"y" * 200}"'


@pytest.mark.parametrize(
    "text", ["", "é", "😀", '"', "\\", "\b\f\n\r\t", "\x00\x1f\x7f", "/", "\u2028"]
)
def test_quoted_text_is_json(text: str) -> None:
    quoted = quote_json(text.encode())
    assert json.loads(quoted) == text
    assert all(letter not in quoted for letter in map(chr, range(32)))


def nested(depth: int) -> bytes:
    """Return arrays within arrays, `depth` of them."""
    document = struct.pack("<HH", 0, 4)
    for _ in range(depth - 1):
        document = struct.pack("<HHBH", 1, 7 + len(document), 2, 7) + document
    return b"\x02" + document


def test_a_hundred_levels_are_the_most() -> None:
    assert decode_json(nested(100)) == "[" * 100 + "]" * 100
    with pytest.raises(CorruptEventError, match="deeper than 100 levels"):
        decode_json(nested(101))
    with pytest.raises(CorruptEventError, match="deeper than 100 levels"):
        decode_json(nested(5000))


def test_an_array_within_itself_is_corrupt() -> None:
    for start in (0, 4):
        with pytest.raises(CorruptEventError, match=r"not valid|deeper"):
            decode_json(b"\x02" + struct.pack("<HHBH", 1, 7, 2, start))


def test_values_that_overlap_are_corrupt_before_they_fill_the_memory() -> None:
    """Each level names the next one 50 times: 50 to the power of 8 texts in some kilobytes."""
    levels, fan = 8, 50
    size = 4 + 3 * fan
    document = b""
    for level in range(levels):
        kind, start = (2, size) if level < levels - 1 else (4, 1)
        document += struct.pack("<HH", fan, size * (levels - level))
        document += struct.pack("<BH", kind, start) * fan
    with pytest.raises(CorruptEventError, match="overlap"):
        decode_json(b"\x02" + document)


@pytest.mark.parametrize(
    "data",
    [
        "02",
        "02 00 00",
        "02 01 00 07 00",
        "02 00 00 05 00",  # larger than what is there
        "02 00 00 03 00",  # smaller than its own header
        "02 ff ff 04 00",
        "03 ff ff ff ff ff ff ff ff",
        "02 01 00 07 00 0c 07 00",  # an offset at the end
        "02 01 00 07 00 0c ff ff",
        "02 01 00 08 00 0c 07 00 05",  # a text beyond the end
        "00 01 00 0b 00 ff ff 01 00 04 00 00",  # a key beyond the end
        "00 01 00 0c 00 0b 00 ff ff 04 00 00 61",
        "00 01 00 0c 00 0b 00 01 00 04 00 00 ff",  # a key that is not UTF-8
        "04 03",
        "04",
        "05 01",
        "09 00 00",
        "0b 00 00 00 00",
        "0b 00 00 00 00 00 00 f0 7f",  # infinity
        "0b 01 00 00 00 00 00 f8 7f",
        "0c 05 61",
        "0c 02 c3 28",
        "0c ff ff ff ff ff 01",
        "0c 80",
        "0d 00",
        "0f",
        "0f 0f",
        "0f 0f 05 00",
        "0f f6 01 0b",  # a decimal without its scale
        "0f f6 03 00 00 80",
        "0f f6 03 52 00 80",
        "0f f6 03 02 03 80",
        "0f f6 03 01 00 8a",
        "0f 0a 08 00 00 00 00 00 00 00 80",  # a date below zero
        "0f 0b 08 40 42 0f 05 31 00 00 00",  # a time of a million microseconds
        "0f 0b 08 c0 bd f0 fa ce ff ff ff",  # the same below zero
        "0f 0c 08 40 42 0f 05 31 0a b3 19",  # and in a datetime, and a timestamp
        "0f 07 08 40 42 0f 05 31 0a b3 19",
        "0f 0a 08 00 00 00 00 00 00 f4 7e",  # a date of the year 10000
        "0f 0c 08 00 00 00 00 00 40 ff 7f",  # a datetime, and a timestamp, of 10082
        "0f 07 08 00 00 00 00 00 40 ff 7f",
        "ff",
    ],
)
def test_damaged_document_is_corrupt(data: str) -> None:
    with pytest.raises(CorruptEventError):
        decode_json(bytes.fromhex(data))


def test_the_last_year_and_the_last_microsecond_are_no_damage() -> None:
    assert decode_json(bytes.fromhex("0f 0a 08 00 00 00 00 00 fe f3 7e")) == '"9999-12-31"'
    assert decode_json(bytes.fromhex("0f 0b 08 3f 42 0f 05 31 00 00 00")) == '"03:04:05.999999"'
    assert decode_json(bytes.fromhex("0f 0b 08 c1 bd f0 fa ce ff ff ff")) == '"-03:04:05.999999"'


WHOLE = bytes.fromhex(
    "00 02 00 28 00 12 00 01 00 13 00 01 00 0c 14 00 02 1a 00 61 62 05 68 65 6c 6c 6f"
    " 02 00 0e 00 05 01 00 0c 0a 00 03 78 79 7a"
)


@pytest.mark.parametrize("length", range(1, len(WHOLE)))
def test_a_cut_document_is_never_text(length: int) -> None:
    assert decode_json(WHOLE) == '{"a": "hello", "b": [1, "xyz"]}'
    with pytest.raises(CorruptEventError):
        decode_json(WHOLE[:length])


# "Text rendering": shortest digits, `.0` for whole numbers, exponents without a sign or zeros.
@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.0, "0.0"),
        (1.25, "1.25"),
        (-1.0, "-1.0"),
        (0.1, "0.1"),
        (123456789012345.0, "123456789012345.0"),
        (1e16, "1e16"),
        (1.5e300, "1.5e300"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e308"),
    ],
)
def test_double(number: float, text: str) -> None:
    assert decode_json(b"\x0b" + struct.pack("<d", number)) == text
    assert float(text) == number
