"""How to decode the rows of a table, planned once for each table map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

import pyarrow as pa

from pyspark_adapter.errors import (
    BinlogError,
    SchemaMismatchError,
    UnsupportedError,
    listed,
    prefixed,
)
from pyspark_adapter.events.table_map import Column, TableMap, subject_of
from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.kernels.layout import Op
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.conversion import Conversion, conversion_of, narrowing_of
from pyspark_adapter.values.column_types import (
    GEOMETRY,
    NATIVE_GEOMETRY,
    UNSIGNED_BIGINT,
    VARIANT,
    Decoding,
    as_variant,
    decoding_of,
    text_decoding,
    width_of,
)
from pyspark_adapter.values.kinds import KINDS
from pyspark_adapter.values.widening import is_wider

_TIME: Final = pa.duration("us")
_TIME_TYPES: Final = MappingProxyType(
    {"interval": _TIME, "string": pa.string(), "micros": pa.int64()}
)
_UNSIGNED_TYPES: Final = MappingProxyType(
    {"decimal": UNSIGNED_BIGINT, "long": pa.int64(), "string": pa.string()}
)
_GEOMETRY_TYPES: Final = MappingProxyType({"wkb": GEOMETRY, "native": NATIVE_GEOMETRY})


@dataclass(frozen=True, slots=True)
class WantedColumn:
    """A column of the output that is decoded from row images.

    Attributes:
        field: the column of the output; its type may be wider than that of the decoding.
        conversion: to the type of the output, if that is not just a wider one.
    """

    column: Column
    decoding: Decoding
    field: pa.Field
    conversion: Conversion | None = None

    @property
    def decoded_type(self) -> pa.DataType:
        """The type of the column before its conversion."""
        return self.field.type if self.conversion is None else self.decoding.arrow_type


@dataclass(frozen=True, slots=True)
class RowPlan:
    """How to read the rows of one table map.

    Attributes:
        widths: widths of all its columns; see `values.column_types.width_of`.
        wanted: the columns to decode, in the order of the output.
    """

    table_map: TableMap
    widths: tuple[int, ...]
    wanted: tuple[WantedColumn, ...]


# Of rows of statements: a block with this plan has metadata alone.
NO_ROWS: Final = RowPlan(TableMap(TableName("", ""), ()), (), ())


# Metadata columns about JSON documents of all columns, wanted or not.
_ABOUT_DOCUMENTS: Final = frozenset({"_absent_columns", "_json_diff"})


def located_columns(plan: RowPlan, metadata: Sequence[str]) -> list[Column]:
    """Return the columns to find in row images: the wanted ones, then those only looked at.

    Args:
        metadata: names of the metadata columns that are asked for.
    """
    located = {wanted.column.index: wanted.column for wanted in plan.wanted}
    if not _ABOUT_DOCUMENTS.isdisjoint(metadata):
        located |= {column.index: column for column in plan.table_map.json_columns}
    return list(located.values())


def natural_fields(table_map: TableMap, options: BinlogOptions) -> list[pa.Field]:
    """Return the columns of a table that the options pick, with their default types.

    Raises:
        UnsupportedError: for an unsupported type or character set.
    """
    fields = []
    columns: Sequence[Column] = table_map.columns
    if options.columns is not None:
        columns = picked_columns(table_map, options.columns)
    for column in columns:
        decoding = _decoding_of(table_map, column, options)
        if options.json == "variant":
            decoding = as_variant(decoding)
        fields.append(pa.field(column.label, default_type(column, decoding.arrow_type, options)))
    return fields


def default_type(column: Column, decoded: pa.DataType, options: BinlogOptions) -> pa.DataType:
    """Return the type of a column without a schema."""
    if decoded == _TIME:
        return _TIME_TYPES[options.time]
    if decoded == UNSIGNED_BIGINT and column.type_code == Code.longlong:
        return _UNSIGNED_TYPES[options.unsigned_bigint]
    if decoded == GEOMETRY:
        return _GEOMETRY_TYPES[options.geometry]
    return decoded


def variant_fields(table_map: TableMap, options: BinlogOptions) -> list[pa.Field]:
    """Return all columns of a table with the types that VARIANT is made from.

    Raises:
        UnsupportedError: for an unsupported type or character set.
    """
    return [
        pa.field(column.label, as_variant(_decoding_of(table_map, column, options)).arrow_type)
        for column in table_map.columns
    ]


def _decoding_of(table_map: TableMap, column: Column, options: BinlogOptions) -> Decoding:
    """Return how a column is decoded; an error names it."""
    try:
        return decoding_of(
            column,
            default_charset=options.default_charset,
            invalid_text=options.invalid_text,
            uuid=options.uuid,
        )
    except BinlogError:
        # The name takes longer to make than the decoding.
        with prefixed(subject_of(table_map, column)):
            raise


def picked_columns(table_map: TableMap, names: Sequence[str]) -> list[Column]:
    """Return the columns of some names, in the order of the names, without those that it lacks.

    Args:
        names: as the option `columns`; case counts only between names that differ in case alone.
    """
    by_name = {column.label.lower(): column for column in reversed(table_map.columns)}
    by_name |= {column.label: column for column in table_map.columns}
    columns = (by_name.get(name) or by_name.get(name.lower()) for name in names)
    return list(dict.fromkeys(column for column in columns if column is not None))


def plan_rows(
    table_map: TableMap, fields: Sequence[pa.Field] | None, options: BinlogOptions
) -> RowPlan:
    """Plan how to read the rows of a table; raises SchemaMismatchError, UnsupportedError.

    Args:
        fields: columns of the output; None for all columns, in the types that JSON is made from.
    """
    wanted = []
    columns = table_map.columns if fields is None else match_columns(table_map, fields)
    if not table_map.has_logged_digits:
        check_digits(table_map, columns)
    for i, column in enumerate(columns):
        decoding = _decoding_of(table_map, column, options)
        conversion = None
        if fields is None:
            decoding = _as_exact_text(decoding)
            field = pa.field(column.label, decoding.arrow_type)
        else:
            field = fields[i]
            try:
                decoding, conversion = _adapt(column, decoding, field, options)
            except BinlogError:
                with prefixed(subject_of(table_map, column)):
                    raise
        wanted.append(WantedColumn(column, decoding, field, conversion))
    return RowPlan(table_map, tuple(map(width_of, table_map.columns)), tuple(wanted))


def check_digits(table_map: TableMap, wanted: Sequence[Column]) -> None:
    """Check that the rows of a table map show how many digits MariaDB's old fractions have.

    A column may have digits that all give the same width. Then only its own values are not known.

    Raises:
        UnsupportedError: if that matters for a wanted column.
    """
    for column in table_map.columns if wanted else ():
        widths = {width_of(replace(column, metadata=n)) for n in column.possible_digits}
        if len(widths) > 1 or (widths and column in wanted):
            digits = ", ".join(map(str, column.possible_digits))
            without = "" if len(widths) > 1 else ", or read the others (option columns)"
            raise UnsupportedError(
                f"{subject_of(table_map, column)}: the log does not say how many digits the"
                f" fraction has, and the rows of the event fit {digits}",
                advice=f"give the definition of the table in option ddl{without}",
            )


def match_columns(table_map: TableMap, fields: Sequence[pa.Field]) -> list[Column]:
    """Return the column of each field; raises SchemaMismatchError.

    Fields match by name. If the log has no column names, they also match as `col_N`, or, if there
    is a field for every column, by order.
    """
    if [field.name for field in fields] == [column.label for column in table_map.columns]:
        return list(table_map.columns)  # also if a damaged log has two of one name
    by_name = {column.label.lower(): column for column in table_map.columns}
    if not table_map.has_logged_names:
        by_name = {f"col_{column.index + 1}": column for column in table_map.columns} | by_name
    missing = [field.name for field in fields if field.name.lower() not in by_name]
    if not missing:
        exact = {column.label: column for column in table_map.columns}
        columns = [exact.get(field.name) or by_name[field.name.lower()] for field in fields]
        names: dict[int, str] = {}
        for column, field in zip(columns, fields, strict=True):
            if column.index in names:
                raise SchemaMismatchError(
                    f"{subject_of(table_map, column)}: expected one field of the schema for it,"
                    f" found {names[column.index]} and {field.name}",
                    advice="name each column once",
                )
            names[column.index] = field.name
        return columns
    if not table_map.has_logged_names:
        if len(fields) == len(table_map.columns):
            return list(table_map.columns)
        if not table_map.has_names:
            raise SchemaMismatchError(
                f"table {table_map.table}: the log has no column names; expected a schema with all"
                f" {len(table_map.columns)} columns in order, got {len(fields)}",
                advice="pass such a schema, or the definition of the table in option ddl",
            )
    raise SchemaMismatchError(
        f"table {table_map.table}: expected a column {missing[0]}, found"
        f" {listed(column.label for column in table_map.columns)}",
        advice=None if table_map.has_names else "give the definition of the table in option ddl",
    )


def _as_exact_text(decoding: Decoding) -> Decoding:
    """Return the decoding for JSON text, in which decimals keep all digits."""
    if decoding.op == Op.DECIMAL:
        return Decoding(pa.string(), Op.DECIMAL_TEXT, decoding.params)
    return decoding


def _adapt(
    column: Column, decoding: Decoding, field: pa.Field, options: BinlogOptions
) -> tuple[Decoding, Conversion | None]:
    """Return the decoding for a field with a type that the user chose, and the conversion after it.

    Raises:
        SchemaMismatchError: if the type does not hold all values of the column.
    """
    natural, wished = decoding.arrow_type, field.type
    if decoding.op == Op.JSON and wished == VARIANT:
        return as_variant(decoding), None
    if natural == wished or is_wider(wished, natural):
        return decoding, None
    kind = KINDS[decoding.op]
    if wished == pa.binary() and kind.has_bytes:
        return text_decoding(column, decoding.params[0], "binary"), None
    if wished == pa.string() and kind.is_text and column.collation is None:
        return text_decoding(column, decoding.params[0], "utf8mb4", options.invalid_text), None
    if wished == pa.string() and decoding.op == Op.DECIMAL:
        return _as_exact_text(decoding), None
    conversion = conversion_of(column, natural, wished)
    if conversion is None and options.on_schema_change == "keep":
        conversion = narrowing_of(natural, wished)
    if conversion is not None:
        return decoding, conversion
    raise SchemaMismatchError(f"expected type {natural} or a wider one, the schema has {wished}")
