"""Kernels give the text that plain Python decodes, for all bytes that can lead a character."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pyarrow as pa
import pytest

from pyspark_adapter import read_batches
from pyspark_adapter.charsets.charset import CHARSETS, decode_text
from pyspark_adapter.charsets.maps import MAPPED_CHARSETS, character_map, has_twins
from tests.property.test_texts import write

FOUR_BYTES = [range(0x81, 0xFF), range(0x2F, 0x3B), (0x80, 0x81, 0xA5, 0xFE, 0xFF), (0x30, 0x39)]


def sequences(charset: str) -> Iterator[bytes]:
    """Yield all bytes, all pairs of them, and those of three and four that matter to a set."""
    yield from (bytes([byte]) for byte in range(256))
    if charset in MAPPED_CHARSETS and max(map(len, character_map(charset).characters)) == 1:
        return  # each byte stands for itself
    yield from map(bytes, product(range(256), repeat=2))
    if charset in ("ujis", "eucjpms"):
        yield from (b"\x8f" + bytes(pair) for pair in product(range(0xA0, 0x100), repeat=2))
    if charset == "gb18030":
        yield from map(bytes, product(*FOUR_BYTES))
    if charset in ("utf16", "utf16le"):
        yield from map(bytes, product((0x00, 0xD7, 0xD8, 0xDB, 0xDC, 0xDF, 0xE0), repeat=4))
    if charset == "utf32":
        yield from map(bytes, product((0, 1), (0, 0x10, 0x11), (0, 0xD7, 0xD8, 0xE0), (0, 0xFF)))


@pytest.mark.parametrize("charset", sorted(set(CHARSETS) - {"binary"}))
def test_text_is_the_same(charset: str, tmp_path: Path) -> None:
    values = list(sequences(charset))
    path = write(tmp_path / "log.000001", charset, values)
    batches = read_batches(path, table="d.t", metadata_columns="", invalid_text="REPLACE")
    found = pa.Table.from_batches(batches)
    found.validate(full=True)
    texts = [decode_text(value, charset, replaces=True) for value in values]
    assert found.column(0).to_pylist() == texts
    whole = [text for text in texts if "\ufffd" not in text]
    assert has_twins(charset) == (len({*whole}) < len(whole))
