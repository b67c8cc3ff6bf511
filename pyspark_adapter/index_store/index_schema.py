"""The columns of an index: of a log, of its blocks, and of its tables; and columns of lists."""

from __future__ import annotations

from functools import cached_property
from typing import Final

import numpy as np
import pyarrow as pa

from pyspark_adapter.index_store.keys import CHUNKS
from pyspark_adapter.kernels.layout import Numbers
from pyspark_adapter.options.table_name import TableName


class Lists:
    """A column of lists of rows, as one batch.

    Attributes:
        batch: all rows.
        offsets: (n + 1,) where the list of each log begins, and where the last one ends.
        owners: of each row, the number of its log.
        is_first: whether a row is the first of its log.
    """

    def __init__(self, column: pa.ListArray) -> None:
        self.offsets = column.offsets.to_numpy().astype(np.int64)
        first, last = int(self.offsets[0]), int(self.offsets[-1])
        self.batch = pa.RecordBatch.from_struct_array(column.values.slice(first, last - first))
        self.offsets = self.offsets - first
        self._columns: dict[str, Numbers] = {}

    @cached_property
    def sizes(self) -> Numbers:
        """(n,): rows of each log."""
        return np.diff(self.offsets)

    @cached_property
    def owners(self) -> Numbers:
        """Of each row, the number of its log."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @cached_property
    def is_first(self) -> Numbers:
        """Whether a row is the first of its log."""
        return np.asarray(np.diff(self.owners, prepend=-1) != 0)

    def column(self, name: str) -> Numbers:
        """Return the numbers of a column."""
        if name not in self._columns:
            column = self.batch.column(name).to_numpy(zero_copy_only=False)
            self._columns[name] = np.asarray(column)
        return self._columns[name]

    def rows_of(self, number: int) -> slice:
        """Return where the rows of a log are."""
        return slice(int(self.offsets[number]), int(self.offsets[number + 1]))

    @cached_property
    def tables(self) -> tuple[Numbers, list[TableName]]:
        """Of each row, the number of its table among those that differ, and these."""
        return distinct_tables(*self.batch.columns[:2])

    def tables_of(self, number: int) -> list[TableName]:
        """Return the tables of the rows of a log."""
        numbers, tables = self.tables
        return [tables[k] for k in numbers[self.rows_of(number)].tolist()]

    def of(self, number: int) -> pa.RecordBatch:
        """Return the rows of a log."""
        return self.batch.slice(int(self.offsets[number]), int(self.sizes[number]))

    def rises(self, *names: str, is_strict: bool = True) -> bool:
        """Return whether the rows of each log are in the order of some columns."""
        rises = np.zeros(max(len(self.owners) - 1, 0), dtype=bool)
        same = ~self.is_first[1:]
        for name in names:
            values = self.column(name)
            rises |= same & (values[1:] > values[:-1])
            same = same & (values[1:] == values[:-1])
        return bool((self.is_first[1:] | rises | (same & (not is_strict))).all())

    @property
    def lacks_values(self) -> bool:
        """Whether a value is null."""
        return any(column.null_count for column in self.batch.columns)


def distinct_tables(
    databases: pa.Array | pa.ChunkedArray, names: pa.Array | pa.ChunkedArray
) -> tuple[Numbers, list[TableName]]:
    """Return the number of each table among those that differ, and these as they come first."""
    codes, texts = zip(*map(_encoded, (databases, names)), strict=True)
    # A damaged name may hold any byte, so that none can stand between the two.
    pairs, firsts, numbers = np.unique(
        codes[0] * len(texts[1]) + codes[1], return_index=True, return_inverse=True
    )
    order = np.argsort(firsts)
    places = [divmod(pair, len(texts[1])) for pair in pairs[order].tolist()]
    return np.argsort(order)[numbers], [TableName(texts[0][k], texts[1][n]) for k, n in places]


def _encoded(column: pa.Array | pa.ChunkedArray) -> tuple[Numbers, list[str]]:
    """Return the number of each name among those that differ, and these."""
    encoded = column.dictionary_encode()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.combine_chunks()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.chunk(0)
    return encoded.indices.to_numpy().astype(np.int64), encoded.dictionary.to_pylist()


def longs(names: str) -> list[pa.Field]:
    """Return columns of int64 from their names, with spaces between."""
    return [pa.field(name, pa.int64()) for name in names.split()]


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
        *longs("number start_pos"),
        ("is_gtid", pa.bool_()),
        *longs("first_micros last_micros num_transactions num_bytes most_bytes most_rows"),
        *longs("most_seconds num_unlogged num_statements"),
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
        *longs("block table num_transactions num_inserts num_updates num_deletes num_bytes"),
        *longs("first_micros last_micros"),
        ("has_keys", pa.bool_()),
    ]
)
# What a log changes in a table within an hour, in the order of hours and tables.
#   hour: since 1970-01-01 UTC, of the commits.
#   table and the others: as in COUNTS, added up.
HOURS: Final = pa.schema(
    [
        *longs("hour table num_transactions num_inserts num_updates num_deletes num_bytes"),
        *longs("first_micros last_micros"),
    ]
)
# GTIDs of a block: a source, as `kernels.layout.Transaction` has it, and a range of numbers, in
# which others may be missing. Of kind TAGGED, only that there are some.
GTIDS: Final = pa.schema([*longs("block kind a b first last")])
# Keys of tables: the table, and the rest as text; see `KeySpec`.
SPECS: Final = pa.schema([("table", pa.int64()), ("columns", pa.string())])
# A table, and its first rows event.
#   shape: index of its last table map before, in SHAPES; -1 if the log has no row of it.
#   start_pos, inner_pos, type_code: of the event.
#   is_described: whether all its table maps have all names and digits.
TABLES: Final = pa.schema(
    [
        ("database_name", pa.string()),
        ("table_name", pa.string()),
        *longs("shape start_pos inner_pos type_code"),
        ("is_described", pa.bool_()),
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
SHAPES: Final = pa.schema([*longs("content start_pos inner_pos last_pos last_inner_pos")])
# Statements that define tables or truncate them, in order.
#   event: decompressed, as `Statement.event`.
#   transaction_pos, commit_micros, kind, a, b, c: of its transaction, as the kernels have it.
STATEMENTS: Final = pa.schema(
    [
        *longs("start_pos inner_pos"),
        ("event", pa.binary()),
        *longs("transaction_pos commit_micros kind a b c"),
    ]
)
# Tables with statements that change rows without logging them; the table `*` if it is unclear.
#   start_pos, inner_pos, type_code: of the first one.
UNLOGGED: Final = pa.schema(
    [
        ("database_name", pa.string()),
        ("table_name", pa.string()),
        *longs("num_statements start_pos inner_pos type_code"),
    ]
)

# The header of a log: its identity, how much of it is indexed, and sums.
#   modified: time of the last change, seconds since 1970-01-01 UTC; null if the storage is silent.
#   indexed_to: offset after the last transaction that is indexed; the size of the log if nothing
#     but the end of the log follows.
#   ends_at_gtid: whether an event there names a transaction.
#   tail: the bytes before it, which say whether the log is still the same up to there.
#   keys_of: patterns of the tables whose keys are taken; empty for none.
#   knows_tables: whether it has all shapes and statements; else there were too many.
#   num_transactions, num_logged_bytes: sums of BLOCKS.
#   first_micros, last_micros: earliest and latest commit in BLOCKS; 0 without any.
HEAD_PARTS: Final = {"tables": TABLES, "hours": HOURS, "unlogged": UNLOGGED}
_SCALARS: Final = [
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
    ("knows_tables", pa.bool_()),
    ("num_transactions", pa.int64()),
    ("num_logged_bytes", pa.int64()),
    ("first_micros", pa.int64()),
    ("last_micros", pa.int64()),
]
SCALARS: Final = tuple(name for name, _ in _SCALARS)
# Where the rest is in a file, after the headers.
#   details_pos, details_size, details_digest: of the details of this log and of its neighbours,
#     which are in the order of the headers.
#   keys_pos, keys_size: of the data of its keys.
_PLACES: Final = [
    ("details_pos", pa.int64()),
    ("details_size", pa.int64()),
    ("details_digest", pa.binary()),
    ("keys_pos", pa.int64()),
    ("keys_size", pa.int64()),
]
PLACES: Final = tuple(name for name, _ in _PLACES)


def _lists(parts: dict[str, pa.Schema]) -> list[tuple[str, pa.DataType]]:
    return [(name, pa.list_(pa.struct(list(part)))) for name, part in parts.items()]


HEADS: Final = pa.schema([*_SCALARS, *_PLACES, *_lists(HEAD_PARTS)])
# The other facts about a log.
#   format_event: its format description.
DETAIL_PARTS: Final = {
    "blocks": BLOCKS,
    "counts": COUNTS,
    "gtids": GTIDS,
    "specs": SPECS,
    "chunks": CHUNKS,
    "contents": CONTENTS,
    "shapes": SHAPES,
    "statements": STATEMENTS,
}
DETAILS: Final = pa.schema([("format_event", pa.binary()), *_lists(DETAIL_PARTS)])
# Read at once: the facts about tables, and the others.
TABLE_DETAILS: Final = ("format_event", "contents", "shapes", "statements")
BLOCK_DETAILS: Final = tuple(name for name in DETAILS.names if name not in TABLE_DETAILS)
