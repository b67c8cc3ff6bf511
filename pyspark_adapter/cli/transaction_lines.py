"""A line of text for each transaction, in columns.

A kernel writes those of a window. Single ones, and times that the kernel cannot write, are left to
Python, which takes a hundred times as long.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from pyspark_adapter.cli.terminal import printable
from pyspark_adapter.kernels.layout import LINE_WIDTHS, Transaction
from pyspark_adapter.values.text_form import text_form
from pyspark_adapter.values.text_pieces import END_MICROS, FIRST_MICROS, Numbers

if TYPE_CHECKING:
    from pyspark_adapter.operations.counted_transactions import CountedTransactions

_TITLES: Final = ("time", "position", "bytes", "rows", "seconds", "thread", "gtid")
_ARE_LEFT: Final = ("time", "position", "gtid")
_BETWEEN: Final = "  "
_NO_VALUE: Final = "-"
_COUNTS: Final = {"+": "num_inserts", "~": "num_updates", "-": "num_deletes"}
_MAX_DIGITS: Final = 20
_FIELDS: Final = (
    Transaction.START_POS,
    Transaction.COMMIT_MICROS,
    Transaction.GTID_KIND,
    Transaction.GTID_A,
    Transaction.GTID_B,
    Transaction.GTID_C,
)


def title_line() -> str:
    """Return the titles of the columns."""
    return _padded([*_TITLES, "changes (+ inserts, ~ updates, - deletes)"])


def describe_transactions(batch: pa.RecordBatch) -> Iterator[str]:
    """Yield a line for each transaction.

    Args:
        batch: with the columns of TRANSACTIONS.
    """
    times = text_form(batch.column("commit_timestamp"), fsp=6).to_pylist()
    for time, row in zip(times, batch.drop_columns(["commit_timestamp"]).to_pylist(), strict=True):
        position = f"{printable(row['log_file'])}:{row['start_pos']}"
        numbers = [row[name] for name in ("num_bytes", "num_rows", "duration", "thread_id")]
        shown = [_NO_VALUE if number is None else str(number) for number in numbers]
        gtid = _NO_VALUE if row["gtid"] is None else printable(row["gtid"])
        changes = ", ".join(map(_describe_changes, row["tables"]))
        yield _padded([time, position, *shown, gtid, changes])


def _padded(cells: Sequence[str]) -> str:
    """Return texts in columns; the last one has no width."""
    padded = [
        text.ljust(width) if title in _ARE_LEFT else text.rjust(width)
        for title, text, width in zip(_TITLES, cells, LINE_WIDTHS, strict=False)
    ]
    return _BETWEEN.join([*padded, cells[-1]])


def _describe_changes(changes: dict[str, Any]) -> str:
    """Return the changes of a table, such as `shop.orders +1 ~2`."""
    counts = [f"{sign}{changes[name]}" for sign, name in _COUNTS.items() if changes[name]]
    return " ".join([printable(changes["table"]), *counts])


class TransactionLines:
    """Writes the lines of windows by a kernel, into memory that the next window takes over."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._tables = _Texts([])
        self._out = np.empty(0, dtype=np.uint8)

    def of(self, found: CountedTransactions) -> Any:
        """Return a line for each transaction, as bytes or an array of them, until the next call."""
        micros = found.fields[Transaction.COMMIT_MICROS]
        if len(found) and (micros.min() < FIRST_MICROS or micros.max() >= END_MICROS):
            lines = describe_transactions(found.batch())
            return "".join(f"{line}\n" for line in lines).encode()
        return self._written(found)

    def _written(self, found: CountedTransactions) -> Numbers:
        from pyspark_adapter.kernels.gtid_text import MAX_LENGTH
        from pyspark_adapter.kernels.transaction_text import SPARE, fill_lines

        names = list(found.table_names)
        if names != self._names:
            self._names, self._tables = names, _Texts(names)
        tagged = _Texts(found.tagged_gtids)
        log_name = f"{printable(found.log_name)}:"
        name = np.frombuffer(log_name.encode(), dtype=np.uint8)
        fields, changes = found.fields, found.changes
        # What a line takes at most: its columns, and what is longer than its column.
        longest = sum(LINE_WIDTHS) + len(LINE_WIDTHS) * (len(_BETWEEN) + _MAX_DIGITS)
        longest += len(name) + max(tagged.longest, MAX_LENGTH) + len("\n")
        of_changes = len(changes.tables) * (3 * (_MAX_DIGITS + 2) + 2)
        of_changes += int(self._tables.lengths[changes.tables].sum())
        size = len(found) * longest + of_changes + SPARE
        if size > len(self._out):
            self._out = np.empty(size, dtype=np.uint8)
        count = fill_lines(
            *(fields[field] for field in _FIELDS),
            found.num_bytes(),
            found.num_rows(),
            found.duration(),
            fields[Transaction.THREAD_ID],
            changes.transactions,
            changes.tables,
            changes.kinds,
            changes.num_rows,
            name,
            len(log_name),
            self._tables.offsets,
            self._tables.data,
            tagged.offsets,
            tagged.data,
            self._out,
        )
        return self._out[:count]


class _Texts:
    """Texts as the kernel takes them, with control characters escaped.

    Attributes:
        data: their bytes, in UTF-8.
        lengths: (n,) in bytes.
        offsets: (n + 1,) where they begin and end.
        longest: the length of the longest.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        encoded = [printable(text).encode() for text in texts]
        self.data = np.frombuffer(b"".join(encoded), dtype=np.uint8)
        self.lengths = np.array([len(text) for text in encoded], dtype=np.int64)
        self.offsets = np.append([0], np.cumsum(self.lengths))
        self.longest = int(self.lengths.max(initial=0))
