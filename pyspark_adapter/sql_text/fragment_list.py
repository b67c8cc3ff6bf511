"""Row changes that Python writes as fragments of SQL, one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from pyspark_adapter.kernels.layout import Change
from pyspark_adapter.kernels.sql_layout import Form
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.scan.row_images import Missing, PartialDocument, RowImage
from pyspark_adapter.scan.scanned_events import ScannedEvents
from pyspark_adapter.sql_text.fragments import Refused, SqlFragments
from pyspark_adapter.sql_text.kernel_rows import fragments_of
from pyspark_adapter.sql_text.log_changes import SqlRequest
from pyspark_adapter.sql_text.refusals import CannotWriteError
from pyspark_adapter.sql_text.row_change import Row, RowChange
from pyspark_adapter.sql_text.target_table import TargetTable

CHANGE_NAMES: Final = {
    Change.INSERT: "insert",
    Change.UPDATE_PREIMAGE: "update",
    Change.DELETE: "delete",
}
# Changes that are returned together.
_MOST_CHANGES: Final = 1000


class FragmentList:
    """Fragments of the row changes of one window, written one by one."""

    def __init__(self, request: SqlRequest, scanned: ScannedEvents) -> None:
        self._request = request
        self._scanned = scanned
        self._clear()

    def _clear(self) -> None:
        self._texts: list[bytes] = []
        self._rows: list[tuple[int, int, int, int]] = []  # form, table, change, event
        self._refused: list[Refused] = []

    @property
    def is_full(self) -> bool:
        """Whether it is time to take them."""
        return len(self._texts) + len(self._refused) >= _MOST_CHANGES

    def add(self, change: RowChange | CannotWriteError, table: TableName, event: int) -> None:
        """Write a row change of an event, which is a column of `scanned.events`."""
        written = written_fragment(change, table, self._scanned, event, self._request)
        if isinstance(written, Refused):
            self._refused.append(replace(written, index=len(self._texts)))
            return
        form, text = written
        if form == Form.NOTHING:
            return
        assert isinstance(change, RowChange)
        self._texts.append(text.encode())
        number = self._request.tables.number_of(change.target)
        self._rows.append((form, number, change.change, event))

    def take(self) -> Iterator[SqlFragments]:
        """Yield all fragments since the last call as one; nothing if there are none."""
        if not self._texts and not self._refused:
            return
        forms, tables, changes, events = (
            np.array(self._rows, dtype=np.int64).reshape(-1, 4).T.copy()
        )
        ends = np.cumsum([0, *map(len, self._texts)], dtype=np.int64)
        table = np.stack([ends[:-1], ends[1:], forms, np.zeros_like(forms)])
        text = np.frombuffer(bytearray(b"".join([*self._texts, bytes(64)])), dtype=np.uint8)
        fragments = fragments_of(self._scanned, text, table, tables, changes, events, self._refused)
        self._clear()
        yield fragments


def written_fragment(
    change: RowChange | CannotWriteError,
    table: TableName,
    scanned: ScannedEvents,
    event: int,
    request: SqlRequest,
) -> tuple[Form, str] | Refused:
    """Write a row change of an event, or return why that cannot be."""
    if isinstance(change, CannotWriteError):
        return Refused("rows", table, change.reason, scanned.site(event))
    try:
        return change.written(is_undo=request.is_undo)
    except CannotWriteError as error:
        return Refused(CHANGE_NAMES[change.change], table, error.reason, scanned.site(event))


def row_changes(
    target: TargetTable | CannotWriteError, images: Iterable[RowImage]
) -> Iterator[RowChange | CannotWriteError]:
    """Yield the changes of row images, both of an update one after the other."""
    before: Row = {}
    for image in images:
        if isinstance(target, CannotWriteError):
            if image.change != Change.UPDATE_PREIMAGE:
                yield target
            continue
        try:
            row = _logged_row(image)
        except CannotWriteError as error:
            yield error
            continue
        if image.change == Change.UPDATE_PREIMAGE:
            before = row
        elif image.change == Change.UPDATE_POSTIMAGE:
            yield RowChange(target, before, row)
        elif image.change == Change.INSERT:
            yield RowChange(target, None, row)
        else:
            yield RowChange(target, row, None)


def _logged_row(image: RowImage) -> Row:
    """Return the logged values of a row; a document that is logged as differences is completed.

    Raises:
        CannotWriteError: if the document before them is not logged.
    """
    row: dict[int, bytes | None] = {}
    for index, value in enumerate(image.values):
        if isinstance(value, PartialDocument):
            document = value.document()
            if isinstance(document, Missing):
                raise CannotWriteError(
                    "a JSON document is logged as differences to one that is not logged"
                    " (binlog_row_value_options=PARTIAL_JSON)"
                )
            row[index] = document
        elif value is Missing.NULL:
            row[index] = None
        elif isinstance(value, bytes):
            row[index] = value
    return row
