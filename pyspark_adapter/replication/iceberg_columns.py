"""The columns of an Iceberg table: those of a copy, and those after statements."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from pyspark_adapter.replication.alterations import AlteredColumns

if TYPE_CHECKING:
    from pyiceberg.table import Transaction

_ID: Final = "PARQUET:field_id"  # of a field, by which pyiceberg identifies it


def evolve(transaction: Transaction, wanted: pa.Schema) -> None:
    """Give a table the columns of a copy: those of another type get another identity."""
    new = types_of(wanted)
    with transaction.update_schema(allow_incompatible_changes=True) as update:
        for field in transaction.table_metadata.schema().fields:
            kind = new.get(field.name)
            is_same = type(kind) is type(field.field_type)
            if is_same and (kind == field.field_type or not field.field_type.is_primitive):
                del new[field.name]
            else:
                update.delete_column((field.name,))
        for name, kind in new.items():
            update.add_column((name,), kind)


def alter(transaction: Transaction, columns: AlteredColumns) -> None:
    """Drop, rename, widen and add columns; the names are those before, for all of them."""
    kinds = types_of(columns.schema)
    kept = {*columns.origins.values()}
    set_bounds(transaction, columns.schema)
    with transaction.update_schema() as update:
        for field in transaction.table_metadata.schema().fields:
            if field.name not in kept:
                update.delete_column((field.name,))
        for name, origin in columns.origins.items():
            if origin is None:
                update.add_column((name,), kinds[name])
                continue
            if name != origin:
                update.rename_column((origin,), name)
            if kinds[name].is_primitive:
                update.update_column((origin,), kinds[name])


def set_bounds(transaction: Transaction, schema: pa.Schema) -> None:
    """Have files hold the minimum and maximum of each column, except of texts."""
    of_column = "write.metadata.metrics.column."
    known = {n for n in transaction.table_metadata.properties if n.startswith(of_column)}
    wanted = {of_column + f.name for f in schema if pa.types.is_primitive(f.type)}
    transaction.remove_properties(*(known - wanted))
    transaction.set_properties(dict.fromkeys(wanted, "full"))


def types_of(schema: pa.Schema) -> dict[str, Any]:
    """Return the types of Iceberg of columns."""
    from pyiceberg.io.pyarrow import pyarrow_to_schema

    ids = count(1)

    def numbered(field: pa.Field) -> pa.Field:
        kind = field.type
        if pa.types.is_struct(kind):
            kind = pa.struct([numbered(part) for part in kind.fields])
        elif pa.types.is_list(kind):
            kind = pa.list_(numbered(kind.value_field))
        return field.with_type(kind).with_metadata({_ID: str(next(ids))})

    iceberg_schema = pyarrow_to_schema(pa.schema([numbered(field) for field in schema]))
    return {field.name: field.field_type for field in iceberg_schema.fields}
