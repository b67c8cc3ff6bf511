"""What a read has to give: settled on the driver, carried out for each log."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from pyspark_adapter.errors import EventSite, SchemaMismatchError
from pyspark_adapter.options import BinlogOptions
from pyspark_adapter.output_schema import split_schema
from pyspark_adapter.row_plan import RowPlan, natural_fields, plan_rows
from pyspark_adapter.table_map import TableMap


@dataclass(frozen=True)
class TableShape:
    """The columns of a table, and where the log describes it so.

    Attributes:
        fields: the columns, as Arrow fields.
        site: the table map that was taken for it.
    """

    fields: tuple[pa.Field, ...]
    site: EventSite


class ReadRequest:
    """The columns to give, and of which rows.

    Args:
        options: of the read.
        schema: of the output.
        shape: of the table, if the schema was made from the log; then a table map with other
            columns is an error.

    Attributes:
        options: of the read.
        schema: of the output.
        metadata: names of the metadata columns among them, in order.

    Raises:
        SchemaMismatchError: if the schema has fields that cannot be.
    """

    def __init__(
        self, options: BinlogOptions, schema: pa.Schema, shape: TableShape | None = None
    ) -> None:
        self.options = options
        self.schema = schema
        self._shape = shape
        self.metadata: list[str] = []
        self._fields: list[pa.Field] = []
        if options.view == "changes":
            self.metadata, self._fields = split_schema(schema, options)

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
        if self._shape is not None:
            found = tuple(natural_fields(table_map, self.options))
            if found != self._shape.fields:
                raise SchemaMismatchError(
                    f"table {table_map.table} has other columns here than at {self._shape.site}:"
                    f" {_differences(self._shape.fields, found)}; a schema of your own can name the"
                    " columns that both have"
                )
        return plan_rows(table_map, self._fields, self.options)


def _differences(before: tuple[pa.Field, ...], after: tuple[pa.Field, ...]) -> str:
    """Return what differs between two shapes, in a few words."""
    old = {field.name: field.type for field in before}
    new = {field.name: field.type for field in after}
    parts = [f"{name} is gone" for name in old if name not in new]
    parts += [f"{name} {new[name]} is new" for name in new if name not in old]
    parts += [
        f"{name} was {old[name]} and is {new[name]}"
        for name in old
        if name in new and old[name] != new[name]
    ]
    return ", ".join(parts) or "in another order"
