"""The logs that one server writes, one after the other, while they are read."""

from __future__ import annotations

from typing import Protocol

from pyspark_adapter.sources.log_file import LogFile


class LogSeries(Protocol):
    """Where the logs of a stream are. All methods raise subclasses of BinlogError."""

    def all(self) -> list[LogFile]:
        """Return all logs, in order, except those that cannot be read yet."""

    def find(self, log_name: str) -> LogFile | None:
        """Return a log with the size that it has now; None if it is not there."""

    def after(self, log_name: str) -> LogFile | None:
        """Return the log that follows a log; None if that is the last one."""

    def log_after(self, gtids: str) -> LogFile | None:
        """Return the newest log that all transactions missing from a GTID set are in or after.

        Args:
            gtids: the set, as text for the server.

        Returns:
            None if that is not known.

        Raises:
            DataLossError: if some of those transactions have been purged.
        """

    def committed_end(self, log_file: LogFile) -> int | None:
        """Return the end of the last transaction, if the log is the last one and it is known."""


def base_of(log_name: str) -> str:
    """Return the name of a log without its number: `binlog.`."""
    return log_name.rstrip("0123456789")
