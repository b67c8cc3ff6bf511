"""The columns that a read returns of a table, whose shape may change within the input."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Final

import pyarrow as pa

from pyspark_adapter.errors import (
    EventSite,
    OptionError,
    SchemaMismatchError,
    did_you_mean,
    listed,
    one_line,
)
from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.output_schema import METADATA_BY_NAME
from pyspark_adapter.plan.row_plan import natural_fields
from pyspark_adapter.timeline.table_changes import Additions
from pyspark_adapter.values.widening import common_type
from pyspark_adapter.warn import warn

_ADVICE: Final = "pass a schema with the columns that both have"


@dataclass(frozen=True)
class TableShape:
    """The columns of a table at some position of the log.

    Attributes:
        site: the first table map of this shape.
        has_names: whether the columns have names, rather than `col_1`, `col_2`, ...
        all_names: of all columns, also those that option `columns` does not pick.
    """

    fields: tuple[pa.Field, ...]
    site: EventSite
    has_names: bool
    all_names: tuple[str, ...] = ()

    @classmethod
    def of(cls, table_map: TableMap, site: EventSite, options: BinlogOptions) -> TableShape:
        """Return the shape of a table map; raises SchemaMismatchError, UnsupportedError."""
        fields = tuple(natural_fields(table_map, options))
        names = pa.schema(fields).names
        _check_case(table_map.table, names)
        if options.columns is not None:
            names = [column.label for column in table_map.columns]
        return cls(fields, site, table_map.has_names, tuple(names))


@dataclass(frozen=True)
class TableView:
    """The columns that a read returns of a table.

    Attributes:
        shapes: the shapes that the fields were derived from, in the order of the log.
        takes_less: whether a shape may lack columns, which are null then.
        takes_more: whether a shape may have columns that are not returned.
        row_key: names of the columns that identify a row, in order, also those that are not
            returned; empty if they are not known, or change within the shapes.
        surveyed_to: the table map up to which alone the logs were surveyed; None for their end.
        added: columns that were added to it; None if the logs were not surveyed.
        defaults: by name in lower case, what those columns show in rows from before, as far as it
            is known; None if the logs were not surveyed.
    """

    table: TableName
    fields: tuple[pa.Field, ...]
    shapes: tuple[TableShape, ...]
    takes_less: bool = False
    takes_more: bool = False
    row_key: tuple[str, ...] = ()
    surveyed_to: EventSite | None = None
    added: Additions | None = None
    defaults: Mapping[str, pa.Scalar] | None = None

    @classmethod
    def over(
        cls, table: TableName, shapes: Sequence[TableShape], options: BinlogOptions
    ) -> TableView:
        """Return the view over several shapes, by the options mergeSchema and schemaAt.

        Args:
            shapes: in the order of the log. The first is enough without mergeSchema, or with
                schemaAt `first`.

        Raises:
            SchemaMismatchError: if two shapes have no common form; its site is the later one.
        """
        keeps = options.on_schema_change == "keep"
        if options.schema_at is None and not options.merge_schema:
            first = shapes[0]
            return cls(table, first.fields, (first,), takes_less=keeps, takes_more=keeps)
        if options.schema_at == "first":
            return cls(table, shapes[0].fields, (shapes[0],), takes_less=True, takes_more=True)
        order = [*shapes[-1:], *shapes[:-1]] if options.schema_at == "latest" else list(shapes)
        columns: dict[str, pa.Field] = {}
        sources: dict[str, TableShape] = {}
        for shape in order:
            if shape is not shapes[0]:
                _check_names(table, shapes[0], shape)
            for field in shape.fields:
                key = field.name.lower()
                if key not in columns:
                    columns[key], sources[key] = field, shape
                    continue
                kind = common_type(columns[key].type, field.type)
                if kind is None:
                    raise _no_common_type(table, columns[key], sources[key], field, shape)
                columns[key] = columns[key].with_type(kind)
        if options.schema_at == "latest":
            names = {field.name.lower() for field in shapes[-1].fields}
            columns = {key: field for key, field in columns.items() if key in names}
        takes_more = options.schema_at == "latest" or keeps
        return cls(
            table, tuple(columns.values()), tuple(shapes), takes_less=True, takes_more=takes_more
        )

    def picked(self, columns: Sequence[str]) -> TableView:
        """Return the view with its columns in the order of the option `columns`.

        Raises:
            OptionError: if one does not exist, or is named twice.
        """
        fields: dict[str, pa.Field] = {}
        for name in columns:
            key = name.lower()
            if key not in self._indices or key in fields:
                raise self._no_column(name)
            fields[key] = self.fields[self._indices[key]]
        return replace(self, fields=tuple(fields.values()))

    def _no_column(self, name: str) -> OptionError:
        names = list(dict.fromkeys(n for shape in self.shapes for n in shape.all_names))
        reason = f"table {self.table} has no column {one_line(name)}{did_you_mean(name, names)}"
        if name in METADATA_BY_NAME:
            reason = f"{name} is a metadata column, which option metadataColumns chooses"
        elif name.lower() in (other.lower() for other in names):
            reason = f"column {name} is named twice"
        return OptionError(
            f"option columns: {reason}; expected names among {listed(names)}",
            option="columns",
            value=name,
            allowed=", ".join(names),
        )

    @cached_property
    def _indices(self) -> dict[str, int]:
        """The index of each column by its name in lower case."""
        return {field.name.lower(): i for i, field in enumerate(self.fields)}

    @cached_property
    def _names(self) -> frozenset[str]:
        """The names of all columns that were there when the read began, in lower case."""
        return frozenset(field.name.lower() for shape in self.shapes for field in shape.fields)

    def fields_of(self, table_map: TableMap, options: BinlogOptions) -> list[pa.Field]:
        """Return the columns of the view that a table map has.

        Raises:
            SchemaMismatchError: if its shape does not fit the view.
            UnsupportedError: for an unsupported type or character set.
        """
        shape = TableShape.of(table_map, EventSite(""), options)
        if shape.fields == self.fields:
            return list(self.fields)
        if not self.takes_less:
            raise SchemaMismatchError(
                f"table {self.table} has other columns here than at {self.shapes[0].site}:"
                f" {_differences(self.fields, shape.fields)}",
                advice=_ADVICE,
            )
        _check_names(self.table, self.shapes[0], shape)
        there = {field.name.lower(): field for field in shape.fields}
        indices = sorted(self._indices[key] for key in there.keys() & self._indices.keys())
        chosen = [self.fields[i] for i in indices]
        new = [there[key].name for key in there.keys() - self._names] if self.takes_more else ()
        if options.on_schema_change == "keep":
            for name in new:
                _warn_of_new(self.table, name)
        is_refused = bool(new) and options.on_schema_change == "end"
        if is_refused or (not self.takes_more and len(chosen) < len(there)):
            raise SchemaMismatchError(
                f"table {self.table} has columns here that the input did not have when the read"
                f" began: {_differences(self.fields, shape.fields)}",
                advice="start the query again to continue with the new columns, or pass a schema",
            )
        for field in chosen:
            natural = there[field.name.lower()]
            common = common_type(field.type, natural.type)
            if common is not None and options.on_schema_change == "keep":
                continue  # each value is looked at
            if common is not None and common != field.type and not self.takes_more:
                raise SchemaMismatchError(
                    f"table {self.table}: column {field.name} is {natural.type} here, and was"
                    f" {field.type} when the read began",
                    advice=f"start the query again to continue with {common}, or pass a schema",
                )
            if common != field.type:
                raise _no_common_type(self.table, field, self.shapes[0], natural, shape)
        return chosen


@lru_cache(maxsize=1 << 10)  # once in a process, not for each table map
def _warn_of_new(table: TableName, name: str) -> None:
    warn(
        f"table {table}: column {one_line(name)} is left out, which it did not have when the stream"
        " began; start the query again to have it"
    )


def _check_case(table: TableName, names: Sequence[str]) -> None:
    """Check that no two columns have the same name, or names that differ in case alone.

    Raises:
        SchemaMismatchError: if two have.
    """
    seen: dict[str, str] = {}
    for name in names:
        other = seen.get(name.lower())
        if other is not None:
            raise SchemaMismatchError(
                f"table {table} has columns {other} and {name}: expected names that differ in more"
                " than case",
                advice="read it without option table: rows are JSON text with both",
            )
        seen[name.lower()] = name


def _check_names(table: TableName, first: TableShape, other: TableShape) -> None:
    """Check that columns of two shapes match by name, or by order if neither has names.

    Raises:
        SchemaMismatchError: if they do not.
    """
    if first.has_names and other.has_names:
        return
    if first.has_names == other.has_names and len(first.fields) == len(other.fields):
        return
    words = [
        f"{len(shape.fields)} columns {'with' if shape.has_names else 'without'} names"
        for shape in (first, other)
    ]
    raise SchemaMismatchError(
        f"table {table} has {words[1]} here, and {words[0]} at {first.site}: expected names, or"
        " the same number of columns",
        site=other.site if other.site.log_file else None,
        advice="name them with option ddl, or pass a schema",
    )


def _no_common_type(
    table: TableName, before: pa.Field, first: TableShape, after: pa.Field, other: TableShape
) -> SchemaMismatchError:
    return SchemaMismatchError(
        f"table {table}: column {after.name} is {after.type} here and {before.type} at"
        f" {first.site}: expected one of the types to hold all values of the other",
        site=other.site if other.site.log_file else None,
        advice=_ADVICE,
    )


def _differences(before: tuple[pa.Field, ...], after: tuple[pa.Field, ...]) -> str:
    """Return the differences between two shapes, for error messages."""
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
