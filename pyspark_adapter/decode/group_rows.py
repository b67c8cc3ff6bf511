"""Turns the groups of one table back into rows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Protocol, TypeVar

import pyarrow as pa

from pyspark_adapter.decode.table_groups import KEY
from pyspark_adapter.errors import EventSite, SchemaMismatchError
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.added_values import added_values
from pyspark_adapter.timeline.ddl import Ddl, ddl_from_json
from pyspark_adapter.timeline.name_case import NameCase
from pyspark_adapter.timeline.table_changes import BaseChange, SchemaChange, added_columns
from pyspark_adapter.values.widening import common_type


class _Group(Protocol):
    """A row of a read with option `row` = `arrow`, by the names of its columns."""

    def __getitem__(self, name: str, /) -> Any: ...


_G = TypeVar("_G", bound=_Group)


@dataclass(frozen=True)
class TableStatement:
    """A statement that changed a table, not its rows.

    Attributes:
        kind: `create`, `alter`, `rename`, `drop` or `truncate`.
        text: the statement.
        commit_version: its place, as `_commit_version` of rows.
    """

    kind: str
    text: str
    commit_version: int


def split_groups(groups: Iterable[_G]) -> tuple[list[list[_G]], tuple[TableStatement, ...]]:
    """Return the runs of groups of one shape, which statements part, and the statements."""
    groups = list(groups)
    runs = [list(run) for shape, run in groupby(groups, key=lambda row: row["shape"]) if shape]
    statements = (
        TableStatement(row["change_type"], row["statement"], row["last_commit_version"])
        for row in groups
        if row["change_type"] is not None
    )
    return runs, tuple(statements)


@dataclass(frozen=True)
class GroupRows:
    """Reads the rows of groups, of one shape or in columns that hold those of several.

    Attributes:
        schema: of the rows.
        shapes: the columns of the groups, by shape.
        added: of columns that were added later, by name in lower case: the commit version before
            which rows lack them, and the value that they show there.
    """

    schema: pa.Schema
    shapes: Mapping[str, pa.Schema]
    added: Mapping[str, tuple[int, pa.Scalar]] = field(default_factory=dict)

    @classmethod
    def over(
        cls,
        table: TableName,
        shapes: Mapping[str, pa.Schema],
        last: pa.Schema,
        definitions: Iterable[tuple[int, str]] = (),
    ) -> GroupRows:
        """Return what reads groups of several shapes, in the columns of all of them.

        Their types are the widest, as with option `mergeSchema`. Columns that were added later show
        what a typed read shows in older rows, with the same warning if that is not known.

        Args:
            shapes: its shapes, in the order of the log.
            last: that of the last rows.
            definitions: statements that define tables, in the order of the log: the commit version
                of each, and itself as `ddl_to_json` writes it.

        Raises:
            SchemaMismatchError: if a column has types without a common one.
        """
        fields: dict[str, pa.Field] = {}
        for column in (column for schema in shapes.values() for column in schema):
            known = fields.setdefault(column.name.lower(), column)
            kind = common_type(known.type, column.type)
            if kind is None:
                raise SchemaMismatchError(
                    f"table {table}: column {column.name} is {known.type} and then {column.type}:"
                    " expected one of the types to hold all values of the other; use the parts of"
                    " the table"
                )
            fields[column.name.lower()] = known.with_type(kind)
        keys = {tuple(map(str.lower, key_of(schema))) for schema in shapes.values()}
        # Rows from before a change of the key need not be unique by the new one.
        key = [fields[name].name for name in keys.pop()] if len(keys) == 1 else ()
        schema = pa.schema(fields.values(), {KEY: json.dumps(key).encode()})
        names = _names(last)
        in_all = {*names}.intersection(*map(_names, shapes.values()))
        lacking = {name: fields[name].type for name in names if name not in in_all}
        added = _added(table, lacking, definitions) if lacking else {}
        return cls(schema, shapes, added)

    def read(self, shape: str, last_commit_version: int, message: pa.Buffer) -> pa.RecordBatch:
        """Return the rows of a group."""
        rows = pa.ipc.read_record_batch(message, self.shapes[shape])
        if rows.schema.equals(self.schema):
            return rows
        columns = dict(zip(_names(rows.schema), rows.columns, strict=True))
        arrays = []
        for name, wanted in zip(_names(self.schema), self.schema, strict=True):
            if name in columns:
                arrays.append(columns[name].cast(wanted.type))
                continue
            end, value = self.added.get(name, (0, None))
            is_older = last_commit_version < end
            arrays.append(
                pa.repeat(value, len(rows)) if is_older else pa.nulls(len(rows), wanted.type)
            )
        return pa.RecordBatch.from_arrays(arrays, schema=self.schema)


def key_of(shape: pa.Schema) -> tuple[str, ...]:
    """Return the names of the key columns of a shape."""
    return tuple(json.loads(shape.metadata[KEY]))


def _names(schema: pa.Schema) -> Sequence[str]:
    return [name.lower() for name in schema.names]


def _added(
    table: TableName, lacking: Mapping[str, pa.DataType], definitions: Iterable[tuple[int, str]]
) -> dict[str, tuple[int, pa.Scalar]]:
    """Return `GroupRows.added` of columns that some shapes lack."""
    versions: dict[EventSite, int] = {}
    changes = []
    for version, text in definitions:
        ddl = ddl_from_json(text)
        versions[ddl.site] = version
        assert ddl.parsed.change is not None
        changes.append(BaseChange((0, ddl.site.start_pos, -1), ddl, ddl.parsed.change))
    log_names = [*dict.fromkeys(site.log_file for site in versions)]
    cases = [change.ddl.case for change in changes]
    case = NameCase(any(c.tells for c in cases), set().union(*(c.twins for c in cases)))

    def is_about(one: SchemaChange, table: TableName, ddl: Ddl) -> bool:
        if table not in one.names and table in map(TableName.lower, one.names):
            case.doubt(table, str(ddl))
        return one.is_of(table, case)

    added = added_columns(table, changes, log_names, is_about)
    values = added_values(table, added, lacking)
    return {
        name: (versions[addition.site], values[name])
        for addition in added
        if (name := addition.column.name.lower()) in values
    }
