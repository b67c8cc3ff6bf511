"""A position in a series of logs, as `SHOW BINARY LOG STATUS` prints it: log name and offset."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pyspark_adapter.errors import OptionError


@dataclass(frozen=True, slots=True)
class LogPosition:
    """A position in a log.

    Attributes:
        start_pos: byte offset in its file.

    >>> LogPosition.parse("binlog.000012:4711")
    LogPosition(log_name='binlog.000012', start_pos=4711)
    """

    log_name: str
    start_pos: int

    @classmethod
    def parse(cls, text: str) -> LogPosition:
        """Parse `log:position`; raises ValueError for another text."""
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

    def checked_side_of(self, log_name: str, option: str) -> int:
        """Return what `side_of` does, for the position of an option.

        Raises:
            OptionError: if their names differ in more than their numbers.
        """
        try:
            return self.side_of(log_name)
        except ValueError as error:
            allowed = f"a log named like {log_name}, except for its number"
            raise OptionError(
                f"option {option}: expected {allowed}, got {self.log_name}",
                option=option,
                value=self.log_name,
                allowed=allowed,
            ) from error

    def check_within(self, size: int) -> None:
        """Check that a log of so many bytes has the position; that of a pipe has none.

        Raises:
            OptionError: if it begins after the end.
        """
        if not size or self.start_pos <= size:
            return
        allowed = f"a position up to {size}, the end of the log"
        raise OptionError(
            f"option startingPosition: expected {allowed}, got {self.log_name}:{self.start_pos}",
            option="startingPosition",
            value=str(self.start_pos),
            allowed=allowed,
        )


def _split_name(log_name: str) -> tuple[str, int | None]:
    match = re.fullmatch(r"(.*)(?:\.(\d+)|-(\d{6,})\.ibb)", log_name)
    return (log_name, None) if match is None else (match[1], int(match[2] or match[3]))
