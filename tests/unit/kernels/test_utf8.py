"""Validation of UTF-8 by blocks, and of the texts of many rows at once, is that of Python."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

from pyspark_adapter.kernels import utf8
from pyspark_adapter.kernels.fill import Batch, ColumnTask, fill_column
from pyspark_adapter.kernels.layout import (
    LEN_COPY,
    TEXT_REPLACES,
    ColumnField,
    Op,
    Pos,
    RowStatus,
    Text,
    ZeroDates,
)
from tests.support.compiled import callable_from_python

is_utf8 = callable_from_python(utf8.is_utf8)
is_long_utf8 = callable_from_python(utf8.is_long_utf8)

RANDOM = np.random.default_rng(7)
# The first and the last character of each length, and those next to the surrogates.
CHARACTERS = [chr(n) for n in (0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF)]
# What looks like a character: longer than needed, a surrogate, too large, cut, a lone continuation.
BROKEN = (
    *(b"\xc0\x80", b"\xc1\xbf", b"\xe0\x80\x80", b"\xe0\x9f\xbf", b"\xf0\x80\x80\x80"),
    *(
        b"\xf0\x8f\xbf\xbf",
        b"\xed\xa0\x80",
        b"\xed\xbf\xbf",
        b"\xf4\x90\x80\x80",
        b"\xf5\x80\x80\x80",
    ),
    *(b"\xff", b"\xfe", b"\xc3", b"\xe2\x82", b"\xf0\x9f\x98", b"\x80", b"\xbf", b"\xc3\xc3\xa9"),
)


def is_valid(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def check(text: bytes) -> None:
    expected = is_valid(text)
    for before in (0, 1, 33):  # what is next to the text is no part of it
        data = np.frombuffer(b"\xe2" * before + text + b"\x80", dtype=np.uint8)
        end = np.int64(before + len(text))
        assert is_long_utf8(data, np.int64(before), end) == expected, (before, text)
        assert is_utf8(data, np.int64(before), np.int64(len(text))) == expected, (before, text)


@pytest.mark.parametrize("part", [*(c.encode() for c in CHARACTERS), *BROKEN])
def test_at_each_place_of_blocks(part: bytes) -> None:
    for length in (len(part), LEN_COPY + 2, 3 * LEN_COPY + 5):
        for place in range(length - len(part) + 1):
            for filler in (b"a" * length, ("é" * length).encode()):
                text = filler[: place // 2 * 2] + part + filler[place // 2 * 2 :][: length - place]
                check(text)


def test_random_texts() -> None:
    alphabet = np.array([*"aZ é", *CHARACTERS])
    for _ in range(2000):
        text = bytearray("".join(RANDOM.choice(alphabet, RANDOM.integers(0, 80))).encode())
        check(bytes(text))
        if text:
            text[RANDOM.integers(0, len(text))] = RANDOM.integers(0, 256)
            check(bytes(text))


def fill(values: Sequence[bytes | None], kind: int) -> tuple[int, int, list[bytes]]:
    """Return the status, the row of it, and the texts that the kernels of a column give."""
    pos, data = np.full(len(values), Pos.NULL, dtype=np.int32), bytearray()
    for k, value in enumerate(values):
        if value is not None:
            pos[k] = len(data)
            data += bytes([len(value)]) + value
    start = 4 * len(values) + 60 & ~63
    row = np.zeros(len(ColumnField), dtype=np.int64)
    row[ColumnField.OP], row[ColumnField.PARAM1], row[ColumnField.PARAM2] = Op.TEXT, 1, kind
    row[ColumnField.VALUES] = start + 64
    arena = np.zeros(start + 64 + 3 * len(data) // 64 * 64 + 64, dtype=np.uint8)
    batch = Batch(
        np.frombuffer(data + bytes(LEN_COPY), dtype=np.uint8).copy(),
        len(values),
        int(ZeroDates.CONVERT_TO_NULL),
        out8=arena,
        out32=arena.view(np.int32),
        out64=arena.view(np.int64),
        names=np.zeros(1, dtype=np.uint8),
        name_ends=np.zeros(1, dtype=np.int64),
        tables=np.zeros(1, dtype=np.int32),
        where=np.zeros(1, dtype=np.int64),
    )
    status = fill_column(batch, ColumnTask(pos, row, None))
    offsets = arena.view(np.int32)[: len(values) + 1].tolist()
    texts = arena[start + 64 :].tobytes()
    return (status, int(batch.where[0]), [texts[a:b] for a, b in pairwise(offsets)])


def words(num_rows: int) -> list[bytes | None]:
    return [
        None if k % 9 == 4 else "Größe, café"[: k % 12].encode() * (k % 5) for k in range(num_rows)
    ]


@pytest.mark.parametrize("row", [0, 1, 255, 256, 257, 700, 1298])
@pytest.mark.parametrize(
    "pair", [(b"caf\xc3", b"\xa9"), (b"\xf0\x9f", b"\x98\x80."), (b"", b"\x80")]
)
def test_characters_are_within_one_row(row: int, pair: tuple[bytes, bytes]) -> None:
    """One after the other the two texts are UTF-8, but neither is."""
    values = words(1300)
    values[row : row + 2] = pair
    first = row if pair[0] else row + 1
    status, bad, _ = fill(values, Text.UTF8)
    assert (status, bad) == (RowStatus.BAD_TEXT, first)
    status, _, texts = fill(values, Text.UTF8 + TEXT_REPLACES)
    assert status == 0
    assert texts == [(v or b"").decode(errors="replace").encode() for v in values]
    # A null between them changes nothing.
    values[row : row + 2] = [pair[0], None]
    assert fill([*values, pair[1]], Text.UTF8)[0] == RowStatus.BAD_TEXT


def test_valid_texts() -> None:
    values = words(1300)
    for kind in (Text.UTF8, Text.BYTES, Text.UTF8 + TEXT_REPLACES):
        assert fill(values, kind) == (0, 0, [v or b"" for v in values])
