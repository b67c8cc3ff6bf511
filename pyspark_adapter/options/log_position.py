"""A position in a series of logs, as `SHOW BINARY LOG STATUS` prints it: log name and offset."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LogPosition:
    """A position in a log.

    Attributes:
        log_name: name of the log.
        start_pos: byte offset in its file.

    >>> LogPosition.parse("binlog.000012:4711")
    LogPosition(log_name='binlog.000012', start_pos=4711)
    """

    log_name: str
    start_pos: int

    @classmethod
    def parse(cls, text: str) -> LogPosition:
        """Parse `log:position`.

        Raises:
            ValueError: for another text.
        """
        match = re.fullmatch(r"\s*([^/]+):([0-9]{1,18})\s*", text)
        if match is None:
            raise ValueError(text)
        return cls(match[1], int(match[2]))

    def side_of(self, log_name: str) -> int:
        """Compare a log with that of the position: below 0 if earlier, 0 if the same, else above 0.

        Raises:
            ValueError: if their names differ in more than their numbers.
        """
        base, number = _split_name(self.log_name)
        other_base, other_number = _split_name(log_name)
        if base != other_base or (number is None) != (other_number is None):
            raise ValueError(log_name)
        return 0 if number is None or other_number is None else other_number - number


def _split_name(log_name: str) -> tuple[str, int | None]:
    match = re.fullmatch(r"(.*)(?:\.(\d+)|-(\d{6,})\.ibb)", log_name)
    return (log_name, None) if match is None else (match[1], int(match[2] or match[3]))
