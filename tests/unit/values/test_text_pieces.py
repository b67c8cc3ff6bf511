"""Texts put together from pieces."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest

from pyspark_adapter.values import text_pieces
from pyspark_adapter.values.text_pieces import TextPiece, join_pieces, piece_lines

_LIMITS = [-(2**63), 2**63 - 1, -1, 0, 9, 10, 99, 100, 99_999_999, 10**8, None]
_DAY = 86_400_000_000
_MICROS = [0, -1, _DAY - 1, 951_782_400_000_000, -719_162 * _DAY, 2_932_897 * _DAY - 1, None]
_VALUES = {
    "text": pa.array(["", "a", None, "é" * 20, "x" * 31, "y" * 32, "z" * 33, "0" * 1000]),
    "no text": pa.nulls(3, pa.string()),
    "int64": pa.array(_LIMITS, pa.int64()),
    "int8": pa.array([-128, 127, None, 0], pa.int8()),
    "uint64": pa.array([0, 2**64 - 1, 2**63, None], pa.uint64()),
    "unsigned": pa.array([Decimal(2**64 - 1), Decimal(0), None], pa.decimal128(20, 0)),
    "large": pa.array([Decimal(2**64), Decimal(-1)], pa.decimal128(20, 0)),
    "decimal": pa.array([Decimal("-1.50"), None], pa.decimal128(12, 2)),
    "float": pa.array([1.5, -0.0, 1e300, None]),
    "date": pa.array([0, -719_162, 2_932_896, 19_782, None], pa.int32()).view(pa.date32()),
    "years": pa.array([-719_163 * _DAY, 0, 2_932_897 * _DAY], pa.int64()).view(pa.timestamp("us")),
    "duration": pa.array([-1, 3_600_000_000, None], pa.int64()).view(pa.duration("us")),
}


def same(pieces: list[TextPiece], num_rows: int) -> list[str]:
    """Return the texts, which both functions give, as an array and as bytes."""
    found = join_pieces(pieces, num_rows)
    found.validate(full=True)
    written = "".join(found.to_pylist()).encode()
    assert b"".join(map(bytes, piece_lines(pieces, num_rows))) == written
    return [str(text) for text in found.to_pylist()]


@pytest.mark.parametrize("name", _VALUES)
def test_values(name: str) -> None:
    values = _VALUES[name]
    for part in (values, values[1:], values[:0]):
        same([TextPiece("[", part, "]", "-"), TextPiece("!")], len(part))
        same([TextPiece("[", part, "]", "-", is_iso=True), TextPiece("!")], len(part))


_RNG = np.random.default_rng(5)
_SPECIAL_REALS = [0.0, -0.0, 1.0, 999_999.5, 1e-6, 9.999e-7, 1e9, 1e10, 9_999_999_999.5, 1e15, 0.1]
_SPECIAL_REALS += [np.nan, -np.nan, np.inf, -np.inf, 123_456.7, 16_777_217, 2.0**53, 5e-324, 1e-45]


@pytest.mark.parametrize("size", [4, 8])
def test_reals(size: int) -> None:
    kind = np.dtype(f"f{size}")
    decimals = [_RNG.integers(0, 10 ** int(n), 2000) for n in _RNG.integers(1, 18, 20)]
    reals = [
        np.array(_SPECIAL_REALS),
        (np.array(decimals) * 10.0 ** _RNG.integers(-25, 25, (20, 1))).ravel(),
        np.round(_RNG.normal(0, 1000, 20_000), 2),
        2.0 ** np.arange(-1074, 1024),
        -(10.0 ** np.arange(-320, 309)),
    ]
    half = 1 << (8 * size - 1)
    bits = _RNG.integers(-half, half, 50_000, dtype=np.int64)
    with np.errstate(over="ignore", invalid="ignore"):
        values = np.concatenate(
            [bits.astype(f"i{size}").view(kind), *(r.astype(kind) for r in reals)]
        )
        following = np.nextafter(values, kind.type(np.inf))
    for numbers in (values, following):
        array = pa.array(numbers, mask=np.arange(len(numbers)) % 7 == 0, from_pandas=False)
        same([TextPiece("", array, ",", "-")], len(array))
        same([TextPiece("", array[3:], ",", "-")], len(array) - 3)


@pytest.mark.parametrize("fsp", range(7))
@pytest.mark.parametrize("zone", [None, "UTC"])
def test_moments(fsp: int, zone: str | None) -> None:
    exact = [None if n is None else n // 10 ** (6 - fsp) * 10 ** (6 - fsp) for n in _MICROS]
    values = pa.array(exact, pa.int64()).view(pa.timestamp("us", tz=zone))
    same([TextPiece("", values, "|", "-", fsp)], len(values))
    same([TextPiece("", values, "|", "-", fsp, is_iso=True)], len(values))


def test_values_are_chosen_by_index_and_left_out() -> None:
    index = np.array([2, 0, -1, 1, 2])
    absent = pa.array([False, True, False, False, False])
    values = pa.array(["a", None, "c"])
    pieces = [TextPiece("<"), TextPiece("", values, ",", "null", index=index, absent=absent)]
    assert same([*pieces, TextPiece(">")], 5) == ["<c,>", "<>", "<null>", "<null>", "<c,>"]


@pytest.mark.parametrize("after", ["", "!" * 31, "!" * 32, "!" * 70])
def test_pieces_with_room_after_them(after: str) -> None:
    """A piece may overwrite what later ones write, but not the next row."""
    texts = pa.array([chr(97 + n % 26) * n for n in range(100)])
    index = np.arange(100) * 7 % 100
    index[::9] = -1
    absent = pa.array(np.arange(100) % 5 == 0)
    same([TextPiece("", texts), TextPiece(after)], 100)
    same([TextPiece("<" * 33, texts, ">", after), TextPiece(after)], 100)
    same([TextPiece("", texts, index=index, none="null"), TextPiece(after)], 100)
    same([TextPiece("[", texts, "]"), TextPiece(after, pa.array(range(100)), absent=absent)], 100)
    same([TextPiece("[", texts, "]"), TextPiece("-", texts, after, "-", index=index)], 100)


def test_only_constant_text() -> None:
    assert same([TextPiece("a"), TextPiece("b")], 2) == ["ab", "ab"]


def test_rows_longer_than_what_is_written_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_pieces, "_BLOCK_BYTES", 1000)
    rng = np.random.default_rng(1)
    values = pa.array(["x" * n for n in rng.integers(0, 3000, 50).tolist()])
    numbers = pa.array(rng.integers(-(10**12), 10**12, 50))
    same([TextPiece("a", values, "b"), TextPiece("c", numbers, "d")], 50)


def test_more_text_than_an_array_holds() -> None:
    text = pa.array(["x" * (1 << 20)])
    piece = TextPiece("", text, index=np.zeros(2048, dtype=np.int64))
    with pytest.raises(pa.ArrowCapacityError, match="2147483648 bytes"):
        join_pieces([piece], 2048)
