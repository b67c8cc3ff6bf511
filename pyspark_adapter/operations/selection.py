"""The rows of a table by SELECT, in the order of its primary key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import pyarrow as pa

from pyspark_adapter.ddl.table_definition import INTEGERS, TableDefinition
from pyspark_adapter.operations.copied_types import UNORDERED, column, selected
from pyspark_adapter.options.table_name import TableName

if TYPE_CHECKING:
    from pyspark_adapter.server.pymysql_client import TypedConnection

CHUNK_ROWS: Final = 100_000


def quoted(name: str) -> str:
    """Return a name in SQL."""
    return "`" + name.replace("`", "``") + "`"


def full_name(table: TableName) -> str:
    """Return the name of a table in SQL."""
    return f"{quoted(table.database_name)}.{quoted(table.table_name)}"


@dataclass(frozen=True)
class Selection:
    """What selects the rows of a table.

    Attributes:
        table: the table.
        schema: of the rows.
        select: of their columns, and of the key after them.
        key: the primary key; empty for none, and if its literals do not sort as it does.
        is_integer: whether the first column of the key is an integer.
    """

    table: TableName
    schema: pa.Schema
    select: str
    key: tuple[str, ...]
    is_integer: bool

    @classmethod
    def of(cls, definition: TableDefinition, table: TableName, schema: pa.Schema) -> Selection:
        """Return what selects columns of a table, by their names."""
        kinds = {column.name: column.sql_type for column in definition.columns}
        key = definition.primary_key
        key = () if any(kinds[name] in UNORDERED for name in key) else key
        columns = [selected(quoted(f.name), kinds[f.name], f.type) for f in schema]
        columns = [*columns, *map(quoted, key)] or ["NULL"]
        select = f"SELECT {', '.join(columns)} FROM {full_name(table)}"
        return cls(table, schema, select, key, bool(key) and kinds[key[0]] in INTEGERS)


def read_range(
    connected: AbstractContextManager[TypedConnection],
    selection: Selection,
    after: Sequence[object],
    up_to: Sequence[object],
) -> Iterator[pa.RecordBatch]:
    """Yield rows in the order of the key, in chunks of CHUNK_ROWS.

    Args:
        connected: gives the connection.
        selection: what to read.
        after, up_to: values of the first columns of the key, that of the second one included; empty
            for no such end.
    """
    keys = [quoted(name).replace("%", "%%") for name in selection.key]  # a statement with values
    order = f" ORDER BY {', '.join(keys)} LIMIT {CHUNK_ROWS}" if keys else ""
    schema, num_columns = selection.schema, len(selection.schema)
    with connected as connection:
        while True:
            ends = [_after(keys, after)] if after else []
            ends += [f"NOT ({_after(keys, up_to)})"] if up_to else []
            where = f" WHERE {' AND '.join(ends)}" if ends else ""
            values = [*_repeated(after), *_repeated(up_to)]
            sql = selection.select.replace("%", "%%") + where + order
            num_rows = 0
            for window, decoders in connection.windows(
                sql if values else sql.replace("%%", "%"), *values
            ):
                num_rows += window.num_rows
                last = range(num_columns, num_columns + len(keys))
                after = [decoders[n](window.last(n)) for n in last]
                arrays = [
                    column(window, n, kind, decoders[n]) for n, kind in enumerate(schema.types)
                ]
                yield pa.RecordBatch.from_arrays(arrays, schema=schema)
            if not keys or num_rows < CHUNK_ROWS:
                return


def _after(keys: Sequence[str], values: Sequence[object]) -> str:
    """Return the condition for rows after values of the first columns of a key."""
    # (a > 1) OR (a = 1 AND b > 2): servers use the index for that.
    ands = [[f"{k} = %s" for k in keys[:i]] + [f"{keys[i]} > %s"] for i in range(len(values))]
    return "(" + " OR ".join(f"({' AND '.join(found)})" for found in ands) + ")"


def _repeated(values: Sequence[object]) -> list[object]:
    """Return the values that `_after` takes."""
    return [value for i in range(len(values)) for value in values[: i + 1]]
