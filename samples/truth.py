"""The final tables of a sample, selected by the server that wrote the log.

Values are stored in lossless text forms; see `samples/README.md`.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

TABLES_QUERY = """
    SELECT table_schema, table_name FROM information_schema.tables
    WHERE table_schema NOT IN ('information_schema', 'mysql', 'performance_schema', 'sys')
    AND table_type NOT IN ('VIEW', 'SEQUENCE')
"""
COLUMNS_QUERY = """
    SELECT column_name, data_type, column_type, column_key FROM information_schema.columns
    WHERE table_schema = %s AND table_name = %s ORDER BY ordinal_position
"""
MAX_HEX_OF_TEXT = 1000

# Forms of a value by data type, with the SQL for each; {} is the column.
TEXT = {"text": "{}"}
NUMBERED = {"text": "{}", "number": "CAST({} AS UNSIGNED)"}
# As text a FLOAT has six digits, a FLOAT(7,3) three behind the point; a product shows all digits,
# and unlike a sum it keeps the sign of -0.
FLOATING = {"text": "{}", "double": "{} * 1e0"}
STRING = {"text": "{}", "hex": "HEX({})"}
BYTES = {"hex": "HEX({})"}
FORMS_BY_DATA_TYPE: dict[str, dict[str, str]] = {
    **dict.fromkeys(("tinyint", "smallint", "mediumint", "int", "bigint", "decimal"), TEXT),
    **dict.fromkeys(("year", "date", "datetime", "timestamp", "time", "json"), TEXT),
    **dict.fromkeys(("float", "double"), FLOATING),
    "bit": {"number": "CAST({} AS UNSIGNED)"},
    **dict.fromkeys(("enum", "set"), NUMBERED),
    **dict.fromkeys(("char", "varchar", "tinytext", "text", "mediumtext", "longtext"), STRING),
    **dict.fromkeys(("uuid", "inet4", "inet6"), STRING),
    **dict.fromkeys(("binary", "varbinary", "vector"), BYTES),
    **dict.fromkeys(("tinyblob", "blob", "mediumblob", "longblob"), BYTES),
    **dict.fromkeys(("geometry", "point", "linestring", "polygon", "geometrycollection"), BYTES),
    **dict.fromkeys(("geomcollection", "multipoint", "multilinestring", "multipolygon"), BYTES),
}

Cell = dict[str, str] | None


@dataclass(frozen=True)
class Column:
    """A column's name and type, as SQL writes it, and the forms its values are kept in."""

    name: str
    sql_type: str
    forms: tuple[str, ...]


@dataclass(frozen=True)
class TableTruth:
    """One table: how to create it, and all its rows in order of their primary key.

    Attributes:
        name: `database.table`.
        create: Text of SHOW CREATE TABLE.
        columns: The columns in the order of the table.
        rows: Values by column; None is NULL.
    """

    name: str
    create: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]


def quoted(name: str) -> str:
    """Return a name as SQL quotes it."""
    return "`" + name.replace("`", "``") + "`"


def fetch_rows(connection: Any, query: str, *values: str) -> list[tuple[Any, ...]]:
    """Return all rows of a query with these values in its places."""
    with connection.cursor() as cursor:
        cursor.execute(query, values or None)
        return list(cursor.fetchall())


def fetch_tables(connection: Any) -> list[TableTruth]:
    """Return every table that is not the system's own, sorted by name."""
    # Values stay the text that the server sends.
    connection.decoders = {}
    fetch_rows(connection, "SET time_zone = '+00:00'")
    names = fetch_rows(connection, TABLES_QUERY)
    return [fetch_table(connection, database, table) for database, table in sorted(names)]


def fetch_table(connection: Any, database_name: str, table_name: str) -> TableTruth:
    """Return one table with all its rows."""
    place = f"{quoted(database_name)}.{quoted(table_name)}"
    create = fetch_rows(connection, f"SHOW CREATE TABLE {place}")[0][1]
    described = fetch_rows(connection, COLUMNS_QUERY, database_name, table_name)
    columns, selected, keys = [], [], []
    for name, data_type, sql_type, column_key in described:
        forms = FORMS_BY_DATA_TYPE.get(data_type)
        if forms is None:
            raise ValueError(f"{place} has type {data_type}: add its forms in samples/truth.py")
        columns.append(Column(name, sql_type, tuple(forms)))
        selected += [sql.format(quoted(name)) for sql in forms.values()]
        keys += [quoted(name)] if column_key == "PRI" else []
    order = f" ORDER BY {', '.join(keys)}" if keys else ""
    query = f"SELECT {', '.join(selected)} FROM {place}{order}"  # noqa: S608 - quoted names
    rows = fetch_rows(connection, query)
    if not keys:
        rows.sort(key=repr)
    return TableTruth(
        name=f"{database_name}.{table_name}",
        create=create,
        columns=tuple(columns),
        rows=tuple(build_cells(columns, row) for row in rows),
    )


def build_cells(columns: Sequence[Column], row: Sequence[str | None]) -> tuple[Cell, ...]:
    """Return the values of a row; the forms of a value are adjacent in the selected row."""
    cells: list[Cell] = []
    values = iter(row)
    for column in columns:
        cell = {form: value for form in column.forms if (value := next(values)) is not None}
        if len(cell.get("text", "")) > MAX_HEX_OF_TEXT:
            cell.pop("hex", None)
        cells.append(cell or None)
    return tuple(cells)


def render_tables(tables: Sequence[TableTruth]) -> str:
    """Return the tables as JSON with one row on a line, for readable differences."""
    parts = []
    for table in tables:
        columns = [
            {"name": column.name, "type": column.sql_type, "forms": column.forms}
            for column in table.columns
        ]
        rows = ",\n".join("   " + json.dumps(row, ensure_ascii=False) for row in table.rows)
        parts.append(
            f" {json.dumps(table.name)}: {{\n"
            f'  "columns": {json.dumps(columns, ensure_ascii=False)},\n'
            f'  "rows": [\n{rows}\n  ]\n }}'
        )
    return "{\n" + ",\n".join(parts) + "\n}\n"
