"""What a read has to give: planned on the driver, carried out for each log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from pyspark_adapter.errors import BinlogError
from pyspark_adapter.events.row_filter import TableFilter
from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.output_schema import STATEMENT_METADATA, split_schema
from pyspark_adapter.plan.row_plan import RowPlan, natural_fields, plan_rows, variant_fields
from pyspark_adapter.plan.table_view import TableView
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.timeline.followed_log import FollowedLog
from pyspark_adapter.timeline.removals import Removals, find_removals
from pyspark_adapter.timeline.table_map_completer import (
    NOTHING_ADDED,
    CompletionWarnings,
    TableMapCompleter,
)
from pyspark_adapter.timeline.timeline import Timeline
from pyspark_adapter.timeline.timeline_part import TimelinePart
from pyspark_adapter.timeline.user_ddl import UserDdl

if TYPE_CHECKING:
    from pyspark_adapter.index_store.index_folder import IndexFolder
    from pyspark_adapter.index_store.log_index import LogIndex
    from pyspark_adapter.plan.key_filter import KeyFilter


class ReadRequest:
    """The columns and rows that a read gives.

    Args:
        schema: of the output.
        view: the discovered columns of the table, which every table map has to fit; None if the
            user gave a schema.
        timeline: of the logs of the read, for table maps without names. Tasks get parts of it.
        indexes: of the option index; None for none.

    Attributes:
        timeline, indexes: as passed; None in tasks.
        user_ddl: the tables of the option ddl.
        has_one_order: whether no two logs have the same name, as those of several servers may.
        schema: of the output.
        metadata: names of the metadata columns among them, in order.
        row_form: how rows of all tables are returned, as the option `row`; None for columns.
        omits_absent: whether rows are objects, from which absent columns are omitted.
        key_filter: what the option keys selects; None for all rows.

    Raises:
        SchemaMismatchError: if the schema has fields that are not allowed.
    """

    def __init__(
        self,
        options: BinlogOptions,
        schema: pa.Schema,
        view: TableView | None = None,
        timeline: Timeline | None = None,
        indexes: IndexFolder | None = None,
    ) -> None:
        self.options = options
        self.indexes = indexes
        self.schema = schema
        self._view = view
        self.timeline = timeline
        self.user_ddl = UserDdl() if timeline is None else timeline.user_ddl
        names = [log.name for log in self.log_files]
        self.has_one_order = len({*names}) == len(names)
        self.metadata: list[str] = []
        self._fields: list[pa.Field] = []
        self._tables = TableFilter(options)  # definitions of other tables may take long to find
        if options.view == "changes":
            self.metadata, self._fields = split_schema(schema, options)
        has_rows = options.table is None and bool(self._fields)
        self.row_form = options.row if has_rows else None
        self.omits_absent = self.row_form in ("json", "variant", "debezium")
        self.key_filter: KeyFilter | None = None
        if options.keys is not None:
            from pyspark_adapter.plan.key_filter import KeyFilter

            self.key_filter = KeyFilter.of(options, self._fields, self.row_key)

    @cached_property
    def removals(self) -> Removals | None:
        """Statements that removed rows; None if the logs were not surveyed, as in tasks."""
        if self._view is None or self.timeline is None:
            return None
        return find_removals(self.timeline, self.options, self._view.surveyed_to)

    @property
    def row_key(self) -> tuple[str, ...]:
        """Names of the columns that identify a row; see `TableView.row_key`."""
        return () if self._view is None else self._view.row_key

    def narrowed(self, options: BinlogOptions) -> ReadRequest:
        """Return the same request with other filters, and as tasks have it."""
        request = copy(self)
        request.options = options
        return request

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"timeline": None, "indexes": None}

    def with_timeline(self, timeline: Timeline, indexes: IndexFolder | None = None) -> ReadRequest:
        """Return the same request with a timeline and indexes, which are not pickled."""
        request = copy(self)
        request.timeline, request.user_ddl = timeline, timeline.user_ddl
        request.indexes = indexes
        return request

    def without_indexes(self) -> ReadRequest:
        """Return the same request, of logs that were written since they were indexed."""
        request = copy(self)
        request.indexes = None
        return request

    def index_of(self, log_file: LogFile) -> LogIndex | None:
        """Return the index of a log; None if there is none that holds; raises BinlogError."""
        return None if self.indexes is None else self.indexes.find(log_file)

    @property
    def log_files(self) -> Sequence[LogFile]:
        """All logs of the read, in order; none in tasks."""
        return () if self.timeline is None else self.timeline.log_files

    @property
    def statement_metadata(self) -> list[str]:
        """Names of the metadata columns of statements, which groups have apart from rows."""
        others = STATEMENT_METADATA if self.row_form == "arrow" else ()
        return list(dict.fromkeys([*self.metadata, *others]))

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
                fields = None if form in ("json", "debezium") else ()
            return plan_rows(table_map, fields, self.options)
        if table_map.table != self.options.table:
            return None
        fields = self._fields
        if self._view is not None:
            fields = self._view.fields_of(table_map, self.options)
        return plan_rows(table_map, fields, self.options)

    def misfit(self, table_map: TableMap) -> BinlogError | None:
        """Return why the rows of a table map do not fit the discovered columns; None if they do."""
        try:
            self.plan(table_map)
        except BinlogError as error:
            return error
        return None

    def _added_in(self, log_file: LogFile) -> Mapping[str, int]:
        """Return, by name, the offset before which rows of a log lack columns with a default."""
        if self._view is None or self._view.added is None or not self._view.defaults:
            return NOTHING_ADDED
        ends = self._view.added.ends_in(log_file.name)
        return {name: end for name, end in ends.items() if name in self._view.defaults}

    def defaults_of(self, plan: RowPlan) -> dict[str, pa.Scalar]:
        """Return the defaults of columns that the rows of a plan lack: they were added later."""
        later = set(plan.table_map.added_later)
        if self._view is None or not self._view.defaults or not later:
            return {}
        later -= {column.label.lower() for column in plan.table_map.columns}
        names = [field.name for field in self._fields if field.name.lower() in later]
        return {name: self._view.defaults[name.lower()] for name in names}

    @property
    def needs_names(self) -> bool:
        """Whether the read needs column names, which a log may have only in its statements."""
        is_events = self.options.view == "events"
        return not is_events and bool(self._fields or self.options.table)

    @property
    def needs_statements(self) -> bool:
        """Whether the read gives statements, whose effect may depend on earlier ones."""
        return self.options.schema_changes or self.row_form == "arrow"

    def wants(self, table: TableName) -> bool:
        """Return whether the columns of a table matter."""
        if self.options.table is not None:
            return table == self.options.table
        return self._tables.keeps(table)

    def part_of(self, log_file: LogFile, start: int, stop: int | None) -> TimelinePart | None:
        """Return what a task needs of the timeline; None where there is none."""
        if self.timeline is None:
            return None
        return self.timeline.part(log_file, start, stop, self.wants)

    def is_complete(self, log_file: LogFile) -> bool:
        """Return whether the table maps of a log are known to have all that the read needs."""
        view, options = self._view, self.options
        if view is None or view.defaults or options.follow_renames or options.schema_changes:
            return False
        timeline = self.timeline
        return timeline is not None and not self.user_ddl.tables and timeline.names_all(log_file)

    def completer(
        self, log_file: LogFile, part: TimelinePart | None, *, is_whole: bool = False
    ) -> TableMapCompleter:
        """Return the completer of the table maps of a log.

        Args:
            part: what the plan has found of the timeline; None if it is asked along the way.
            is_whole: whether the log is read from its start to its end.
        """
        if part is None and self.timeline is not None:
            part = FollowedLog(self.timeline, log_file, is_whole=is_whole)
        warns = None
        if self._view is None:  # else discovery has warned
            warns = CompletionWarnings(of_missing_names=self.row_form is not None)
        return TableMapCompleter(
            part or TimelinePart(is_surveyed=False),
            self.user_ddl,
            table=self.options.table,
            wants=self._tables.keeps,
            warns=warns,
            added=self._added_in(log_file),
        )
