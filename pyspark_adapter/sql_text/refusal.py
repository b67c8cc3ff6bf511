"""Why a change cannot become SQL."""

from __future__ import annotations


class CannotWriteError(Exception):
    """A value or a change that no SQL statement gives back exactly.

    `script` collects these and raises one of our errors that lists them all.

    Attributes:
        reason: what is missing, and what to do.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
