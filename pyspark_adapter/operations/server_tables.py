"""Reads the tables of a server in the types that a read of its log gives them."""

from __future__ import annotations

import re
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Final

import pyarrow as pa

from pyspark_adapter.ddl.sql_tokens import SqlDialect
from pyspark_adapter.ddl.table_definition import TableDefinition
from pyspark_adapter.errors import ServerError, UnsupportedError, located
from pyspark_adapter.operations.selection import Selection, ranges_of, read_range
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.log_position import LogPosition
from pyspark_adapter.options.table_name import TableName, full_name, quoted
from pyspark_adapter.plan.row_plan import natural_fields
from pyspark_adapter.server.server import LiveServer, require_pymysql
from pyspark_adapter.server.server_errors import RefusedError
from pyspark_adapter.sources.ownership import TakenFolderError
from pyspark_adapter.timeline.defined_table import defined, table_map_of
from pyspark_adapter.warn import warn

if TYPE_CHECKING:
    from pyspark_adapter.server.pymysql_client import TypedConnection

_NUM_READERS: Final = 4  # of a table, each with a connection
_NO_SUCH_DATABASE: Final = 1049
_NO_SUCH_TABLE: Final = 1146
# The user may not read the table, or some of its columns; the engine cannot read it.
_OF_TABLE: Final = frozenset({1030, 1033, 1034, 1142, 1143, 1194, 1195})
# The user may not lock it; other transactions have it for longer than this.
_NO_LOCK: Final = frozenset({1044, 1142, 1205, 1213, 1227})
_LOCK_SECONDS: Final = 2
_OF_SERVER: Final = ("information_schema", "mysql", "performance_schema", "sys")
SETTLE_SECONDS: Final = 1.0  # SELECT sees a transaction some milliseconds after it is in the log
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
# Of copies: a TIME is text, since engines have no type for it.
_OF_COPIES: Final = BinlogOptions(time="string")


def is_of_table(error: BaseException) -> bool:
    """Return whether an error of a copy is about its table alone."""
    errors = [e for e in (error, error.__cause__) if isinstance(e, RefusedError)]
    is_own = isinstance(error, (TakenFolderError, UnsupportedError, pa.ArrowException))
    return is_own or any(refused.code in _OF_TABLE for refused in errors)


class TableServer:
    """The tables of a server; a connection serves one request at a time, and then the next.

    Attributes:
        denied: requested tables that the user may not read, with the server's error for each.

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
            ServerError: if the server cannot be reached, or refuses the statement.
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
        """Check that the log has all changes as whole rows, and that the databases exist.

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

    def databases(self) -> list[str]:
        """Return the databases that the user sees, without those of the server."""
        with self.connect() as connection:
            return [n for (n,) in connection.rows("SHOW DATABASES") if n not in _OF_SERVER]

    def names(self, databases: Iterable[str]) -> list[TableName]:
        """Return the tables of some databases; none of a database that is gone."""
        names = []
        with self.connect() as connection:
            for database in databases:
                shown = f"SHOW FULL TABLES FROM {quoted(database)} WHERE Table_type = 'BASE TABLE'"
                try:
                    names += [TableName(database, name) for name, _ in connection.rows(shown)]
                except RefusedError as error:
                    if error.code != _NO_SUCH_DATABASE:
                        raise
        return names

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

    def schema(self, table: TableName) -> pa.Schema:
        """Return the columns of a table that are copied; raises as `rows`."""
        return self._selection(table).schema

    def _selection(self, table: TableName) -> Selection:
        """Return what selects the rows of a table; raises as `rows`."""
        with self.connect() as connection:
            create = _shown_create(connection, table)
        dialect = SqlDialect(is_mariadb=self.is_mariadb)
        known = TableDefinition(()) if create is None else defined(create, dialect)
        if known is None:
            raise UnsupportedError(f"table {table}: its definition is not understood: {create}")
        if self.is_mariadb:  # which does not log generated columns in all changes
            known = replace(known, columns=tuple(c for c in known.columns if not c.is_generated))
        table_map = table_map_of(table, known, is_mariadb=self.is_mariadb)
        return Selection.of(known, table, pa.schema(natural_fields(table_map, _OF_COPIES)))

    def rows(self, table: TableName) -> pa.RecordBatchReader:
        """Return the rows of a table: several ranges of its primary key at a time, in chunks.

        Without a key that sorts as its literals do, all rows come by one SELECT.

        Raises:
            UnsupportedError: if it has a column of a type that is not copied.
            ServerError: as `connect`.
        """
        selection = self._selection(table)
        with self.connect() as connection:
            ranges = ranges_of(connection, selection, _NUM_READERS)
        parts = [read_range(self.connect(), selection, *ends) for ends in ranges]
        return pa.RecordBatchReader.from_batches(selection.schema, _side_by_side(parts))

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
        selection = self._selection(table)
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
        rows = read_range(_closed(reading), selection, (), ())
        return pa.RecordBatchReader.from_batches(selection.schema, rows), position


@contextmanager
def _closed(connection: TypedConnection) -> Iterator[TypedConnection]:
    """Give a connection, and close it at the end."""
    try:
        yield connection
    finally:
        connection.close_now()


def _side_by_side(parts: Sequence[Generator[pa.RecordBatch]]) -> Iterator[pa.RecordBatch]:
    """Yield the batches of iterators, some at a time, in threads; the first error ends all."""
    waiting = iter(parts)
    with ThreadPoolExecutor(_NUM_READERS) as pool:
        try:
            coming = {pool.submit(next, part, None): part for part in islice(waiting, _NUM_READERS)}
            while coming:
                done, _ = wait(coming, return_when=FIRST_COMPLETED)
                for future in done:
                    part = coming.pop(future)
                    batch = future.result()
                    following = next(waiting, None) if batch is None else part
                    if following is not None:
                        coming[pool.submit(next, following, None)] = following
                    if batch is not None:
                        yield batch
        finally:
            wait(coming)
            for part in parts:
                part.close()


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
