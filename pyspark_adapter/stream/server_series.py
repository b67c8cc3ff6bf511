"""The logs of a running server, as a stream follows them."""

from __future__ import annotations

from dataclasses import replace

from pyspark_adapter.options.log_position import LogPosition
from pyspark_adapter.server.server import LiveServer
from pyspark_adapter.sources.log_file import LogFile, log_number


class ServerSeries:
    """The logs of a running server.

    Each call takes one or two requests, however many logs exist: the list is read once, and again
    when the server has created or removed a log.

    Args:
        server: the server.
    """

    def __init__(self, server: LiveServer) -> None:
        self._server = server
        self._known: dict[str, LogFile] = {}  # by name, in order
        self._position: LogPosition | None = None

    def all(self) -> list[LogFile]:
        """Return all logs, in order.

        Raises:
            ServerError: if the server cannot be reached, or refuses.
        """
        position = self._server.position()
        logs = self._server.log_files()
        # The size that a server reports for its last log may be within a transaction.
        logs = [
            replace(log, num_bytes=position.start_pos) if log.name == position.log_name else log
            for log in logs
        ]
        self._known = {log.name: log for log in logs}
        self._position = position
        return logs

    def find(self, log_name: str) -> LogFile | None:
        """Return a log with the size that it has now; None if it is not there."""
        position = self._server.position()
        known = self._known.get(log_name)
        if known is not None and position.log_name == log_name:
            self._position = position
            return replace(known, num_bytes=position.start_pos)
        self.all()
        return self._known.get(log_name)

    def after(self, log_name: str) -> LogFile | None:
        """Return the log that follows a log; None if that is the last one."""
        if self._server.position().log_name == log_name:
            return None
        number = log_number(log_name)
        return next((log for log in self.all() if log.number > number), None)

    def log_after(self, gtids: str) -> LogFile | None:
        """Return the newest log that all transactions missing from a GTID set are in or after.

        Raises:
            DataLossError: if some of those transactions have been purged.
        """
        return self.find(self._server.position_after(gtids).log_name)

    def committed_end(self, log_file: LogFile) -> int | None:
        """Return the end of the last transaction, if the log is the last one."""
        position = self._position
        if position is None or position.log_name != log_file.name:
            return None
        return position.start_pos
