"""Progress of a long read, printed to the standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

# Called with the bytes read so far and the bytes in all.
Progress = Callable[[int, int], None]

_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB")


def format_bytes(count: float) -> str:
    """Return a number of bytes in the largest unit that fits.

    >>> format_bytes(3 * 2**30)
    '3.0 GiB'
    """
    unit = 0
    while count >= 1024 and unit < len(_UNITS) - 1:
        count /= 1024
        unit += 1
    return f"{count:.1f} {_UNITS[unit]}" if unit else f"{count:.0f} {_UNITS[0]}"


class TimedProgress:
    """Prints how far a read is.

    Args:
        seconds: least time between two lines.
    """

    def __init__(self, subject: str, seconds: float) -> None:
        self._subject = subject
        self._seconds = seconds
        self.num_rows = 0  # so far; the reader counts them
        self._start = self._last = time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        """Print the bytes read so far and the bytes in all, if it is time."""
        now = time.monotonic()
        if now - self._last < self._seconds:
            return
        self._last = now
        rate = format_bytes(done / (now - self._start))
        print(  # noqa: T201
            f"{self._subject}: {format_bytes(done)} of {format_bytes(total)}, {rate}/s,"
            f" {self.num_rows:,} rows",
            file=sys.stderr,
            flush=True,
        )
