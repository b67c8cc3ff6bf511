"""Reads the tables of a server in the types that a read of its log gives them."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from pyspark_adapter.errors import ServerError, UnsupportedError, located
from pyspark_adapter.operations.copied_types import (
    INTEGERS,
    SELECTED,
    UNORDERED,
    arrow_type,
    column,
)
from pyspark_adapter.options.log_position import LogPosition
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.ownership import TakenFolderError
from pyspark_adapter.server.server import LiveServer, require_pymysql
from pyspark_adapter.server.server_errors import RefusedError
from pyspark_adapter.warn import warn

if TYPE_CHECKING:
    from pyspark_adapter.server.pymysql_client import TypedConnection

CHUNK_ROWS: Final = 100_000
NUM_RANGES: Final = 4
_NO_SUCH_DATABASE: Final = 1049
_NO_SUCH_TABLE: Final = 1146
# The user may not read the table, or some of its columns; the engine cannot read it.
_OF_TABLE: Final = frozenset({1030, 1033, 1034, 1142, 1143, 1194, 1195})
# The user may not lock it; other transactions have it for longer than this.
_NO_LOCK: Final = frozenset({1044, 1142, 1205, 1213, 1227})
_LOCK_SECONDS: Final = 2
_RECENT_SECONDS: Final = 10.0
_SNAPSHOT: Final = (
    "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
    "START TRANSACTION WITH CONSISTENT SNAPSHOT",
)
_CREATE: Final = "CREATE TABLE"
_WANTED: Final = {
    "binlog_format": "ROW",
    "binlog_row_image": "FULL",
    "binlog_row_value_options": "",
}
_COLUMNS: Final = """SELECT COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, NUMERIC_PRECISION, NUMERIC_SCALE
    FROM information_schema.COLUMNS WHERE (TABLE_SCHEMA, TABLE_NAME) = (%s, %s)
    ORDER BY ORDINAL_POSITION"""
# MariaDB does not log them in all changes.
_GENERATED: Final = """SELECT COLUMN_NAME FROM information_schema.COLUMNS
    WHERE (TABLE_SCHEMA, TABLE_NAME, IS_GENERATED) = (%s, %s, 'ALWAYS')"""
_KEY: Final = """SELECT COLUMN_NAME FROM information_schema.STATISTICS
    WHERE (TABLE_SCHEMA, TABLE_NAME, INDEX_NAME) = (%s, %s, 'PRIMARY')
    ORDER BY SEQ_IN_INDEX"""


def quoted(name: str) -> str:
    """Return a name in SQL."""
    return "`" + name.replace("`", "``") + "`"


def full_name(table: TableName) -> str:
    """Return the name of a table in SQL."""
    return f"{quoted(table.database_name)}.{quoted(table.table_name)}"


def is_of_table(error: BaseException) -> bool:
    """Return whether an error of a copy is about its table alone."""
    found = [e for e in (error, error.__cause__) if isinstance(e, RefusedError)]
    is_own = isinstance(error, (TakenFolderError, UnsupportedError, pa.ArrowException))
    return is_own or any(refused.code in _OF_TABLE for refused in found)


class TableServer:
    """The tables of a server; a connection serves one request at a time, and then the next.

    Attributes:
        denied: tables that were asked for and that the user may not read, and what the server said.

    Raises:
        UnsupportedError: if PyMySQL is not installed.
    """

    def __init__(self, server: LiveServer) -> None:
        require_pymysql()
        self.server = server
        self._idle: list[TypedConnection] = []
        self.denied: dict[TableName, Exception] = {}
        self._unlocked: set[TableName] = set()
        self._asked: tuple[object, float] = (None, 0.0)  # of `recent_definitions`: what, and when
        self._recent: dict[TableName, str] = {}

    @contextmanager
    def connect(self) -> Iterator[TypedConnection]:
        """Give a connection whose session has no modes, and the time zone UTC.

        Raises:
            ServerError: if the server cannot be reached, or refuses what is asked.
        """
        with located(self.server.site):
            connection = self._connected()
            try:
                yield connection
            except BaseException:  # an answer may be half read
                connection.close_now()
                raise
            self._idle.append(connection)

    def _connected(self) -> TypedConnection:
        """Return a connection that was kept and still answers, or a new one."""
        from pyspark_adapter.server.pymysql_client import TypedConnection

        with suppress(IndexError):
            while True:
                connection = self._idle.pop()
                if connection.answers():
                    return connection
        connection = TypedConnection(self.server)
        connection.rows("SET autocommit = 1, time_zone = '+00:00', sql_mode = ''")
        return connection

    def close(self) -> None:
        """Close the connections that are kept."""
        while self._idle:
            self._idle.pop().close_now()

    @cached_property
    def is_mariadb(self) -> bool:
        """Whether the server is one of MariaDB."""
        with self.connect() as connection:
            return connection.is_mariadb

    def check(self, databases: Iterable[str]) -> None:
        """Check that the log has all changes as whole rows, and that the databases are there.

        Raises:
            ServerError: if not.
        """
        with self.connect() as connection:
            shown = connection.rows(f"SHOW VARIABLES WHERE Variable_name IN {tuple(_WANTED)}")
            for name, value in shown:
                if value != _WANTED[name]:
                    raise ServerError(
                        f"{name}: expected {_WANTED[name]!r}, the server has {value!r}",
                        advice=f"SET GLOBAL {name} = '{_WANTED[name]}', and let clients connect"
                        " again",
                    )
            there = {name for (name,) in connection.rows("SHOW DATABASES")}
            missing = [name for name in databases if name not in there]
            if missing:
                raise ServerError(
                    f"database {missing[0]}: the server has none of this name that the user sees",
                    advice="check the name, and GRANT SELECT on it",
                )

    def names(self, databases: Iterable[str]) -> list[TableName]:
        """Return the tables of some databases; none of a database that is gone."""
        found = []
        with self.connect() as connection:
            for database in databases:
                shown = f"SHOW FULL TABLES FROM {quoted(database)} WHERE Table_type = 'BASE TABLE'"
                try:
                    found += [TableName(database, name) for name, _ in connection.rows(shown)]
                except RefusedError as error:
                    if error.code != _NO_SUCH_DATABASE:
                        raise
        return found

    def definitions(self, tables: Iterable[TableName]) -> dict[TableName, str]:
        """Return the CREATE TABLE of tables, without those that are not there, or `denied`."""
        shown = self._shown(tables)
        return {
            t: re.sub(r" AUTO_INCREMENT=\d+", "", text) for t, text in shown if text is not None
        }

    def recent_definitions(self, tables: Iterable[TableName]) -> dict[TableName, str]:
        """Return `definitions`; those of the last call while nothing is logged, for some seconds.

        So a round without changes asks the server no question for each table.
        """
        names = tuple(tables)
        asked, now = (self.server.position(), names), time.monotonic()
        if asked != self._asked[0] or now - self._asked[1] > _RECENT_SECONDS:
            self._recent = self.definitions(names)
            self._asked = asked, now
        return self._recent

    def gone(self, tables: Iterable[TableName]) -> list[TableName]:
        """Return those of some tables that the server does not list which are really gone.

        A server does not list a table that the user may no longer read.
        """
        # A view may have its name.
        return [t for t, text in self._shown(tables) if not (text or "").startswith(_CREATE)]

    def _shown(self, tables: Iterable[TableName]) -> Iterator[tuple[TableName, str | None]]:
        """Yield what SHOW CREATE TABLE prints of tables that the user may read."""
        with self.connect() as connection:
            for table in tables:
                self.denied.pop(table, None)
                try:
                    text = _shown_create(connection, table)
                except RefusedError as error:
                    if error.code not in _OF_TABLE:
                        raise
                    self.denied[table] = error
                    continue
                yield table, text

    def left_out(self, table: TableName) -> set[str]:
        """Return the columns of a table that are not copied."""
        if not self.is_mariadb:
            return set()
        with self.connect() as connection:
            return {name for (name,) in connection.rows(_GENERATED, *_names(table))}

    def schema(self, table: TableName) -> pa.Schema:
        """Return the columns of a table that are copied; raises as `rows`."""
        return self._columns(table)[1]

    def _columns(self, table: TableName) -> tuple[list[Any], pa.Schema]:
        """Return what the server says of the columns that are copied, and their types."""
        left_out = self.left_out(table)
        with self.connect() as connection:
            found = connection.rows(_COLUMNS, *_names(table))
        columns = [facts for facts in found if facts[0] not in left_out]
        if self.is_mariadb:  # which logs a VECTOR as bytes
            columns = [(c[0], c[1].replace("vector", "varbinary"), *c[2:]) for c in columns]
        return columns, pa.schema([(name, arrow_type(*facts)) for name, *facts in columns])

    def rows(self, table: TableName) -> pa.RecordBatchReader:
        """Return the rows of a table, by primary key: several ranges at a time, in chunks.

        Without a key that sorts as its literals do, all rows come by one SELECT.

        Raises:
            UnsupportedError: if it has a column of a type that is not copied.
            ServerError: as `connect`.
        """
        schema, select, key, is_integer = self._plan(table)
        bounds = []
        if is_integer:
            first = quoted(key[0])
            with self.connect() as connection:
                asked = f"SELECT MIN({first}), MAX({first}) FROM {full_name(table)}"
                bounds = _bounds(*connection.rows(asked)[0])
        ranges = [
            self._range(self.connect(), select, schema, key, low, high)
            for low, high in pairwise([None, *bounds, None])
        ]
        return pa.RecordBatchReader.from_batches(schema, _side_by_side(ranges))

    def _plan(self, table: TableName) -> tuple[pa.Schema, str, Sequence[str], bool]:
        """Return the columns that are copied, a SELECT of them and the key, the key, and its kind.

        The key is empty if its literals do not sort as it does.
        """
        columns, schema = self._columns(table)
        kinds = {name: kind for name, kind, *_ in columns}
        with self.connect() as connection:
            key = [name for (name,) in connection.rows(_KEY, *_names(table))]
        if any(kinds.get(name) in UNORDERED for name in key):
            key = []
        names = [SELECTED.get(kind, "{}").format(quoted(name)) for name, kind, *_ in columns]
        select = f"SELECT {', '.join([*names, *map(quoted, key)])} FROM {full_name(table)}"
        return schema, select, key, bool(key) and kinds.get(key[0]) in INTEGERS

    def rows_at(
        self, table: TableName, *, locks: bool
    ) -> tuple[pa.RecordBatchReader, LogPosition | None]:
        """Return the rows of a table, and the position of the log at which they are so, or None.

        With a lock, sessions that change the table wait until a transaction has begun that sees it
        as it is. If it cannot be locked, a warning says so.

        Raises:
            UnsupportedError, ServerError: as `rows`.
        """
        if not locks:
            return self.rows(table), None
        schema, select, key, _ = self._plan(table)
        reading = self._connected()
        try:
            with self.connect() as locking:
                locking.rows(f"SET lock_wait_timeout = {_LOCK_SECONDS}")
                locking.rows(f"LOCK TABLES {full_name(table)} READ")
                for statement in _SNAPSHOT:
                    reading.rows(statement)
                position = self.server.position()
                locking.rows("UNLOCK TABLES")
                locking.rows("SET lock_wait_timeout = DEFAULT")
        except RefusedError as error:
            reading.close_now()
            if error.code not in _NO_LOCK:
                raise
            if table not in self._unlocked:
                warn(f"table {table} has no key, and is copied again after each change: {error}")
            self._unlocked.add(table)
            return self.rows(table), None
        rows = self._range(_closed(reading), select, schema, key, None, None)
        return pa.RecordBatchReader.from_batches(schema, rows), position

    def _range(
        self,
        connected: AbstractContextManager[TypedConnection],
        select: str,
        schema: pa.Schema,
        key: Sequence[str],
        low: int | None,
        high: int | None,
    ) -> Iterator[pa.RecordBatch]:
        """Yield rows in the order of the key, from a value of its first column to before another.

        Args:
            connected: gives the connection.
            select: of the columns of the schema, and of the key after them.
            schema: of the rows.
            key: names of its columns; empty for none.
            low, high: None for no such end.
        """
        keys = [quoted(name).replace("%", "%%") for name in key]  # a statement with values
        order = f" ORDER BY {', '.join(keys)} LIMIT {CHUNK_ROWS}" if key else ""
        # (a > 1) OR (a = 1 AND b > 2): servers use the index for that.
        ands = [[f"{k} = %s" for k in keys[:i]] + [f"{keys[i]} > %s"] for i in range(len(keys))]
        after = " OR ".join(f"({' AND '.join(found)})" for found in ands)
        before = [] if high is None else [f"{keys[0]} < {high}"]
        begin = [] if low is None else [f"{keys[0]} >= {low}"]
        more: list[object] = []
        num_columns = len(schema)
        with connected as connection:
            while True:
                where = " AND ".join(
                    [f"({after})" if more else "", *([] if more else begin), *before]
                )
                where = where.removeprefix(" AND ")
                sql = select.replace("%", "%%") + (where and f" WHERE {where}") + order
                num_rows = 0
                for window, decoders in connection.windows(
                    sql if more else sql.replace("%%", "%"), *more
                ):
                    num_rows += window.num_rows
                    last = [
                        decoders[n](window.last(n))
                        for n in range(num_columns, num_columns + len(key))
                    ]
                    arrays = [
                        column(window, n, kind, decoders[n]) for n, kind in enumerate(schema.types)
                    ]
                    yield pa.RecordBatch.from_arrays(arrays, schema=schema)
                if not key or num_rows < CHUNK_ROWS:
                    return
                more = [value for i in range(len(last)) for value in last[: i + 1]]


@contextmanager
def _closed(connection: TypedConnection) -> Iterator[TypedConnection]:
    """Give a connection, and close it at the end."""
    try:
        yield connection
    finally:
        connection.close_now()


def _bounds(least: int | None, most: int | None) -> list[int]:
    """Return where ranges of keys begin; none for few keys."""
    if least is None or most is None or most - least < NUM_RANGES * CHUNK_ROWS:
        return []
    return [least + (most - least) * n // NUM_RANGES for n in range(1, NUM_RANGES)]


def _side_by_side(ranges: Sequence[Iterator[pa.RecordBatch]]) -> Iterator[pa.RecordBatch]:
    """Yield the batches of several iterators, each in a thread; the first error ends all."""
    with ThreadPoolExecutor(len(ranges)) as pool:
        try:
            coming = {pool.submit(next, found, None): found for found in ranges}
            while coming:
                done, _ = wait(coming, return_when=FIRST_COMPLETED)
                for future in done:
                    found = coming.pop(future)
                    batch = future.result()
                    if batch is not None:
                        coming[pool.submit(next, found, None)] = found
                        yield batch
        finally:
            wait(coming)
            for found in ranges:
                found.close()  # type: ignore[attr-defined]


def _names(table: TableName) -> tuple[str, str]:
    return table.database_name, table.table_name


def _shown_create(connection: TypedConnection, table: TableName) -> str | None:
    """Return what SHOW CREATE TABLE prints; None if there is no table or view of the name.

    Raises:
        ServerError: if the user may not read it.
    """
    try:
        return str(connection.rows(f"SHOW CREATE TABLE {full_name(table)}")[0][1])
    except RefusedError as error:
        if error.code not in (_NO_SUCH_TABLE, _NO_SUCH_DATABASE):
            raise
        return None
