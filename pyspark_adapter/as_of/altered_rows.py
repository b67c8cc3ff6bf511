"""The rows of a table after an ALTER TABLE, as far as the statement tells them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.ddl.sql_tokens import NotUnderstoodError
from pyspark_adapter.ddl.table_definition import Alteration, ColumnDefinition, TableDefinition
from pyspark_adapter.kernels.layout import FixedBinary
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.added_values import NotKnownError, value_of_older_rows
from pyspark_adapter.plan.row_plan import natural_fields
from pyspark_adapter.timeline.defined_table import table_map_of
from pyspark_adapter.values.text_form import fixed_text
from pyspark_adapter.values.widening import is_wider

# Texts that hold all values of those before them, in the same character set.
_TEXTS: Final = ("VARCHAR", "TEXT", "MEDIUMTEXT", "LONGTEXT")
_BYTES: Final = ("VARBINARY", "BLOB", "MEDIUMBLOB", "LONGBLOB")
_TEMPORALS: Final = ("DATETIME", "TIMESTAMP")
_OPTIONS: Final = BinlogOptions(time="string", default_charset="utf8mb4")


class NotFollowedError(Exception):
    """It is not known what a statement did to rows; the text says why."""


def type_of(column: ColumnDefinition) -> pa.DataType:
    """Return the type that a read of the log gives a column, with option time=string.

    Raises:
        UnsupportedError: for a type that is not known.
    """
    table_map = table_map_of(TableName("", ""), TableDefinition((column,)), is_mariadb=False)
    [field] = natural_fields(table_map, _OPTIONS)
    return field.type


def with_texts(rows: pa.Table, definition: TableDefinition) -> pa.Table:
    """Return rows whose UUID, INET4 and INET6 are text, as the definition of their table says.

    Logs that name the columns, and files of earlier versions, give their bytes.
    """
    indices = {name.lower(): i for i, name in enumerate(rows.column_names)}
    for column in definition.columns:
        i, of = indices.get(column.name.lower()), FixedBinary.__members__.get(column.sql_type)
        if of is not None and i is not None and "binary" in str(rows.schema.types[i]):
            texts = [None if v is None else fixed_text(v, of) for v in rows[i].to_pylist()]
            rows = rows.set_column(i, rows.column_names[i], pa.array(texts, pa.string()))
    return rows


def altered_rows(
    rows: pa.Table, before: TableDefinition | None, alteration: Alteration
) -> pa.Table:
    """Return rows after a statement has altered their table; raises NotFollowedError.

    Args:
        rows: of the table; generated columns are left out.
        before: the table before the statement; None if it is not known.
        alteration: what the statement does.
    """
    if alteration.exchanged or alteration.row_end or alteration.is_versioned is not None:
        raise NotFollowedError("it exchanges rows, or adds versions of rows")
    if alteration.converted not in (None, "utf8mb4"):
        raise NotFollowedError("it converts text to a character set that may lack characters")
    columns = {name.lower(): rows[name] for name in rows.column_names}
    names = {name.lower(): name for name in rows.column_names}
    known = {c.name.lower(): c for c in before.columns} if before is not None else {}
    for name in alteration.dropped:
        columns.pop(name.lower(), None)
        names.pop(name.lower(), None)
    renamed = {**alteration.renamed, **alteration.renamed_if_present}
    moved = {old.lower(): new for old, new in renamed.items()}
    redefined = {change.old_name.lower() for change in alteration.changes if change.old_name}
    result = {
        moved.get(key, names[key]): column
        for key, column in columns.items()
        if key not in redefined
    }
    for change in alteration.changes:
        column = change.column
        if column.is_generated:
            continue
        if change.old_name is None:
            if column.name.lower() in {name.lower() for name in result}:
                if change.is_conditional:
                    continue
                raise NotFollowedError(f"it adds column {column.name}, which exists")
            try:
                value = value_of_older_rows(column, type_of(column))
            except NotKnownError:
                raise NotFollowedError(
                    f"column {column.name} has a default that is not a plain literal"
                ) from None
            result[column.name] = pa.chunked_array([pa.repeat(value, len(rows))])
            continue
        key = change.old_name.lower()
        if key not in columns:
            if change.is_conditional:
                continue
            raise NotFollowedError(f"there is no column {change.old_name}")
        if before is not None:
            column = before._resolve(column)
        result[column.name] = _redefined(columns[key], known.get(key), column)
    altered = pa.table(result)
    if before is not None:
        try:
            order = [column.name for column in before.altered(alteration).columns]
        except NotUnderstoodError as error:
            raise NotFollowedError(str(error)) from error
        altered = altered.select([name for name in order if name in result])
    return altered


def _redefined(
    values: pa.ChunkedArray, old: ColumnDefinition | None, new: ColumnDefinition
) -> pa.ChunkedArray:
    """Return the values of a column that is redefined; raises NotFollowedError."""
    kind = type_of(new)
    if new.is_nullable is False and values.null_count:
        raise NotFollowedError(f"column {new.name} becomes NOT NULL, and has nulls")
    if is_wider(kind, values.type) and new.sql_type not in ("BIT", "YEAR"):  # these convert
        is_number = pa.types.is_integer(values.type) or pa.types.is_decimal(values.type)
        if is_number and new.is_unsigned and (pc.min(values).as_py() or 0) < 0:
            raise NotFollowedError(f"column {new.name} becomes UNSIGNED, and has negative values")
        return values.cast(kind)
    if old is not None and kind == values.type and _holds(new, old):
        return values
    was = "" if old is None else f" from {old.sql_type}"
    raise NotFollowedError(
        f"it changes the type of column {new.name}{was} to {new.sql_type}, which may convert values"
    )


def _holds(new: ColumnDefinition, old: ColumnDefinition) -> bool:
    """Return whether a column holds all values of another as they are."""
    if old.charset != new.charset or old.is_unsigned != new.is_unsigned:
        return False
    if old.sql_type == new.sql_type and old.arguments == new.arguments:
        kept = tuple(member for member in new.members if member in old.members)
        # A SET shows its members in their order.
        return kept == old.members if old.sql_type == "SET" else {*kept} == {*old.members}
    if old.sql_type == new.sql_type and old.sql_type in _TEMPORALS:
        return _first(new) >= _first(old)
    for texts in (_TEXTS, _BYTES):
        if old.sql_type in texts and new.sql_type in texts:
            return _grows(texts, old, new)
    return False


def _grows(texts: Sequence[str], old: ColumnDefinition, new: ColumnDefinition) -> bool:
    before, after = texts.index(old.sql_type), texts.index(new.sql_type)
    is_var = before == after == 0
    return _first(new) >= _first(old) if is_var else after > before


def _first(column: ColumnDefinition) -> int:
    return column.arguments[0] if column.arguments else 0
