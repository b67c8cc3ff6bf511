"""What a read has to give: planned on the driver, carried out for each log."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property

import pyarrow as pa

from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.output_schema import STATEMENT_METADATA, split_schema
from pyspark_adapter.plan.row_plan import RowPlan, natural_fields, plan_rows, variant_fields
from pyspark_adapter.plan.table_view import TableView
from pyspark_adapter.schema_history.catalog import Catalog
from pyspark_adapter.schema_history.catalog_snapshots import CatalogSnapshots
from pyspark_adapter.schema_history.given_tables import GivenTables
from pyspark_adapter.schema_history.packed import Packed
from pyspark_adapter.schema_history.removal_watch import Removals
from pyspark_adapter.schema_history.rename_history import RenameHistory
from pyspark_adapter.schema_history.schema_history import SchemaHistory
from pyspark_adapter.schema_history.snapshots_by_log import SnapshotsByLog
from pyspark_adapter.schema_history.table_map_completer import (
    NOTHING_ADDED,
    CompletionWarnings,
    TableMapCompleter,
)
from pyspark_adapter.sources.log_file import LogFile


@dataclass(frozen=True)
class Definitions:
    """Where names and types come from that a log does not hold itself.

    Attributes:
        given: tables as the user defines them (option ddl), along the logs.
        snapshots: of the catalog along each log.
        renames: the former names of the table; None without option followRenames.
        first_log: path of the first log of the read; empty for none.
        log_files: all logs of the read, in order.
    """

    given: GivenTables = field(default_factory=GivenTables)
    snapshots: SnapshotsByLog = field(default_factory=lambda: SnapshotsByLog({}))
    renames: RenameHistory | None = None
    first_log: str = ""
    log_files: Packed[Sequence[LogFile]] = field(default_factory=lambda: Packed(()))

    def defines(self, table: TableName) -> bool:
        """Return whether the user defines a table."""
        return self.given.find(table) is not None

    def defines_all(self, options: BinlogOptions) -> bool:
        """Return whether the user defines each table that a read may give rows of."""
        if options.table is not None:
            return self.defines(options.table)
        names = [(pattern.database.name, pattern.table.name) for pattern in options.tables or ()]
        return bool(names) and all(
            database is not None and table is not None and self.defines(TableName(database, table))
            for database, table in names
        )


def needs_names(options: BinlogOptions, schema: pa.Schema, definitions: Definitions) -> bool:
    """Return whether a read needs column names that a log may hold in its statements alone.

    Raises:
        SchemaMismatchError: if the schema has fields that are not allowed.
    """
    if options.view == "events":
        return False
    _, fields = split_schema(schema, options)
    return bool(fields or options.table) and not definitions.defines_all(options)


class ReadRequest:
    """The columns and rows that a read gives.

    Args:
        options: of the read.
        schema: of the output.
        view: the discovered columns of the table, which every table map has to fit; None if the
            user gave a schema.
        definitions: for table maps without names.

    Attributes:
        options: of the read.
        schema: of the output.
        metadata: names of the metadata columns among them, in order.

    Raises:
        SchemaMismatchError: if the schema has fields that are not allowed.
    """

    def __init__(
        self,
        options: BinlogOptions,
        schema: pa.Schema,
        view: TableView | None = None,
        definitions: Definitions | None = None,
    ) -> None:
        self.options = options
        self.schema = schema
        self._view = view
        self._definitions = definitions or Definitions()
        # The catalog at an offset of the log that was read last, by its path; shared by copies.
        self._found: dict[str, tuple[int, Catalog]] = {}
        self.metadata: list[str] = []
        self._fields: list[pa.Field] = []
        if options.view == "changes":
            self.metadata, self._fields = split_schema(schema, options)

    @property
    def removals(self) -> Removals | None:
        """Statements that removed rows; None if no one has looked."""
        return None if self._view is None else self._view.removals

    @property
    def row_key(self) -> tuple[str, ...]:
        """Names of the columns that identify a row; see `TableView.row_key`."""
        return () if self._view is None else self._view.row_key

    def narrowed(self, options: BinlogOptions) -> ReadRequest:
        """Return the same request with other filters."""
        request = copy(self)
        request.options = options
        return request

    @property
    def given(self) -> GivenTables:
        """Tables as the user defines them."""
        return self._definitions.given

    def with_given(self, given: GivenTables) -> ReadRequest:
        """Return the same request with the tables that the user defines along other logs."""
        request = copy(self)
        request._definitions = replace(self._definitions, given=given)
        return request

    @property
    def row_form(self) -> str | None:
        """How rows of all tables are given, as the option `row`; None if columns are given."""
        return self.options.row if self.options.table is None and self._fields else None

    @property
    def statement_metadata(self) -> list[str]:
        """Names of the metadata columns of statements, which groups have apart from rows."""
        others = STATEMENT_METADATA if self.row_form == "arrow" else ()
        return list(dict.fromkeys([*self.metadata, *others]))

    @property
    def omits_absent(self) -> bool:
        """Whether rows are objects, from which absent columns are omitted."""
        return self.row_form in ("json", "variant")

    @cached_property
    def bytes_of_nulls(self) -> int:
        """Bytes of a row of the output that holds no value of its own, at least 1."""
        # A validity bit, and a value or an offset.
        bits = [1 + (t.bit_width if pa.types.is_primitive(t) else 32) for t in self.schema.types]
        defaults = (self._view.defaults if self._view is not None else None) or {}
        asked = (name.lower() for name in self.schema.names)
        num_bytes: int = sum(pa.repeat(defaults[n], 1).nbytes for n in asked if n in defaults)
        return 1 + sum(bits) // 8 + num_bytes

    def plan(self, table_map: TableMap) -> RowPlan | None:
        """Return how to read the rows of a table; None if they are not asked for.

        Raises:
            SchemaMismatchError: if the table has other columns than the schema says.
            UnsupportedError: if a wanted column cannot be decoded.
        """
        if self.options.table is None:
            form = self.row_form
            if form == "variant":
                fields: Sequence[pa.Field] | None = variant_fields(table_map, self.options)
            elif form == "arrow":
                fields = natural_fields(table_map, self.options)
            else:
                fields = None if form == "json" else ()
            return plan_rows(table_map, fields, self.options)
        if table_map.table != self.options.table:
            return None
        fields = self._fields
        if self._view is not None:
            fields = self._view.fields_of(table_map, self.options)
        return plan_rows(table_map, fields, self.options)

    def _added_in(self, log_file: LogFile) -> Mapping[str, int]:
        """Return, by name, the offset before which rows of a log lack columns with a default."""
        if self._view is None or self._view.added is None or not self._view.defaults:
            return NOTHING_ADDED
        ends = self._view.added.ends_in(log_file.name)
        return {name: end for name, end in ends.items() if name in self._view.defaults}

    def defaults_of(self, plan: RowPlan) -> dict[str, pa.Scalar]:
        """Return what columns show that the rows of a plan lack since they were added later."""
        later = set(plan.table_map.added_later)
        if self._view is None or not self._view.defaults or not later:
            return {}
        later -= {column.label.lower() for column in plan.table_map.columns}
        names = [field.name for field in self._fields if field.name.lower() in later]
        return {name: self._view.defaults[name.lower()] for name in names}

    @property
    def needs_names(self) -> bool:
        """Whether names of columns matter that a log may hold in its statements alone."""
        return needs_names(self.options, self.schema, self._definitions)

    def snapshots_along(self, log_file: LogFile) -> CatalogSnapshots | None:
        """Return the snapshots of the catalog along a log; None if they were not needed."""
        return self._definitions.snapshots.along(log_file.path)

    def known_catalog(self, log_file: LogFile, pos: int) -> tuple[int, Catalog] | None:
        """Return the last known offset at or before an offset of a log, and the catalog there.

        Args:
            log_file: the log.
            pos: the offset in bytes; sys.maxsize for the end of the log.

        Returns:
            None if nothing is known along the log.
        """
        snapshots = self.snapshots_along(log_file)
        if snapshots is not None:
            return snapshots.near(pos, log_file.num_bytes)
        found = self._found.get(log_file.path)
        return found if found is not None and found[0] <= pos else None

    def remember_catalog(self, log_file: LogFile, pos: int, catalog: Catalog) -> None:
        """Keep the catalog at an offset of a log, from which that of the next log follows."""
        self._found.clear()
        self._found[log_file.path] = pos, catalog

    @property
    def log_files(self) -> Sequence[LogFile]:
        """All logs of the read, in order, as they were when it was planned."""
        return self._definitions.log_files.value

    @cached_property
    def has_one_order(self) -> bool:
        """Whether no two logs have the same name, as those of several servers may."""
        names = [log.name for log in self.log_files]
        return len({*names}) == len(names)

    def is_first(self, log_file: LogFile) -> bool:
        """Return whether no log of the read comes before a log."""
        return self._definitions.first_log in ("", log_file.path)

    def logs_before(self, log_file: LogFile) -> Sequence[LogFile]:
        """Return the logs of the read before a log, in order; none if it is not one of them."""
        paths = [log.path for log in self.log_files]
        return self.log_files[: paths.index(log_file.path)] if log_file.path in paths else ()

    def completer(
        self,
        log_file: LogFile,
        start: int,
        catalog: Catalog | None,
        wants: Callable[[TableName], bool] | None = None,
    ) -> TableMapCompleter:
        """Return what completes the table maps of a log.

        Args:
            log_file: the log.
            start: offset in bytes where the read of it starts.
            catalog: the catalog there; None if it is not known.
            wants: whether the columns of a table matter; None for all.
        """
        options = self.options
        warns = None
        if self._view is None:  # else discovery has warned
            warns = CompletionWarnings(of_missing_names=self.row_form is not None)
        completer = TableMapCompleter(
            SchemaHistory(catalog),
            self._definitions.given,
            self._definitions.renames,
            table=options.table,
            wants=wants,
            warns=warns,
            added=self._added_in(log_file),
        )
        completer.begin_log(log_file.path, start)
        return completer
