"""The index of a log: blocks of transactions, and what each of them changes.

A block is the transactions that begin within the same `step` bytes of the log. It is never smaller
than a transaction, and does not depend on where an earlier index ended, so the blocks of parts of
a log add up to those of the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np
import pyarrow as pa

from pyspark_adapter.events.log_identity import log_id_of
from pyspark_adapter.format.header import LEN_HEADER, MAGIC
from pyspark_adapter.index_store.key_chunks import CHUNKS, KeyBytes, KeyData, are_chunks
from pyspark_adapter.index_store.key_spec import KeySpec
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.sources.log_file import LogFile

Numbers = np.ndarray[Any, Any]

# Transactions that begin in the same `step` bytes.
#   number: (start_pos - 4) // step of its transactions.
#   start_pos: where the first of them begins; 4 for the first block, so that blocks leave no gap.
#   is_gtid: whether the event there names a transaction.
#   first_micros, last_micros: earliest and latest commit, since 1970-01-01 UTC.
#   num_bytes: of the transactions in the file; those of unknown size count as 0.
#   most_bytes, most_rows, most_seconds: of the largest or longest one; -1 for unknown.
#   num_unlogged: statements that change rows without logging them.
#   num_statements: these, and those that define tables.
BLOCKS: Final = pa.schema(
    [
        ("number", pa.int64()),
        ("start_pos", pa.int64()),
        ("is_gtid", pa.bool_()),
        ("first_micros", pa.int64()),
        ("last_micros", pa.int64()),
        ("num_transactions", pa.int64()),
        ("num_bytes", pa.int64()),
        ("most_bytes", pa.int64()),
        ("most_rows", pa.int64()),
        ("most_seconds", pa.int64()),
        ("num_unlogged", pa.int64()),
        ("num_statements", pa.int64()),
    ]
)
# What a block changes in a table.
#   block, table: indices of both in the index.
#   num_transactions: those that change the table.
#   num_bytes: of its rows events, decompressed and without checksums.
#   first_micros, last_micros: earliest and latest commit of those transactions.
#   has_keys: whether the keys of all its rows are in the index.
COUNTS: Final = pa.schema(
    [
        ("block", pa.int64()),
        ("table", pa.int64()),
        ("num_transactions", pa.int64()),
        ("num_inserts", pa.int64()),
        ("num_updates", pa.int64()),
        ("num_deletes", pa.int64()),
        ("num_bytes", pa.int64()),
        ("first_micros", pa.int64()),
        ("last_micros", pa.int64()),
        ("has_keys", pa.bool_()),
    ]
)
# GTIDs of a block: a source, as `kernels.layout.Transaction` has it, and a range of numbers, in
# which others may be missing. Of kind TAGGED, only that there are some.
GTIDS: Final = pa.schema(
    [
        ("block", pa.int64()),
        ("kind", pa.int64()),
        ("a", pa.int64()),
        ("b", pa.int64()),
        ("first", pa.int64()),
        ("last", pa.int64()),
    ]
)
# Keys of tables: the table, and the rest as text; see `KeySpec`.
SPECS: Final = pa.schema([("table", pa.int64()), ("columns", pa.string())])
# A table, and its first rows event.
#   shape: index of its last table map before, in SHAPES; -1 if the log has no row of it.
#   start_pos, inner_pos, type_code: of the event.
TABLES: Final = pa.schema(
    [
        ("database_name", pa.string()),
        ("table_name", pa.string()),
        ("shape", pa.int64()),
        ("start_pos", pa.int64()),
        ("inner_pos", pa.int64()),
        ("type_code", pa.int64()),
    ]
)
FIRSTS: Final = TABLES.names[2:]
# The contents of table maps, each once.
#   is_described: whether the log itself has all names and digits.
CONTENTS: Final = pa.schema(
    [
        ("database_name", pa.string()),
        ("table_name", pa.string()),
        ("is_described", pa.bool_()),
        ("content", pa.binary()),
    ]
)
# Where contents are, in order; again after a statement about tables if any is not described.
#   content: index in CONTENTS.
#   start_pos, inner_pos: of the first table map.
#   last_pos, last_inner_pos: of the last rows after such a table map, if another content of the
#     table comes before; else those of the first table map.
SHAPES: Final = pa.schema(
    [
        ("content", pa.int64()),
        ("start_pos", pa.int64()),
        ("inner_pos", pa.int64()),
        ("last_pos", pa.int64()),
        ("last_inner_pos", pa.int64()),
    ]
)
# Statements that define tables or truncate them, in order.
#   event: decompressed, as `Statement.event`.
#   transaction_pos, commit_micros, kind, a, b, c: of its transaction, as the kernels have it.
STATEMENTS: Final = pa.schema(
    [
        ("start_pos", pa.int64()),
        ("inner_pos", pa.int64()),
        ("event", pa.binary()),
        *((name, pa.int64()) for name in ("transaction_pos", "commit_micros", "kind", *"abc")),
    ]
)
# Tables with statements that change rows without logging them; the table `*` if it is unclear.
#   start_pos, inner_pos, type_code: of the first one.
UNLOGGED: Final = pa.schema(
    [
        ("database_name", pa.string()),
        ("table_name", pa.string()),
        ("num_statements", pa.int64()),
        ("start_pos", pa.int64()),
        ("inner_pos", pa.int64()),
        ("type_code", pa.int64()),
    ]
)

# A log: who it is, how much of it is indexed, and the parts of the index.
#   modified: time of the last change, seconds since 1970-01-01 UTC; null if the storage is silent.
#   indexed_to: offset after the last transaction that is indexed; the size of the log if nothing
#     but the end of the log follows.
#   ends_at_gtid: whether an event that names a transaction is there.
#   tail: the bytes before it, which say whether the log is still the same up to there.
#   keys_of: patterns of the tables whose keys are taken; empty for none.
#   format_event: the format description of the log.
#   knows_tables: whether it has all shapes and statements; else there were too many.
_PARTS: Final = {
    "tables": TABLES,
    "blocks": BLOCKS,
    "counts": COUNTS,
    "gtids": GTIDS,
    "specs": SPECS,
    "chunks": CHUNKS,
    "contents": CONTENTS,
    "shapes": SHAPES,
    "statements": STATEMENTS,
    "unlogged": UNLOGGED,
}
INDEXES: Final = pa.schema(
    [
        ("name", pa.string()),
        ("log_id", pa.string()),
        ("compression", pa.string()),
        ("num_bytes", pa.int64()),
        ("modified", pa.float64()),
        ("indexed_to", pa.int64()),
        ("ends_at_gtid", pa.bool_()),
        ("tail", pa.binary()),
        ("step", pa.int64()),
        ("keys_of", pa.string()),
        ("format_event", pa.binary()),
        ("knows_tables", pa.bool_()),
        *((name, pa.list_(pa.struct(list(part)))) for name, part in _PARTS.items()),
    ]
)

MAX_STEP: Final = 1 << 40


@dataclass(frozen=True)
class LogIndex:
    """The index of a log up to an offset.

    Attributes:
        name, log_id, compression, num_bytes, modified, indexed_to, ends_at_gtid, tail, step,
            keys_of, format_event, knows_tables: as in INDEXES.
        tables: names; `counts` refers to them by index.
        firsts: record batch of the other columns of TABLES, by table.
        specs: keys; `chunks` refers to them by index.
        blocks, counts, gtids: record batches of BLOCKS, COUNTS and GTIDS. Blocks are in the order
            of the log, counts and GTIDs in the order of their blocks.
        chunks: record batch of CHUNKS.
        contents, shapes, statements, unlogged: record batches of these schemas.
        key_data: the data of the chunks.
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
    format_event: bytes
    knows_tables: bool
    tables: tuple[TableName, ...]
    firsts: pa.RecordBatch
    specs: tuple[KeySpec, ...]
    blocks: pa.RecordBatch
    counts: pa.RecordBatch
    gtids: pa.RecordBatch
    chunks: pa.RecordBatch
    contents: pa.RecordBatch
    shapes: pa.RecordBatch
    statements: pa.RecordBatch
    unlogged: pa.RecordBatch
    key_data: KeyData = field(default=KeyBytes(), compare=False, repr=False)

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

    def is_whole(self, log_file: LogFile) -> bool:
        """Return whether it has all of its log, as that is now."""
        return bool(self.compression) or self.indexed_to >= log_file.num_bytes

    def starts_with_gtid(self) -> list[bool]:
        """Return, for each of `bounds`, whether the event there names a transaction."""
        return [*self.block("is_gtid").tolist(), self.ends_at_gtid]

    @property
    def num_key_bytes(self) -> int:
        """How many bytes the data of its chunks has."""
        return int(self.chunks.column("num_bytes").to_numpy().sum())

    def is_valid(self) -> bool:
        """Return whether its numbers can be those of a log, as far as that shows without the log.

        It may come from a file that is damaged, or made to mislead.
        """
        if not (0 < self.step <= MAX_STEP and len(MAGIC) <= self.indexed_to):
            return False
        if not self.compression and self.indexed_to > self.num_bytes:
            return False
        parts = (self.blocks, self.counts, self.gtids)
        if any(column.null_count for part in parts for column in part.columns):
            return False
        number, start = self.block("number"), self.block("start_pos")
        if self.num_blocks:
            is_ordered = (np.diff(self.bounds) > 0).all() and (np.diff(number) > 0).all()
            begins = start[0] == len(MAGIC) and number[0] >= 0
            agrees = ((start[1:] - len(MAGIC)) // self.step == number[1:]).all()
            is_timed = (self.block("first_micros") <= self.block("last_micros")).all()
            if not (is_ordered and begins and agrees and is_timed):
                return False
        sums = ("num_transactions", "num_bytes", "num_unlogged", "num_statements")
        if any((self.block(name) < 0).any() for name in sums):
            return False
        of_counts = [self.count(name) for name in COUNTS.names[:-3]]
        if any((values < 0).any() for values in of_counts):
            return False
        for block in (self.count("block"), self.gtids.column("block").to_numpy()):
            if len(block) and (block[0] < 0 or block[-1] >= self.num_blocks):
                return False
            if (np.diff(block) < 0).any():
                return False
        if (self.count("table") >= len(self.tables)).any():
            return False
        return are_chunks(self.chunks, len(self.specs)) and self._are_tables_valid()

    def _are_tables_valid(self) -> bool:
        """Return whether what it says of tables can be of a log of its identity."""
        if len(self.format_event) < LEN_HEADER or log_id_of(self.format_event) != self.log_id:
            return False
        parts = (self.firsts, self.contents, self.shapes, self.statements, self.unlogged)
        if any(column.null_count for part in parts for column in part.columns):
            return False
        for part in parts[2:]:
            start, inner = (part.column(name).to_numpy() for name in ("start_pos", "inner_pos"))
            if len(start) and (start.min() < len(MAGIC) or start.max() >= self.indexed_to):
                return False
            is_later = (start[1:] > start[:-1]) | ((start[1:] == start[:-1]) & (np.diff(inner) > 0))
            if part is not self.unlogged and not is_later.all():
                return False
        shape, content = self.firsts.column("shape").to_numpy(), self.shapes.column("content")
        content = content.to_numpy()
        return bool(
            ((shape >= -1) & (shape < self.shapes.num_rows)).all()
            and ((content >= 0) & (content < self.contents.num_rows)).all()
            and (self.unlogged.column("num_statements").to_numpy() > 0).all()
        )


def to_batch(indexes: Sequence[LogIndex]) -> pa.RecordBatch:
    """Return indexes as rows of INDEXES."""
    columns: list[pa.Array] = []
    for name, type_ in zip(INDEXES.names, INDEXES.types, strict=True):
        if name in _PARTS:
            parts = [_part(index, name) for index in indexes]
            columns.append(_listed(parts, _PARTS[name]))
        else:
            columns.append(pa.array([getattr(index, name) for index in indexes], type_))
    return pa.RecordBatch.from_arrays(columns, schema=INDEXES)


def _part(index: LogIndex, name: str) -> pa.RecordBatch:
    if name == "specs":
        numbers = {table: number for number, table in enumerate(index.tables)}
        tables = pa.array([numbers[spec.table] for spec in index.specs], pa.int64())
        texts = pa.array([spec.encode() for spec in index.specs], pa.string())
        return pa.RecordBatch.from_arrays([tables, texts], schema=SPECS)
    if name != "tables":
        return getattr(index, name)
    names = [(table.database_name, table.table_name) for table in index.tables]
    columns = [pa.array([name[k] for name in names], pa.string()) for k in range(2)]
    return pa.RecordBatch.from_arrays([*columns, *index.firsts.columns], schema=TABLES)


def _specs(batch: pa.RecordBatch, tables: Sequence[TableName]) -> tuple[KeySpec, ...] | None:
    """Return the keys that a batch of SPECS names; None if they cannot be of a log."""
    numbers, texts = (column.to_pylist() for column in batch.columns)
    if not all(0 <= number < len(tables) for number in numbers):
        return None
    try:
        return tuple(
            KeySpec.decode(tables[number], text)
            for number, text in zip(numbers, texts, strict=True)
        )
    except ValueError:
        return None


def _listed(parts: Sequence[pa.RecordBatch], schema: pa.Schema) -> pa.Array:
    """Return record batches as a column of lists."""
    offsets = np.zeros(len(parts) + 1, dtype=np.int32)
    np.cumsum([part.num_rows for part in parts], out=offsets[1:])
    table = pa.Table.from_batches(parts, schema).combine_chunks()
    arrays = [
        table.column(field.name).chunk(0) if table.num_rows else pa.array([], field.type)
        for field in schema
    ]
    values = pa.StructArray.from_arrays(arrays, fields=list(schema))
    return pa.ListArray.from_arrays(pa.array(offsets), values)


def from_batch(batch: pa.RecordBatch) -> list[LogIndex]:
    """Return rows of INDEXES as indexes; those that cannot be of a log are left out."""
    scalars = {
        field.name: batch.column(field.name).to_pylist()
        for field in INDEXES
        if field.name not in _PARTS
    }
    offsets = {name: batch.column(name).offsets.to_pylist() for name in _PARTS}
    values = {name: pa.RecordBatch.from_struct_array(batch.column(name).values) for name in _PARTS}
    found = []
    for row in range(batch.num_rows):
        parts = {
            name: values[name].slice(at[row], at[row + 1] - at[row]) for name, at in offsets.items()
        }
        of_tables = parts.pop("tables")
        names = zip(*(column.to_pylist() for column in of_tables.columns[:2]), strict=True)
        tables = tuple(TableName(*name) for name in names)
        parts["firsts"] = of_tables.select(FIRSTS)
        specs = _specs(parts.pop("specs"), tables)
        index = LogIndex(
            **{name: column[row] for name, column in scalars.items()},
            tables=tables,
            specs=specs or (),
            **parts,
        )
        if specs is not None and index.is_valid():
            found.append(index)
    return found
