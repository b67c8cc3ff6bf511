"""Retries after a lost connection."""

from __future__ import annotations

import time
from typing import Final

from pyspark_adapter.errors import ServerError

_FIRST_PAUSE: Final = 0.02
_LONGEST_PAUSE: Final = 5.0


class Backoff:
    """Waits between attempts, longer each time, until there was no progress for too long.

    Args:
        seconds: how long, from the first failure after the last progress.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self.reset()

    def reset(self) -> None:
        """Start over after progress."""
        self._end: float | None = None
        self._pause = _FIRST_PAUSE

    def wait(self, error: ServerError) -> None:
        """Wait before the next attempt.

        Raises:
            ServerError: instead of `error`, if it has lasted too long.
        """
        now = time.monotonic()
        if self._end is None:
            self._end = now + self._seconds
        left = self._end - now
        if left <= 0:
            raise self.give_up(error) from error
        time.sleep(min(self._pause, left))
        self._pause = min(2 * self._pause, _LONGEST_PAUSE)

    def give_up(self, error: ServerError) -> ServerError:
        """Return the error to raise instead of the last one."""
        message = error.message
        if self._end is not None:
            message += f", tried for {self._seconds} s (option reconnectSeconds)"
        return ServerError(message, site=error.site, advice=error.advice)
