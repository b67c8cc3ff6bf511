"""How far a stream has been read: an offset in a log where no transaction is open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pyspark_adapter.format.header import MAGIC
from pyspark_adapter.options.gtid_set import GtidSet


@dataclass(frozen=True)
class StreamOffset:
    """A position in a series of logs.

    Attributes:
        log_name: name of the log; empty if there was no log yet.
        pos: byte offset of the next event in it.
        log_id: distinguishes logs of the same name, see `log_id_of`; empty if it is unknown.
    """

    log_name: str = ""
    pos: int = 0
    log_id: str = ""

    @classmethod
    def from_json(cls, value: Any) -> StreamOffset:
        """Parse the result of `to_json`; `log_id` is optional.

        Raises:
            ValueError: for another object.
        """
        if not isinstance(value, dict) or not set(value) <= {"log_file", "pos", "log_id"}:
            raise ValueError(value)
        log_name, pos, log_id = value.get("log_file"), value.get("pos"), value.get("log_id", "")
        if not isinstance(log_name, str) or not isinstance(log_id, str) or type(pos) is not int:
            raise ValueError(value)
        if pos < (len(MAGIC) if log_name else 0):
            raise ValueError(value)
        return cls(log_name, pos, log_id)

    def to_json(self) -> dict[str, Any]:
        """Return the offset as Spark stores it. Spark compares the text, so the order matters."""
        return {"log_file": self.log_name, "pos": self.pos, "log_id": self.log_id}


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
        """Parse `{"gtids": "..."}`; see `GtidSet.parse_position`.

        Raises:
            ValueError: for another object.
        """
        if set(value) != {"gtids"} or not isinstance(value["gtids"], str):
            raise ValueError(value)
        text = "".join(value["gtids"].split())
        return cls(text, GtidSet.parse_position(text))
