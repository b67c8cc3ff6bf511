"""JSON as VARIANT: the layout of Spark's `common/variant/README.md`, by hand."""

from decimal import Decimal

import pytest

from pyspark_adapter.errors import CorruptEventError, UnsupportedError
from pyspark_adapter.values.binary_json.tree import encode_tree
from pyspark_adapter.values.binary_json.variant import MAX_BYTES
from tests.support.encoders import decimal, json_document
from tests.support.variants import encode_variant

# 2026-11-20 12:34:56.25 by a calendar: 20,777 (0x5129) days after 1970-01-01.
MICROS = "34 " + ((20777 * 86400 + 45296) * 10**6 + 250_000).to_bytes(8, "little").hex()
NO_KEYS = bytes.fromhex("01 00 00")


def opaque(field_type: int, data: bytes) -> bytes:
    """Return a document that is a value of no type of JSON."""
    return bytes([0x0F, field_type, len(data)]) + data


def packed_decimal(number: str, precision: int, scale: int) -> bytes:
    return opaque(246, bytes([precision, scale]) + decimal(Decimal(number), precision, scale))


# "Encoding types": of a primitive the type, shifted by two; of a short string its length and 1.
@pytest.mark.parametrize(
    ("document", "value"),
    [
        (b"", "00"),
        (json_document(None), "00"),
        (json_document(True), "04"),
        (json_document(False), "08"),
        (json_document(0), "0c 00"),
        (json_document(-128), "0c 80"),
        (json_document(127), "0c 7f"),
        (json_document(128), "10 80 00"),
        (json_document(-32768), "10 00 80"),
        (json_document(32768), "14 00 80 00 00"),
        (json_document(-(2**31)), "14 00 00 00 80"),
        (json_document(2**31), "18 00 00 00 80 00 00 00 00"),
        (json_document(2**63 - 1), "18 ff ff ff ff ff ff ff 7f"),
        (json_document(-(2**63)), "18 00 00 00 00 00 00 00 80"),
        (json_document(2**63), "28 00 00 00 00 00 00 00 00 80 00 00 00 00 00 00 00 00"),
        (json_document(2**64 - 1), "28 00 ff ff ff ff ff ff ff ff 00 00 00 00 00 00 00 00"),
        (bytes.fromhex("06 e8 07"), "10 e8 07"),  # YEAR 2024, an uint16
        (json_document(1.5), "1c 00 00 00 00 00 00 f8 3f"),
        (json_document(-0.0), "1c 00 00 00 00 00 00 00 80"),
        (json_document(""), "01"),
        (json_document("abc"), "0d 61 62 63"),
        (json_document("é"), "09 c3 a9"),
        (json_document("x" * 63), "fd" + "78" * 63),
        (json_document("x" * 64), "40 40 00 00 00" + "78" * 64),
        (packed_decimal("1.50", 3, 2), "20 02 96 00 00 00"),
        (packed_decimal("-1.50", 65, 2), "20 02 6a ff ff ff"),
        (packed_decimal("0", 1, 0), "20 00 00 00 00 00"),
        (packed_decimal("999999999", 9, 0), "20 00 ff c9 9a 3b"),
        (packed_decimal("1000000000", 10, 0), "24 00 00 ca 9a 3b 00 00 00 00"),
        # A scale of more than nine digits does not fit into the smallest.
        (packed_decimal("0.0000000001", 10, 10), "24 0a 01 00 00 00 00 00 00 00"),
        (
            packed_decimal("-" + "9" * 38, 38, 0),
            "28 00 " + (-(10**38) + 1).to_bytes(16, "little", signed=True).hex(),
        ),
        # 39 digits, or a scale of as many: text.
        (packed_decimal("1" * 39, 39, 0), "9d" + "31" * 39),
        (packed_decimal("0." + "0" * 38 + "1", 39, 39), "a5 30 2e" + "30" * 38 + "31"),
        (opaque(10, bytes.fromhex("00 00 00 00 00 68 bb 19")), "2c 29 51 00 00"),
        (opaque(12, bytes.fromhex("90 d0 03 b8 c8 68 bb 19")), MICROS),
        (opaque(7, bytes.fromhex("90 d0 03 b8 c8 68 bb 19")), MICROS),
        (opaque(10, bytes(8)), "29" + b"0000-00-00".hex()),
        (opaque(11, bytes.fromhex("00 00 00 b9 c8 00 00 00")), "3d" + b"12:34:57.000000".hex()),
        (opaque(15, b"\x00\xff"), "49" + b"base64:type15:AP8=".hex()),
        # Lines of 76 letters.
        (
            opaque(252, bytes(60)),
            "40 60 00 00 00" + f"base64:type252:{'A' * 76}\nAAAA".encode().hex(),
        ),
    ],
)
def test_scalar(document: bytes, value: str) -> None:
    assert encode_variant(document) == (bytes.fromhex(value), NO_KEYS)


def test_array() -> None:
    value, metadata = encode_variant(json_document([1, [], "a"]))
    # Header, count, offsets 0, 2, 5, 7, then 1, the empty array and "a".
    assert value == bytes.fromhex("03 03 00 02 05 07 0c 01 03 00 00 05 61")
    assert metadata == NO_KEYS


def test_object() -> None:
    value, metadata = encode_variant(json_document({"b": 1, "a": {"b": None}, "": True}))
    # Count, numbers of the keys "", "a", "b", their offsets and the end, then the values.
    inner = "02 01 02 00 01 00"
    assert value == bytes.fromhex(f"02 03 00 01 02 00 01 07 09 04 {inner} 0c 01")
    # Version 1; three keys, at 0, 0 and 1, the end at 2.
    assert metadata == bytes.fromhex("01 03 00 00 01 02 61 62")


def test_large_object() -> None:
    members = {f"{number:03}": number for number in range(256)}
    value, metadata = encode_variant(json_document(members))
    # Count of four bytes; numbers up to 255 have one byte, offsets up to 640 have two.
    assert value[:5] == bytes([2 | 1 << 2 | 1 << 6]) + (256).to_bytes(4, "little")
    assert value[5 : 5 + 256] == bytes(range(256))
    assert len(value) == 5 + 256 + 257 * 2 + 128 * 2 + 128 * 3
    # Offsets of two bytes, 768 bytes of keys.
    assert metadata[:3] == bytes([0x01 | 1 << 6, 0, 1])
    assert metadata[-768:] == "".join(members).encode()


def test_large_array() -> None:
    value, _ = encode_variant(json_document([None] * 256))
    assert value == bytes([3 | 1 << 2 | 1 << 4]) + (256).to_bytes(4, "little") + b"".join(
        place.to_bytes(2, "little") for place in range(257)
    ) + bytes(256)


def test_keys_are_in_the_order_of_utf16() -> None:
    """U+FFFD comes before an emoji in UTF-8, and after it in UTF-16, by which Spark searches."""
    value, metadata = encode_variant(json_document({"\ufffd": 1, "😀": 2}))
    assert metadata == bytes.fromhex("01 02 00 04 07") + "😀\ufffd".encode()
    # The values stay in the order of the document: shorter keys first.
    assert value == bytes.fromhex("02 02 00 01 02 00 04 0c 01 0c 02")


@pytest.mark.parametrize(
    "data",
    [
        "0b 00 00 00 00 00 00 f0 7f",
        "0c 02 c3 28",
        "04 03",
        "0d 00",
        "0f f6 03 01 00 8a",
        "0f 0a 08 00 00 00 00 00 00 00 80",
        "00 01 00 0c 00 0b 00 01 00 04 00 00 ff",
        "02 01 00 07 00 0c ff ff",
    ],
)
def test_damaged_document_is_corrupt(data: str) -> None:
    with pytest.raises(CorruptEventError):
        encode_variant(bytes.fromhex(data))


def test_a_document_that_spark_would_refuse_is_an_error() -> None:
    with pytest.raises(UnsupportedError, match="json=text"):
        encode_variant(encode_tree([b"\x0c\xff\xff\xff\x1f" + bytes(2**26 - 1)] * 2))
    assert MAX_BYTES == 2**27
