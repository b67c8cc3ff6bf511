"""The record batches of a read, as other Arrow libraries take them."""

from __future__ import annotations

from types import TracebackType
from typing import Any

import pyarrow as pa

from pyspark_adapter.read_ahead import ReadAhead


class BatchReader:
    """The record batches of a read, in order; they can be read once.

    It is an iterator of `pyarrow.RecordBatch`, and an Arrow stream to pandas, Polars, DuckDB and
    others (`__arrow_c_stream__`), which receive errors as theirs, with the same text. Logs are
    read as batches are asked for.

    Attributes:
        schema: of all batches; known before the first one, also if there are none.
    """

    def __init__(self, schema: pa.Schema, batches: ReadAhead) -> None:
        self.schema = schema
        self._batches = batches

    def __iter__(self) -> BatchReader:
        return self

    def __next__(self) -> pa.RecordBatch:
        """Return the next batch.

        Raises:
            BinlogError: as `read_batches`; the rows before the error have been returned.
        """
        return next(self._batches)

    def to_table(self) -> pa.Table:
        """Return the batches that are left as one table.

        Raises:
            BinlogError: as `read_batches`; use the batches one by one to get those before it.
        """
        return pa.Table.from_batches(self, self.schema)

    def close(self) -> None:
        """Close the log that is open; no batch follows."""
        self._batches.close()

    def __enter__(self) -> BatchReader:
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        """Return the batches that are left as a PyCapsule of the Arrow C stream interface."""
        reader = pa.RecordBatchReader.from_batches(self.schema, self)
        return reader.__arrow_c_stream__(requested_schema)
