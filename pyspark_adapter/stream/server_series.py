"""The logs of a running server, as a stream follows them."""

from __future__ import annotations

from dataclasses import replace

from pyspark_adapter.inputs.log_files import LogFile, log_number
from pyspark_adapter.live.server import LiveServer
from pyspark_adapter.options.log_position import LogPosition


class ServerSeries:
    """The logs of a running server.

    A look costs a request or two, however many logs there are: they are listed at the beginning,
    and again if the server has begun another one, or has removed one.

    Args:
        server: the server.
    """

    def __init__(self, server: LiveServer) -> None:
        self._server = server
        self._known: dict[str, LogFile] = {}  # by name, in order
        self._position: LogPosition | None = None

    def all(self) -> list[LogFile]:
        """Return the logs that are there, in order.

        Raises:
            ServerError: if the server cannot be reached, or refuses.
        """
        position = self._server.position()
        logs = self._server.log_files()
        # What a server says of the size of its last log may be in the middle of a transaction.
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
        """Return the newest log before which there is nothing but some transactions.

        Raises:
            DataLossError: if what follows them has been removed.
        """
        return self.find(self._server.position_after(gtids).log_name)

    def committed_end(self, log_file: LogFile) -> int | None:
        """Return the end of the last transaction, if the log is the last one."""
        position = self._position
        if position is None or position.log_name != log_file.name:
            return None
        return position.start_pos
