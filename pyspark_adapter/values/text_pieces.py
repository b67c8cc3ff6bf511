"""Texts of rows, put together from pieces: a value of each column, with constant text around it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.kernels.layout import LEN_REAL, Numbers
from pyspark_adapter.values.arrow_arrays import text_buffers, valid_of
from pyspark_adapter.values.text_form import text_form

_DAY_MICROS: Final = 86_400_000_000
# The years that the kernel writes, 1 to 9999, in microseconds.
FIRST_MICROS: Final = -719_162 * _DAY_MICROS
END_MICROS: Final = 2_932_897 * _DAY_MICROS
# A block stays in the second cache of a core.
_BLOCK_BYTES: Final = 1 << 20
_SPARE: Final = bytes(32)  # that the kernel may read after a text


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A piece of the text of each row.

    Attributes:
        head: the text before a value.
        values: text, numbers, dates or times; None if the head is all.
        tail: the text after a value.
        none: the text instead of a null; head and tail are not written then.
        fsp: digits of the fraction of times.
        index: (num_rows,) int64, the value of each row, or below 0 for a null; None if row i has
            value i.
        absent: (num_rows,) bool, where nothing is written; None if nowhere.
        is_iso: whether dates and times have a `T` between them.
    """

    head: str
    values: pa.Array | None = None
    tail: str = ""
    none: str = ""
    fsp: int = 0
    index: Numbers | None = None
    absent: pa.Array | None = None
    is_iso: bool = False


_REALS: Final = {pa.float32(): "float32", pa.float64(): "float64"}


def join_pieces(pieces: Sequence[TextPiece], num_rows: int) -> pa.Array:
    """Return (num_rows,) string: the pieces of each row.

    Raises:
        pa.ArrowCapacityError: if the texts are more than an array holds.
    """
    from pyspark_adapter.kernels.layout import MAX_INT32

    rows = _Rows(pieces, num_rows)
    if rows.num_bytes > MAX_INT32:
        raise pa.ArrowCapacityError(f"{rows.num_bytes} bytes of text in one array")
    offsets = np.zeros(num_rows + 1, dtype=np.int32)
    offsets[1:] = ends = np.cumsum(rows.lengths)
    data = pa.allocate_buffer(rows.num_bytes)
    out = np.frombuffer(data, dtype=np.uint8)
    places = ends - rows.lengths
    for first, last in rows.blocks():
        rows.write(first, last, places, out)
    return pa.Array.from_buffers(pa.string(), num_rows, [None, pa.py_buffer(offsets), data])


def piece_lines(pieces: Sequence[TextPiece], num_rows: int) -> Iterator[Any]:
    """Yield the texts of some rows, one after the other, as bytes that the next ones replace."""
    rows = _Rows(pieces, num_rows)
    places, out = np.empty(num_rows, dtype=np.int64), np.empty(0, dtype=np.uint8)
    for first, last in rows.blocks():
        lengths = rows.lengths[first:last]
        ends = np.cumsum(lengths)
        places[first:last] = ends - lengths
        if ends[-1] > len(out):
            out = np.empty(ends[-1], dtype=np.uint8)
        rows.write(first, last, places, out)
        yield out[: ends[-1]]


class _Rows:
    """Texts of rows, written by the kernel.

    Attributes:
        lengths: (num_rows,) int64, bytes of each.
        num_bytes: of all.
    """

    def __init__(self, pieces: Sequence[TextPiece], num_rows: int) -> None:
        from pyspark_adapter.kernels.entry_points import put_piece

        self._put = put_piece
        self._pieces: list[tuple[Numbers, ...]] = []
        room = 0
        for piece in reversed(pieces):  # a piece may overwrite what later ones write
            self._pieces.insert(0, _prepare(piece, room))
            room += _least_bytes(piece)
        self.lengths = np.zeros(num_rows, dtype=np.int64)
        nothing = np.zeros(0, dtype=np.uint8)
        for columns in self._pieces:
            put_piece(0, num_rows, *columns, True, self.lengths, nothing)
        self.num_bytes = int(self.lengths.sum())

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Yield the first row of each block, and the row after its last."""
        num_rows = len(self.lengths)
        step = max(1, num_rows * _BLOCK_BYTES // max(self.num_bytes, 1))
        for first in range(0, num_rows, step):
            yield first, min(first + step, num_rows)

    def write(self, first: int, last: int, places: Numbers, out: Numbers) -> None:
        """Write a block of rows.

        Args:
            first, last: of its rows.
            places: (num_rows,) where each row goes; moved on.
            out: written.
        """
        for columns in self._pieces:
            self._put(first, last, *columns, False, places, out)


def _as_text(values: pa.Array, piece: TextPiece) -> pa.Array:
    """Return the values of a piece as text."""
    if pa.types.is_string(values.type):
        return values
    texts = text_form(values, piece.fsp)
    if piece.is_iso and pa.types.is_timestamp(values.type):
        return pc.utf8_replace_slice(texts, 10, 11, "T")
    return texts


def _least_bytes(piece: TextPiece) -> int:
    """Return how many bytes a piece has in each row, at least."""
    around = len(piece.head.encode()) + len(piece.tail.encode())
    if piece.absent is not None:
        return 0
    is_shown = piece.index is None or not (piece.index < 0).any()
    if is_shown and (piece.values is None or not piece.values.null_count):
        return around
    return min(around, len(piece.none.encode()))


def _prepare(piece: TextPiece, room: int) -> tuple[Numbers, ...]:
    """Return a piece as the kernel takes it.

    Args:
        room: bytes of later pieces, at least, that follow in each row.
    """
    from pyspark_adapter.kernels.sql_layout import ABSENT, Piece, PieceField

    facts = np.zeros(len(PieceField), dtype=np.int64)
    parts = [text.encode() for text in (piece.head, piece.tail, piece.none)]
    facts[PieceField.HEAD : PieceField.NONE + 1] = list(map(len, parts))
    facts[PieceField.ROOM] = room
    constant = np.frombuffer(b"".join(parts) + _SPARE, dtype=np.uint8)
    index = np.zeros(0, dtype=np.int64) if piece.index is None else piece.index
    nothing = np.zeros(0, dtype=np.uint8)
    offsets, texts = np.zeros(1, dtype=np.int32), nothing
    numbers = np.zeros(0, dtype=np.int64)
    values = piece.values
    if values is None:
        facts[PieceField.KIND] = Piece.NOTHING
        return index, nothing, offsets, texts, numbers, facts, constant
    if piece.absent is not None:
        index = np.arange(len(values)) if piece.index is None else index.copy()
        index[piece.absent.to_numpy(zero_copy_only=False)] = ABSENT
    if pa.types.is_string(values.type):
        facts[PieceField.KIND] = Piece.TEXT
        offsets, texts = text_buffers(values)
    elif pa.types.is_integer(values.type):
        facts[[PieceField.KIND, PieceField.STEP]] = Piece.SIGNED, 1
        if values.type == pa.uint64():
            facts[PieceField.KIND] = Piece.UNSIGNED
        numbers = _plain_numbers(values).astype(np.int64, copy=False)
    elif (unsigned := _unsigned(values)) is not None:
        facts[[PieceField.KIND, PieceField.STEP]] = Piece.UNSIGNED, 2
        numbers = unsigned
    elif (micros := _moments(values)) is not None:
        is_date = pa.types.is_date32(values.type)
        facts[PieceField.KIND] = Piece.MOMENT
        facts[PieceField.DIGITS] = -1 if is_date else piece.fsp
        facts[PieceField.SEPARATOR] = ord("T" if piece.is_iso else " ")
        facts[PieceField.ZONE] = not is_date and values.type.tz is not None
        numbers = micros
    elif values.type in (pa.float32(), pa.float64()):
        facts[PieceField.KIND] = Piece.TEXT
        offsets, texts = _real_texts(values)
    else:
        facts[PieceField.KIND] = Piece.TEXT
        values = _as_text(values, piece)
        offsets, texts = text_buffers(values)
    valid = nothing
    if values.null_count:
        valid = np.frombuffer(values.buffers()[0], dtype=np.uint8)
        facts[PieceField.FIRST_BIT] = values.offset
    return index, valid, offsets, texts, numbers, facts, constant


def _plain_numbers(values: pa.Array) -> Numbers:
    """Return the values of an array of numbers, without a copy; those of nulls mean nothing."""
    kind = _REALS.get(values.type) or str(values.type)  # as numpy names it
    data = np.frombuffer(values.buffers()[1] or b"", dtype=kind)
    return data[values.offset : values.offset + len(values)]


def _real_texts(values: pa.Array) -> tuple[Numbers, Numbers]:
    """Return the texts of floats or doubles, as Arrow has them: offsets and bytes."""
    from pyspark_adapter.kernels.entry_points import fill_reals

    numbers = _plain_numbers(values)
    bits = numbers.view(f"i{numbers.itemsize}").astype(np.int64, copy=False)
    offsets = np.empty(len(values) + 1, dtype=np.int32)
    texts = np.empty(len(values) * LEN_REAL, dtype=np.uint8)
    fill_reals(bits, values.type == pa.float32(), offsets, texts)
    return offsets, texts


def _unsigned(values: pa.Array) -> Numbers | None:
    """Return decimals of 128 bits if they are whole numbers below 2^64, two numbers for each."""
    if not pa.types.is_decimal128(values.type) or values.type.scale:
        return None
    limbs = np.frombuffer(values.buffers()[1] or b"", dtype=np.int64)
    limbs = limbs[2 * values.offset : 2 * (values.offset + len(values))]
    high = limbs[1::2]
    if values.null_count:
        high = high[valid_of(values)]
    return None if high.any() else limbs


def _moments(values: pa.Array) -> Numbers | None:
    """Return dates and times in microseconds, if the kernel writes them."""
    kind = values.type
    if kind not in (pa.date32(), pa.timestamp("us"), pa.timestamp("us", tz="UTC")):
        return None
    unit = _DAY_MICROS if kind == pa.date32() else 1
    plain = values.view(pa.int32() if kind == pa.date32() else pa.int64())
    numbers = _plain_numbers(plain)
    shown = numbers[valid_of(plain)] if plain.null_count else numbers
    if len(shown):
        least, most = int(shown.min()), int(shown.max())
        if unit * least < FIRST_MICROS or unit * most >= END_MICROS:
            return None
    return numbers if unit == 1 else numbers.astype(np.int64) * unit
