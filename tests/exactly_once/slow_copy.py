"""A directory into which the logs of a server come slowly, so that a look finds half an event."""

from __future__ import annotations

import random
import threading
from pathlib import Path

from tests.exactly_once.kept_logs import logs_of
from tests.live.servers import ServerState

PAUSE_SECONDS = 0.01
LENGTHS = (1, 18, 300, 5_000, 40_000)  # bytes that come at once, at most


class SlowCopy:
    """Copies logs as they grow, some bytes at a time."""

    def __init__(self, state: ServerState, folder: Path, seed: int) -> None:
        folder.mkdir(parents=True)
        self.folder = folder
        self._state = state
        self._source = random.Random(seed)  # noqa: S311 - to do the same again
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="copy", daemon=True)

    def start(self) -> None:
        """Begin with the first log of the server."""
        self._thread.start()

    def stop(self) -> None:
        """End."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join()

    def check(self) -> None:
        """Check that it has not ended by itself."""
        assert self._thread.is_alive(), "the copy has ended"

    def _run(self) -> None:
        log = logs_of(self._state)[0]
        while not self._stopped.wait(PAUSE_SECONDS):
            # In this order: once there is a next log, nothing is added to this one.
            following = [other for other in logs_of(self._state) if other.name > log.name]
            copy = self.folder / log.name
            with log.open("rb") as source, copy.open("ab") as target:
                source.seek(target.tell())
                data = source.read(self._source.randint(1, self._source.choice(LENGTHS)))
                target.write(data)
            if not data and following:
                log = following[0]
