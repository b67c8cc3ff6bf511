"""The logs of a running server, or of one of several, as a stream follows them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from pyspark_adapter.errors import ServerError
from pyspark_adapter.events.log_start import LogStart
from pyspark_adapter.options.gtid_position import GtidPosition
from pyspark_adapter.server.committed import (
    WrittenEnd,
    committed_before,
    position_behind,
    transactions_of,
    written_end,
)
from pyspark_adapter.server.server import LiveServer, NoServerError, first_of
from pyspark_adapter.server.server_errors import Backoff
from pyspark_adapter.sources.log_file import LogFile, log_number

_T = TypeVar("_T")


class ServerSeries:
    """The logs of a running server.

    Each call takes one or two requests, however many logs exist: the list is read once, and again
    when the server has created or removed a log. Of several servers, one answers until it is lost.

    Args:
        server: the server, with the others that may take its place.

    Attributes:
        num_changes: how often another server has answered than before.
    """

    def __init__(self, server: LiveServer) -> None:
        self._servers = server.members()
        self._was_reached = False
        self._identity = ""
        self.num_changes = 0
        self._forget()

    def _forget(self) -> None:
        """Forget the state of a server that no longer answers."""
        self._known: dict[str, LogFile] = {}  # by name, in order
        self._end: WrittenEnd | None = None
        self._settled = ""

    def _ask(self, ask: Callable[[LiveServer], _T]) -> _T:
        """Ask the server that answers; if it is another than before, know nothing of the logs.

        Raises:
            ServerError: if none can be reached; once one was, for `reconnect_seconds`.
        """

        def of_one(server: LiveServer) -> _T:
            identity = server.identity()
            if identity != self._identity:
                self._identity = identity
                self.num_changes += 1
                self._forget()
            answer = ask(server)
            if server is not self._servers[0]:
                self._servers = [server, *(s for s in self._servers if s is not server)]
            self._was_reached = True
            return answer

        if len(self._servers) == 1:
            return of_one(self._servers[0])
        backoff = Backoff(self._servers[0].reconnect_seconds)
        while True:
            try:
                return first_of(self._servers, of_one)
            except ServerError as error:
                if not isinstance(error, NoServerError) or not self._was_reached:
                    raise
                backoff.wait(error)

    @property
    def num_servers(self) -> int:
        """How many servers may answer."""
        return len(self._servers)

    def turn(self) -> None:
        """Let the next of several servers answer."""
        self._servers = [*self._servers[1:], self._servers[0]]

    def identity(self) -> str:
        """Return the UUID or id of the server that answers."""
        return self._ask(lambda server: server.identity())

    def server_of(self, _log_start: LogStart | None) -> str:
        """Return the server that has written the logs, as offsets name it."""
        return self._identity or self.identity()

    def all(self) -> list[LogFile]:
        """Return all logs, in order; raises ServerError."""
        return self._ask(self._all)

    def _all(self, server: LiveServer) -> list[LogFile]:
        end = self._written_end(server)
        position, logs = end.position, server.log_files()
        # The size that a server reports for its last log may be within a transaction.
        numbers = [log.number for log in logs if log.name == position.log_name]
        logs = [
            replace(log, num_bytes=position.start_pos) if log.name == position.log_name else log
            for log in logs
            if not numbers or end.is_waiting or log.number <= numbers[0]
        ]
        self._known = {log.name: log for log in logs}
        self._end = end
        return logs

    def _written_end(self, server: LiveServer) -> WrittenEnd:
        end = written_end(server, self._settled)
        if not end.is_waiting:
            self._settled = end.position.log_name
        return end

    def find(self, log_name: str) -> LogFile | None:
        """Return a log with the size that it has now; None if it is not there."""

        def look(server: LiveServer) -> LogFile | None:
            end = self._written_end(server)
            known = self._known.get(log_name)
            if known is not None and end.position.log_name == log_name:
                self._end = end
                return replace(known, num_bytes=end.position.start_pos)
            self._all(server)
            return self._known.get(log_name)

        return self._ask(look)

    def after(self, log_name: str) -> LogFile | None:
        """Return the log that follows a log; None if that is the last one."""

        def look(server: LiveServer) -> LogFile | None:
            if self._written_end(server).position.log_name == log_name:
                return None
            number = log_number(log_name)
            return next((log for log in self._all(server) if log.number > number), None)

        return self._ask(look)

    def log_after(self, gtids: str) -> LogFile | None:
        """Return the newest log that all transactions missing from a GTID set are in or after.

        Raises:
            DataLossError: if some of those transactions have been purged.
        """
        return self.find(self._ask(lambda server: server.position_after(gtids)).log_name)

    def committed_end(
        self, log_file: LogFile, start_pos: int
    ) -> tuple[int, GtidPosition | None] | None:
        """Return the end of the last committed transaction, if the log is the last one."""

        def look(server: LiveServer) -> tuple[int, GtidPosition | None] | None:
            end = self._end
            if end is None or end.position.log_name != log_file.name:
                return None
            return committed_before(server, end, start_pos)

        return self._ask(look)

    def gtids(self) -> GtidPosition | None:
        """Return the transactions that the server has."""
        return self._ask(transactions_of)

    def resume_after(self, delivered: GtidPosition) -> tuple[LogFile, int] | None:
        """Return where the first transaction begins that a set lacks; raises DataLossError."""
        position = self._ask(lambda server: position_behind(server, delivered))
        log_file = None if position is None else self.find(position.log_name)
        if position is None or log_file is None or log_file.num_bytes <= position.start_pos:
            return None  # not committed yet
        return log_file, position.start_pos
