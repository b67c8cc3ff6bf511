"""A series of logs that one server writes, one after the other, while they are read."""

from __future__ import annotations

from typing import Protocol

from pyspark_adapter.inputs.log_files import LogFile


class LogSeries(Protocol):
    """What a stream asks of where its logs are. All methods raise errors of ours."""

    def all(self) -> list[LogFile]:
        """Return all logs that are there, in order; none that cannot be read yet."""

    def find(self, log_name: str) -> LogFile | None:
        """Return a log with the size that it has now; None if it is not there."""

    def after(self, log_name: str) -> LogFile | None:
        """Return the log that follows a log; None if that is the last one."""

    def log_after(self, gtids: str) -> LogFile | None:
        """Return the newest log before which there is nothing but some transactions.

        Args:
            gtids: the transactions, as the server takes them.

        Returns:
            None if that is not known.

        Raises:
            DataLossError: if what follows them has been removed.
        """

    def committed_end(self, log_file: LogFile) -> int | None:
        """Return the end of the last transaction of the last log, if it need not be sought."""


def base_of(log_name: str) -> str:
    """Return the name of a log without its number: `binlog.`."""
    return log_name.rstrip("0123456789")
