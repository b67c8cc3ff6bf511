"""A running server: the logs that it has, and where in them a reader goes on."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from pyspark_adapter.errors import DataLossError, EventSite, ServerError, UnsupportedError
from pyspark_adapter.inputs.log_files import MAGIC, LogFile, log_number
from pyspark_adapter.live.gtid_places import follows_all_of_mariadb
from pyspark_adapter.options.log_position import LogPosition

if TYPE_CHECKING:
    from pyspark_adapter.inputs.storage import StoredBytes
    from pyspark_adapter.live.session import Session
    from pyspark_adapter.options.binlog_options import BinlogOptions

# What an encrypted log of MySQL has before its events; it is counted in no position.
_LEN_ENCRYPTION_HEADER: Final = 512


@dataclass(frozen=True)
class LiveServer:
    """A server, how it is reached and for how long that is tried.

    Goes to other processes with the logs that it has, password and all; is never printed with it.

    Attributes:
        host: name or address.
        port: of TCP.
        user: with the privileges REPLICATION SLAVE and REPLICATION CLIENT.
        password: of the user.
        ssl_mode: how TLS is used, as the clients of the servers call it.
        ssl_ca: path of a file of the certificates that are trusted; None for those of the system.
        ssl_cert, ssl_key: paths of the files of the client's own certificate and its key.
        connect_timeout: seconds for a connection to be made.
        reconnect_seconds: how long a connection that was lost is tried to be made again.
    """

    host: str
    port: int = 3306
    user: str = ""
    password: str = field(default="", repr=False)
    ssl_mode: str = "PREFERRED"
    ssl_ca: str | None = None
    ssl_cert: str | None = None
    ssl_key: str | None = None
    connect_timeout: int = 10
    reconnect_seconds: int = 60

    @classmethod
    def from_options(cls, options: BinlogOptions) -> LiveServer:
        """Return the server that options name by `host`."""
        assert options.host is not None
        assert options.user is not None
        return cls(
            host=options.host,
            port=options.port,
            user=options.user,
            password=options.password or "",
            ssl_mode=options.ssl_mode,
            ssl_ca=options.ssl_ca,
            ssl_cert=options.ssl_cert,
            ssl_key=options.ssl_key,
            connect_timeout=options.connect_timeout,
            reconnect_seconds=options.reconnect_seconds,
        )

    @property
    def shown(self) -> str:
        """The server as text for people, without the password."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"mysql://{self.user}@{host}:{self.port}"

    @property
    def site(self) -> EventSite:
        """The server as the place of an error."""
        return EventSite(self.shown)

    @property
    def read_timeout(self) -> int:
        """Seconds after which a server that sends nothing is taken as gone."""
        return max(self.connect_timeout, self.reconnect_seconds // 2)

    def log_files(self) -> list[LogFile]:
        """Return the logs that the server has, in their order; one request.

        The size of each is that of its events and the magic before them; the last one grows.

        Raises:
            ServerError: if the server cannot be reached, or keeps no logs, or does not let this
                user see them.
            UnsupportedError: if PyMySQL is not installed.
        """
        return [self._log_file(*row) for row in self._session().rows("SHOW BINARY LOGS")]

    def _log_file(self, name: Any, num_bytes: Any, is_encrypted: Any = "No", *_: Any) -> LogFile:
        size = int(num_bytes) - (_LEN_ENCRYPTION_HEADER if is_encrypted == "Yes" else 0)
        path = f"{self.shown}/{name}"
        return LogFile(path, str(name), log_number(str(name)), size, server=self)

    def position(self) -> LogPosition:
        """Return the end of the last committed transaction, as the server tells it; one request.

        Raises:
            ServerError, UnsupportedError: as `log_files`.
        """
        session = self._session()
        # MySQL 8.2 has the one, 8.4 no more the other.
        is_new = not session.is_mariadb and session.version >= (8, 2)
        rows = session.rows("SHOW BINARY LOG STATUS" if is_new else "SHOW MASTER STATUS")
        if not rows:
            raise ServerError("expected a server with binary logs, log_bin is off", site=self.site)
        name, start_pos, *_ = rows[0]
        return LogPosition(str(name), int(start_pos or 0))

    def position_after(self, gtids: str) -> LogPosition:
        """Return the start of the newest log before which no transaction is outside of a set.

        From there on all transactions follow that are not in the set, and as a rule some that are.

        Args:
            gtids: of MySQL a set as `gtid_executed` is; of MariaDB the last transaction of each
                domain, as `gtid_binlog_pos` is: all before it in the domain count as well.

        Raises:
            DataLossError: if the server has removed logs with transactions outside of the set.
            ServerError: if it has no GTIDs, or takes the text for no such set; or as `log_files`.
            UnsupportedError: as `log_files`.
        """
        session = self._session()
        if not session.is_mariadb:
            self._expect_not_purged(session, gtids)
        for log_file in reversed(self.log_files()):
            before = self._gtids_before(session, log_file.name)
            if self._is_within(session, before, gtids):
                return LogPosition(log_file.name, len(MAGIC))
        raise DataLossError(
            f"transactions that are not in {gtids!r} have been removed with their logs",
            site=self.site,
        )

    def _expect_not_purged(self, session: Session, gtids: str) -> None:
        [(mode, missing)] = session.rows(
            "SELECT @@GLOBAL.gtid_mode, GTID_SUBTRACT(@@GLOBAL.gtid_purged, %s)", gtids
        )
        if mode == "OFF":
            raise ServerError("expected a server with GTIDs, gtid_mode is OFF", site=self.site)
        if missing:
            raise DataLossError(
                f"the transactions {missing} have been removed with their logs", site=self.site
            )

    def _gtids_before(self, session: Session, log_name: str) -> str:
        """Return what a log says, in its second or third event, of all the logs before it."""
        rows = session.rows("SHOW BINLOG EVENTS IN %s LIMIT 3", log_name)
        found = [str(row[5]) for row in rows if row[2] in ("Previous_gtids", "Gtid_list")]
        if not found:
            raise ServerError("expected a log that begins with a set of GTIDs", site=self.site)
        return found[0]

    def _is_within(self, session: Session, before: str, gtids: str) -> bool:
        if session.is_mariadb:
            try:
                return follows_all_of_mariadb(before, gtids)
            except ValueError as error:
                raise ServerError(
                    f"expected GTIDs as 0-1-42,1-2-7, got {gtids!r} and from the server {before!r}",
                    site=self.site,
                ) from error
        [(is_within,)] = session.rows("SELECT GTID_SUBSET(%s, %s)", before, gtids)
        return is_within == "1"

    def open(self, log_file: LogFile) -> StoredBytes:
        """Open a log, which takes no request; what is read of it is asked for then.

        Raises:
            UnsupportedError: if PyMySQL is not installed.
        """
        require_pymysql()
        from pyspark_adapter.live.server_log import ServerLog

        return ServerLog(self, log_file)

    def _session(self) -> Session:
        require_pymysql()
        from pyspark_adapter.live.session import session_of

        return session_of(self)


def require_pymysql() -> None:
    """Say what to install where PyMySQL is not.

    Raises:
        UnsupportedError: if it is not installed.
    """
    if find_spec("pymysql") is None:
        raise UnsupportedError(
            "logs of a running server (option host) need PyMySQL, which is not installed:"
            " pip install 'mysql-binlog-spark[live]'"
        )


def version_of(text: str) -> tuple[int, ...]:
    """Return the numbers of the version that a server greets with.

    MariaDB 10 put `5.5.5-` before its own, for replicas that read one digit.

    >>> version_of("5.5.5-10.11.19-MariaDB-log"), version_of("9.7.4-2")
    ((10, 11, 19), (9, 7, 4))
    """
    match = re.match(r"(?:5\.5\.5-(?=\d))?(\d+)\.(\d+)(?:\.(\d+))?", text)
    return tuple(int(part) for part in match.groups() if part) if match else ()
