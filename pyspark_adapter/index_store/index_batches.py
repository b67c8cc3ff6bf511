"""Indexes as record batches: headers, and details that are read when a question needs them.

What comes from a file is checked as far as it shows without the log: the file may be damaged, or
made to mislead. The headers of many logs are added up here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.events.log_start import log_id_of
from pyspark_adapter.format.header import LEN_HEADER, MAGIC
from pyspark_adapter.index_store.index_schema import (
    BLOCK_DETAILS,
    COUNTS,
    DETAIL_PARTS,
    DETAILS,
    FIRSTS,
    HEAD_PARTS,
    HEADS,
    PLACES,
    SCALARS,
    SPECS,
    TABLE_DETAILS,
    TABLES,
    Lists,
    distinct_tables,
)
from pyspark_adapter.index_store.keys import IndexBytes, KeySpec, are_chunks
from pyspark_adapter.index_store.log_index import MAX_STEP, IndexedLog, LogIndex
from pyspark_adapter.kernels.layout import Numbers
from pyspark_adapter.options.table_name import TableName

MICROS_OF_HOUR: Final = 3_600_000_000
# What HEADS has of BLOCKS, by the column and what makes one number of those of a log.
_OF_BLOCKS: Final = {
    "num_transactions": ("num_transactions", np.add),
    "num_logged_bytes": ("num_bytes", np.add),
    "first_micros": ("first_micros", np.minimum),
    "last_micros": ("last_micros", np.maximum),
}


def _check(*conditions: Any) -> None:
    """Check numbers; raises ValueError."""
    if not all(bool(np.all(condition)) for condition in conditions):
        raise ValueError("is damaged: it has numbers that cannot be of a log")


@dataclass(frozen=True)
class IndexHeader(IndexedLog):
    """The index of a log without its blocks.

    Attributes:
        num_transactions, num_logged_bytes, first_micros, last_micros: as in HEADS.
        headers: of this log and others.
        number: of the log among these.
    """

    num_transactions: int
    num_logged_bytes: int
    first_micros: int
    last_micros: int
    headers: IndexHeaders
    number: int

    def is_outside(self, first: int | None, end: int | None) -> bool:
        """Return whether all commits are before a time, or from another on; None for no limit."""
        is_before = first is not None and self.last_micros < first
        return is_before or (end is not None and self.first_micros >= end)

    def part(self, name: str) -> pa.RecordBatch:
        """Return the rows of one of HEAD_PARTS."""
        return self.headers.parts[name].of(self.number)


class IndexHeaders:
    """The headers of a file; raises ValueError if they cannot be of logs.

    Args:
        batch: of HEADS.
        num_bytes: that come after the headers.
    """

    def __init__(self, batch: pa.RecordBatch, num_bytes: int) -> None:
        self.num_logs = batch.num_rows
        self._with_table: dict[TableName, Numbers] = {}  # the last one asked for
        self.parts = {name: Lists(batch.column(name)) for name in HEAD_PARTS}
        self.places = {name: batch.column(name).to_pylist() for name in PLACES}
        numbers = {
            name: batch.column(name).to_numpy(zero_copy_only=False)
            for name in ("num_bytes", "indexed_to", "step", *_OF_BLOCKS)
        }
        self.of_blocks = {name: numbers[name] for name in _OF_BLOCKS}
        self.steps, self.ends = numbers["step"], numbers["indexed_to"]
        packed = pc.not_equal(batch.column("compression"), "").to_numpy(zero_copy_only=False)
        for start, size in ((PLACES[0], PLACES[1]), (PLACES[3], PLACES[4])):
            first, length = (batch.column(name).to_numpy() for name in (start, size))
            _check(first >= 0, length >= 0, length <= num_bytes, first <= num_bytes - length)
        _check(
            (self.steps > 0) & (self.steps <= MAX_STEP),
            self.ends >= len(MAGIC),
            packed.astype(bool) | (self.ends <= numbers["num_bytes"]),
            numbers["num_transactions"] >= 0,
            numbers["num_logged_bytes"] >= 0,
            numbers["first_micros"] <= numbers["last_micros"],
        )
        self._check_parts()
        columns = [batch.column(name).to_pylist() for name in SCALARS]
        rows: list[dict[str, Any]] = [
            dict(zip(SCALARS, row, strict=True)) for row in zip(*columns, strict=True)
        ]
        self.logs = [
            IndexHeader(**row | {"headers": self, "number": k}) for k, row in enumerate(rows)
        ]

    def _check_parts(self) -> None:
        tables, hours, unlogged = self.parts.values()
        hour, table = hours.column("hour"), hours.column("table")
        first, last = hours.column("first_micros"), hours.column("last_micros")
        pos = unlogged.column("start_pos")
        _check(
            not any(part.lacks_values for part in self.parts.values()),
            tables.column("shape") >= -1,
            hours.rises("hour", "table"),
            (table >= 0) & (table < tables.sizes[hours.owners]),
            first <= last,
            (hour == first // MICROS_OF_HOUR) & (hour == last // MICROS_OF_HOUR),
            *(hours.column(name) >= 0 for name in COUNTS.names[2:7]),
            (pos >= len(MAGIC)) & (pos < self.ends[unlogged.owners]),
            unlogged.column("num_statements") > 0,
        )

    def has_table(self, table: TableName) -> Numbers:
        """Return (num_logs,) bool: the logs with a table."""
        if table not in self._with_table:
            part = self.parts["tables"]
            numbers, tables = part.tables
            has = np.zeros(self.num_logs, dtype=bool)
            if table in tables:
                has[part.owners[numbers == tables.index(table)]] = True
            self._with_table = {table: has}
        return self._with_table[table]

    def runs(self) -> list[tuple[int, int]]:
        """Return the logs whose details are together: the first, and the one after the last."""
        positions = self.places["details_pos"]
        starts = [k for k in range(self.num_logs) if not k or positions[k] != positions[k - 1]]
        return list(pairwise([*starts, self.num_logs]))


@dataclass(frozen=True)
class LogTables:
    """The table data of a log.

    Attributes:
        format_event: as in `LogIndex`.
        parts: of this log and its neighbours: contents, shapes and statements.
        row: of the log among these.
    """

    header: IndexHeader
    format_event: bytes
    parts: Mapping[str, Lists]
    row: int

    @property
    def contents(self) -> pa.RecordBatch:
        """As in `LogIndex`."""
        return self.parts["contents"].of(self.row)

    @property
    def shapes(self) -> pa.RecordBatch:
        """As in `LogIndex`."""
        return self.parts["shapes"].of(self.row)

    @property
    def statements(self) -> pa.RecordBatch:
        """As in `LogIndex`."""
        return self.parts["statements"].of(self.row)

    @property
    def tables(self) -> list[TableName]:
        """Of each content."""
        return self.parts["contents"].tables_of(self.row)

    def numbers(self, part: str, column: str) -> Numbers:
        """Return a column of one of the parts."""
        indices = self.parts[part]
        return np.asarray(indices.column(column)[indices.rows_of(self.row)])


class DetailTables:
    """The table data of some logs; raises ValueError if it cannot be of these logs.

    Args:
        headers: of these logs and others.
        start, stop: the first log, and the one after the last.
        batch: TABLE_DETAILS of DETAILS.
    """

    def __init__(self, headers: IndexHeaders, start: int, stop: int, batch: pa.RecordBatch) -> None:
        _check(batch.num_rows == stop - start)
        self._headers = headers
        self._start = start
        self._events = batch.column("format_event").to_pylist()
        self._parts = {name: Lists(batch.column(name)) for name in TABLE_DETAILS[1:]}
        _check(not any(part.lacks_values for part in self._parts.values()))
        ends = headers.ends[start:stop]
        contents, shapes, statements = self._parts.values()
        for part in (shapes, statements):
            pos = part.column("start_pos")
            _check(
                (pos >= len(MAGIC)) & (pos < ends[part.owners]),
                part.rises("start_pos", "inner_pos"),
            )
        content = shapes.column("content")
        _check((content >= 0) & (content < contents.sizes[shapes.owners]))
        tables = headers.parts["tables"]
        first, last = tables.offsets[start], tables.offsets[stop]
        owners = tables.owners[first:last] - start
        _check(tables.column("shape")[first:last] < shapes.sizes[owners])
        for log, event in zip(headers.logs[start:stop], self._events, strict=True):
            _check(len(event) >= LEN_HEADER and log_id_of(event) == log.log_id)

    def of(self, number: int) -> LogTables:
        """Return the known tables of a log."""
        row = number - self._start
        return LogTables(self._headers.logs[number], self._events[row], self._parts, row)


class Details:
    """The details of some logs; raises ValueError if they cannot be of these logs.

    Args:
        headers: of these logs and others.
        start, stop: the first log, and the one after the last.
        batch: BLOCK_DETAILS of DETAILS.
        tables: the others.
    """

    def __init__(
        self,
        headers: IndexHeaders,
        start: int,
        stop: int,
        batch: pa.RecordBatch,
        tables: DetailTables,
    ) -> None:
        _check(batch.num_rows == stop - start)
        self._headers = headers
        self._start = start
        self._tables = tables
        self._parts = {name: Lists(batch.column(name)) for name in BLOCK_DETAILS}
        _check(not any(part.lacks_values for part in self._parts.values()))
        self._ends = headers.ends[start:stop]
        self._num_tables = headers.parts["tables"].sizes[start:stop]
        self._check_blocks(headers.steps[start:stop])
        specs = self._parts["specs"]
        table = specs.column("table")
        _check((table >= 0) & (table < self._num_tables[specs.owners]))
        # Most keys have the same columns as others.
        texts = specs.batch.column("columns").dictionary_encode()
        self._texts = texts.indices.to_numpy().tolist()
        self._keys = [KeySpec.decode(TableName("", ""), t) for t in texts.dictionary.to_pylist()]
        chunks = self._parts["chunks"]
        _check(are_chunks(chunks.batch, specs.sizes[chunks.owners], chunks.is_first))
        sizes = np.zeros(stop - start, dtype=np.int64)
        np.add.at(sizes, chunks.owners, chunks.column("num_bytes"))
        _check(sizes == np.array(headers.places["keys_size"][start:stop], dtype=np.int64))

    def _check_blocks(self, steps: Numbers) -> None:
        blocks, counts, gtids = (self._parts[name] for name in ("blocks", "counts", "gtids"))
        number, pos = blocks.column("number"), blocks.column("start_pos")
        later = ~blocks.is_first
        _check(
            pos[blocks.is_first] == len(MAGIC),
            (pos >= len(MAGIC)) & (pos < self._ends[blocks.owners]),
            number >= 0,
            blocks.rises("start_pos"),
            blocks.rises("number"),
            ((pos - len(MAGIC)) // steps[blocks.owners] == number)[later],
            blocks.column("first_micros") <= blocks.column("last_micros"),
            *(
                blocks.column(name) >= 0
                for name in ("num_transactions", "num_bytes", "num_unlogged", "num_statements")
            ),
            *(counts.column(name) >= 0 for name in COUNTS.names[:-3]),
            counts.column("table") < self._num_tables[counts.owners],
        )
        firsts, has_blocks = np.flatnonzero(blocks.is_first), blocks.sizes > 0
        stop = self._start + len(steps)
        for name, (column, operation) in _OF_BLOCKS.items():
            in_header = self._headers.of_blocks[name][self._start : stop]
            edges = operation.reduceat(blocks.column(column), firsts) if len(firsts) else ()
            _check(in_header[has_blocks] == edges, in_header[~has_blocks] == 0)
        for part in (counts, gtids):
            block = part.column("block")
            _check(
                (block >= 0) & (block < blocks.sizes[part.owners]),
                part.rises("block", is_strict=False),
            )

    def index(self, number: int, key_data: IndexBytes) -> LogIndex:
        """Return the index of a log."""
        header, row = self._headers.logs[number], number - self._start
        of_log = self._tables.of(number)
        of_tables = header.part("tables")
        tables = tuple(self._headers.parts["tables"].tables_of(number))
        parts = {name: part.of(row) for name, part in self._parts.items()}
        numbers = parts.pop("specs").column("table").to_pylist()
        start = int(self._parts["specs"].offsets[row])
        keys = [self._keys[text] for text in self._texts[start : start + len(numbers)]]
        specs = tuple(
            KeySpec(tables[table], key.columns, key.is_logged)
            for table, key in zip(numbers, keys, strict=True)
        )
        scalars = {field.name: getattr(header, field.name) for field in fields(IndexedLog)}
        return LogIndex(
            **scalars,
            format_event=of_log.format_event,
            contents=of_log.contents,
            shapes=of_log.shapes,
            statements=of_log.statements,
            tables=tables,
            firsts=of_tables.select(FIRSTS),
            specs=specs,
            hours=header.part("hours"),
            unlogged=header.part("unlogged"),
            key_data=key_data,
            **parts,
        )


def header_batch(indexes: Sequence[LogIndex], places: Sequence[Sequence[Any]]) -> pa.RecordBatch:
    """Return the headers of indexes, with the values of PLACES of each."""
    columns: list[pa.Array] = []
    of_place = dict(zip(PLACES, zip(*places, strict=True), strict=True)) if places else {}
    for name, kind in zip(HEADS.names, HEADS.types, strict=True):
        if name in HEAD_PARTS:
            columns.append(_listed([_part(index, name) for index in indexes], HEAD_PARTS[name]))
        elif name in PLACES:
            columns.append(pa.array(of_place.get(name, ()), kind))
        else:
            columns.append(pa.array([getattr(index, name) for index in indexes], kind))
    return pa.RecordBatch.from_arrays(columns, schema=HEADS)


def detail_batch(indexes: Sequence[LogIndex]) -> pa.RecordBatch:
    """Return the details of indexes."""
    events = pa.array([index.format_event for index in indexes], pa.binary())
    lists = [
        _listed([_part(index, name) for index in indexes], part)
        for name, part in DETAIL_PARTS.items()
    ]
    return pa.RecordBatch.from_arrays([events, *lists], schema=DETAILS)


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


SUMS: Final = ("num_transactions", "num_inserts", "num_updates", "num_deletes", "num_bytes")


class HeaderSums:
    """The sums of some logs.

    Attributes:
        tables: names, in the order of the logs.
        logs: of each row of TABLES of the logs, the number of its log.
        hours: HOURS of the logs.
        of_row: of each of these rows, the index of its table in `tables`.
        of_hour: of each row of HOURS of the logs, the same.
    """

    def __init__(self, headers: Sequence[IndexHeader]) -> None:
        self._rows, self.hours = (
            pa.Table.from_batches([header.part(name) for header in headers]).combine_chunks()
            for name in ("tables", "hours")
        )
        sizes = [header.part("tables").num_rows for header in headers]
        self.logs = np.repeat(np.arange(len(headers)), sizes)
        self.of_row, self.tables = distinct_tables(*self._rows.columns[:2])
        starts = np.repeat(np.cumsum(sizes) - sizes, [h.part("hours").num_rows for h in headers])
        self.of_hour = self.of_row[starts + self.hours.column("table").to_numpy()]

    def row(self, name: str) -> Numbers:
        """Return a column of TABLES."""
        return np.asarray(self._rows.column(name).to_numpy())


def sums_of(hours: pa.Table | pa.RecordBatch, groups: Numbers, count: int) -> dict[str, Numbers]:
    """Return the sums of SUMS, and the first and last commit, of groups of rows of HOURS."""
    sums: dict[str, Any] = {}
    for name in SUMS:
        sums[name] = np.zeros(count, dtype=np.int64)
        np.add.at(sums[name], groups, hours.column(name).to_numpy())
    for name, start, extreme in (
        ("first_micros", np.iinfo(np.int64).max, np.minimum),
        ("last_micros", 0, np.maximum),
    ):
        sums[name] = np.full(count, start)
        extreme.at(sums[name], groups, hours.column(name).to_numpy())
    return sums
