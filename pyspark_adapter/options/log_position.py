"""Positions in a series of logs: as `SHOW BINARY LOG STATUS` has them, and as a stream does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pyspark_adapter.errors import OptionError
from pyspark_adapter.format.header import MAGIC
from pyspark_adapter.options.gtid_position import GtidPosition
from pyspark_adapter.options.gtid_set import GtidSet


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


# In JSON and here. Offsets of before hold the first three only, and `log_id` may be missing.
_TEXTS: Final = {
    "log_id": "log_id",
    "gtids": "gtids",
    "server": "server",
    "skip": "skipped",
    "schema_change": "schema_change",
}


@dataclass(frozen=True)
class StreamOffset:
    """A position in a series of logs.

    Attributes:
        log_name: name of the log; empty if there was no log yet.
        pos: byte offset of the next event in it.
        log_id: distinguishes logs of the same name, see `log_id_of`; empty if it is unknown.
        gtids: the transactions that were delivered or come before, as `GtidPosition.text`; empty if
            they are unknown, or there are none.
        server: the server that wrote the log: its UUID or its id; empty if it is unknown.
        skipped: those of `gtids` that may come after the offset in the logs of this server, since
            another one gave them; empty for none.
        schema_change: why the stream ends there, with onSchemaChange=end; empty if it continues.
    """

    log_name: str = ""
    pos: int = 0
    log_id: str = ""
    # They follow from the others, for one server.
    gtids: str = field(default="", compare=False)
    server: str = field(default="", compare=False)
    skipped: str = field(default="", compare=False)
    schema_change: str = field(default="", compare=False)

    @classmethod
    def from_json(cls, value: Any) -> StreamOffset:
        """Parse the result of `to_json`; only `log_file` and `pos` have to be there.

        Raises:
            ValueError: for another object.
        """
        if not isinstance(value, dict) or not set(value) <= {"log_file", "pos", *_TEXTS}:
            raise ValueError(value)
        log_name, pos = value.get("log_file"), value.get("pos")
        texts = {name: value.get(key, "") for key, name in _TEXTS.items()}
        if type(pos) is not int or not all(isinstance(t, str) for t in (log_name, *texts.values())):
            raise ValueError(value)
        if pos < (len(MAGIC) if log_name else 0):
            raise ValueError(value)
        for name in ("gtids", "skipped"):
            GtidPosition.parse(texts[name])
        return cls(str(log_name), pos, **texts)

    def transactions_to(self, end: StreamOffset) -> GtidSet | None:
        """Return the transactions of MySQL that logs may have up to another offset.

        Returns:
            The set; None if it is unknown, and for MariaDB, whose numbers may come in any order.
        """
        known = GtidPosition.parse(end.gtids)
        skipped = GtidPosition.parse(self.skipped)
        more = known.minus(GtidPosition.parse(self.gtids)).union(skipped)
        return more.as_set if known.sets else None

    def to_json(self) -> dict[str, Any]:
        """Return the offset as Spark stores it. Spark compares the text, so the order matters."""
        fields = {"log_file": self.log_name, "pos": self.pos, "log_id": self.log_id}
        for key, name in _TEXTS.items():
            if text := getattr(self, name):
                fields[key] = text
        return fields


@dataclass(frozen=True)
class GtidStart:
    """The position after a set of transactions, in whichever log it is.

    Attributes:
        text: the transactions as servers take them.
        gtids: the transactions.
    """

    text: str
    gtids: GtidSet

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> GtidStart:
        """Parse `{"gtids": "..."}`; see `GtidSet.parse_position`; raises ValueError."""
        if set(value) != {"gtids"} or not isinstance(value["gtids"], str):
            raise ValueError(value)
        text = "".join(value["gtids"].split())
        return cls(text, GtidSet.parse_position(text))
