"""Which transactions of a server are committed, and where its logs continue after some of them.

A transaction is in the log before it is committed, and with semi-synchronous replication before a
replica has it: a crash may undo it, or leave it on this server alone. So a stream waits for it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Final, TypeVar

from pyspark_adapter.errors import DataLossError, ServerError, located
from pyspark_adapter.format.header import MAGIC
from pyspark_adapter.options.gtid_position import GtidPosition
from pyspark_adapter.options.log_position import LogPosition
from pyspark_adapter.server.server import LiveServer, log_position
from pyspark_adapter.server.server_errors import NO_LOG, Backoff, ConnectionLostError, RefusedError
from pyspark_adapter.sources.log_file import ENGINE_SUFFIX, log_number

_T = TypeVar("_T")
_LAST_START: Final = (1 << 32) - 1  # positions of a dump have four bytes
_SNAPSHOT: Final = "SHOW GLOBAL STATUS LIKE 'Binlog_snapshot_%'"
_NAME, _POSITION = "Binlog_snapshot_file", "Binlog_snapshot_position"
_FIRST_EVENTS: Final = 100  # a checkpoint for each log before it that was still in use


@dataclass(frozen=True)
class WrittenEnd:
    """The end of what a server has written.

    Attributes:
        position: its place. Of MariaDB all transactions before it are committed.
        executed: of MySQL, transactions that were committed before `position` was asked for; None
            if it has no GTIDs.
        is_waiting: of MariaDB, whether the last transactions of this log may not be committed.
    """

    position: LogPosition
    executed: GtidPosition | None = None
    is_waiting: bool = False


def written_end(server: LiveServer, settled: str = "") -> WrittenEnd:
    """Return the end of what a server has written; one request, of MariaDB up to six.

    Args:
        settled: a log of MariaDB before which all is committed; empty if none is known.

    Raises:
        ServerError, UnsupportedError: as `LiveServer.log_files`.
    """
    position, executed = server.status()
    if not server.session().is_mariadb:
        return WrittenEnd(position, executed)
    if position.log_name != settled and not _is_settled(server, position):
        before = [log for log in server.log_files() if log.number < log_number(position.log_name)]
        if before:
            return WrittenEnd(LogPosition(before[-1].name, before[-1].num_bytes), is_waiting=True)
    return _last_commit(server, position)


def _is_settled(server: LiveServer, written: LogPosition) -> bool:
    """Return whether the logs before the last one of MariaDB are committed to their ends.

    MariaDB says that a log is while the transactions that ended it still wait for a replica. They
    are committed before those of a second log are in it, and before its checkpoint.
    """
    if written.log_name.endswith(ENGINE_SUFFIX):
        return True  # a transaction is committed with its page of the log
    sql = f"SHOW BINLOG EVENTS IN %s LIMIT {_FIRST_EVENTS}"
    rows = server.session().rows(sql, written.log_name, num_columns=6)
    return any(
        (kind == "Gtid" and int(pos or 0) < written.start_pos)
        or (kind == "Binlog_checkpoint" and about == written.log_name)
        for _, pos, kind, _, _, about, *_ in rows
    )


def _last_commit(server: LiveServer, written: LogPosition) -> WrittenEnd:
    """Return the end of the last committed transaction of MariaDB, or of events after it."""
    rows = server.session().rows(_SNAPSHOT, num_columns=2)
    status = {row[0]: row[1] for row in rows}
    if not status.get(_NAME):
        return WrittenEnd(written)
    with located(server.site):
        committed = log_position(status.get(_NAME), status.get(_POSITION))
    if committed == written or committed.start_pos < len(MAGIC):
        return WrittenEnd(written)
    if log_number(committed.log_name) > log_number(written.log_name):
        return WrittenEnd(written, is_waiting=True)  # another log has begun meanwhile
    if committed.log_name == written.log_name and committed.start_pos > written.start_pos:
        return WrittenEnd(written)
    # Events that are no transaction do not move it.
    is_same = gtids_at(server, committed) == gtids_at(server, written)
    return WrittenEnd(written if is_same else committed)


def gtids_at(server: LiveServer, position: LogPosition) -> GtidPosition:
    """Return the transactions of MariaDB before a position; from 11.4 on it has an index of them.

    Raises:
        ServerError: as `LiveServer.log_files`, or if the log is gone.
    """
    sql = f"SELECT BINLOG_GTID_POS(%s, {position.start_pos})"
    (text,) = server.session().row(sql, position.log_name)[:1]
    if text is None:
        raise ServerError(f"expected the log {position.log_name}", site=server.site)
    return _parsed(server, text)


def committed_before(
    server: LiveServer, end: WrittenEnd, start_pos: int
) -> tuple[int, GtidPosition | None]:
    """Return the offset in the last log before which all is committed, and its transactions.

    MySQL looks through its log for transactions that it has not committed, and sends these alone.

    Args:
        end: of its logs.
        start_pos: offset in the last log up to which all is committed.

    Returns:
        The offset, and the transactions before it, those of earlier logs included; None instead if
        they are unknown.

    Raises:
        ServerError: as `LiveServer.log_files`.
    """
    log_name, stop = end.position.log_name, end.position.start_pos
    if end.is_waiting:
        return start_pos, None
    if server.session().is_mariadb:
        return stop, gtids_at(server, end.position)
    if end.executed is None or stop > _LAST_START:
        return stop, None
    known = end.executed
    if stop == start_pos:
        return stop, known

    from pyspark_adapter.server.gtid_dump import NamedTransaction, transactions_after

    def sent(known: GtidPosition, begin: int, most: int | None) -> list[NamedTransaction]:
        begins = LogPosition(log_name, begin)
        with closing(transactions_after(server, known, begins)) as rest:
            of_log = takewhile(lambda one: one.begin.log_name == log_name, rest)
            before = takewhile(lambda one: one.begin.start_pos < end.position.start_pos, of_log)
            return list(islice(before, most))

    # The written end may be behind transactions that are neither executed nor synced: the server
    # does not send them, and says where it stops.
    opened = _retried(server, lambda: sent(known, start_pos, 1))
    if not opened:
        return stop, known
    rest = _retried(server, lambda: sent(GtidPosition(), opened[0].begin.start_pos, None))
    # One that does not say how far it has left out transactions has sent them now.
    while rest and rest[0].gtid and not rest[0].gtid.minus(known):
        del rest[0]
    committed = known
    for _, gtid in rest:
        committed = committed.minus(gtid)
    return rest[0].begin.start_pos if rest else stop, committed


def transactions_of(server: LiveServer) -> GtidPosition | None:
    """Return the transactions that a server has; None if it has no GTIDs; raises ServerError."""
    if not server.session().is_mariadb:
        return server.status()[1]
    (text,) = server.session().row("SELECT @@GLOBAL.gtid_binlog_pos")[:1]
    return _parsed(server, text or "")


def position_behind(server: LiveServer, delivered: GtidPosition) -> LogPosition | None:
    """Return where the first transaction begins that a set lacks; None if there is none yet.

    The server looks for it, by COM_BINLOG_DUMP_GTID or, MariaDB, by `slave_connect_state`.

    Raises:
        DataLossError: if the server lacks some of the set, or has removed some that the set lacks.
        ServerError: if it has no GTIDs; or as `LiveServer.log_files`.
    """
    theirs = transactions_of(server)
    if theirs is None:
        raise ServerError(
            "expected a server with GTIDs, since the stream has read from another one before:"
            " gtid_mode is OFF",
            site=server.site,
            advice="set gtid_mode=ON on all servers of the stream, or start a new query",
        )
    if lacking := delivered.minus(theirs):
        raise lacking_error(server, lacking)

    from pyspark_adapter.server.gtid_dump import transactions_after

    def first() -> LogPosition | None:
        with closing(transactions_after(server, delivered)) as rest:
            return next((begins for begins, gtid in rest if gtid), None)

    try:
        return _retried(server, first)
    except ServerError as error:
        cause = error.__cause__
        if not isinstance(cause, RefusedError) or cause.code != NO_LOG:
            raise
        if not server.session().is_mariadb:
            server.expect_not_purged(delivered.text)
        raise DataLossError(
            f"cannot continue after the transactions {delivered.text}: {cause.message}",
            site=server.site,
        ) from error


def lacking_error(server: LiveServer, lacking: GtidPosition) -> DataLossError:
    """Return the error for a server without transactions that were delivered."""
    return DataLossError(
        f"the server lacks transactions that the stream has delivered: {lacking.text}",
        site=server.site,
        advice="let it replicate them, or read a server that has them; with option"
        " failOnDataLoss=false the stream continues with what this server has",
    )


def _retried(server: LiveServer, ask: Callable[[], _T]) -> _T:
    """Ask over a connection of its own, again if it is lost."""
    backoff = Backoff(server.patience)
    with located(server.site):
        while True:
            try:
                return ask()
            except ConnectionLostError as error:
                backoff.wait(error)
            except RefusedError as error:
                raise ServerError(error.message, advice=error.advice) from error


def _parsed(server: LiveServer, text: str) -> GtidPosition:
    try:
        return GtidPosition.parse(text)
    except ValueError as error:
        raise ServerError(f"expected a set of GTIDs, got {text!r}", site=server.site) from error
