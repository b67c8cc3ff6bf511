"""The rows of a table by SELECT, in the order of its primary key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import pyarrow as pa

from pyspark_adapter.ddl.table_definition import INTEGERS, TableDefinition
from pyspark_adapter.operations.copied_types import UNORDERED, converted, selected
from pyspark_adapter.options.table_name import TableName, full_name, quoted

if TYPE_CHECKING:
    from pyspark_adapter.server.pymysql_client import TypedConnection

CHUNK_ROWS: Final = 100_000
_VALUE: Final = "\0"  # which no name has


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

    def query(
        self, columns: str, after: Sequence[object], up_to: Sequence[object], limit: str
    ) -> tuple[str, Sequence[object]]:
        """Return a SELECT of rows in the order of the key, and its values.

        Args:
            columns: SELECT, columns and table.
            after, up_to: values of the first columns of the key, the second ones included; empty
                for no such end.
            limit: LIMIT and what follows, if there is a key.
        """
        keys = [quoted(name) for name in self.key]
        order = f" ORDER BY {', '.join(keys)} {limit}" if keys else ""
        ends = [_after(keys, after)] if after else []
        ends += [f"NOT {_after(keys, up_to)}"] if up_to else []
        where = f" WHERE {' AND '.join(ends)}" if ends else ""
        values = [
            value for end in (after, up_to) for i in range(len(end)) for value in end[: i + 1]
        ]
        sql = columns + where + order
        return sql.replace("%", "%%").replace(_VALUE, "%s") if values else sql, values


def read_range(
    connected: AbstractContextManager[TypedConnection],
    selection: Selection,
    after: Sequence[object],
    up_to: Sequence[object],
) -> Iterator[pa.RecordBatch]:
    """Yield rows in the order of the key, in chunks of CHUNK_ROWS; ends as `Selection.query`."""
    schema, limit = selection.schema, f"LIMIT {CHUNK_ROWS}"
    of_key = range(len(schema), len(schema) + len(selection.key))
    with connected as connection:
        num_rows = CHUNK_ROWS
        while num_rows == CHUNK_ROWS:
            num_rows = 0
            sql, values = selection.query(selection.select, after, up_to, limit)
            for window, decoders in connection.windows(sql, *values):
                num_rows += window.num_rows
                after = [decoders[n](window.last(n)) for n in of_key]
                arrays = [converted(window.column(n), k) for n, k in enumerate(schema.types)]
                yield pa.RecordBatch.from_arrays(arrays, schema=schema)
            if not selection.key:
                return


def ends_of_ranges(
    connection: TypedConnection, selection: Selection, most: int
) -> list[tuple[int]]:
    """Return where ranges of an integer key end, `most` at the most, as wide as each other.

    The end of the last one is left out.
    """
    first = quoted(selection.key[0])
    asked = f"SELECT MIN({first}), MAX({first}) FROM {full_name(selection.table)}"
    [(least, last)] = connection.rows(asked)
    count = 0 if least is None else min((last - least) // CHUNK_ROWS, most)
    return [(least + (last - least) * n // count,) for n in range(1, count)]


def ends_of_chunks(
    connection: TypedConnection, selection: Selection
) -> Iterator[tuple[object, ...]]:
    """Yield the key of each row of a table after CHUNK_ROWS others."""
    keys = ", ".join(map(quoted, selection.key))
    columns, end = f"SELECT {keys} FROM {full_name(selection.table)}", tuple[object, ...]()
    while selection.key:
        sql, values = selection.query(columns, end, (), f"LIMIT 1 OFFSET {CHUNK_ROWS - 1}")
        found = connection.rows(sql, *values)
        if not found:
            return
        [end] = found
        yield end


def _after(keys: Sequence[str], values: Sequence[object]) -> str:
    """Return the condition for rows after values of the first columns of a key."""
    # (a > 1) OR (a = 1 AND b > 2): servers use the index for that.
    equal = [f"{key} = {_VALUE}" for key in keys]
    ands = [[*equal[:i], f"{keys[i]} > {_VALUE}"] for i in range(len(values))]
    return "(" + " OR ".join(f"({' AND '.join(found)})" for found in ands) + ")"
