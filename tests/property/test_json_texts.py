"""Documents as text: by both ways of the kernel, and by the schema."""

import json
import random
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from pyspark_adapter.kernels.entry_points import fill_json
from pyspark_adapter.kernels.layout import (
    JSON_SLACK,
    LEN_COPY,
    MAX_JSON_DEPTH,
    MAX_JSON_GROWTH,
    MAX_JSON_GROWTH_BASE,
    Json,
    RowStatus,
)
from tests.corpus.handmade import Column, parse_value
from tests.oracle.documents import is_same, parsed, tree_of
from tests.support import encoders

CORRUPT: None = None
JSON = Column(245, b"\4")
NUM_DOCUMENTS = 400
NUM_MUTATIONS = 8
LETTERS = ("a", "Z", " ", '"', "\\", "\n", "\x01", "ä", "日", "😀")


def random_text(source: random.Random) -> str:
    """Return text that is plain in most cases, of up to 20,000 letters."""
    length = source.choice((0, 1, 5, 31, 32, 33, 64, 127, 128, 200, source.randint(0, 400)))
    if source.random() < 0.01:
        length = source.choice((16_383, 16_384, 20_000))
    letters = LETTERS if source.random() < 0.15 else LETTERS[:3]
    return "".join(source.choices(letters, k=length))


def random_value(source: random.Random, depth: int) -> Any:
    """Return a value; containers are within up to `depth` others."""
    kind = source.randrange(9 if depth else 6)
    if kind >= 6:
        values = [random_value(source, depth - 1) for _ in range(source.randint(0, 5))]
        if kind == 6:
            return values
        return {random_text(source)[:40] + str(k): value for k, value in enumerate(values)}
    number = source.randint(-(1 << 63), (1 << 64) - 1) >> source.choice((0, 10, 32, 48, 60))
    return (
        None,
        source.random() < 0.5,
        number,
        source.choice((0.0, 1.5, 1e300, source.uniform(-1e6, 1e6), round(source.random(), 2))),
        random_text(source),
        source.randint(-40_000, 70_000),
    )[kind]


def nested(depth: int) -> Any:
    """Return a container within others."""
    value: Any = []
    for k in range(depth):
        value = [1, value] if k % 2 else {"k": value}
    return value


def kernel_text(document: bytes, num_spare: int) -> str | None:
    """Return what the kernel makes of a document that other bytes follow."""
    data = len(document).to_bytes(4, "little") + document + b"\xff" * num_spare
    room = MAX_JSON_GROWTH * len(document) + MAX_JSON_GROWTH_BASE + JSON_SLACK
    offsets, out = np.zeros(2, np.int32), np.zeros(room, np.uint8)
    status = fill_json(
        np.frombuffer(bytearray(data), np.uint8),
        np.zeros(1, np.int32),
        1,
        4,
        offsets,
        out,
        np.zeros(1, np.int64),
        np.empty((MAX_JSON_DEPTH, 5), np.int64),
    )
    assert status in (0, RowStatus.BAD_JSON)
    return CORRUPT if status else out[: offsets[1]].tobytes().decode()


def check(document: bytes) -> str | None:
    """Return the text of a document, if it is the same both ways and that of the schema."""
    text = kernel_text(document, LEN_COPY)
    assert text == kernel_text(document, 0), document.hex()
    trees = []
    with suppress(Exception):  # the schema refuses values that overlap
        trees.append(tree_of(parse_value(JSON, encoders.prefixed(document, 4)).document.value))
    assert text is CORRUPT or all(is_same(tree, parsed(text)) for tree in trees), document.hex()
    return text


@pytest.mark.parametrize("seed", range(4))
def test_all_agree(seed: int) -> None:
    """Also on documents with changed bytes, and on those that are cut."""
    source = random.Random(seed)  # noqa: S311 - to be the same each time is the purpose
    num_corrupt = 0
    for _ in range(NUM_DOCUMENTS):
        value = random_value(source, source.randint(0, 4))
        document = encoders.json_document(value, large=source.random() < 0.1)
        assert json.loads(str(check(document))) == value
        for _ in range(NUM_MUTATIONS):
            changed = bytearray(document[: source.choice((len(document), 20))])
            for _ in range(source.randint(1, 2)):
                place = source.choice((len(changed), min(len(changed), 24)))
                changed[source.randrange(place)] = source.choice(
                    (0, 1, 2, 6, 12, 0xFF, place & 255)
                )
            num_corrupt += check(bytes(changed)) is CORRUPT
    assert num_corrupt > NUM_DOCUMENTS


@pytest.mark.parametrize("depth", [MAX_JSON_DEPTH - 2, MAX_JSON_DEPTH - 1, MAX_JSON_DEPTH])
def test_depth(depth: int) -> None:
    """The innermost container is within `depth` others."""
    assert (check(encoders.json_document(nested(depth))) is CORRUPT) == (depth >= MAX_JSON_DEPTH)


def overlapping(count: int, text: bytes) -> bytes:
    """Return an array of the same string again and again, and a number at its end."""
    places = 4 + 3 * (count + 1)
    value = encoders.seven_bits(len(text)) + text
    entries = (bytes([Json.STRING]) + places.to_bytes(2, "little")) * count
    last = bytes([Json.INT16]) + (12_345).to_bytes(2, "little")
    head = (count + 1).to_bytes(2, "little") + (places + len(value)).to_bytes(2, "little")
    return bytes([Json.ARRAY]) + head + entries + last + value


def test_texts_that_get_too_long() -> None:
    """Values may overlap: the limit is reached at any place of the text."""
    found = [
        check(overlapping(count, b"x" * length)) is CORRUPT
        for length in (*range(14, 40), 126, 130, 5_000)
        for count in range(1, 60)
    ]
    assert {*found} == {True, False}
