"""The table map that a server logs for a table, from the definition of the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from types import MappingProxyType
from typing import Final

from pyspark_adapter.ddl.sql_definitions import CreateTable
from pyspark_adapter.ddl.sql_tokens import SqlDialect
from pyspark_adapter.ddl.table_definition import ColumnDefinition, TableDefinition
from pyspark_adapter.errors import UnsupportedError
from pyspark_adapter.events.table_map import Column, TableMap
from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.kernels.layout import FixedBinary
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.timeline.column_match import LENGTH_BYTES, character_widths, complete_columns
from pyspark_adapter.timeline.ddl import change_of
from pyspark_adapter.values.column_types import COLUMN_TYPES
from pyspark_adapter.values.text_form import fixed_length

# The codes that servers of today log. The first type of a name is the newest one.
_CODES: Final = MappingProxyType(
    {name: t.code for t in reversed(COLUMN_TYPES) for name in t.sql_names.split()}
    | {"REAL": Code.double}
)
_OF_MYSQL: Final = MappingProxyType({"JSON": Code.json, "VECTOR": Code.vector})
_LEN_LENGTH: Final = 4  # bytes of the length before a document, a shape or a vector


def defined(create: str, dialect: SqlDialect) -> TableDefinition | None:
    """Return what CREATE TABLE defines; None if it is not understood."""
    change = change_of(create, "", dialect)
    if not isinstance(change, CreateTable) or change.definition is None:
        return None
    return change.definition.resolved(None, is_assumed=False)


def table_map_of(table: TableName, definition: TableDefinition, *, is_mariadb: bool) -> TableMap:
    """Return the table map of a table, with names, keys and members; raises UnsupportedError."""
    columns = complete_columns(
        definition.columns, [*_columns(definition.columns, is_mariadb=is_mariadb)]
    )
    indices = {column.label.lower(): column.index for column in columns}

    def placed(names: Iterable[str]) -> tuple[int, ...]:
        return tuple(indices[name.lower()] for name in names if name.lower() in indices)

    return TableMap(
        table,
        columns,
        primary_key=placed(definition.primary_key),
        row_key=placed(definition.row_key),
        has_logged_names=True,
        is_mariadb=is_mariadb,
    )


def _columns(definitions: Sequence[ColumnDefinition], *, is_mariadb: bool) -> Iterator[Column]:
    """Yield columns as the log has them without its optional metadata."""
    for index, column in enumerate(definitions):
        code = _CODES.get(column.sql_type)
        if not is_mariadb:
            code = _OF_MYSQL.get(column.sql_type, code)
        if code is None:
            raise UnsupportedError(
                f"column {column.name} of type {column.sql_type}: this type is not copied"
            )
        is_nullable = column.is_nullable is not False
        yield Column(index, None, int(code), _metadata(column, code), is_nullable, None, None, None)


def _metadata(column: ColumnDefinition, code: Code) -> int:
    """Return the metadata of a column, as `Column.metadata`."""
    first, second = (*column.arguments, 0, 0)[:2]
    match code:
        case Code.newdecimal:
            return (first or 10) | second << 8
        case Code.bit:
            return (first or 1) >> 3 << 8 | (first or 1) & 7
        case Code.datetime2 | Code.timestamp2 | Code.time2:
            return first if first <= 6 else 0  # TIMESTAMP(14)
        case Code.enum:
            return 1 if len(column.members) < 256 else 2
        case Code.set:
            width = (len(column.members) + 7) // 8
            return width if width <= 4 else 8
        case Code.string | Code.varchar if column.sql_type in FixedBinary.__members__:
            return fixed_length(FixedBinary[column.sql_type])
        case Code.string | Code.varchar:
            width = max(character_widths(column.charset)) if column.is_text else 1
            return width * (first if column.arguments else 1)
        case Code.float | Code.double:
            return 4 if code == Code.float else 8
        case Code.blob | Code.json | Code.geometry | Code.vector:
            return LENGTH_BYTES.get(column.sql_type, _LEN_LENGTH)
    return 0
