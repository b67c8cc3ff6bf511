"""Rows that the reference has decoded, on their way to a block."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.decode.output_batch import MAX_GROWTH, absent_size, member_size
from pyspark_adapter.decode.reference.row_images import Missing, PartialDocument, RowImage, Value
from pyspark_adapter.decode.row_block import RowBlock
from pyspark_adapter.errors import BinlogError, UnsupportedError, prefixed
from pyspark_adapter.events.frame import Frame
from pyspark_adapter.events.table_map import subject_of
from pyspark_adapter.events.transactions import Transaction
from pyspark_adapter.filters.row_filter import RowFilter
from pyspark_adapter.kernels.layout import Change
from pyspark_adapter.options.change_types import CHANGE_TYPES
from pyspark_adapter.plan.conversion import convert_all
from pyspark_adapter.plan.output_schema import METADATA_BY_NAME, commit_version_base
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.plan.row_plan import RowPlan, WantedColumn
from pyspark_adapter.scan.row_errors import SMALLER_BATCHES, TOO_LARGE
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.values.binary_json.diff import render_differences
from pyspark_adapter.values.column_types import VARIANT
from pyspark_adapter.values.kinds import decode_value


class PendingRows:
    """Decoded rows of one plan that are not yet a block.

    Args:
        log_file: the log.
        request: what to give.
        plan: of the rows.
    """

    def __init__(self, log_file: LogFile, request: ReadRequest, plan: RowPlan) -> None:
        self.plan = plan
        self._log_file = log_file
        self._request = request
        self._num_rows = 0
        self._ends_in_half = False
        self._order: list[int] = []
        self._changes: list[int] = []
        self._dropped_image = RowFilter(request.options, log_file).dropped_image
        self._metadata: dict[str, list[Any]] = {name: [] for name in request.metadata}
        self._columns: list[list[Any]] = [[] for _ in plan.wanted]
        self._absent: list[list[bool]] = [[] for _ in plan.wanted]
        self._member_sizes = [
            member_size(wanted) if request.omits_absent else 0 for wanted in plan.wanted
        ]

    def drop_half(self) -> None:
        """Drop the image before an update whose other image could not be added."""
        if self._ends_in_half:
            self._num_rows -= 1
            self._ends_in_half = False
            self._order.pop()
            self._changes.pop()
            for values in (*self._metadata.values(), *self._columns, *self._absent):
                values.pop()

    def add(
        self,
        frame: Frame,
        transaction: Transaction,
        query: str | None,
        image: RowImage,
        index: int,
    ) -> int:
        """Decode a row image; return its share of the option batchBytes.

        Args:
            frame: the event.
            transaction: of the event.
            query: text of the statement; None if it is not logged.
            image: the row image.
            index: of the row image in the batch.
        """
        values = self._values(image)
        metadata: dict[str, Any] = {
            name: query if name == "_query" else self._metadatum(name, frame, transaction, image)
            for name in self._metadata
        }
        num_bytes = sum(map(_size, image.values))
        num_added = self._request.bytes_of_nulls  # to what is logged
        num_added += len(metadata.get("_query") or "")
        for c, (wanted, value) in enumerate(zip(self.plan.wanted, values, strict=True)):
            is_absent = image.lacks(wanted.column)
            self._absent[c].append(is_absent)
            self._columns[c].append(value)
            if isinstance(value, (str, bytes)):
                # Names of members and compressed values can be far longer than what is logged.
                num_bytes += len(value)
            if not is_absent:
                num_added += self._member_sizes[c]
        num_added += absent_size(metadata.get("_absent_columns", ()))
        self._ends_in_half = image.change == Change.UPDATE_PREIMAGE
        self._num_rows += 1
        self._order.append(index)
        self._changes.append(image.change)
        for name, column in self._metadata.items():
            column.append(metadata[name])
        if image.change != Change.UPDATE_PREIMAGE:
            transaction.num_rows += 1
        return num_bytes + num_added // MAX_GROWTH

    def _values(self, image: RowImage) -> list[Any]:
        values: list[Any] = []
        try:
            for wanted in self.plan.wanted:
                data = image.values[wanted.column.index]
                values.append(None if isinstance(data, Missing) else self._value(wanted, data))
        except BinlogError:
            # The name of a column takes as long to make as its value to decode.
            with prefixed(subject_of(self.plan.table_map, self.plan.wanted[len(values)].column)):
                raise
        return values

    def _value(self, wanted: WantedColumn, data: bytes | PartialDocument) -> Any:
        if isinstance(data, PartialDocument):
            document = data.document()
            if isinstance(document, Missing):
                return None
            data = document
        policy = self._request.options.zero_date_time_behavior
        value = decode_value(data, wanted.decoding, policy)
        if wanted.conversion is not None:
            wanted.conversion.check(value)
        return value

    def _metadatum(self, name: str, frame: Frame, transaction: Transaction, image: RowImage) -> Any:
        table = self.plan.table_map.table
        match name:
            case "_change_type":
                return CHANGE_TYPES[image.change]
            case "_commit_version":
                return commit_version_base(self._log_file.number) + transaction.start_pos
            case "_row_number":
                return transaction.num_rows
            case "_commit_timestamp":
                return transaction.commit_micros
            case "_gtid":
                return transaction.gtid
            case "_log_file":
                return self._log_file.name
            case "_start_pos":
                return frame.start_pos
            case "_database_name":
                return table.database_name
            case "_table_name":
                return table.table_name
            case "_server_id":
                return frame.server_id
            case "_event_timestamp":
                return frame.timestamp * 1_000_000
            case "_xa":
                return transaction.xid
            case "_thread_id":
                return transaction.thread_id
            case "_transaction_bytes":
                return transaction.num_bytes
            case "_statement":
                return None
            case "_absent_columns":
                return [c.label for c in self.plan.table_map.columns if image.lacks(c)]
            case "_json_diff":
                return self._json_diff(image)
            case _:
                raise AssertionError(name)

    def _json_diff(self, image: RowImage) -> str | None:
        partial = {
            column.label: value.differences
            for column, value in zip(self.plan.table_map.columns, image.values, strict=True)
            if isinstance(value, PartialDocument)
        }
        if not partial:
            return None
        with prefixed(f"table {self.plan.table_map.table}"):
            return render_differences(partial)

    def build(self) -> RowBlock:
        """Return the rows as Arrow arrays."""
        columns = []
        for wanted, values in zip(self.plan.wanted, self._columns, strict=True):
            array = _as_array(values, wanted.decoding.arrow_type)
            if array.type != wanted.decoded_type:
                array = pc.cast(array, wanted.decoded_type)
            columns.append(array)
        metadata = {
            name: _as_array(values, METADATA_BY_NAME[name].arrow_type)
            for name, values in self._metadata.items()
        }
        absent = {c: pa.array(flags) for c, flags in enumerate(self._absent) if any(flags)}
        conversions = [wanted.conversion for wanted in self.plan.wanted]
        if any(conversions):
            columns = convert_all(conversions, columns)
        order = np.array(self._order, dtype=np.int64)
        block = RowBlock(self.plan, self._num_rows, columns, metadata, order, absent)
        if self._dropped_image is None:
            return block
        kept = [change != self._dropped_image for change in self._changes]
        return block.where(np.array(kept, dtype=bool))


class PendingBatch:
    """Decoded rows of any plans that are not yet a batch.

    Rows of a plan are one block, however often plans take turns: thousands of shapes of a table
    are thousands of blocks of one batch, and not batches of all columns each.

    Args:
        log_file: the log.
        request: what to give.
    """

    def __init__(self, log_file: LogFile, request: ReadRequest) -> None:
        self._log_file = log_file
        self._request = request
        self._begin()

    def _begin(self) -> None:
        self._by_plan: dict[int, PendingRows] = {}  # by id; the rows keep the plan alive
        self._last: PendingRows | None = None
        self._num_rows = 0
        self._num_bytes = 0

    @property
    def is_full(self) -> bool:
        """Whether a batch ends here."""
        options = self._request.options
        return self._num_rows + 2 > options.batch_rows or self._num_bytes >= options.batch_bytes

    def add(
        self,
        plan: RowPlan,
        frame: Frame,
        transaction: Transaction,
        query: str | None,
        image: RowImage,
    ) -> None:
        """Decode a row image of a statement whose text is `query`."""
        rows = self._by_plan.get(id(plan))
        if rows is None:
            rows = self._by_plan[id(plan)] = PendingRows(self._log_file, self._request, plan)
        self._num_bytes += rows.add(frame, transaction, query, image, self._num_rows)
        self._num_rows += 1
        self._last = rows

    def drop_half(self) -> None:
        """Drop the image before an update whose other image could not be added."""
        if self._last is not None:
            self._last.drop_half()

    def build(self) -> list[RowBlock]:
        """Return the rows as Arrow arrays, and begin the next batch."""
        by_plan = self._by_plan
        self._begin()
        return [rows.build() for rows in by_plan.values()]


def _size(value: Value) -> int:
    """Return the bytes of a value."""
    if isinstance(value, PartialDocument):
        return len(value.differences)
    return 0 if isinstance(value, Missing) else len(value)


def _as_array(values: list[Any], arrow_type: pa.DataType) -> pa.Array:
    """Return an array; dates and times are given as numbers.

    Raises:
        UnsupportedError: if it has more bytes than an array can.
    """
    if arrow_type == VARIANT:
        values = [None if variant is None else variant._asdict() for variant in values]
    array = pa.array(values, arrow_type)
    if isinstance(array, pa.ChunkedArray):
        raise UnsupportedError(TOO_LARGE, advice=SMALLER_BATCHES)
    return array
