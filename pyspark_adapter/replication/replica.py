"""The tables of a lake, and which of them follow the log: what a round does."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

import pyarrow as pa

from pyspark_adapter.ddl.sql_tokens import SqlDialect
from pyspark_adapter.decode.group_rows import TableStatement
from pyspark_adapter.errors import BinlogError, DataLossError, ServerError, UnsupportedError
from pyspark_adapter.events.row_filter import TableFilter
from pyspark_adapter.events.statements import Statement
from pyspark_adapter.operations.server_tables import SETTLE_SECONDS, TableServer, is_of_table
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.log_position import LogPosition, StreamOffset
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.replication.alterations import AlteredColumns, alter_in_place
from pyspark_adapter.replication.changes import Applied, Changes, last_commit, version_at
from pyspark_adapter.replication.delta_tables import tables_of
from pyspark_adapter.replication.followed_server import FollowedServer, moved
from pyspark_adapter.replication.foreign_keys import ForeignKeys, cascades
from pyspark_adapter.replication.history import History
from pyspark_adapter.replication.lake import State, StateFile, table_folder
from pyspark_adapter.replication.merged_changes import (
    TableFacts,
    lacks_columns,
    merge_changes,
    table_facts,
)
from pyspark_adapter.replication.round_logs import AS_TEXT, read_changes
from pyspark_adapter.replication.versions import Versions, boot_id
from pyspark_adapter.server.server import LiveServer
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.ownership import DamagedTableError, TakenFolderError, own_names
from pyspark_adapter.spark.part_files import writing
from pyspark_adapter.stream.log_stream import BatchLimit
from pyspark_adapter.stream.stream_lag import bytes_between
from pyspark_adapter.warn import warn

RETRY_SECONDS: Final = 60.0  # before a table that could not be copied is copied again
SAVE_SECONDS: Final = 10.0  # between commits of the state, as long as no followed table changes
_BATCH_BYTES: Final = 256 << 20  # of log
_NUM_MERGES: Final = 4  # at a time
_NUM_COPIES: Final = 4  # at a time
_COPIES_SAVED: Final = 1.0  # seconds, between commits of the state while tables are copied


class Replica:
    """The tables of a lake.

    Each commit of a table names the transaction of the log up to which its rows are the server's.
    The state has the definitions that the tables had when they were copied; a table without one is
    copied.

    Args:
        patterns: of the tables, as the option `tables` takes them; None for all.
        has_history: whether all changes are kept.
        table_format, catalog: as for `tables_of`.
        prunes: whether the copies of tables that the server has dropped are removed.
        reloads: whether all tables are copied again, from whatever server.

    Raises:
        OptionError: if the folder is no lake, or its tables have another format.
        BinlogError: if another program writes the lake, or server or lake cannot be reached.
    """

    def __init__(
        self,
        server: LiveServer,
        lake: Location,
        databases: Sequence[str],
        patterns: str | None = None,
        *,
        has_history: bool = False,
        table_format: str = "delta",
        catalog: str = "",
        prunes: bool = False,
        reloads: bool = False,
    ) -> None:
        self._filter = TableFilter(BinlogOptions.from_python({"tables": patterns}))
        self._upstream = FollowedServer(server, databases)
        self._lake, self._databases, self._prunes, self._reloads = lake, databases, prunes, reloads
        self._state_file = StateFile(lake, table_format, catalog, sets_aside=reloads)
        try:
            self.tables = tables_of(lake, table_format, catalog)
        except BaseException:
            self._state_file.close()
            raise
        self._foreign_keys = ForeignKeys(lambda: cascades(self.server))
        self._opened: dict[TableName, Any] = {}
        self._definitions: Mapping[TableName, str] = {}  # at the beginning of the round
        self._altered: dict[TableName, str] = {}  # in the round, without a copy
        self._saved_at = self._noted_at = -SAVE_SECONDS
        self._refused: dict[TableName, Exception] = {}
        self._since: dict[TableName, float] = {}
        self._retry_at: dict[TableName, float] = {}  # when to copy one of them again
        self._begins_anew = reloads
        state = self.state
        self._exact = set(state.exact)
        self._boot, is_other = state.boot, state.boot != boot_id()  # until all tables are looked at
        self._versions = Versions(lake, self.tables, state.versions, has_restarted=is_other)
        self.history = History(lake, self.tables, self._versions) if has_history else None
        if reloads or state.has_history != has_history:
            # The old offset stays until there is another: it says which server the lake follows.
            self.save(replace(state, has_history=has_history, tables=dict.fromkeys(state.tables)))
        if missing := [n for n, text in self.state.tables.items() if not self._has(n, bool(text))]:
            self.save(replace(self.state, tables={**self.state.tables, **dict.fromkeys(missing)}))
        self._boot = boot_id()

    @property
    def server(self) -> TableServer:
        """The tables of the server that answers."""
        return self._upstream.tables

    @property
    def state(self) -> State:
        """The state of the lake."""
        return self._state_file.state

    def save(self, state: State) -> None:
        """Store the state, after what it speaks of is on the disk; raises as `StateFile.save`."""
        with writing(self._lake):
            versions = self._versions.synced()
        exact = frozenset(self._exact)
        self._state_file.save(replace(state, versions=versions, boot=self._boot, exact=exact))
        self._saved_at = time.monotonic()

    def note(self, done: Mapping[str, Any]) -> None:
        """Have the state say what a round did, once in SAVE_SECONDS; raises as `save`."""
        if time.monotonic() - self._noted_at > SAVE_SECONDS:
            self.save(replace(self.state, round=done))
            self._noted_at = time.monotonic()

    def close(self) -> None:
        """Let another program have the lake."""
        self.server.close()
        self.tables.close()
        self._state_file.close()

    def folder_of(self, table: TableName) -> Location:
        """Return the folder of the copy of a table."""
        return table_folder(self._lake, table)

    def round(self, *, has_failed: bool) -> Applied:
        """Bring all tables up to now.

        Args:
            has_failed: whether the round before has: the reason may be a table that was altered.

        Raises:
            BinlogError: if it fails; the next round continues where this one was.
        """
        self._state_file.check()
        self._opened = {} if has_failed else self._opened
        self._choose_server(has_failed=has_failed)
        there = self.server.names(self._databases)
        definitions = self.server.recent_definitions(filter(self._filter.keeps, there))
        self._definitions = definitions
        self._foreign_keys.look_at(definitions)
        # A statement is looked at when its position in the log is read.
        self._compare(definitions if has_failed else definitions | self.state.followed)
        asked_at = time.time()
        pending = [name for name in definitions if name not in self.state.followed]
        num_changes, lag_bytes, last = 0, 0, None
        left = self.state.tables.keys() - {*there, *definitions}
        gone = self.server.gone(n for n in left if n.database_name in self._databases)
        offset = self._offset
        if self.state.followed and offset is not None:
            num_changes, lag_bytes, last = self.follow(offset)
        else:
            self._check_log()
            if definitions or self._begins_anew:
                self.save(replace(self.state, offset=self._upstream.stream.end()))
                self._begins_anew = False
        self._compare(definitions)
        self._drop(gone)
        if self._prunes:
            self._prune()
        # What foreign keys did while a table was not followed is not known.
        followed = self.state.followed.keys() - self._foreign_keys.children(pending)
        copied = self._copy({n: text for n, text in definitions.items() if n not in followed})
        lag_seconds = max(time.time() - (last if lag_bytes and last else asked_at), 0.0)
        self._since = {name: self._since.get(name, time.time()) for name in self._refused}
        return Applied(num_changes, copied, lag_bytes, lag_seconds, self._refused, self._since)

    @property
    def _offset(self) -> StreamOffset | None:
        """Up to where the log of the server was read; None for a lake that starts over."""
        return None if self._begins_anew else self.state.offset

    def _compare(self, now: Mapping[TableName, str]) -> None:
        """Stop following tables that were altered, or are gone."""
        state = self.state
        tables = {n: text if now.get(n) == text else None for n, text in state.tables.items()}
        if tables != state.tables:
            self._check_log()
            self.save(replace(state, tables=tables))

    def _choose_server(self, *, has_failed: bool) -> None:
        """Have a server answer that continues where the lake is."""
        offset = self._offset
        upstream = self._upstream.choose(offset, has_failed=has_failed)
        if offset is not None and upstream is not None:
            if upstream.server != offset.server:
                folders = [self.folder_of, *([self.history.folder_of] if self.history else [])]
                self.save(moved(self.state, upstream, self.tables, folders))
        elif not self._begins_anew:  # a lake whose state was lost has the marker
            known, answers = self._state_file.server, self._upstream.series.identity()
            if known not in ("", answers):
                raise DataLossError(f"the lake is of the server {known}, another one answers")

    def _check_log(self) -> None:
        """Check that the log continues: another server lacks tables, too, or has others."""
        offset = self._offset
        if offset and any(name.database_name in self._databases for name in self.state.tables):
            self._upstream.stream.latest_offset(offset, BatchLimit(1))

    def _drop(self, gone: Sequence[TableName]) -> None:
        """Note tables that the server has dropped; their copies stay."""
        if gone:
            left = {n: text for n, text in self.state.tables.items() if n not in gone}
            dropped = {**self.state.dropped, **dict.fromkeys(gone, int(time.time()))}
            self.save(replace(self.state, tables=left, dropped=dropped))

    def _prune(self) -> None:
        """Remove the copies of dropped tables: what their own log or snapshots name."""
        for name in self.state.dropped:
            self._opened.pop(name, None)
            self._versions.remove(self.folder_of(name))
        if self.state.dropped:
            self.save(replace(self.state, dropped={}))

    def _copy(self, tables: Mapping[TableName, str]) -> list[TableName]:
        """Copy tables; return those that did not change meanwhile. Raises if none can be."""
        refused, now = self._refused, time.monotonic()
        waits = {n: e for n, e in refused.items() if now < self._retry_at.get(n, now)}
        self._refused = {**waits, **self.server.denied}
        wanted = {n: t for n, t in tables.items() if n not in self._refused and self._may_copy(n)}
        copied = self._copy_all(wanted) if wanted else []
        for name, error in self._refused.items():
            if self._refused.keys() >= tables.keys() and not self.state.followed:
                raise error
            if name not in refused:
                warn(f"table {name} is not copied: {error}")
        return copied

    def _may_copy(self, name: TableName) -> bool:
        """Return whether the folders of a table are its own; of a new one they have to be empty."""
        if name in self.state.tables:
            return True
        try:
            for folder in (self.folder_of(name), self.history and self.history.folder_of(name)):
                if folder and self.tables.open(folder) is None and name not in self.state.dropped:
                    own_names(folder, "", option="to", allows_data=True)
        except TakenFolderError as error:
            if not (self._reloads and isinstance(error, DamagedTableError)):
                self._refused[name] = error
                return False
        return True

    def _copy_all(self, tables: Mapping[TableName, str]) -> list[TableName]:
        """Copy tables; return those whose definition was the same all the time."""
        # First, so that after a stop the next run knows whose files they are.
        dropped = {name: at for name, at in self.state.dropped.items() if name not in tables}
        known = {**self.state.tables, **dict.fromkeys(tables)}
        self.save(replace(self.state, tables=known, dropped=dropped))
        version = self._version_before(self.server.server.position())
        time.sleep(SETTLE_SECONDS)
        copied, done = list[TableName](), dict[TableName, str]()

        def save() -> None:
            if done:
                self.save(replace(self.state, tables={**self.state.tables, **done}))
                done.clear()

        with ThreadPoolExecutor(_NUM_COPIES) as pool:
            try:
                are_same = pool.map(lambda n: self._copy_one(n, tables[n], version), tables)
                for name, is_same in zip(tables, are_same, strict=True):
                    if is_same:
                        copied.append(name)
                        done[name] = tables[name]
                    if time.monotonic() - self._saved_at > _COPIES_SAVED:
                        save()
            finally:
                pool.shutdown(cancel_futures=True)
                save()
        return copied

    def _copy_one(self, name: TableName, create: str, version: int) -> bool:
        """Copy a table; return whether its definition was the same all the time."""
        try:
            folder = self.folder_of(name)
            table = self._versions.table_to_replace(folder)
            rows, position = self.server.rows_at(name, locks=self.facts(create).counts)
            self._exact.discard(name)
            if position is not None:
                version = self._version_before(position)
                self._exact.add(name)
            copy = self.tables.copy(folder, table, rows, version)
            self._opened[name] = copy
            if self.history is not None:
                self.history.begin(name, copy, version)
        except (BinlogError, pa.ArrowException) as error:
            if self.server.definitions([name]).get(name) == create:  # else it was altered
                if not is_of_table(error):
                    raise
                self._refused[name] = error
                if not isinstance(error, TakenFolderError):
                    self._retry_at[name] = time.monotonic() + RETRY_SECONDS
            return False
        return self.server.definitions([name]).get(name) == create

    def _version_before(self, position: LogPosition) -> int:
        """Return the greatest commit version of transactions before a position in the log."""
        return version_at(position.log_name, position.start_pos) + self.state.shift - 1

    def facts(self, create: str) -> TableFacts:
        """Return what merges depend on of a definition."""
        return table_facts(create, is_mariadb=self.server.is_mariadb)

    def follow(
        self, start: StreamOffset, until: LogPosition | None = None
    ) -> tuple[int, int, float | None]:
        """Apply the changes up to now, or before a position; raises as `round`.

        Returns how many images, the bytes of log that are left, and when the last was committed.
        """
        stream, series = self._upstream.stream, self._upstream.series
        end = stream.latest_offset(start, BatchLimit(_BATCH_BYTES))
        if until is not None:
            end = stream.end_before(start, until.log_name, until.start_pos)
        if end == start:
            return 0, 0, None
        if end.server != start.server:
            raise ServerError("another server answers since the round began")
        state, ranges = self.state, stream.ranges(start, end)
        changes_read, unlogged = read_changes(self.server.server, state, (start, end), ranges)
        changes_read = [changes for changes in changes_read if changes.table in state.followed]
        self._altered.clear()
        with ThreadPoolExecutor(_NUM_MERGES) as pool:
            is_merged = list(pool.map(self.merge, changes_read))
        late = [c.table for c, ok in zip(changes_read, is_merged, strict=True) if not ok]
        late += [table for table in unlogged if self._has_unlogged(table, unlogged[table])]
        late += self._foreign_keys.reached(changes_read, state.followed, self._rows_of)
        if changes_read or late or time.monotonic() - self._saved_at > SAVE_SECONDS:
            tables = {**state.tables, **self._altered, **dict.fromkeys(late)}
            self.save(replace(state, offset=end, tables=tables))
        newest = series.all()[-1]
        lag_bytes = bytes_between(series, end, StreamOffset(newest.name, newest.num_bytes))
        num_changes = sum(changes.num_rows for changes in changes_read)
        return num_changes, lag_bytes, last_commit(changes_read) if lag_bytes else None

    def _has_unlogged(self, table: TableName, statement: Statement) -> bool:
        """Return whether a copy lacks what a statement changed; warn then."""
        copy, site = self.copy_of(table), statement.site
        version = version_at(site.log_file, site.start_pos) + self.state.shift
        if copy is not None and self.tables.applied(copy, self.folder_of(table)) >= version:
            return False
        warn(f"{statement.site}: table {table} is copied again: {AS_TEXT}: {statement.summary}")
        return True

    def _rows_of(self, table: TableName) -> Iterator[pa.RecordBatch]:
        """Return the rows of the copy of a table; none if it is not followed."""
        copy = self.copy_of(table) if table in self.state.followed else None
        return iter(()) if copy is None else self.tables.rows(copy)

    def merge(self, changes: Changes) -> bool:
        """Apply the changes of a table; return False if it has to be copied instead."""
        with suppress(TakenFolderError, UnsupportedError):  # it is refused when it is to be copied
            return self._merge(changes)
        return False

    def _merge(self, changes: Changes) -> bool:
        folder = self.folder_of(changes.table)
        copy = self.copy_of(changes.table)
        if copy is None:
            return False
        if not self.tables.is_whole(folder, copy):
            warn(f"{folder.shown}: files of the table are missing or cut; it is copied again")
            return False
        schema = self.tables.schema(copy)
        applied = self.tables.applied(copy, folder)
        facts = self.facts(self.state.followed[changes.table])
        changes = changes.without_history(facts.row_end)
        if lacks_columns(changes, applied, facts):
            return False
        # Altered, and altered back while it was copied: this read began with another definition.
        if any(s.kind == "alter" and s.commit_version <= applied for s in changes.statements):
            return False
        new = [statement for statement in changes.statements if statement.commit_version > applied]
        columns: AlteredColumns | None = AlteredColumns.unchanged(schema)
        if new:
            columns = self._altered_columns(changes.table, schema, new)
        if self.history is not None:
            after = columns or AlteredColumns.unchanged(schema)
            self.history.add(applied, changes, after.schema, facts.left_out, ends=not after.edits)
        if columns is None:
            return False
        is_exact = changes.table in self._exact
        merged = (self.tables, folder, copy, changes, columns, facts)
        if not merge_changes(*merged, is_exact=is_exact):
            return False
        if new:
            self._altered[changes.table] = self._definitions[changes.table]
        return True

    def _altered_columns(
        self, table: TableName, schema: pa.Schema, statements: Sequence[TableStatement]
    ) -> AlteredColumns | None:
        """Return the columns of a copy after statements; None if it has to be copied again."""
        altered = alter_in_place(
            schema,
            (self.state.followed[table], self._definitions.get(table, "")),
            statements,
            self.tables.form_of(self.server.schema(table)),
            self.history or self.tables,
            SqlDialect(is_mariadb=self.server.is_mariadb),
        )
        if altered is None or (self.history and not self.history.may_have(table, altered.schema)):
            return None
        return altered

    def copy_of(self, table: TableName) -> Any:
        """Return the copy of a table, as it was after the last commit of this program, or None."""
        if self._opened.get(table) is None:
            self._opened[table] = self.tables.open(self.folder_of(table))
        return self._opened[table]

    def _has(self, table: TableName, is_followed: bool) -> bool:
        """Return whether the tables of the lake that a table needs are as the state knows them."""
        try:
            has_history = self.history is None or self.history.has(table)
            return has_history and is_followed and self._versions.fits(self.folder_of(table))
        except TakenFolderError:  # it is refused when it is to be copied
            return False
