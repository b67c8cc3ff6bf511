"""The server that a lake follows: one of several that have the same transactions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from pyspark_adapter.errors import BinlogError, DataLossError, EventSite, ServerError
from pyspark_adapter.operations.server_tables import TableServer
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.gtid_position import GtidPosition
from pyspark_adapter.options.log_position import StreamOffset
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.output_schema import commit_version_base
from pyspark_adapter.replication.changes import version_at
from pyspark_adapter.replication.lake import State
from pyspark_adapter.server.server import LiveServer
from pyspark_adapter.server.server_errors import is_unreachable
from pyspark_adapter.stream.failover import Failover
from pyspark_adapter.stream.log_stream import BatchLimit, LogStream
from pyspark_adapter.stream.server_series import ServerSeries
from pyspark_adapter.warn import warn

if TYPE_CHECKING:
    from pyspark_adapter.replication.delta_tables import DeltaTables
    from pyspark_adapter.replication.iceberg_tables import IcebergTables
    from pyspark_adapter.sources.locations import Location


class FollowedServer:
    """The server that a lake follows, of those that the option `host` names.

    Args:
        server: the server, with the others that may take its place.
        databases: that each has to have.

    Attributes:
        tables: of the server that answers.
        stream: where they end.

    Raises:
        ServerError: if no server can be reached, or one refuses the user or has other settings.
    """

    def __init__(self, server: LiveServer, databases: Sequence[str]) -> None:
        members = server.members()
        # Another one may answer before a lost one comes back.
        seconds = min(server.reconnect_seconds, 1) if members[1:] else server.reconnect_seconds
        self._servers = [replace(one, fallbacks=(), reconnect_seconds=seconds) for one in members]
        self._databases = databases
        self.tables = TableServer(self._servers[0])
        self.choose(None, has_failed=True)

    def choose(self, offset: StreamOffset | None, *, has_failed: bool) -> StreamOffset | None:
        """Have a server answer whose log continues at an offset; return the offset in that log.

        Args:
            offset: up to where the lake has the log; None for a new lake.
            has_failed: whether the server that has answered may be lost.

        Raises:
            DataLossError: if each server lacks transactions, or has removed logs.
            ServerError: if a server cannot be reached, and no other continues.
        """
        failed: list[BinlogError] = []
        for server in [*self._servers]:
            try:
                if has_failed or server is not self._servers[0]:
                    self._use(server)
                return offset and self._found(offset)
            except DataLossError as error:
                failed.append(error)
            except ServerError as error:
                if not is_unreachable(error):
                    raise
                failed.append(error)
        if len(failed) == 1:
            raise failed[0]
        # One that cannot be reached may have what the others lack.
        lasts = all(isinstance(error, DataLossError) for error in failed)
        kind = DataLossError if lasts else ServerError
        raise kind("no server has the log from there on: " + "; ".join(map(str, failed)))

    def _use(self, server: LiveServer) -> None:
        """Ask a server from now on."""
        tables = TableServer(server)
        try:
            tables.check(self._databases)
        except BaseException:
            tables.close()
            raise
        if server is not self._servers[0]:
            self._servers = [server, *(one for one in self._servers if one is not server)]
        self.tables.close()
        self.tables = tables
        self.series = ServerSeries(server)
        self.stream = LogStream(self.series, BinlogOptions())

    def _found(self, offset: StreamOffset) -> StreamOffset:
        """Return an offset of the lake in the log of the server that answers."""
        failover = Failover(self.series, BinlogOptions())
        if not failover.is_elsewhere(offset):
            if len(self._servers) > 1:
                self.stream.latest_offset(offset, BatchLimit(1))  # another may have its log yet
            return offset
        site, delivered = EventSite(offset.log_name, offset.pos), GtidPosition.parse(offset.gtids)
        if not delivered:
            raise DataLossError(f"is of the server {offset.server}, another one answers", site=site)
        theirs = self.series.gtids() or GtidPosition()
        if lacking := delivered.minus(theirs):
            raise DataLossError(
                f"is of the server {offset.server}, and the one that answers lacks {lacking.text}:"
                f" the lake has {delivered.text}, the server {theirs.text}",
                site=site,
            )
        reached = failover.resumed(offset, may_lose=False)
        if reached is None:  # the lake has all
            reached = self.stream.end()
            if not reached.gtids or GtidPosition.parse(reached.gtids).minus(delivered):
                raise ServerError("has a new transaction: the next round begins with it", site=site)
        return reached


def moved(
    state: State,
    at: StreamOffset,
    tables: DeltaTables | IcebergTables,
    folders: Sequence[Callable[[TableName], Location]],
) -> State:
    """Return the state of a lake that continues with another server; warn.

    The versions of its log get a shift, so that they come after those of the server before. A table
    with changes after the offset is copied again: the other log does not say which these are.

    Args:
        state: as it was.
        at: its offset in the log of the other server.
        folders: of the copy of a table, and of its history.
    """
    applied = dict.fromkeys(state.followed, 0)
    for name, folder in product(applied, folders):
        if (table := tables.open(folder(name))) is not None:
            applied[name] = max(applied[name], tables.applied(table, folder(name)))
    before = state.offset or StreamOffset()
    end = version_at(before.log_name, before.pos) + state.shift
    ahead = [name for name, version in applied.items() if version >= end]
    last = max([end, *applied.values()])
    log = commit_version_base(1)
    shift = max(last - version_at(at.log_name, 0), 0) // log * log + log
    warn(
        f"the lake continues with server {at.server} at {at.log_name}@{at.pos}, in place"
        f" of {before.server}" + (f"; copied again: {', '.join(map(str, ahead))}" if ahead else "")
    )
    followed = {**state.tables, **dict.fromkeys(ahead)}
    return replace(state, offset=at, shift=shift, tables=followed)
