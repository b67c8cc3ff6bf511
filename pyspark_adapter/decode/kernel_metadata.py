"""Metadata columns of row images that the kernels have located."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Final

import numpy as np
import pyarrow as pa

from pyspark_adapter.decode.columns import LEN_SPARE, FillError
from pyspark_adapter.decode.partial_documents import PartialDocuments
from pyspark_adapter.errors import BinlogError, located
from pyspark_adapter.events.statements import PlacedStatement, text_of_query
from pyspark_adapter.events.table_map import Column, TableMap
from pyspark_adapter.events.transactions import Transaction
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.entry_points import repeat_texts
from pyspark_adapter.kernels.layout import Change, LocatedRow, Numbers
from pyspark_adapter.options.change_types import CHANGE_TYPES
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.output_schema import METADATA_BY_NAME, commit_version_base
from pyspark_adapter.scan.row_errors import document_error, row_error
from pyspark_adapter.scan.scanned_events import ScannedEvents, gtid_texts
from pyspark_adapter.values.arrow_arrays import number_array, text_array, text_scalar

# By `Change`, with spare bytes after them in the buffer.
_CHANGE_TEXTS: Final = text_array([*CHANGE_TYPES, " " * LEN_SPARE]).slice(0, len(CHANGE_TYPES))


@dataclass(frozen=True)
class LocatedRows:
    """Row images of one table, or of tables that differ in their names alone.

    Attributes:
        table: (len(LocatedRow), n) int64.
        partial: of documents that are logged as differences; None if there are none.
    """

    columns: Sequence[Column]
    scanned: ScannedEvents
    table: Numbers
    partial: PartialDocuments | None = None

    @property
    def num_rows(self) -> int:
        """How many row images."""
        return int(self.table.shape[1])

    @property
    def event(self) -> Numbers:
        """(n,) column of `scanned.events` of each."""
        return np.asarray(self.table[LocatedRow.EVENT])

    @property
    def change(self) -> Numbers:
        """(n,) the Change of each."""
        return np.asarray(self.table[LocatedRow.CHANGE])

    def slice(self, begin: int, end: int) -> LocatedRows:
        """Return some of them; all that `partial` has, which is by row, if there is one."""
        if begin == 0 and end == self.num_rows:
            return self
        return replace(self, table=self.table[:, begin:end])

    def table_map_of_event(self, event: int) -> TableMap:
        """Return the table map of a column of `scanned.events`."""
        slot = int(self.scanned.events[lay.Event.SLOT, event])
        return self.scanned.tables.table_maps[slot]

    def table_of_event(self, event: int) -> TableName:
        """Return the table of a column of `scanned.events`."""
        return self.table_map_of_event(event).table

    def failure(self, located: Sequence[Column], pos: Numbers, error: FillError) -> BinlogError:
        """Return the error for the first value that is not valid.

        Args:
            located: the columns that were looked for.
            pos: (len(located), n) where their values are.
            error: as the kernels report it.
        """
        event = int(self.event[error.row])
        column = None if error.wanted < 0 else located[error.wanted]
        table_map, site = self.table_map_of_event(event), self.scanned.site(event)
        if error.error is not None:
            return document_error(table_map, column, site, error.error)
        offset = self.scanned.byte_of(event, int(pos[error.wanted, error.row]))
        is_decompressed = self.scanned.is_decompressed(event)
        return row_error(
            error.status, table_map, column, site, offset=offset, is_decompressed=is_decompressed
        )

    def of_event(self, field: int) -> Numbers:
        """Return a field of the event of each row image."""
        return np.asarray(self.scanned.events[field].take(self.event))

    @cached_property
    def transaction(self) -> Numbers:
        """(n,) column of `scanned.transactions` of each."""
        return self.of_event(lay.Event.TRANSACTION)

    def of_transaction(self, field: int) -> Numbers:
        """Return a field of the transaction of each row image."""
        return np.asarray(self.scanned.transactions[field].take(self.transaction))


def build_metadata(rows: LocatedRows, names: list[str]) -> dict[str, pa.Array]:
    """Return the metadata columns that are asked for, by name."""
    return {name: _BUILDERS[name](rows) for name in names}


def _typed(name: str, values: Numbers) -> pa.Array:
    """Return int64 as numbers or times; the array keeps them."""
    arrow_type = METADATA_BY_NAME[name].arrow_type
    return pa.Array.from_buffers(arrow_type, len(values), [None, pa.py_buffer(values)], 0)


def _repeat(rows: LocatedRows, text: str) -> pa.Array:
    return pa.repeat(text_scalar(text), rows.num_rows)


def _of_table(rows: LocatedRows, name: Callable[[TableName], str]) -> pa.Array:
    slots = rows.of_event(lay.Event.SLOT)
    table_maps = rows.scanned.tables.table_maps
    if (slots == slots[0]).all():
        return _repeat(rows, name(table_maps[slots[0]].table))
    distinct, indexes = np.unique(slots, return_inverse=True)
    texts = text_array([name(table_maps[slot].table) for slot in distinct.tolist()])
    return texts.take(number_array(indexes))


def _repeat_each(texts: pa.Array, indexes: Numbers, first: int = 0) -> pa.Array:
    """Return texts by index, none of them null. Arrow's `take` takes three times as long."""
    _, text_offsets, values = texts.buffers()
    of_texts = np.frombuffer(text_offsets, np.int32, len(texts) + 1, 4 * texts.offset)
    num_bytes = len(indexes) * int(np.diff(of_texts).max())
    out = pa.allocate_buffer(num_bytes + LEN_SPARE)
    offsets = pa.allocate_buffer(4 * (len(indexes) + 1))
    repeat_texts(
        indexes,
        first,
        of_texts,
        np.frombuffer(values, np.uint8),
        np.frombuffer(offsets, np.int32),
        np.frombuffer(out, np.uint8),
    )
    return pa.Array.from_buffers(pa.string(), len(indexes), [None, offsets, out], 0)


def _change_type(rows: LocatedRows) -> pa.Array:
    return _repeat_each(_CHANGE_TEXTS, rows.change)


def _commit_version(rows: LocatedRows) -> pa.Array:
    starts = rows.scanned.transactions[lay.Transaction.START_POS]
    with located(rows.scanned.log_file.site):
        versions = starts + commit_version_base(rows.scanned.log_file.number)
    return _typed("_commit_version", versions.take(rows.transaction))


def _gtid(rows: LocatedRows) -> pa.Array:
    """Return the GTIDs: text is made once for each transaction, and then repeated."""
    first, last = int(rows.transaction[0]), int(rows.transaction[-1])
    part = np.ascontiguousarray(rows.scanned.transactions[:, first : last + 1])
    texts = gtid_texts(part, rows.scanned.tagged_gtids)
    if texts.null_count:
        return texts.take(number_array(rows.transaction - first))
    return _repeat_each(texts, rows.transaction, first)


def transaction_of(scanned: ScannedEvents, statement: PlacedStatement) -> Transaction:
    """Return the transaction of a statement, as far as its first events describe it."""
    k = statement.num_transactions - 1
    fields = np.ascontiguousarray(scanned.transactions[:, k : k + 1])
    start_pos, micros, num_bytes = fields[
        [lay.Transaction.START_POS, lay.Transaction.COMMIT_MICROS, lay.Transaction.NUM_BYTES], 0
    ].tolist()
    gtid = gtid_texts(fields, scanned.tagged_gtids)[0].as_py()
    num_logged = num_bytes if num_bytes >= 0 else None
    return Transaction(start_pos, micros, gtid, num_bytes=num_logged)


def _logged(name: str, values: Numbers) -> pa.Array:
    """Return numbers; null where they are below 0, since the log does not have them."""
    return number_array(values, values < 0).cast(METADATA_BY_NAME[name].arrow_type)


def _query(rows: LocatedRows) -> pa.Array:
    """Return the texts of statements: each is made once for its rows, which are adjacent."""
    starts, ends = rows.of_event(lay.Event.QUERY), rows.of_event(lay.Event.QUERY_END)
    is_first = (np.diff(ends, prepend=-1) != 0) | (np.diff(starts, prepend=-1) != 0)
    texts: list[str | None] = []
    for start, end in zip(starts[is_first].tolist(), ends[is_first].tolist(), strict=True):
        if not end:
            texts.append(None)
        elif start < 0:
            texts.append(rows.scanned.earlier_query)
        else:
            texts.append(text_of_query(rows.scanned.data, start, end))
    return text_array(texts).take(number_array(np.cumsum(is_first) - 1))


def _xa(rows: LocatedRows) -> pa.Array:
    """Return the names of distributed transactions; null where the transaction is none."""
    numbers = rows.of_transaction(lay.Transaction.XID)
    texts = text_array([None, *rows.scanned.xids])
    return texts.take(number_array(numbers))


def _absent_columns(rows: LocatedRows) -> pa.Array:
    """Return the names of the columns that each row image does not hold."""
    lists: dict[bytes, int] = {}
    values: list[list[str]] = []
    is_after = rows.change == Change.UPDATE_POSTIMAGE
    keys = rows.event * 2 + is_after
    distinct, inverse = np.unique(keys, return_inverse=True)
    indexes = np.empty(len(distinct), dtype=np.int64)
    for i, key in enumerate(distinct.tolist()):
        bitmap = _present_bitmap(rows, key // 2, key % 2)
        if bitmap not in lists:
            lists[bitmap] = len(values)
            values.append(
                [
                    column.label
                    for column in rows.columns
                    if not bitmap[column.index >> 3] >> (column.index & 7) & 1
                ]
            )
        indexes[i] = lists[bitmap]
    offsets = np.cumsum([0, *map(len, values)], dtype=np.int32)
    table = pa.Array.from_buffers(
        METADATA_BY_NAME["_absent_columns"].arrow_type,
        len(values),
        [None, pa.py_buffer(offsets)],
        children=[text_array([name for names in values for name in names])],
    )
    absent = table.take(number_array(indexes[inverse]))
    unknown = {} if rows.partial is None else rows.partial.unknown
    if not unknown:
        return absent
    listed = absent.to_pylist()
    for row in unknown.keys() & range(len(listed)):
        names = {*listed[row], *(rows.columns[c].label for c in unknown[row])}
        listed[row] = [c.label for c in rows.columns if c.label in names]
    return pa.array(listed, absent.type)


def _json_diff(rows: LocatedRows) -> pa.Array:
    differences = {} if rows.partial is None else rows.partial.differences
    return pa.array([differences.get(row) for row in range(rows.num_rows)], pa.string())


def _present_bitmap(rows: LocatedRows, event: int, which: int) -> bytes:
    """Return the columns-present bitmap of the first or second image of an event."""
    length = (len(rows.columns) + 7) // 8
    start = int(rows.scanned.events[lay.Event.BITMAP, event]) + which * length
    return rows.scanned.data[start : start + length].tobytes()


_BUILDERS: Final[Mapping[str, Callable[[LocatedRows], pa.Array]]] = MappingProxyType(
    {
        "_change_type": _change_type,
        "_commit_version": _commit_version,
        "_row_number": lambda rows: _typed("_row_number", rows.table[LocatedRow.NUMBER].copy()),
        "_commit_timestamp": lambda rows: _typed(
            "_commit_timestamp", rows.of_transaction(lay.Transaction.COMMIT_MICROS)
        ),
        "_gtid": _gtid,
        "_log_file": lambda rows: _repeat(rows, rows.scanned.log_file.name),
        "_start_pos": lambda rows: _typed("_start_pos", rows.of_event(lay.Event.START_POS)),
        "_database_name": lambda rows: _of_table(rows, lambda table: table.database_name),
        "_table_name": lambda rows: _of_table(rows, lambda table: table.table_name),
        "_server_id": lambda rows: _typed("_server_id", rows.of_event(lay.Event.SERVER_ID)),
        "_event_timestamp": lambda rows: _typed(
            "_event_timestamp", rows.of_event(lay.Event.TIMESTAMP) * 1_000_000
        ),
        "_xa": _xa,
        "_thread_id": lambda rows: _logged(
            "_thread_id", rows.of_transaction(lay.Transaction.THREAD_ID)
        ),
        "_query": _query,
        "_transaction_bytes": lambda rows: _logged(
            "_transaction_bytes", rows.of_transaction(lay.Transaction.NUM_BYTES)
        ),
        "_statement": lambda rows: pa.nulls(rows.num_rows, pa.string()),
        "_absent_columns": _absent_columns,
        "_json_diff": _json_diff,
    }
)
