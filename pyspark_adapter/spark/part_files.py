"""A Parquet file of a data set, written by a task in row groups of bounded size."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from pyspark_adapter.errors import BinlogError
from pyspark_adapter.sources.arrow_storage import file_system
from pyspark_adapter.sources.locations import Location

# Spark reads its own schema here, with the types that Parquet lacks. Source: `ParquetReadSupport`.
SPARK_SCHEMA: Final = "org.apache.spark.sql.parquet.row.metadata"
# Bytes of Arrow in a row group: what a task holds before it writes.
_ROW_GROUP: Final = 64 << 20


class PartFile:
    """A file that is created with its first rows.

    Args:
        folder: of the data set, which errors name.
        schema: of the file; that of the rows, and metadata.

    Attributes:
        num_rows: that were added.

    Raises:
        BinlogError: from each method, if the file cannot be written.
    """

    def __init__(self, folder: Location, path: Location, schema: pa.Schema) -> None:
        self._folder = folder
        self._path = path
        self._schema = schema
        self._pending: list[pa.RecordBatch] = []
        self._num_bytes = 0
        self._writer: pq.ParquetWriter | None = None
        self.num_rows = 0

    def add(self, batch: pa.RecordBatch) -> None:
        """Add rows."""
        self._pending.append(batch)
        self._num_bytes += batch.nbytes
        self.num_rows += batch.num_rows
        if self._num_bytes >= _ROW_GROUP:
            self._write()

    def close(self) -> None:
        """Write the remaining rows, and the end of the file."""
        if self._pending:
            self._write()
        self._end()

    def close_empty(self) -> None:
        """Write a file without rows, which has the schema."""
        with writing(self._folder):
            self._opened().close()

    def drop(self) -> None:
        """Close the file as it is, after an error."""
        self._pending = []
        self._end()

    def _write(self) -> None:
        table = pa.Table.from_batches(self._pending, self._schema)
        self._pending, self._num_bytes = [], 0
        with writing(self._folder):
            self._opened().write_table(table, row_group_size=max(table.num_rows, 1))

    def _end(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            with writing(self._folder):
                writer.close()

    def _opened(self) -> pq.ParquetWriter:
        if self._writer is None:
            system, path = file_system(self._path)
            self._writer = pq.ParquetWriter(path, self._schema, filesystem=system)
        return self._writer


@contextmanager
def writing(folder: Location) -> Iterator[None]:
    """Raise what a storage raises in the body as one of our errors."""
    try:
        yield
    except BinlogError:
        raise
    except OSError as error:
        reason = error.strerror or str(error).partition("\n")[0]
        raise BinlogError(
            f"{folder.shown}: cannot be written: {reason}",
            advice="check the path, the permissions and the space that is left",
        ) from error
