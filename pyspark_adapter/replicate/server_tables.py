"""Reads the tables of a server in the types that a read of its log gives them."""

import re
from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pymysql

from pyspark_adapter import folder_name

CHUNK_ROWS = 10_000
INTEGERS = {"tinyint": 8, "smallint": 16, "mediumint": 24, "int": 32, "bigint": 64, "year": 24}
BINARY = ["tinyblob", "blob", "mediumblob", "longblob", "binary", "varbinary"]
BINARY += ["uuid", "inet6", "inet4"]
TEXT = ["char", "varchar", "tinytext", "text", "mediumtext", "longtext"]
TEXT += ["enum", "set", "json", "time"]
SHAPES = ["geometry", "point", "linestring", "polygon", "geomcollection", "geometrycollection"]
SHAPES += ["multipoint", "multilinestring", "multipolygon"]
GEOMETRY = pa.struct([("srid", pa.int64()), ("wkb", pa.binary())])
TYPES = {
    **dict.fromkeys(BINARY, pa.binary()),
    **dict.fromkeys(TEXT, pa.string()),
    **dict.fromkeys(SHAPES, GEOMETRY),
    "float": pa.float32(),
    "double": pa.float64(),
    "date": pa.date32(),
    "datetime": pa.timestamp("us"),
    "timestamp": pa.timestamp("us", "UTC"),
    "vector": pa.list_(pa.float32()),
}
# So that no digit or byte is lost.
SELECTED = {"float": "{} * 1e0", "bit": "{} + 0", "time": "CAST({} AS CHAR)", "vector": "HEX({})"}
SELECTED |= dict.fromkeys(["uuid", "inet6"], "CAST({} AS BINARY(16))")
SELECTED |= {"inet4": "CAST({} AS BINARY(4))"}
UNORDERED = {"enum", "set", "bit", "float", "double"}  # a literal compares in another way
COLUMNS = """SELECT COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, NUMERIC_PRECISION, NUMERIC_SCALE
    FROM information_schema.COLUMNS WHERE (TABLE_SCHEMA, TABLE_NAME) = (DATABASE(), %s)
    ORDER BY ORDINAL_POSITION"""
# MariaDB does not log them in all changes.
GENERATED = """SELECT COLUMN_NAME FROM information_schema.COLUMNS
    WHERE (TABLE_SCHEMA, TABLE_NAME, IS_GENERATED) = (DATABASE(), %s, 'ALWAYS')"""
KEY = """SELECT COLUMN_NAME FROM information_schema.STATISTICS
    WHERE (TABLE_SCHEMA, TABLE_NAME, INDEX_NAME) = (DATABASE(), %s, 'PRIMARY')
    ORDER BY SEQ_IN_INDEX"""


def quoted(name: str) -> str:
    """Return a name in SQL."""
    return "`" + name.replace("`", "``") + "`"


def file_name(name: str) -> str:
    """Return the name of the folder of a table or database."""
    return folder_name(name).replace("%", "@")  # deltalake would take %2F for a slash


def arrow_type(kind: str, full_type: str, precision: int, scale: int) -> pa.DataType:
    """Return the type that a read of the log gives a column."""
    if kind in INTEGERS:
        bits = INTEGERS[kind] + ("unsigned" in full_type)
        wide = next((width for width in (8, 16, 32, 64) if width >= bits), 0)
        return getattr(pa, f"int{wide}")() if wide else pa.decimal128(20, 0)
    if kind == "decimal":
        return pa.decimal128(precision, scale) if precision <= 38 else pa.string()
    if kind == "bit":
        return pa.decimal128(20, 0) if precision == 64 else pa.int64()
    if kind in TYPES:
        return TYPES[kind]
    raise ValueError(f"a column of type {full_type}: this type is not copied")


def array(values: Any, kind: pa.DataType) -> pa.Array:
    """Return the values that SELECT gives of a column."""
    if kind == GEOMETRY:
        values = [v and {"srid": int.from_bytes(v[:4], "little"), "wkb": v[4:]} for v in values]
    elif pa.types.is_temporal(kind):
        values = [None if isinstance(value, str) else value for value in values]  # 0000-00-00
    elif pa.types.is_list(kind):
        values = [None if v is None else np.frombuffer(bytes.fromhex(v), "<f4") for v in values]
    elif pa.types.is_string(kind):
        values = [f"{v:f}" if isinstance(v, Decimal) else v for v in values]
    return pa.array(values, kind)


class Server:
    """Requests to the server; each has a connection of its own."""

    def __init__(self, **access: Any) -> None:
        self.access = access

    def connect(self) -> Any:
        """Return a connection."""
        cursor = pymysql.cursors.SSCursor
        connection = pymysql.connect(**self.access, autocommit=True, cursorclass=cursor)
        connection.cursor().execute("SET time_zone = '+00:00', sql_mode = ''")
        return closing(connection)

    @cached_property
    def is_mariadb(self) -> bool:
        """Whether the server is one of MariaDB."""
        with self.connect() as connection:
            return "MariaDB" in connection.get_server_info()

    def position(self) -> dict[str, Any]:
        """Return the name of the newest log, and the bytes in it."""
        with self.connect() as connection, connection.cursor() as cursor:
            version = connection.get_server_info()
            is_new = not self.is_mariadb and [*map(int, version.split(".")[:2])] >= [8, 2]
            cursor.execute(f"SHOW {'BINARY LOG' if is_new else 'MASTER'} STATUS")
            return dict(zip(("log_file", "pos"), cursor.fetchall()[0], strict=False))

    def check(self) -> None:
        """Check that the log has all changes as whole rows."""
        wanted = {"binlog_format": "ROW", "binlog_row_image": "FULL"}
        wanted |= {"binlog_row_value_options": ""}
        with self.connect() as connection, connection.cursor() as cursor:
            cursor.execute(f"SHOW VARIABLES WHERE Variable_name IN {tuple(wanted)}")
            for name, value in cursor.fetchall():
                if value != wanted[name]:
                    raise SystemExit(f"{name}: expected {wanted[name]!r}, the server has {value!r}")

    def definitions(self, *tables: str) -> dict[str, str]:
        """Return the CREATE TABLE of some tables, or of all, without those that are not there."""
        found = {}
        with self.connect() as connection, connection.cursor() as cursor:
            if not tables:
                cursor.execute("SHOW FULL TABLES WHERE Table_type = 'BASE TABLE'")
                tables = tuple(name for name, _ in cursor.fetchall())
            for name in tables:
                try:
                    cursor.execute(f"SHOW CREATE TABLE {quoted(name)}")
                    found[name] = re.sub(r" AUTO_INCREMENT=\d+", "", cursor.fetchall()[0][1])
                except pymysql.err.ProgrammingError:  # it is gone
                    continue
        return found

    def left_out(self, table: str) -> set[str]:
        """Return the columns of a table that are not copied."""
        if not self.is_mariadb:
            return set()
        with self.connect() as connection, connection.cursor() as cursor:
            cursor.execute(GENERATED, [table])
            return {name for (name,) in cursor.fetchall()}

    def rows(self, table: str) -> pa.RecordBatchReader:
        """Return the rows of a table, read in chunks by primary key; else all by one SELECT."""
        left_out = self.left_out(table)
        with self.connect() as connection, connection.cursor() as cursor:
            cursor.execute(KEY, [table])
            key = [name for (name,) in cursor.fetchall()]
            cursor.execute(COLUMNS, [table])
            columns = [facts for facts in cursor.fetchall() if facts[0] not in left_out]
            if self.is_mariadb:  # which logs a VECTOR as bytes
                columns = [(c[0], c[1].replace("vector", "varbinary"), *c[2:]) for c in columns]
        kinds = {name: kind for name, kind, *_ in columns}
        if any(kinds[name] in UNORDERED for name in key):
            key = []
        schema = pa.schema([(name, arrow_type(*facts)) for name, *facts in columns])
        names = [SELECTED.get(kind, "{}").format(quoted(name)) for name, kind in kinds.items()]
        key = [quoted(name) for name in key]
        select = f"SELECT {', '.join(names + key)} FROM {quoted(table)}"
        order = f" ORDER BY {', '.join(key)} LIMIT {CHUNK_ROWS}" if key else ""
        # (a > 1) OR (a = 1 AND b > 2): servers use the index for that.
        ands = [[f"{k} = %s" for k in key[:i]] + [f"{key[i]} > %s"] for i in range(len(key))]
        after = " WHERE " + " OR ".join(f"({' AND '.join(found)})" for found in ands)

        def batches() -> Iterator[pa.RecordBatch]:
            with self.connect() as connection, connection.cursor() as cursor:
                cursor.execute(select + order)
                while rows := cursor.fetchmany(CHUNK_ROWS):
                    values = list(zip(*rows, strict=True))[: len(names)]
                    arrays = list(map(array, values, schema.types))
                    yield pa.RecordBatch.from_arrays(arrays, schema=schema)
                    if key:
                        last = rows[-1][len(names) :]
                        more = [value for i in range(len(last)) for value in last[: i + 1]]
                        cursor.fetchall()
                        cursor.execute(select + after + order, more)

        return pa.RecordBatchReader.from_batches(schema, batches())
