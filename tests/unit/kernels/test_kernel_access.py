"""The functions that read and write bytes check each range, since numba does not do so for them."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pyspark_adapter.kernels import load as module
from pyspark_adapter.kernels.layout import LEN_COPY
from tests.support.compiled import callable_from_python

NAMES = (
    *("load_u1", "load_u2", "load_u3", "load_u4", "load_u8", "load_be4", "load_le", "load_be"),
    *("copy_bytes", "copy_json_bytes", "equal_bytes", "skip_ascii", "move_bytes"),
    *("put_u1", "put_u2", "put_word"),
)
load = SimpleNamespace(**{name: callable_from_python(getattr(module, name)) for name in NAMES})

DATA = bytes(range(1, 101))
SIZE = len(DATA)
Arrays = tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]


@pytest.fixture
def arrays() -> Arrays:
    """Give the bytes to read and an equally long array to write to.

    Both are the middle of larger arrays, so that what goes astray is seen and does no harm.
    """
    data = np.frombuffer(bytes([255] * 32) + DATA + bytes([255] * 32), dtype=np.uint8)
    return data[32 : 32 + SIZE], np.zeros(SIZE + 64, dtype=np.uint8)[32 : 32 + SIZE]


def is_untouched(out: np.ndarray[Any, Any], start: int, end: int) -> bool:
    """Tell whether nothing is written outside of a range of an array, in what it is a part of."""
    whole = np.asarray(out.base)
    return not whole[: 32 + start].any() and not whole[32 + end :].any()


FIXED: list[tuple[Callable[..., int], int, str]] = [
    (load.load_u1, 1, "little"),
    (load.load_u2, 2, "little"),
    (load.load_u3, 3, "little"),
    (load.load_u4, 4, "little"),
    (load.load_u8, 8, "little"),
    (load.load_be4, 4, "big"),
]


@pytest.mark.parametrize(("read", "width", "order"), FIXED)
def test_fixed_widths(read: Callable[..., int], width: int, order: Any, arrays: Arrays) -> None:
    data, _ = arrays
    for position in (0, 5, SIZE - width):
        expected = int.from_bytes(DATA[position : position + width], order)
        assert read(data, np.int64(position)) == expected
    for position in (-1, -width, SIZE - width + 1, SIZE, 1 << 40, -(1 << 63), (1 << 63) - 1):
        with pytest.raises(IndexError):
            read(data, np.int64(position))


@pytest.mark.parametrize(("read", "order"), [(load.load_le, "little"), (load.load_be, "big")])
def test_widths_of_the_log(read: Callable[..., int], order: Any, arrays: Arrays) -> None:
    data, _ = arrays
    for width in range(9):
        for position in range(SIZE - width + 1):
            expected = int.from_bytes(DATA[position : position + width], order)
            assert read(data, np.int64(position), np.int64(width)) == expected
    for position, width in [
        (-1, 4),
        (SIZE, 1),
        (SIZE - 3, 4),
        (0, -1),
        (0, SIZE + 1),
        (1 << 62, 8),
    ]:
        with pytest.raises(IndexError):
            read(data, np.int64(position), np.int64(width))


@pytest.mark.parametrize("copy", [load.copy_bytes, load.copy_json_bytes])
def test_copies(copy: Callable[..., int], arrays: Arrays) -> None:
    data, out = arrays
    for length in range(SIZE + 1):
        for start in {0, SIZE - length}:
            out[:] = 0
            copy(data, np.int64(start), np.int64(length), out, np.int64(SIZE - length))
            assert out[SIZE - length :].tobytes() == DATA[start : start + length]
            assert is_untouched(out, SIZE - length, SIZE)
    beyond = [
        (-1, 4, 0),
        (0, 4, -1),
        (SIZE - 3, 4, 0),
        (0, 4, SIZE - 3),
        (0, -1, 0),
        (0, 1 << 62, 0),
    ]
    out[:] = 0
    for start, length, target in beyond:
        with pytest.raises(IndexError):
            copy(data, np.int64(start), np.int64(length), out, np.int64(target))
    assert is_untouched(out, 0, 0)


@pytest.mark.parametrize("copy", [load.copy_bytes, load.copy_json_bytes])
def test_copies_with_room_after_them(copy: Callable[..., int], arrays: Arrays) -> None:
    data, out = arrays
    for length in range(SIZE - LEN_COPY + 1):
        out[:] = 0
        copy(data, np.int64(0), np.int64(length), out, np.int64(0))
        assert out[:length].tobytes() == DATA[:length]
        assert is_untouched(out, 0, length + LEN_COPY)


def test_moves() -> None:
    for source, target in [(3, 20), (20, 3), (5, 5)]:
        data = np.frombuffer(bytearray(DATA), dtype=np.uint8)
        load.move_bytes(data, np.int64(source), np.int64(40), np.int64(target))
        assert data[target : target + 40].tobytes() == DATA[source : source + 40]
    for source, target, length in [(-1, 0, 4), (0, SIZE, 1), (SIZE - 3, 0, 4), (0, 0, -1)]:
        with pytest.raises(IndexError):
            load.move_bytes(data, np.int64(source), np.int64(length), np.int64(target))


def test_long_copies() -> None:
    source = np.arange(600, dtype=np.int64).astype(np.uint8)
    out = np.zeros(600, dtype=np.uint8)
    assert load.copy_bytes(source, np.int64(3), np.int64(500), out, np.int64(7)) == 0x80
    assert out[:507].tobytes() == bytes(7) + source[3:503].tobytes()
    assert not out[507 + LEN_COPY :].any()
    assert load.copy_bytes(source, np.int64(0), np.int64(100), out, np.int64(0)) == 0
    with pytest.raises(IndexError):
        load.copy_bytes(source, np.int64(101), np.int64(500), out, np.int64(0))


@pytest.mark.parametrize(
    "text", [b"", b"a", b"plain text of more than one word", b"1234567890123456"]
)
@pytest.mark.parametrize("special", [b"", b'"', b"\\", b"\n", b"\x1f", b"\xc3\xa9", b"\x7f"])
@pytest.mark.parametrize("room", [0, 20, 64])
def test_what_a_copy_finds(text: bytes, special: bytes, room: int) -> None:
    for place in range(len(text) + 1):
        value = text[:place] + special + text[place:]
        # What stands behind the value is not a part of it.
        data = np.frombuffer(value + b'"\xff\n\\'.ljust(room, b"\x80")[:room], dtype=np.uint8)
        out = np.zeros(len(value) + room, dtype=np.uint8)
        found = load.copy_json_bytes(data, np.int64(0), np.int64(len(value)), out, np.int64(0))
        assert out[: len(value)].tobytes() == value
        needs_escapes = any(byte < 0x20 or byte in b'"\\' for byte in value)
        assert bool(found & int(module.NEED_ESCAPES)) == needs_escapes
        assert bool(found & int(module.ABOVE_ASCII)) == any(byte >= 0x80 for byte in value)
        seen = load.copy_bytes(data, np.int64(0), np.int64(len(value)), out, np.int64(0))
        assert bool(seen) == any(byte >= 0x80 for byte in value)


def test_writes(arrays: Arrays) -> None:
    _, out = arrays
    assert load.put_u1(out, np.int64(SIZE - 1), np.int64(7)) == SIZE
    assert load.put_u2(out, np.int64(0), np.int64(0x0102)) == 2
    assert load.put_word(out, np.int64(4), np.int64(0x030201), np.int64(3)) == 7
    assert load.put_word(out, np.int64(SIZE - 3), np.int64(0x030201), np.int64(3)) == SIZE
    assert out.tobytes() == b"\2\1\0\0\1\2\3" + bytes(SIZE - 10) + b"\1\2\3"
    for position in (-1, SIZE, 1 << 40):
        for write in (load.put_u1, load.put_u2):
            with pytest.raises(IndexError):
                write(out, np.int64(position), np.int64(1))
        with pytest.raises(IndexError):
            load.put_word(out, np.int64(position), np.int64(1), np.int64(3))
    with pytest.raises(IndexError):
        load.put_u2(out, np.int64(SIZE - 1), np.int64(1))
    assert is_untouched(out, 0, SIZE)


def test_comparisons(arrays: Arrays) -> None:
    data, out = arrays
    out[:] = data
    assert load.equal_bytes(data, np.int64(2), out, np.int64(2), np.int64(SIZE - 2))
    assert not load.equal_bytes(data, np.int64(2), out, np.int64(1), np.int64(4))
    for left, right in [(SIZE - 3, 0), (0, SIZE - 3), (-1, 0), (0, -1)]:
        with pytest.raises(IndexError):
            load.equal_bytes(data, np.int64(left), out, np.int64(right), np.int64(4))


def test_the_end_of_ascii() -> None:
    for place in range(30):
        data = np.frombuffer(b"a" * place + b"\x80" + b"a" * 10 + b"\xff" * 3, dtype=np.uint8)
        for end in range(place + 12):
            assert load.skip_ascii(data, np.int64(0), np.int64(end)) == min(place, end)
    with pytest.raises(IndexError):
        load.skip_ascii(data, np.int64(-1), np.int64(1))
