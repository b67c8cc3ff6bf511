"""Compares the copy of a table with the server, at a position of the log that both have reached."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.kernels.layout import Numbers
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.replication.changes import TYPE, key_columns, net_changes, typed_changes
from pyspark_adapter.replication.merged_changes import counted_changes
from pyspark_adapter.values.equal_rows import repeated, row_numbers, sum_rows

if TYPE_CHECKING:
    from pyspark_adapter.replication.replica import Replica

_CHUNK_ROWS: Final = 100_000
_MOST_LINES: Final = 20
_MOST_LETTERS: Final = 100  # of a value


@dataclass(frozen=True)
class VerifiedTable:
    """What the comparison of a table came to.

    Attributes:
        table: its name.
        position: of the log, as `binlog.000003@157`.
        num_rows: of the server.
        num_different: keys whose rows differ; rows of a table without a key.
        lines: the first of them, each with its key and what differs.
        problem: why it was not compared; empty if it was.
    """

    table: TableName
    position: str = ""
    num_rows: int = 0
    num_different: int = 0
    lines: Sequence[str] = ()
    problem: str = ""

    def __str__(self) -> str:
        if self.problem:
            return f"{self.table}: not compared: {self.problem}"
        result = f"{self.num_different:,} differ" if self.num_different else "equal"
        return "\n  ".join(
            [f"{self.table}: {self.num_rows:,} rows at {self.position}: {result}", *self.lines]
        )


def verify_table(replica: Replica, name: TableName, *, repairs: bool) -> VerifiedTable:
    """Compare a table; raises as `Replica.round`.

    Args:
        replica: the lake; its tables follow the log up to the position.
        name: of the table, which follows the log.
        repairs: whether rows that differ become those of the server.
    """
    rows, position = replica.server.rows_at(name, locks=True)
    if position is None:
        return VerifiedTable(name, problem="it cannot be locked")
    assert replica.state.offset is not None
    replica.follow(replica.state.offset, position)
    definition = replica.state.followed.get(name)
    if definition is None:
        return VerifiedTable(name, problem="it is to be copied")
    tables, copy, facts = replica.tables, replica.copy_of(name), replica.facts(definition)
    key, schema, num_rows = facts.key, tables.schema(copy), 0
    parts = [schema.append(pa.field(TYPE, pa.string())).empty_table()]
    for low, high, batches in _chunks(rows, facts.first_key):
        own = _table(tables.rows(copy, facts.first_key, low, high), schema)
        wanted = _table(batches, schema)
        num_rows += len(wanted)
        is_same = key and wanted.equals(own.sort_by([(column, "ascending") for column in key]))
        parts += [] if is_same else [differing_rows(wanted, own)]
    different = pa.concat_tables(parts)
    keys = row_numbers(key_columns(different, key) if key else different)
    if repairs and len(different):
        net = net_changes(different, key) if key else counted_changes(different, tables.rows(copy))
        if net is None or replica.history is not None:
            replica.save(replace(replica.state, tables={**replica.state.tables, name: None}))
        else:
            location = replica.folder_of(name)
            tables.merge(location, copy, net, key, tables.applied(copy, location))
            replica.save(replica.state)
    at = f"{position.log_name}@{position.start_pos}"
    return VerifiedTable(name, at, num_rows, len({*keys}), _lines(different, keys, key))


def _table(batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> pa.Table:
    parts = [pa.table(batch).select(schema.names).cast(schema) for batch in batches]
    return pa.concat_tables([schema.empty_table(), *parts])


def _chunks(
    rows: pa.RecordBatchReader, first_key: str
) -> Iterator[tuple[int | None, int | None, list[pa.RecordBatch]]]:
    """Yield the rows of ranges of a key, from a value to before another; all without such a key."""
    low: int | None = None
    waiting: list[pa.RecordBatch] = []
    for batch in rows:
        waiting.append(batch)
        high = batch[first_key][-1].as_py() if first_key and len(batch) else None
        if high is not None and sum(map(len, waiting)) >= _CHUNK_ROWS:
            split = [batch.filter(pc.less(batch[first_key], high)) for batch in waiting]
            yield low, high, split
            waiting = [batch.filter(pc.equal(batch[first_key], high)) for batch in waiting]
            low = high
    yield low, None, waiting


def differing_rows(wanted: pa.Table, own: pa.Table) -> pa.Table:
    """Return the rows that one side has more often: `insert` for those of the server."""
    signs = np.repeat([-1, 1], [len(own), len(wanted)])
    rows, sums = sum_rows(pa.concat_tables([own, wanted]), signs)
    return typed_changes(repeated(rows, -sums), repeated(rows, sums))


def _lines(different: pa.Table, keys: Numbers, key: Sequence[str]) -> list[str]:
    """Return a line for each of the first rows that differ."""
    lines = []
    for number in range(min(_MOST_LINES, int(keys.max(initial=-1)) + 1)):
        rows = different.take(np.flatnonzero(keys == number)).to_pylist()
        by_kind = {row.pop(TYPE): row for row in rows}
        one = rows[0]
        shown = ", ".join(f"{name}={_shown(one[name])}" for name in key or one)
        wanted, own = by_kind.get("insert"), by_kind.get("delete")
        if wanted is not None and own is not None:
            pairs = [(n, own[n], wanted[n]) for n in one if repr(own[n]) != repr(wanted[n])]
            what = "; ".join(f"{n} is {_shown(o)}, expected {_shown(w)}" for n, o, w in pairs)
        else:
            what = "missing in the copy" if own is None else "not on the server"
            if not key:
                what = f"{len(rows)} {'fewer' if own is None else 'more'} in the copy"
        lines.append(f"{shown}: {what}")
    return lines


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _MOST_LETTERS else f"{text[:_MOST_LETTERS]}..."
