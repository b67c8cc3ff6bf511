"""Partial updates of JSON: the vectors of `json-binary.md`, "JSON diff", and what cannot be."""

import json

import pytest

from pyspark_adapter.errors import CorruptEventError, UnsupportedError
from pyspark_adapter.values.binary_json.diff import (
    Cell,
    apply_differences,
    parse_path,
    render_differences,
)
from pyspark_adapter.values.binary_json.text import decode_json
from pyspark_adapter.values.binary_json.tree import encode_tree, parse_tree
from tests.support.encoders import json_document
from tests.support.log_writer import packed

REPLACE, INSERT, REMOVE = b"\0", b"\1", b"\2"


def difference(operation: bytes, path: str, value: object = ...) -> bytes:
    """Return one change as it is logged."""
    data = operation + packed(len(path.encode())) + path.encode()
    return data if value is ... else data + sized(json_document(value))


def sized(data: bytes) -> bytes:
    """Return bytes behind their length."""
    return packed(len(data)) + data


def applied(document: object, *differences: bytes) -> object:
    """Return a document with changes made to it."""
    return json.loads(
        decode_json(apply_differences(json_document(document), b"".join(differences)))
    )


# JSON_SET(doc, '$.x', 2, '$.new', JSON_ARRAY(1)) and JSON_REMOVE(doc, '$.y[1]') of MySQL 9.7.
SET_TWO = bytes.fromhex("0003242e7803050200 0105242e6e6577080201000700050100")
REMOVE_ONE = bytes.fromhex("0206242e795b315d")


def test_vectors_of_the_server() -> None:
    before = {"x": 1, "y": [1, 2, 3]}
    assert applied(before, SET_TWO) == {"x": 2, "y": [1, 2, 3], "new": [1]}
    assert applied(before, REMOVE_ONE) == {"x": 1, "y": [1, 3]}
    assert render_differences({"a": SET_TWO, 'b"': REMOVE_ONE, "c": b""}) == (
        '{"a": [{"op": "replace", "path": "$.x", "value": 2},'
        ' {"op": "insert", "path": "$.new", "value": [1]}],'
        ' "b\\"": [{"op": "remove", "path": "$.y[1]"}], "c": []}'
    )


def test_no_differences_leave_the_bytes_as_they_are() -> None:
    with_gaps = bytes.fromhex("00 01 00 20 00 0b 00 01 00 05 01 00 6b").ljust(33, b"?")
    assert apply_differences(with_gaps, b"") == with_gaps


@pytest.mark.parametrize(
    ("before", "change", "after"),
    [
        ([1, 2], difference(REPLACE, "$", {"a": 1}), {"a": 1}),
        ([1, 2], difference(REPLACE, "$[1]", 3), [1, 3]),
        ([1, 2], difference(INSERT, "$[1]", 3), [1, 3, 2]),
        ([1, 2], difference(INSERT, "$[2]", 3), [1, 2, 3]),
        ([1, 2], difference(INSERT, "$[4000000000]", 3), [1, 2, 3]),
        ([], difference(INSERT, "$[0]", 3), [3]),
        ([1, 2], difference(REMOVE, "$[0]"), [2]),
        # As MySQL 9.7 logs JSON_SET(doc, '$[last]', 9) and JSON_SET(doc, '$[last-5]', 9).
        ([1, 2], difference(REPLACE, "$[last]", 9), [1, 9]),
        ([1, 2], difference(REPLACE, "$[last-1]", 9), [9, 2]),
        ([1, 2], difference(INSERT, "$[last-5]", 9), [9, 1, 2]),
        ({"a": [{"z": 1}]}, difference(REPLACE, "$.a[last].z", 9), {"a": [{"z": 9}]}),
        ({"a": 1}, difference(REMOVE, "$.a"), {}),
        ({}, difference(INSERT, '$.""', None), {"": None}),
        ({}, difference(INSERT, '$."a b"', []), {"a b": []}),
        ({}, difference(INSERT, '$."q\\"\\u0001\\n\\\\"', 1), {'q"\x01\n\\': 1}),
        ({}, difference(INSERT, "$.é", 1), {"é": 1}),
        ({"$": {"_1": 2}}, difference(REPLACE, "$.$._1", 1.0), {"$": {"_1": 1.0}}),
    ],
)
def test_change(before: object, change: bytes, after: object) -> None:
    assert applied(before, change) == after


def test_changes_are_made_one_after_the_other() -> None:
    changes = (
        difference(INSERT, "$.a", []),
        difference(INSERT, "$.a[0]", 1),
        difference(INSERT, "$.a[0]", 2),
        difference(REMOVE, "$.a[1]"),
    )
    assert applied({}, *changes) == {"a": [2]}


def test_elements_are_not_moved_without_end() -> None:
    """Inserting before 100,000 elements 100,000 times would take half a minute."""
    document = json_document([None] * 100_000, large=True)
    changes = (difference(INSERT, "$[0]", 1) + difference(REMOVE, "$[0]")) * 50_000
    with pytest.raises(UnsupportedError, match="moves the elements of an array"):
        apply_differences(document, changes)
    assert apply_differences(document, changes[: len(changes) // 50]) == document


def test_what_is_not_changed_keeps_its_type_and_bytes() -> None:
    """A double, a decimal 1.50, a date and an unsigned number, beside the one that is changed."""
    values = [
        "0b 00 00 00 00 00 00 f0 3f",
        "0f f6 04 03 02 81 32",
        "0f 0a 08 00 00 00 00 00 68 bb 19",
    ]
    tree = parse_tree(json_document([0, 1]))
    assert isinstance(tree, list)
    tree += [bytes.fromhex(value) for value in [*values, "06 e8 07"]]
    document = apply_differences(encode_tree(tree), difference(REPLACE, "$[0]", 7))
    assert decode_json(document) == '[7, 1, 1.0, 1.50, "2026-11-20", 2024]'


def test_keys_stay_sorted_by_length_then_bytes() -> None:
    document = apply_differences(
        json_document({"b": 1, "cc": 2}),
        difference(INSERT, "$.a", 0) + difference(INSERT, "$.é", 0) + difference(INSERT, "$.ZZ", 0),
    )
    assert decode_json(document) == '{"a": 0, "b": 1, "ZZ": 0, "cc": 2, "é": 0}'


@pytest.mark.parametrize("length", [65_520, 65_536, 70_000])
def test_a_container_becomes_large_and_small_again(length: int) -> None:
    small, large = (
        json_document({"k": ""}),
        json_document({"k": "x" * length}, large=length > 65_530),
    )
    path = b"\0\x03$.k"
    grown = apply_differences(small, path + sized(json_document("x" * length)))
    assert decode_json(grown) == decode_json(large)
    assert grown[0] == (1 if length > 65_530 else 0)
    assert apply_differences(grown, path + sized(json_document(""))) == small


@pytest.mark.parametrize(
    ("before", "change"),
    [
        ({"a": 1}, difference(REPLACE, "$.b", 1)),
        ({"a": 1}, difference(REMOVE, "$.b")),
        ({"a": 1}, difference(INSERT, "$.a", 1)),
        ({"a": 1}, difference(INSERT, "$.b.c", 1)),
        ({"a": 1}, difference(INSERT, "$.a.c", 1)),
        ({"a": 1}, difference(REPLACE, "$[0]", 1)),  # the server logs no path that it would wrap
        ({"a": 1}, difference(INSERT, "$[0]", 1)),
        ([1], difference(REPLACE, "$.a", 1)),
        ([1], difference(REPLACE, "$[1]", 1)),
        ([1], difference(REMOVE, "$[1]")),
        ([1], difference(REMOVE, "$[last-1]")),
        ([1], difference(INSERT, "$", 1)),
        ([1], difference(REMOVE, "$")),
        ("text", difference(REPLACE, "$[0]", 1)),
        (None, difference(INSERT, "$.a", 1)),
    ],
)
def test_changes_of_another_document_are_corrupt(before: object, change: bytes) -> None:
    with pytest.raises(CorruptEventError, match="does not fit the document before it"):
        applied(before, change)


@pytest.mark.parametrize(
    "data",
    [
        "03 03 24 2e 78",  # an operation that is none
        "ff",
        "00",
        "00 03 24 2e",
        "00 03 24 2e 78",  # no value
        "00 03 24 2e 78 00",
        "00 03 24 2e 78 05 05 02 00",
        "00 03 24 2e 78 01 0d",  # an unknown type
        "00 03 24 2e 78 03 0c 05 61",
        "02 fb 24",
        "02 ff 24",
        "02 fe ff ff ff ff ff ff ff ff 24",
        "02 00",
    ],
)
def test_damaged_differences_are_corrupt(data: str) -> None:
    with pytest.raises(CorruptEventError):
        apply_differences(json_document({"x": 1}), bytes.fromhex(data))
    with pytest.raises(CorruptEventError):
        render_differences({"a": bytes.fromhex(data)})


def test_document_before_may_be_of_no_bytes() -> None:
    assert decode_json(apply_differences(b"", difference(REPLACE, "$", 1))) == "1"


def test_a_document_does_not_become_deeper_than_the_server_allows() -> None:
    nest: object = []
    for _ in range(98):
        nest = [nest]
    path = "$" + "[0]" * 98
    assert applied(nest, difference(INSERT, path + "[0]", [])) is not None
    with pytest.raises(CorruptEventError, match="deeper than 100"):
        applied(nest, difference(INSERT, path + "[0]", [[]]))


def test_parse_path() -> None:
    assert parse_path(b"$") == ()
    assert parse_path(b'$.a[10]."b.c[1]"[last][last-2]') == (
        b"a",
        Cell(10),
        b"b.c[1]",
        Cell(0, is_from_end=True),
        Cell(2, is_from_end=True),
    )


@pytest.mark.parametrize(
    "path",
    [
        *("", "a", ".a", "$a", "$.", "$..a", "$[]", "$[-1]", "$[a]", "$[1", "$[last", "$[last-]"),
        *("$[last+1]", "$[*]", "$.*", "$**.a", "$[1 to 2]", '$."a', '$."\\x"', "$. a", "$ .a"),
        *("$[99999999999]", "$" + "[0]" * 102, "$x[0]"),
    ],
)
def test_what_is_no_path_of_one_place_is_corrupt(path: str) -> None:
    with pytest.raises(CorruptEventError, match="path of JSON"):
        parse_path(path.encode())


def test_path_that_is_not_utf8_is_corrupt() -> None:
    with pytest.raises(CorruptEventError, match="path of JSON"):
        parse_path(b"$.\xff")


def test_values_that_overlap_are_corrupt_before_they_fill_the_memory() -> None:
    """Each level names the next one 50 times: 50 to the power of 8 values in some kilobytes."""
    levels, fan = 8, 50
    size = 4 + 3 * fan
    document = b""
    for level in range(levels):
        kind, start = (2, size) if level < levels - 1 else (4, 1)
        head = fan.to_bytes(2, "little") + (size * (levels - level)).to_bytes(2, "little")
        document += head + (bytes([kind]) + start.to_bytes(2, "little")) * fan
    with pytest.raises(CorruptEventError, match="overlap"):
        parse_tree(b"\x02" + document)


def test_a_key_that_is_there_twice_is_corrupt() -> None:
    document = bytes.fromhex("00 02 00 14 00 12 00 01 00 13 00 01 00 05 01 00 05 02 00 61 61")
    with pytest.raises(CorruptEventError, match="twice"):
        parse_tree(document)
