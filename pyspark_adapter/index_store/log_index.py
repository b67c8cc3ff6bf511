"""The index of a log: blocks of transactions, and what each of them changes.

A block is the transactions that begin within the same `step` bytes of the log. It is never smaller
than a transaction, and does not depend on where an earlier index ended, so the blocks of parts of
a log add up to those of the log.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
import pyarrow as pa

from pyspark_adapter.index_store.keys import IndexBytes, KeySpec
from pyspark_adapter.kernels.layout import Numbers
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.sources.log_file import LogFile

MAX_STEP: Final = 1 << 40


@dataclass(frozen=True)
class IndexedLog:
    """A log, and how far its index goes.

    Attributes:
        name, log_id, compression, num_bytes, modified, indexed_to, ends_at_gtid, tail, step,
            keys_of, knows_tables: as in HEADS.
    """

    name: str
    log_id: str
    compression: str
    num_bytes: int
    modified: float | None
    indexed_to: int
    ends_at_gtid: bool
    tail: bytes
    step: int
    keys_of: str
    knows_tables: bool

    def is_whole(self, log_file: LogFile) -> bool:
        """Return whether it has all of its log, as that is now."""
        return bool(self.compression) or self.indexed_to >= log_file.num_bytes


@dataclass(frozen=True)
class LogIndex(IndexedLog):
    """The index of a log up to an offset.

    Attributes:
        format_event: as in DETAILS.
        tables: names; `counts` refers to them by index.
        firsts: record batch of the other columns of TABLES, by table.
        specs: keys; `chunks` refers to them by index.
        blocks, counts, gtids: record batches of BLOCKS, COUNTS and GTIDS. Blocks are in the order
            of the log, counts and GTIDs in the order of their blocks.
        chunks: record batch of CHUNKS.
        hours, contents, shapes, statements, unlogged: record batches of these schemas.
        key_data: the data of the chunks.
    """

    format_event: bytes
    tables: tuple[TableName, ...]
    firsts: pa.RecordBatch
    specs: tuple[KeySpec, ...]
    blocks: pa.RecordBatch
    counts: pa.RecordBatch
    hours: pa.RecordBatch
    gtids: pa.RecordBatch
    chunks: pa.RecordBatch
    contents: pa.RecordBatch
    shapes: pa.RecordBatch
    statements: pa.RecordBatch
    unlogged: pa.RecordBatch
    key_data: IndexBytes = field(default=IndexBytes(), compare=False, repr=False)

    @property
    def num_blocks(self) -> int:
        """How many blocks it has."""
        return int(self.blocks.num_rows)

    def block(self, column: str) -> Numbers:
        """Return (num_blocks,): a column of BLOCKS."""
        return np.asarray(self.blocks.column(column).to_numpy(zero_copy_only=False))

    def count(self, column: str) -> Numbers:
        """Return a column of COUNTS."""
        return np.asarray(self.counts.column(column).to_numpy(zero_copy_only=False))

    @cached_property
    def bounds(self) -> Numbers:
        """(num_blocks + 1,): offsets where blocks begin, and where the last one ends."""
        return np.append(self.block("start_pos"), self.indexed_to)

    def starts_with_gtid(self) -> list[bool]:
        """Return, for each of `bounds`, whether the event there names a transaction."""
        return [*self.block("is_gtid").tolist(), self.ends_at_gtid]

    @property
    def num_transactions(self) -> int:
        """How many transactions it has."""
        return int(self.block("num_transactions").sum())

    @property
    def num_logged_bytes(self) -> int:
        """Bytes of its transactions in the file, as far as they are known."""
        return int(self.block("num_bytes").sum())

    @property
    def first_micros(self) -> int:
        """The earliest commit, since 1970-01-01 UTC; 0 without any."""
        return int(self.block("first_micros").min()) if self.num_blocks else 0

    @property
    def last_micros(self) -> int:
        """The latest commit, since 1970-01-01 UTC; 0 without any."""
        return int(self.block("last_micros").max()) if self.num_blocks else 0

    @property
    def num_key_bytes(self) -> int:
        """How many bytes the data of its chunks has."""
        return int(self.chunks.column("num_bytes").to_numpy().sum())
