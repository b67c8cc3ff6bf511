"""What tasks get and rarely need."""

from __future__ import annotations

import pickle
import zlib
from typing import Final, Generic, TypeVar

T = TypeVar("T")

_LEVEL: Final = 1  # of zlib: names of logs and tables repeat, so more effort gains little


class Packed(Generic[T]):
    """A value that is pickled as compressed bytes, and unpacked when it is first asked for.

    Spark gives the same reader to each task. What grows with the number of logs would cost each
    task as much time as it has logs, and a job the square of that.

    Args:
        value: pickled by its own means.
    """

    def __init__(self, value: T) -> None:
        self._held: tuple[T] | bytes = (value,)

    @property
    def value(self) -> T:
        """The value."""
        if isinstance(self._held, bytes):
            self._held = (pickle.loads(zlib.decompress(self._held)),)  # noqa: S301 - packed below
        return self._held[0]

    def __getstate__(self) -> bytes:
        if isinstance(self._held, bytes):
            return self._held
        return zlib.compress(pickle.dumps(self._held[0], pickle.HIGHEST_PROTOCOL), _LEVEL)

    def __setstate__(self, state: bytes) -> None:
        self._held = state
