"""What was parsed, by the bytes or the text that it was parsed from."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Parsed = TypeVar("Parsed")


class ParseCache(Generic[Key, Parsed]):
    """Keeps results of parsing, which nobody may change; several threads may use it.

    Args:
        most: how many bytes, or letters, of what was parsed are kept. If more come, all that is
            kept is forgotten.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._size = 0
        self._parsed: dict[Key, Parsed] = {}
        self._lock = Lock()

    def find(self, key: Key, size: int, parse: Callable[[], Parsed]) -> Parsed:
        """Return what is kept of a key, or parse it; an error is raised each time.

        Args:
            key: all that the result depends on.
            size: bytes or letters that are parsed.
            parse: returns the result.
        """
        try:
            return self._parsed[key]
        except KeyError:
            found = parse()
        if size <= self._most:
            with self._lock:
                if self._size + size > self._most:
                    self._parsed.clear()
                    self._size = 0
                self._size += size
                self._parsed[key] = found
        return found
