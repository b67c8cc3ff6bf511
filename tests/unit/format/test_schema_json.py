"""The schema walks a JSON document in a time in proportion to its bytes, or refuses it."""

from __future__ import annotations

import struct
from io import BytesIO
from typing import Any

import pytest
from kaitaistruct import KaitaiStream, KaitaiStructError
from mysql_binlog import MysqlBinlog

from pyspark_adapter.kernels.layout import MAX_JSON_DEPTH
from tests.support.encoders import json_document

SMALL_ARRAY, SMALL_OBJECT, STRING = 0x02, 0x00, 0x0C
ENTRY = 3  # bytes of an element in the table of a small array


def open_all(document: bytes) -> int:
    """Open all values of a document; return the number of containers and elements.

    Raises:
        AssertionError: There are more of them than bytes.
    """
    parsed = MysqlBinlog.JsonDocument(KaitaiStream(BytesIO(document)))
    waiting: list[Any] = [parsed]
    num_nodes = 0
    while waiting:
        value = waiting.pop().value
        num_nodes += 1
        assert num_nodes <= len(document), "more values than bytes"
        if isinstance(value, MysqlBinlog.JsonContainer):
            assert len([key.text for key in value.keys]) in (0, len(value.items))
            waiting.extend(value.items)
    return num_nodes


def array(*elements: bytes, size: int | None = None) -> bytes:
    """Return an array without its type code; elements are those of its table."""
    table = b"".join(elements)
    length = 4 + len(table) if size is None else size
    return struct.pack("<HH", len(elements), length) + table


def test_all_values_of_an_ordinary_document_are_opened() -> None:
    assert open_all(json_document({"a": [1, "text", None, {"b": 1.5}], "bc": 2**40})) == 8


def test_a_document_of_the_greatest_depth_is_read() -> None:
    value: Any = []
    for _ in range(MAX_JSON_DEPTH - 1):
        value = [value]
    assert open_all(json_document(value)) == MAX_JSON_DEPTH


def test_a_document_that_is_deeper_is_refused() -> None:
    document = array()
    for _ in range(MAX_JSON_DEPTH):
        document = (
            array(struct.pack("<BH", SMALL_ARRAY, 4 + ENTRY), size=7 + len(document)) + document
        )
    with pytest.raises(KaitaiStructError, match="json_offset"):
        open_all(b"\x02" + document)


def test_elements_that_share_a_container_are_refused() -> None:
    """Each level names the next one 8 times: 8 to the power of 15 values in 420 bytes."""
    levels, fan = 15, 8
    size = 4 + ENTRY * fan
    document = b""
    for level in range(levels):
        kind, start = (SMALL_ARRAY, size) if level < levels - 1 else (0x04, 1)
        element = struct.pack("<BH", kind, start)
        document += array(*[element] * fan, size=size * (levels - level))
    with pytest.raises(KaitaiStructError):
        open_all(b"\x02" + document)


@pytest.mark.parametrize("start", [0, 4])
def test_an_array_within_itself_is_refused(start: int) -> None:
    with pytest.raises(KaitaiStructError):
        open_all(b"\x02" + array(struct.pack("<BH", SMALL_ARRAY, start)))


def test_elements_that_share_a_text_are_refused() -> None:
    text = b"\x64" + b"x" * 100
    element = struct.pack("<BH", STRING, 4 + 2 * ENTRY)
    with pytest.raises(KaitaiStructError, match="invalid"):
        open_all(b"\x02" + array(element, element, size=4 + 2 * ENTRY + len(text)) + text)


def test_keys_that_share_a_text_are_refused() -> None:
    keys = struct.pack("<HH", 18, 100) * 2
    members = struct.pack("<BH", 0x04, 1) * 2
    size = 4 + len(keys) + len(members) + 100
    document = struct.pack("<HH", 2, size) + keys + members + b"k" * 100
    with pytest.raises(KaitaiStructError, match="json_key"):
        open_all(b"\x00" + document)


def test_values_in_another_order_with_gaps_are_read() -> None:
    table = struct.pack("<BH", STRING, 15) + struct.pack("<BH", STRING, 11)
    document = struct.pack("<HH", 2, 20) + table + b"?\x01b??\x02aa??"
    parsed = MysqlBinlog.JsonDocument(KaitaiStream(BytesIO(b"\x02" + document)))
    assert [item.value.value for item in parsed.value.items] == ["aa", "b"]
