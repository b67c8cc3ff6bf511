"""What a read has to give: settled on the driver, carried out for each log."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field

import pyarrow as pa

from pyspark_adapter.definitions.catalog import Catalog
from pyspark_adapter.definitions.former_names import FormerNames
from pyspark_adapter.definitions.log_definitions import LogDefinitions
from pyspark_adapter.definitions.table_completion import TableCompletion
from pyspark_adapter.definitions.table_definition import TableDefinition
from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.inputs.log_files import LogFile
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.output_schema import split_schema
from pyspark_adapter.plan.row_plan import RowPlan, plan_rows
from pyspark_adapter.plan.table_view import TableView


@dataclass(frozen=True)
class Definitions:
    """Where names and types come from that a log does not hold itself.

    Attributes:
        given: tables as the user defines them (option ddl).
        along: what statements have defined along each log, by its path.
        former: names that the table had, by log; see `definitions.former_names`.
    """

    given: Mapping[TableName, TableDefinition | None] = field(default_factory=dict)
    along: Mapping[str, LogDefinitions] = field(default_factory=dict)
    former: FormerNames = field(default_factory=dict)


class ReadRequest:
    """The columns to give, and of which rows.

    Args:
        options: of the read.
        schema: of the output.
        view: of the table, if the schema was made from the logs; table maps that do not fit
            into it are an error then.
        definitions: for table maps without names.

    Attributes:
        options: of the read.
        schema: of the output.
        metadata: names of the metadata columns among them, in order.

    Raises:
        SchemaMismatchError: if the schema has fields that cannot be.
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
        self.metadata: list[str] = []
        self._fields: list[pa.Field] = []
        if options.view == "changes":
            self.metadata, self._fields = split_schema(schema, options)

    def narrowed(self, options: BinlogOptions) -> ReadRequest:
        """Return the same request for the rows that other filters leave."""
        request = copy(self)
        request.options = options
        return request

    @property
    def gives_rows_as_json(self) -> bool:
        """Whether rows are given as JSON text."""
        return self.options.table is None and bool(self._fields)

    def plan(self, table_map: TableMap) -> RowPlan | None:
        """Return how the rows of a table are read; None if they are not asked for.

        Raises:
            SchemaMismatchError: if the table has other columns than the schema says.
            UnsupportedError: if a wanted column cannot be decoded.
        """
        if self.options.table is None:
            return plan_rows(table_map, None if self._fields else (), self.options)
        if table_map.table != self.options.table:
            return None
        fields: Sequence[pa.Field] = self._fields
        if self._view is not None:
            fields = self._view.fields_of(table_map, self.options)
        return plan_rows(table_map, fields, self.options)

    @property
    def needs_names(self) -> bool:
        """Whether names of columns matter that a log may hold in its statements alone."""
        if self.options.table is None:
            return bool(self._fields)
        given = self._definitions.given
        table = self.options.table
        return not (given.get(table) or given.get(TableName("", table.table_name)))

    def catalog_before(self, log_file: LogFile) -> Catalog | None:
        """Return what the logs before a log have defined; None if that is not known."""
        along = self.definitions_along(log_file)
        return None if along is None else along.before

    def definitions_along(self, log_file: LogFile) -> LogDefinitions | None:
        """Return what statements have defined along a log; None if it was not looked through."""
        return self._definitions.along.get(log_file.path)

    def completion(
        self, log_file: LogFile, load: Callable[[], Catalog] | None = None
    ) -> TableCompletion:
        """Return what completes the table maps of a log.

        Args:
            log_file: the log.
            load: gives what is defined where the read begins, if that is not the beginning of the
                log; called if a table map needs it.
        """
        completion = TableCompletion(
            self._definitions.given,
            self.catalog_before(log_file),
            self.options.table,
            has_own_names=self.options.table is not None,
            is_silent=self._view is not None,  # told when the view was made
            former=self._definitions.former,
            load=load,
        )
        completion.begin_log(log_file.path)
        return completion
