"""A line of text for each transaction, in columns.

Texts are put together by a kernel: Python takes a microsecond a value, and Arrow ten times as long.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.cli.terminal import printable
from pyspark_adapter.values.text_pieces import Numbers, TextPiece, join_by_kernel

# Title, width, and whether it is to the left.
_COLUMNS: Final = {
    "time": (27, True),
    "position": (26, True),
    "bytes": (12, False),
    "rows": (10, False),
    "seconds": (7, False),
    "thread": (8, False),
    "gtid": (40, True),
}
_NUMBERS: Final = {
    "bytes": "num_bytes",
    "rows": "num_rows",
    "seconds": "duration",
    "thread": "thread_id",
}
_BETWEEN: Final = "  "
_NO_VALUE: Final = "-"
# Numbers below have a text in an array.
_MANY: Final = 1 << 16
_INT64: Final = 63  # bits of the largest code


def title_line() -> str:
    """Return the titles of the columns."""
    titles = [
        title.ljust(width) if is_left else title.rjust(width)
        for title, (width, is_left) in _COLUMNS.items()
    ]
    return _BETWEEN.join([*titles, "changes (+ inserts, ~ updates, - deletes)"])


def transaction_lines(batch: pa.RecordBatch) -> Any:
    """Return a line for each transaction, as bytes or a buffer of them.

    Args:
        batch: with the columns of TRANSACTIONS.
    """
    if not batch.num_rows:
        return b""
    names, starts = _printable(batch.column("log_file")), batch.column("start_pos")
    lengths = pc.utf8_length(names).to_numpy() + len(":") + _num_digits(starts.to_numpy())
    gtids = _printable(batch.column("gtid"))
    pieces = [
        TextPiece("", batch.column("commit_timestamp"), _BETWEEN, fsp=6),
        TextPiece("", names, ":"),
        TextPiece("", starts),
        _padding("position", lengths),
        *(_number(batch.column(name), title) for title, name in _NUMBERS.items()),
        TextPiece(_BETWEEN, gtids, none=f"{_BETWEEN}{_NO_VALUE}"),
        _padding("gtid", pc.fill_null(pc.binary_length(gtids), len(_NO_VALUE)).to_numpy()),
        _changes(batch.column("tables")),
    ]
    lines = join_by_kernel(pieces, batch.num_rows)
    return np.frombuffer(lines.buffers()[2], dtype=np.uint8)


def _printable(texts: pa.Array) -> pa.Array:
    """Return texts with control characters escaped; only one that is not ASCII may have any."""
    offsets = np.frombuffer(texts.buffers()[1], dtype=np.int32)[texts.offset :]
    data = np.frombuffer(texts.buffers()[2] or b"", dtype=np.uint8)
    data = data[offsets[0] : offsets[len(texts)]]
    if not len(data) or (data.min() >= ord(" ") and data.max() <= ord("~")):
        return texts
    return pa.array([None if t is None else printable(t) for t in texts.to_pylist()], pa.string())


def _num_digits(numbers: Numbers) -> Numbers:
    """Return the number of digits of numbers, which are 0 or more."""
    least, most = (len(str(number)) for number in (numbers.min(), numbers.max()))
    digits = np.full(len(numbers), least)
    for k in range(least, most):
        digits += numbers >= 10**k
    return digits


def _padding(title: str, lengths: Numbers) -> TextPiece:
    """Return the spaces after texts of a column, which have so many letters."""
    width, _ = _COLUMNS[title]
    spaces = pa.array([" " * k for k in range(width + 1)])
    return TextPiece("", spaces, index=np.maximum(width - lengths.astype(np.int64), 0))


def _number(values: pa.Array, title: str) -> TextPiece:
    """Return a column of numbers, which are 0 or more."""
    width, _ = _COLUMNS[title]
    numbers = pc.fill_null(values, -1).to_numpy()
    if numbers.max() < _MANY:
        return TextPiece(_BETWEEN, _number_texts(width), index=numbers + 1)
    texts = pc.fill_null(values.cast(pa.string()), _NO_VALUE)
    return TextPiece(_BETWEEN, pc.ascii_lpad(texts, width))


@cache
def _number_texts(width: int) -> pa.Array:
    """Return the texts of no number, and of those below `_MANY`."""
    texts = [pa.array([_NO_VALUE]), pa.array(np.arange(_MANY)).cast(pa.string())]
    return pc.ascii_lpad(pa.concat_arrays(texts), width)


def _changes(lists: pa.Array) -> TextPiece:
    """Return the changes of each transaction, and the end of its line."""
    table, *counts, _ = lists.flatten().flatten()
    keys = [column.to_numpy().astype(np.int64) for column in (table.indices, *counts)]
    sizes = [int(column.max(initial=0)) + 1 for column in keys]
    names = _printable(table.dictionary)
    if sum(size.bit_length() for size in sizes) > _INT64:
        codes, parts = np.arange(len(table)), keys
    else:
        encoded = pa.array(np.ravel_multi_index(keys, sizes)).dictionary_encode()
        codes = encoded.indices.to_numpy()
        parts = list(np.unravel_index(encoded.dictionary.to_numpy(), sizes))
    texts = _change_texts(names.take(pa.array(parts[0])), parts[1:])
    head, tail = _BETWEEN, "\n"
    offsets = lists.offsets.to_numpy()
    num_tables = np.diff(offsets)
    if len(num_tables) and num_tables.max() > 1:
        of_tables = texts.take(pa.array(codes))
        lines = pa.ListArray.from_arrays(pa.array(offsets - offsets[0]), of_tables)
        return TextPiece(head, pc.binary_join(lines, ", "), tail)
    index = np.full(len(num_tables), -1, dtype=np.int64)
    index[num_tables > 0] = codes
    return TextPiece(head, texts, tail, none=head + tail, index=index)


def _change_texts(names: pa.Array, counts: list[Numbers]) -> pa.Array:
    """Return texts such as `shop.orders +1 ~2`."""
    parts = [names]
    for sign, numbers in zip("+~-", counts, strict=True):
        shown = pc.binary_join_element_wise(sign, pa.array(numbers).cast(pa.string()), "")
        parts.append(pc.if_else(pa.array(numbers == 0), pa.scalar(None, pa.string()), shown))
    return pc.binary_join_element_wise(*parts, " ", null_handling="skip")
