"""The rows of a table by SELECT, in the order of its key and the types that a log gives them."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.ddl.table_definition import INTEGERS, TableDefinition
from pyspark_adapter.errors import UnsupportedError
from pyspark_adapter.options.table_name import TableName, full_name, quoted
from pyspark_adapter.values.column_types import GEOMETRY

if TYPE_CHECKING:
    from pyspark_adapter.server.pymysql_client import TypedConnection

CHUNK_ROWS: Final = 100_000
_VALUE: Final = "\0"  # which no name has
# So that no digit or byte is lost.
_EXACT: Final = {"FLOAT": "{} * 1e0", "BIT": "{} + 0", "VECTOR": "HEX({})"}
# Dates that no calendar has, mostly; a read of the log gives null for all that are none.
_NO_DATE: Final = r"^0000|-00"
_TIME: Final = r"^(?P<sign>-?)(?P<h>\d+):(?P<m>\d+):(?P<s>\d+)\.?(?P<fraction>\d*)$"
# Of keys: a literal compares in another way.
UNORDERED: Final = frozenset({"ENUM", "SET", "BIT", "FLOAT", "DOUBLE"})


@dataclass(frozen=True)
class Selection:
    """What selects the rows of a table.

    Attributes:
        schema: of the rows.
        select: of their columns, and of the key after them.
        key: the primary key; empty for none, and if its literals do not sort as it does.
        is_integer: whether the key is one integer.
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
        return cls(table, schema, select, key, len(key) == 1 and kinds[key[0]] in INTEGERS)

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
) -> Generator[pa.RecordBatch]:
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
                arrays = []
                for n, field in enumerate(schema):
                    try:
                        arrays.append(converted(window.column(n), field.type))
                    except pa.ArrowException as error:
                        subject = f"table {selection.table} column {field.name}"
                        raise UnsupportedError(f"{subject} as {field.type}: {error}") from error
                yield pa.RecordBatch.from_arrays(arrays, schema=schema)
            if not selection.key:
                return


def ranges_of(
    connection: TypedConnection, selection: Selection, most: int
) -> list[tuple[Sequence[object], Sequence[object]]]:
    """Return ranges of the key that hold all rows; each as its ends, as `Selection.query`.

    Of an integer key they are as wide as each other, `most` at the most. Of another key each has
    CHUNK_ROWS rows; without a key there is one.
    """
    if selection.is_integer:
        ends = _even_ends(connection, selection, most)
    else:
        ends = _ends(connection, selection)
    return [*pairwise([(), *ends, ()])]


def _even_ends(
    connection: TypedConnection, selection: Selection, most: int
) -> Iterator[Sequence[object]]:
    first = quoted(selection.key[0])
    asked = f"SELECT MIN({first}), MAX({first}) FROM {full_name(selection.table)}"
    [(least, last)] = connection.rows(asked)
    count = 0 if least is None else min((last - least) // CHUNK_ROWS, most)
    return ((least + (last - least) * n // count,) for n in range(1, count))


def _ends(connection: TypedConnection, selection: Selection) -> Iterator[Sequence[object]]:
    """Yield the key of each row of a table after CHUNK_ROWS others."""
    keys = ", ".join(map(quoted, selection.key))
    columns, end = f"SELECT {keys} FROM {full_name(selection.table)}", tuple[object, ...]()
    while selection.key:
        sql, values = selection.query(columns, end, (), f"LIMIT 1 OFFSET {CHUNK_ROWS - 1}")
        rows = connection.rows(sql, *values)
        if not rows:
            return
        [end] = rows
        yield end


def _after(keys: Sequence[str], values: Sequence[object]) -> str:
    """Return the condition for rows after values of the first columns of a key."""
    # (a > 1) OR (a = 1 AND b > 2): servers use the index for that.
    equal = [f"{key} = {_VALUE}" for key in keys]
    ands = [[*equal[:i], f"{keys[i]} > {_VALUE}"] for i in range(len(values))]
    return "(" + " OR ".join(f"({' AND '.join(terms)})" for terms in ands) + ")"


def selected(name: str, sql_type: str, kind: pa.DataType) -> str:
    """Return what selects a column, quoted, so that `converted` has all its digits and bytes."""
    if sql_type == "VECTOR" and kind == pa.binary():  # of MariaDB, which logs the bytes
        return name
    return _EXACT.get(sql_type, "{}").format(name)


def converted(array: pa.Array, kind: pa.DataType) -> pa.Array:
    """Return values as SELECT sends them, texts or bytes, in a type.

    Raises:
        pa.ArrowInvalid: for a text that is no value of the type.
    """
    if kind == array.type:
        return array
    if kind == GEOMETRY:
        shapes = [
            v and {"srid": int.from_bytes(v[:4], "little"), "wkb": v[4:]} for v in array.to_pylist()
        ]
        return pa.array(shapes, kind)
    texts = array.cast(pa.string())
    if pa.types.is_list(kind):
        vectors = [
            None if v is None else np.frombuffer(bytes.fromhex(v), "<f4") for v in texts.to_pylist()
        ]
        return pa.array(vectors, kind)
    if pa.types.is_duration(kind):
        return _durations(texts, kind)
    if not pa.types.is_temporal(kind):
        return texts.cast(kind)
    plain = pa.timestamp("us") if pa.types.is_timestamp(kind) else kind
    nothing = pa.scalar(None, pa.string())
    texts = pc.if_else(pc.match_substring_regex(texts, _NO_DATE), nothing, texts)
    try:
        return texts.cast(plain).cast(kind)
    except pa.ArrowInvalid:  # such as 2026-02-31
        is_date = [text is not None and _is_date(text) for text in texts.to_pylist()]
        return pc.if_else(pa.array(is_date), texts, nothing).cast(plain).cast(kind)


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text[:10])
    except ValueError:
        return False
    return True


def _durations(texts: pa.Array, kind: pa.DataType) -> pa.Array:
    parts = pc.extract_regex(texts, _TIME)
    sign, hours, minutes, seconds, fraction = parts.flatten()
    micros = pc.utf8_rpad(fraction, 6, "0").cast(pa.int64())
    for part, unit in ((hours, 3600), (minutes, 60), (seconds, 1)):
        micros = pc.add(micros, pc.multiply(part.cast(pa.int64()), unit * 1_000_000))
    return pc.if_else(pc.equal(sign, "-"), pc.negate(micros), micros).cast(kind)
