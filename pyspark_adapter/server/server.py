"""A running server: the logs that it has, and where in them a reader continues."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, Self, TypeVar

from pyspark_adapter.errors import DataLossError, ServerError, UnsupportedError, located, one_line
from pyspark_adapter.format.header import MAGIC
from pyspark_adapter.options.gtid_position import GtidPosition
from pyspark_adapter.options.log_position import LogPosition
from pyspark_adapter.server.address import ServerAddress
from pyspark_adapter.sources.encrypted_log import LEN_ENCRYPTION_HEADER
from pyspark_adapter.sources.log_file import LogFile, log_number

if TYPE_CHECKING:
    from pyspark_adapter.server.connection import Session
    from pyspark_adapter.sources.locations import StoredBytes

_T = TypeVar("_T")
_BY_POS: Final = "start at a position: option startingOffsets takes log_file and pos, too"
_MAX_SIZE: Final = (1 << 63) - 1
_GTID: Final = re.compile(r"(\d+)-(\d+)-(\d+)")
_MAX_NAME: Final = 512  # FN_REFLEN of the servers


class NoServerError(ServerError):
    """None of several servers can be reached; shown as a ServerError."""


class LiveServer(ServerAddress):
    """A server that is read over the replication protocol; a `LogStore`."""

    def log_files(self) -> list[LogFile]:
        """Return the logs that the server has, in their order; one request.

        The size of each includes the magic. The last log grows.

        Raises:
            ServerError: if the server cannot be reached, keeps no logs, does not let this user see
                them, or lists names or sizes that no server has.
            UnsupportedError: if PyMySQL is not installed.
        """
        rows = self.session().rows("SHOW BINARY LOGS", num_columns=2)
        with located(self.site):
            logs = {name: self._log_file(name, *rest) for name, *rest in rows}
            if len(logs) != len(rows):
                raise ServerError(f"expected {len(rows)} logs, got {len(logs)} different names")
        return list(logs.values())

    def _log_file(
        self,
        name: str | None,
        num_bytes: str | None,
        is_encrypted: str | None = "No",
        *_: str | None,
    ) -> LogFile:
        size = _number(num_bytes) - (LEN_ENCRYPTION_HEADER if is_encrypted == "Yes" else 0)
        if size < 0:
            raise ServerError(f"expected the size of an encrypted log, got {num_bytes}")
        name = _log_name(name)
        return LogFile(f"{self.shown}/{name}", name, log_number(name), size, server=self)

    def position(self) -> LogPosition:
        """Return the end of the last committed transaction; one request.

        Raises:
            ServerError, UnsupportedError: as `log_files`.
        """
        return self.status()[0]

    def status(self) -> tuple[LogPosition, GtidPosition | None]:
        """Return the end of the last transaction, and of MySQL what was committed before.

        Returns:
            The position, and the transactions; None instead of MariaDB, or without GTIDs.

        Raises:
            ServerError, UnsupportedError: as `log_files`.
        """
        session = self.session()
        # MySQL 8.2 added the first, 8.4 removed the second.
        is_new = not session.is_mariadb and session.version >= (8, 2)
        rows = session.rows(
            "SHOW BINARY LOG STATUS" if is_new else "SHOW MASTER STATUS", num_columns=2
        )
        with located(self.site):
            if not rows:
                raise ServerError(
                    "expected a server with binary logs, log_bin is off",
                    advice="set log_bin in its configuration and start it again",
                )
            name, end, *more = rows[0]
            executed = more[2] if len(more) > 2 and session.has_gtids() else None
            try:
                gtids = None if executed is None else GtidPosition.parse(executed)
            except ValueError as error:
                raise ServerError(
                    f"expected a set of GTIDs, got '{one_line(str(executed))}'"
                ) from error
            return log_position(name, end), gtids

    def position_after(self, gtids: str) -> LogPosition:
        """Return the start of the newest log that all transactions outside a set are in or after.

        The log may also hold some transactions of the set.

        Args:
            gtids: of MySQL a set in the form of `gtid_executed`; of MariaDB the last transaction of
                each domain, in the form of `gtid_binlog_pos`, which includes all before it.

        Raises:
            DataLossError: if the server has removed logs with transactions outside of the set.
            ServerError: if it has no GTIDs or does not accept the text; or as `log_files`.
            UnsupportedError: as `log_files`.
        """
        session = self.session()
        if not session.is_mariadb:
            self.expect_not_purged(gtids)
        for log_file in reversed(self.log_files()):
            before = self._gtids_before(session, log_file.name)
            if self._is_within(session, before, gtids):
                return LogPosition(log_file.name, len(MAGIC))
        raise DataLossError(
            f"transactions that are not in {gtids!r} have been removed with their logs",
            site=self.site,
        )

    def expect_not_purged(self, gtids: str) -> None:
        """Check that MySQL has all transactions outside of a set in its logs.

        Raises:
            DataLossError, ServerError: as `position_after`.
        """
        session = self.session()
        mode, missing, *_ = session.row(
            "SELECT @@GLOBAL.gtid_mode, GTID_SUBTRACT(@@GLOBAL.gtid_purged, %s)",
            gtids,
            num_columns=2,
        )
        if mode == "OFF":
            raise ServerError(
                "expected a server with GTIDs, gtid_mode is OFF", site=self.site, advice=_BY_POS
            )
        if missing:
            raise DataLossError(
                f"the transactions {one_line(missing)} have been removed with their logs",
                site=self.site,
            )

    def _gtids_before(self, session: Session, log_name: str) -> str:
        """Return the GTIDs of all earlier logs, which the second or third event of a log holds."""
        rows = session.rows("SHOW BINLOG EVENTS IN %s LIMIT 3", log_name, num_columns=6)
        texts = [row[5] for row in rows if row[2] in ("Previous_gtids", "Gtid_list")]
        if not texts or texts[0] is None:
            raise ServerError(
                "expected a log that begins with a set of GTIDs", site=self.site, advice=_BY_POS
            )
        return texts[0]

    def _is_within(self, session: Session, before: str, gtids: str) -> bool:
        if not session.is_mariadb:
            return session.row("SELECT GTID_SUBSET(%s, %s)", before, gtids)[0] == "1"
        try:
            return has_all_after(before, gtids)
        except ValueError as error:
            raise ServerError(
                f"expected GTIDs as 0-1-42,1-2-7, got {gtids!r} and from the server"
                f" '{one_line(before)}'",
                site=self.site,
                advice="take the gtids of option startingOffsets from the server's gtid_binlog_pos",
            ) from error

    def identity(self) -> str:
        """Return the UUID of the server, or the id of one that has no UUID; mostly no request.

        Raises:
            ServerError, UnsupportedError: as `log_files`.
        """
        return self.session().identity()

    def members(self) -> list[Self]:
        """Return the servers that the option `host` names, this one first."""
        reached = [(self.host, self.port), *self.fallbacks]
        return [
            replace(self, host=host, port=port, fallbacks=(*reached[:i], *reached[i + 1 :]))
            for i, (host, port) in enumerate(reached)
        ]

    def reachable(self) -> LiveServer:
        """Return the first of the servers that answers; raises ServerError."""
        return first_of(self.members(), lambda server: (server.session(), server)[1])

    def open(self, log_file: LogFile) -> StoredBytes:
        """Open a log; no request is sent before the first read; raises UnsupportedError."""
        require_pymysql()
        from pyspark_adapter.server.server_log import ServerLog

        return ServerLog(self, log_file)

    def session(self) -> Session:
        """Return the session with the server that this process keeps.

        Raises:
            ServerError, UnsupportedError: as `log_files`.
        """
        require_pymysql()
        from pyspark_adapter.server.connection import session_of

        return session_of(self)


def first_of(servers: Sequence[LiveServer], ask: Callable[[LiveServer], _T]) -> _T:
    """Return the answer of the first server that can be reached.

    Raises:
        NoServerError: if there are several and none can be.
        ServerError: as `ask`.
    """
    from pyspark_adapter.server.server_errors import is_unreachable

    if len(servers) == 1:
        return ask(servers[0])
    failed: list[str] = []
    for server in servers:
        try:
            return ask(server)
        except ServerError as error:
            if not is_unreachable(error):
                raise
            failed.append(f"{server.shown}: {error.message}")
    raise NoServerError("none of the servers answers: " + "; ".join(failed))


def require_pymysql() -> None:
    """Check that PyMySQL is installed; raises UnsupportedError if it is not installed."""
    if find_spec("pymysql") is None:
        raise UnsupportedError(
            "logs of a running server (option host) need PyMySQL, which is not installed",
            advice="pip install 'mysql-binlog-spark[live]'",
        )


def log_position(name: str | None, pos: str | None) -> LogPosition:
    """Return a position that a server has sent; raises ServerError if it is invalid."""
    return LogPosition(_log_name(name), _number(pos))


def _log_name(text: str | None) -> str:
    text = text or ""
    is_name = text.isprintable() and text.strip(".") and not re.search(r"[/\\]", text)
    if not is_name or len(text) > _MAX_NAME:
        raise ServerError(f"expected the name of a log, got '{one_line(text)}'")
    return text


def _number(text: str | None) -> int:
    text = text or ""
    if not re.fullmatch("[0-9]{1,19}", text) or int(text) > _MAX_SIZE:
        raise ServerError(f"expected a number of bytes, got '{one_line(text)}'")
    return int(text)


def has_all_after(before: str, gtids: str) -> bool:
    """Return whether all transactions after some GTIDs are in a log or in later ones.

    Args:
        before: the GTID_LIST of the log: for each domain and server the last transaction in earlier
            logs; the last one of a domain comes after the others of it.
        gtids: the last transaction of each domain that is not needed.

    Raises:
        ValueError: if one of them is not such a list.

    Source: `contains_all_slave_gtid` of the server's `sql/sql_repl.cc`, MariaDB 11.8.

    >>> has_all_after("[0-1-42]", "0-1-41"), has_all_after("[0-1-42]", "0-1-42")
    (False, True)
    """
    after = {domain: (server, number) for domain, server, number in _parse(gtids)}
    logged = _parse(before.strip().removeprefix("[").removesuffix("]"))
    last_of = {domain: server for domain, server, _ in logged}
    for domain, server, number in logged:
        if domain not in after:
            return False
        its_server, its_number = after[domain]
        if server == its_server and (
            its_number < number or (its_number == number and last_of[domain] != server)
        ):
            return False
    return True


def _parse(text: str) -> list[tuple[int, int, int]]:
    ranges = []
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        match = _GTID.fullmatch(part)
        if match is None:
            raise ValueError(part)
        ranges.append((int(match[1]), int(match[2]), int(match[3])))
    return ranges
