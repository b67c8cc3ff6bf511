"""The session's variables, which the tools print only when they change."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal

# What stands between an event's header and its statement; a statement ends on a line of its own.
PREFACE = re.compile(
    rb"(?:use `(?P<database>.*)`|SET (?P<variables>@@session\..*)|SET skip_replication=\d"
    rb"|SET TIMESTAMP=(?P<timestamp>[\d.]+)"
    rb"|/\*M?!\d+ SET (?P<versioned>@@session\..*)\*/|/\*!\d+ SET skip_replication=\d\*/"
    rb"|/\*!\\C (?P<charset>\w+) \*/)/\*!\*/;",
    re.IGNORECASE,
)
ASSIGNMENT = re.compile(rb"@@session\.(\w+)=('[^']*'|[^,'/*\s]+)")


@dataclass
class Session:
    """What the tool has set so far."""

    variables: dict[str, str] = field(default_factory=dict)
    changed: set[str] = field(default_factory=set)
    database: bytes = b""
    timestamp: Decimal | None = None
    charset: str = ""

    def read_preface(self, lines: tuple[bytes, ...]) -> int:
        """Take over what the lines set, up to the first other line; return how many they are."""
        self.changed = set()
        for count, line in enumerate(lines):
            found = PREFACE.fullmatch(line)
            if found is None:
                return count
            self.take(found)
        return len(lines)

    def take(self, found: re.Match[bytes]) -> None:
        """Take over what one line sets."""
        if found["database"] is not None:
            self.database = found["database"]
            self.changed.add("use")
        elif found["timestamp"] is not None:
            self.timestamp = Decimal(found["timestamp"].decode())
        elif found["charset"] is not None:
            self.charset = found["charset"].decode()
        else:
            assignments = found["variables"] or found["versioned"] or b""
            for name, value in ASSIGNMENT.findall(assignments):
                self.variables[name.decode()] = value.decode().strip("'")
                self.changed.add(name.decode())
