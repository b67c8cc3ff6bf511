"""The logs of a server under test: rotated, purged, and copied for the proof."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

from samples.truth import fetch_rows
from tests.live.servers import ServerState, connect


class KeptLogs:
    """The logs of a server, and further names for them that outlive a purge."""

    def __init__(self, state: ServerState, folder: Path) -> None:
        self._state = state
        self._folder = folder
        folder.mkdir(parents=True)
        self.num_rotated = 0

    def rotate(self) -> None:
        """Let the server begin a new log."""
        self._ask("FLUSH BINARY LOGS")
        self.num_rotated += 1

    def purge(self, first: str) -> int:
        """Let the server remove the logs before one; return how many those were."""
        self._keep()
        before = len(self.there())
        self._ask(f"PURGE BINARY LOGS TO '{first}'")
        return before - len(self.there())

    def all(self) -> list[Path]:
        """Return all logs that there were, in order."""
        self._keep()
        return sorted(self._folder.iterdir())

    def there(self) -> list[Path]:
        """Return the logs that the server has, in order."""
        return logs_of(self._state)

    def _keep(self) -> None:
        for log in self.there():
            kept = self._folder / log.name
            if not kept.exists():
                os.link(log, kept)

    def _ask(self, sql: str) -> None:
        with closing(connect(self._state)) as connection:
            fetch_rows(connection, sql)


def logs_of(state: ServerState) -> list[Path]:
    """Return the logs that a server has, in order."""
    logs = Path(state.binlog_dir).glob(f"{state.binlog_base}.[0-9]*")
    return sorted(log for log in logs if log.suffix[1:].isdigit())
