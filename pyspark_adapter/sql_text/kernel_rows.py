"""Tables whose rows the kernels write, and the fragments of a window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from pyspark_adapter.errors import BinlogError
from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.layout import Numbers
from pyspark_adapter.kernels.sql_layout import (
    MAX_SCALAR,
    Literal,
    SqlColumn,
    SqlFragment,
    SqlText,
    SqlUse,
    SqlValue,
)
from pyspark_adapter.scan.row_images import layout_of
from pyspark_adapter.scan.scanned_events import ScannedEvents, gtid_texts
from pyspark_adapter.sql_text.column_forms import constant_texts
from pyspark_adapter.sql_text.fragments import LoggedTransactions, Refused, SqlFragments
from pyspark_adapter.sql_text.log_changes import SqlRequest
from pyspark_adapter.sql_text.target_table import TargetTable
from pyspark_adapter.values.column_types import width_of

_FIRST_ROOM: Final = 8 << 20  # bytes of text


class Table:
    """A table, and how the kernel writes its rows.

    Attributes:
        layout: of its rows.
        target: as statements change it.
        number: in `NumberedTables`.
        columns, uses, finders, has_key, texts, spans, members, slack: as `write_changes` takes
            them.
        json_columns: indices of the JSON columns, in the order of `Literal.JSON`.
        bytes_by_row: most bytes of constant texts in the statement of a row.
    """

    def __init__(self, table_map: TableMap, target: TargetTable, request: SqlRequest) -> None:
        self.layout = layout_of(table_map)
        self.target = target
        self.number = request.tables.number_of(target)
        columns, n = table_map.columns, len(table_map.columns)
        texts, spans = bytearray(), []
        for text in (
            f"UPDATE {target.name} SET ",
            f"DELETE FROM {target.name} WHERE ",
            " WHERE ",
            " LIMIT 1;\n",
            f"INSERT INTO {target.name} (",
            ") VALUES (",
            ");\n",
        ):
            spans.append(len(texts))
            texts += text.encode()
        assert len(spans) == SqlText.END
        self.spans = np.array([*spans, len(texts)], dtype=np.int64)
        self.columns = np.zeros((n, len(SqlColumn)), dtype=np.int64)
        self.uses = np.zeros((len(SqlUse), n, len(SqlValue)), dtype=np.int64)
        self.json_columns: list[int] = []
        members: list[int] = []
        for column, form in zip(columns, target.forms, strict=True):
            of_column = self.columns[column.index]
            of_column[SqlColumn.WIDTH] = width_of(column)
            if form is None:
                continue
            of_column[SqlColumn.IS_WRITTEN] = 1
            of_column[SqlColumn.IS_TOUCHED] = column.index in target.touched
            for field, text in (
                (SqlColumn.NAME, form.name),
                (SqlColumn.SUBJECT, f"{form.subject} <=> "),
                (SqlColumn.IS_NULL, f"{form.name} IS NULL"),
            ):
                of_column[field] = len(texts)
                texts += text.encode()
                of_column[field + 1] = len(texts)
            self.uses[:, column.index] = form.packed(texts, members)
            if form.is_compressed:
                self.uses[:, column.index, SqlValue.KIND] = Literal.PYTHON
            if column.type_code == Code.json:
                self.uses[:, column.index, SqlValue.P1] = len(self.json_columns)
                self.json_columns.append(column.index)
        written = [c for c, form in enumerate(target.forms) if form is not None]
        self.has_key = bool(target.key)
        self.finders = np.array(target.key or written, dtype=np.int64)
        self.texts = constant_texts(texts)
        self.members = np.array(members or [0], dtype=np.int64)
        self.bytes_by_row = 4 * len(texts)
        self.slack = self.bytes_by_row + 2 * MAX_SCALAR * (n + 1)


@dataclass(frozen=True, slots=True)
class Written:
    """Changes of one table.

    Attributes:
        fragments: (len(SqlFragment), n) as `SqlFragments.table`.
        events: (n,) columns of `ScannedEvents.events`.
        changes: (n,) as in `SqlFragments`.
        number: of the table in `NumberedTables`.
        refused: those that cannot be written, each with its event.
        failed: the first event whose rows cannot be read, after all these, and the error.
    """

    fragments: Numbers
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
        fragments = np.zeros((len(SqlFragment), 0), dtype=np.int64)
        return cls(fragments, none, none, number, list(refused), failed)


class Text:
    """The text of fragments, which grows; the kernels write into it."""

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


def fragments_of(
    scanned: ScannedEvents,
    text: Numbers,
    table: Numbers,
    tables: Numbers,
    changes: Numbers,
    events: Numbers,
    refused: list[Refused],
) -> SqlFragments:
    """Return row changes of a window with their transactions; arguments as of `SqlFragments`.

    Args:
        events: (n,) columns of `scanned.events`, in order.
    """
    columns = scanned.events[lay.Event.TRANSACTION, events]
    is_first = np.diff(columns, prepend=-1) != 0
    chosen = np.ascontiguousarray(scanned.transactions[:, columns[is_first]])
    xids = chosen[lay.Transaction.XID]
    logged = LoggedTransactions(
        scanned.log_file.path,
        scanned.log_file.name,
        chosen[lay.Transaction.START_POS],
        gtid_texts(chosen, scanned.tagged_gtids),
        chosen[lay.Transaction.COMMIT_MICROS],
        {k: scanned.xids[xids[k] - 1] for k in np.flatnonzero(xids).tolist()},
    )
    transactions = np.cumsum(is_first) - 1
    return SqlFragments(
        text,
        table,
        tables,
        changes,
        transactions,
        logged,
        lambda k: scanned.site(int(events[k])),
        refused,
    )
