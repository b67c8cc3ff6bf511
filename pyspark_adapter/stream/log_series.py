"""The logs that one server writes, one after the other, while they are read."""

from __future__ import annotations

from typing import Protocol

from pyspark_adapter.events.log_start import LogStart
from pyspark_adapter.options.gtid_position import GtidPosition
from pyspark_adapter.sources.log_file import LogFile


class LogSeries(Protocol):
    """Where the logs of a stream are. All methods raise subclasses of BinlogError."""

    @property
    def num_servers(self) -> int:
        """How many servers may answer; 1 if there are files."""

    @property
    def num_changes(self) -> int:
        """How often another server has answered than before."""

    def turn(self) -> None:
        """Let the next of several servers answer."""

    def all(self) -> list[LogFile]:
        """Return all logs, in order, except those that cannot be read yet."""

    def find(self, log_name: str) -> LogFile | None:
        """Return a log with the size that it has now; None if it is not there."""

    def after(self, log_name: str) -> LogFile | None:
        """Return the log that follows a log; None if that is the last one."""

    def log_after(self, gtids: str) -> LogFile | None:
        """Return the newest log that all transactions missing from a GTID set are in or after.

        Returns:
            None if that is not known.

        Raises:
            DataLossError: if some of those transactions have been purged.
        """

    def committed_end(
        self, log_file: LogFile, start_pos: int
    ) -> tuple[int, GtidPosition | None] | None:
        """Return the end of the last transaction, if the log is the last one and it is known.

        Args:
            start_pos: an offset in it before which no transaction is open.

        Returns:
            The end, and the transactions before it, those of other logs included; None instead of
            these if they are unknown.
        """

    def identity(self) -> str:
        """Return the server that answers, as `server_of`; empty if there are files."""

    def server_of(self, log_start: LogStart | None) -> str:
        """Return the server that has written a log: its UUID, or its id.

        Args:
            log_start: of the log; None for the server that answers.
        """

    def resume_after(self, delivered: GtidPosition) -> tuple[LogFile, int] | None:
        """Return a log and an offset in it at which all begins that a set of transactions lacks.

        Some of the set may follow.

        Returns:
            None if there is nothing yet.

        Raises:
            DataLossError: if the logs lack some of the set, or do not reach back to it.
        """

    def gtids(self) -> GtidPosition | None:
        """Return the transactions of all logs and of those before; None if they have no GTIDs."""


def base_of(log_name: str) -> str:
    """Return the name of a log without its number: `binlog.`."""
    return log_name.rstrip("0123456789")
