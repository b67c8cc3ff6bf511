"""Located rows of a table, what is written of them, and their transactions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from pyspark_adapter.decode.reference.row_images import Missing, PartialDocument, RowImage, Value
from pyspark_adapter.errors import BinlogError
from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.layout import Change, LocatedRow, Pos, TableColumn
from pyspark_adapter.kernels.sql_layout import SqlColumn, SqlPiece
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.scan.scanned_events import ScannedEvents
from pyspark_adapter.scan.scanned_transactions import gtid_texts
from pyspark_adapter.sql_text.kernel_forms import KernelForms
from pyspark_adapter.sql_text.logged_transactions import LoggedTransactions, Numbers
from pyspark_adapter.sql_text.pieces import Heads, Refused
from pyspark_adapter.sql_text.target_table import TargetTable

_FIRST_ROOM: Final = 8 << 20  # bytes of text


class Table:
    """A table that the kernels write.

    Attributes:
        table_map: of it.
        target: as statements change it.
        forms: of its values.
        number: in `Heads`.
        columns: as `locate` takes it.
    """

    def __init__(
        self, table_map: TableMap, target: TargetTable, options: BinlogOptions, heads: Heads
    ) -> None:
        self.table_map = table_map
        self.target = target
        self.forms = KernelForms(table_map.columns, target, options.default_charset)
        self.number = heads.number_of(target)
        num_columns = len(table_map.columns)
        self.columns = np.full((len(TableColumn), num_columns), -1, dtype=np.int64)
        self.columns[TableColumn.OUTPUT] = np.arange(num_columns)
        for number, column in enumerate(table_map.json_columns):
            self.columns[TableColumn.JSON, column.index] = number


@dataclass(frozen=True, slots=True)
class Rows:
    """Located row images of a table.

    Attributes:
        scanned: the window.
        table: the table.
        pos: (columns, at least n) positions of `locate`.
        located: (len(LocatedRow), n).
    """

    scanned: ScannedEvents
    table: Table
    pos: Numbers
    located: Numbers

    def images(self, first: int) -> list[RowImage]:
        """Return the images of a row change, as the reference has them."""
        change = int(self.located[LocatedRow.CHANGE, first])
        before = [self._value(c, first, Missing.ABSENT) for c in range(self.pos.shape[0])]
        images = [RowImage(change, before)]
        if change == Change.UPDATE_PREIMAGE:
            after = [self._value(c, first + 1, value) for c, value in enumerate(before)]
            images.append(RowImage(Change.UPDATE_POSTIMAGE, after))
        return images

    def _value(self, c: int, image: int, before: Value) -> Value:
        position = int(self.pos[c, image])
        if position == Pos.NULL:
            return Missing.NULL
        if position == Pos.ABSENT:
            return Missing.ABSENT
        if position >= 0:
            return self._bytes(c, position)
        assert not isinstance(before, PartialDocument)
        return PartialDocument(before, self._bytes(c, Pos.DIFFERENCES - position))

    def _bytes(self, c: int, position: int) -> bytes:
        length = int(self.table.forms.columns[c, SqlColumn.WIDTH])
        data = self.scanned.data
        if length < 0:
            start = position - length
            length = int.from_bytes(data[position:start].tobytes(), "little")
            position = start
        return data[position : position + length].tobytes()


@dataclass(frozen=True, slots=True)
class Written:
    """Changes of one table.

    Attributes:
        found: (len(SqlPiece), n) as `Pieces.table`.
        events: (n,) columns of `ScannedEvents.events`.
        changes: (n,) as in `Pieces`.
        number: of the table in `Heads`.
        refused: those that cannot be written, each with its event.
        failed: the first event whose rows cannot be read, after all these, and the error.
    """

    found: Numbers
    events: Numbers
    changes: Numbers
    number: int
    refused: list[tuple[int, Refused]]
    failed: tuple[int, BinlogError] | None = None

    @classmethod
    def nothing(
        cls,
        number: int,
        refused: Sequence[tuple[int, Refused]] = (),
        failed: tuple[int, BinlogError] | None = None,
    ) -> Written:
        """Return no changes."""
        none = np.zeros(0, dtype=np.int64)
        found = np.zeros((len(SqlPiece), 0), dtype=np.int64)
        return cls(found, none, none, number, list(refused), failed)


class Text:
    """The text of pieces, which grows; the kernels write into it."""

    def __init__(self) -> None:
        self.data = np.empty(_FIRST_ROOM, dtype=np.uint8)
        self.end = 0

    def grow(self, num_bytes: int) -> None:
        """Have room for so many bytes more."""
        size = len(self.data)
        while size < self.end + num_bytes:
            size *= 2
        data = np.empty(size, dtype=np.uint8)
        data[: self.end] = self.data[: self.end]
        self.data = data

    def append(self, text: bytes) -> None:
        """Add a text."""
        if self.end + len(text) > len(self.data):
            self.grow(len(text))
        self.data[self.end : self.end + len(text)] = np.frombuffer(text, dtype=np.uint8)
        self.end += len(text)


def transactions_of(scanned: ScannedEvents, columns: Numbers) -> LoggedTransactions:
    """Return transactions of a window, by their columns."""
    chosen = np.ascontiguousarray(scanned.transactions[:, columns])
    xids = chosen[lay.Transaction.XID]
    return LoggedTransactions(
        scanned.log_file.path,
        scanned.log_file.name,
        chosen[lay.Transaction.START_POS],
        gtid_texts(chosen, scanned.tagged_gtids),
        chosen[lay.Transaction.COMMIT_MICROS],
        {k: scanned.xids[xids[k] - 1] for k in np.flatnonzero(xids).tolist()},
    )


def distinct_of(columns: Numbers) -> tuple[Numbers, Numbers]:
    """Return the distinct values of a sorted array, and the index of each in them."""
    is_first = np.diff(columns, prepend=-1) != 0
    return columns[is_first], np.cumsum(is_first) - 1
