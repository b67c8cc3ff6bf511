"""The rows of tables of a server as change rows, and where the changes after them begin.

No table is locked. First comes the end of the log, then the rows, chunk by chunk. So each row is as
it was some time after that end, and each change from then on is in the log: a program that applies
these by key, in order, has the rows as they are. Such a change may be in the rows already, so an
insert replaces an existing row, and a delete may match none.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from pyspark_adapter.ddl.sql_tokens import SqlDialect
from pyspark_adapter.decode.output_batch import OutputBatches
from pyspark_adapter.decode.row_block import RowBlock
from pyspark_adapter.decode.table_groups import TableGroups
from pyspark_adapter.errors import (
    EventSite,
    SchemaMismatchError,
    ServerError,
    UnsupportedError,
    located,
    prefixed,
)
from pyspark_adapter.events.row_filter import TableFilter
from pyspark_adapter.operations.selection import Selection, ranges_of, read_range
from pyspark_adapter.operations.server_tables import SETTLE_SECONDS, TableServer
from pyspark_adapter.options.binlog_options import OPTIONS, BinlogOptions
from pyspark_adapter.options.change_types import SNAPSHOT
from pyspark_adapter.options.checks import refuse
from pyspark_adapter.options.log_position import StreamOffset
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.conversion import ConversionError, convert_all
from pyspark_adapter.plan.output_schema import (
    GROUPS_SCHEMA,
    METADATA_BY_NAME,
    changes_schema,
    commit_version_base,
    row_field,
)
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.plan.row_plan import RowPlan
from pyspark_adapter.plan.table_view import TableShape, TableView
from pyspark_adapter.server.server import LiveServer
from pyspark_adapter.server.server_errors import RefusedError
from pyspark_adapter.sources.log_file import log_number
from pyspark_adapter.stream.log_stream import LogStream
from pyspark_adapter.stream.server_series import ServerSeries
from pyspark_adapter.timeline.defined_table import defined, table_map_of
from pyspark_adapter.timeline.user_ddl import written_ddl

# What SELECT does not show as the log does, or does not choose by.
_FIXED: Final = ("view", "keys", "json", "uuid", "invalid_text", "zero_date_time_behavior")
_CHUNK_BITS: Final = 40  # of a row number; the number of its chunk is above them


class Chunk(NamedTuple):
    """A range of the rows of a table, by its key.

    Attributes:
        number: of all chunks.
        table: index of the table.
        after, up_to: as `Selection.query` takes them.
    """

    number: int
    table: int
    after: Sequence[object]
    up_to: Sequence[object]


@dataclass(frozen=True)
class CopiedTable:
    """A table of a snapshot.

    Attributes:
        selection: of its rows.
        plan: of their columns.
    """

    create: str
    selection: Selection
    plan: RowPlan


@dataclass(frozen=True)
class TableSnapshot:
    """A snapshot, planned; `read` gives the rows.

    Attributes:
        request: the columns.
        offset: where the changes begin.
        begun_at: when that was the end of the log.
        chunks: of the rows of all tables.
    """

    server: LiveServer
    request: ReadRequest
    offset: StreamOffset
    begun_at: datetime
    tables: Sequence[CopiedTable]
    chunks: Sequence[Chunk]

    @classmethod
    def plan(cls, server: LiveServer, options: BinlogOptions, num_tasks: int) -> TableSnapshot:
        """Return a snapshot of the tables that the options choose.

        Args:
            num_tasks: that read at the same time.

        Raises:
            OptionError: for an option that snapshots do not have.
            ServerError: if the server logs no whole rows, or has a prepared transaction of XA.
            UnsupportedError: for a table without a key, or that is not understood.
            BinlogError: if the log cannot be read.
        """
        _check(options)
        tables = TableServer(server)
        table = options.table
        tables.check([] if table is None else [table.database_name])
        before = _definitions(tables, options)
        begun_at = datetime.now(UTC)
        offset = LogStream(ServerSeries(server), options).end()
        definitions = _definitions(tables, options)
        for name, text in definitions.items():
            _check_same(name, before.get(name, text), text)
        if not definitions:
            wanted = options.table or "a table"
            raise ServerError(f"expected {wanted}, found none", advice="check its name")
        copied, request = _planned(definitions, options, is_mariadb=tables.is_mariadb)
        time.sleep(SETTLE_SECONDS)
        chunks: list[Chunk] = []
        with tables.connect() as connection:
            _check_prepared(connection)
            for number, copy in enumerate(copied):
                for ends in ranges_of(connection, copy.selection, 4 * num_tasks):
                    chunks.append(Chunk(len(chunks), number, *ends))
        tables.close()
        return cls(server, request, offset, begun_at, copied, chunks)

    @property
    def ddl(self) -> str:
        """The definitions of the tables at the offset, as the file of option ddl has them."""
        creates = {table.selection.table: table.create for table in self.tables}
        return written_ddl(creates, self.offset.log_name, self.offset.pos)

    def read(self, chunks: Iterable[Chunk]) -> Iterator[pa.RecordBatch]:
        """Yield the rows of some chunks; raises SchemaMismatchError, ServerError."""
        request, server = self.request, TableServer(self.server)
        is_groups = request.row_form == "arrow"
        output = TableGroups(request) if is_groups else OutputBatches(request)
        for chunk in chunks:
            table = self.tables[chunk.table]
            name, number = table.selection.table, chunk.number << _CHUNK_BITS
            batches = read_range(server.connect(), table.selection, chunk.after, chunk.up_to)
            with located(self.server.site):
                for rows in batches:
                    metadata = self._metadata(name, number, rows.num_rows)
                    with prefixed(f"table {name}"):
                        columns = _converted(table.plan, rows)
                    yield output.build(
                        [RowBlock(table.plan, rows.num_rows, columns, metadata, None, {})]
                    )
                    number += rows.num_rows
                _check_same(name, table.create, server.definitions([name]).get(name))
        server.close()

    def _metadata(self, table: TableName, first: int, num_rows: int) -> dict[str, pa.Array]:
        """Return the metadata columns of rows, `first` being the number of the first one."""
        at = self.offset
        values: dict[str, Any] = {
            "_change_type": SNAPSHOT,
            "_commit_timestamp": self.begun_at,
            "_log_file": at.log_name,
            "_start_pos": at.pos,
            "_database_name": table.database_name,
            "_table_name": table.table_name,
        }
        if "_commit_version" in self.request.metadata:  # before all transactions from there on
            values["_commit_version"] = commit_version_base(log_number(at.log_name)) + at.pos - 1
        columns = {}
        for name in self.request.metadata:
            kind = METADATA_BY_NAME[name].arrow_type
            columns[name] = pa.repeat(pa.scalar(values.get(name), kind), num_rows)
        if "_row_number" in columns:
            columns["_row_number"] = pa.array(np.arange(first, first + num_rows))
        return columns


def _check(options: BinlogOptions) -> None:
    """Check that SELECT can show the rows that the options ask for; raises OptionError."""
    for option in OPTIONS:
        value = getattr(options, option.name)
        if option.name in _FIXED and value != option.default:
            raise refuse(option.spark_name, value, "no other value than the default in a snapshot")
    if options.row == "variant":
        raise refuse("row", options.row, "json, arrow or debezium in a snapshot")


def _definitions(tables: TableServer, options: BinlogOptions) -> dict[TableName, str]:
    """Return the definitions of the tables of a snapshot; raises ServerError if one is denied."""
    table, keeps = options.table, TableFilter(options).keeps
    names = [table] if table else [*filter(keeps, tables.names(tables.databases()))]
    texts = tables.definitions(names)
    for error in tables.denied.values():
        raise error
    return texts


def _check_same(table: TableName, before: str, now: str | None) -> None:
    """Check that a table was not altered; raises SchemaMismatchError."""
    if before != now:
        raise SchemaMismatchError(
            f"table {table}: its definition has changed since the snapshot began",
            advice="make another snapshot",
        )


def _check_prepared(connection: Any) -> None:
    """Check that no transaction is prepared: its rows are in the log, and SELECT shows none."""
    with suppress(RefusedError):  # the user may not ask
        if connection.rows("XA RECOVER"):
            raise ServerError(
                "expected no prepared transaction of XA, found one: its rows come before the"
                " snapshot in the log",
                advice="wait for XA COMMIT or XA ROLLBACK, and make the snapshot then",
            )


def _planned(
    definitions: dict[TableName, str], options: BinlogOptions, *, is_mariadb: bool
) -> tuple[list[CopiedTable], ReadRequest]:
    """Return the tables of a snapshot, and the columns of its rows."""
    table_maps = {}
    for table, create in definitions.items():
        with prefixed(f"table {table}"):
            definition = defined(create, SqlDialect(is_mariadb=is_mariadb))
            if definition is None or definition.is_versioned:
                raise UnsupportedError("its definition is not understood, or has versions of rows")
            if not definition.row_key:
                raise UnsupportedError(
                    "expected a primary key, or a unique one that is NOT NULL, found none: a row"
                    " that changes during the read could not be identified",
                    advice="leave the table out (option tables), or add a key",
                )
        table_maps[table] = definition, table_map_of(table, definition, is_mariadb=is_mariadb)
    view = None
    if options.table is not None:
        [(definition, table_map)] = table_maps.values()
        shape = TableShape.of(table_map, EventSite("SHOW CREATE TABLE"), options)
        view = TableView(table_map.table, shape.fields, (shape,), row_key=definition.row_key)
        view = view if options.columns is None else view.picked(options.columns)
        schema = changes_schema(options, view.fields)
    elif options.row == "arrow":
        schema = GROUPS_SCHEMA
    else:
        schema = changes_schema(options, [row_field(options)])
    request = ReadRequest(options, schema, view)
    copied = []
    for table, (definition, table_map) in table_maps.items():
        plan = request.plan(table_map)
        assert plan is not None
        kinds = pa.schema([(w.column.label, w.decoding.arrow_type) for w in plan.wanted])
        selection = Selection.of(definition, table, kinds)
        copied.append(CopiedTable(definitions[table], selection, plan))
    return copied, request


def _converted(plan: RowPlan, rows: pa.RecordBatch) -> list[pa.Array]:
    """Return columns in the types of the output; raises SchemaMismatchError."""
    try:
        return convert_all([wanted.conversion for wanted in plan.wanted], rows.columns)
    except ConversionError as error:
        with prefixed(f"column {plan.wanted[error.column].column.label}"):
            raise error.error from None
