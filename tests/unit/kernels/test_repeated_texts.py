"""Texts repeated for rows are those that Arrow gives, wherever they are in their buffer."""

import numpy as np
import pyarrow as pa
import pytest

from pyspark_adapter.kernels.entry_points import repeat_texts

SPARE = 64


@pytest.mark.parametrize("spare", [0, SPARE])
def test_as_take(spare: int) -> None:
    # Those at the end of a buffer without spare bytes cannot be copied in blocks.
    texts = [b"", b"insert", b"x" * 31, b"y" * 32, b"z" * 33, b"\xc3\xa9" * 50, b"last"]
    ends = np.cumsum([0, *map(len, texts)], dtype=np.int32)
    indexes = np.random.default_rng(5).integers(0, len(texts), 500)
    expected = b"".join(texts[k] for k in indexes)
    offsets = np.empty(len(indexes) + 1, dtype=np.int32)
    out = np.full(len(expected) + spare, 255, dtype=np.uint8)
    values = np.frombuffer(b"".join(texts) + bytes(spare), dtype=np.uint8)
    assert repeat_texts(indexes, 0, ends, values, offsets, out) == len(expected)
    assert out.tobytes()[: len(expected)] == expected
    repeated = pa.Array.from_buffers(
        pa.binary(), len(indexes), [None, pa.py_buffer(offsets), pa.py_buffer(out)]
    )
    assert repeated.equals(pa.array(texts).take(pa.array(indexes)))


def test_never_outside() -> None:
    offsets, texts = np.array([0, 4, 9], dtype=np.int32), np.zeros(8, dtype=np.uint8)
    out = np.zeros(64, dtype=np.uint8)
    for index in (1, 2, 7):  # beyond the bytes, beyond the texts
        with pytest.raises(IndexError):
            repeat_texts(np.array([index]), 0, offsets, texts, np.zeros(2, dtype=np.int32), out)
    with pytest.raises(IndexError):  # no room
        repeat_texts(np.zeros(20, np.int64), 0, offsets, texts, np.zeros(21, np.int32), out)
