"""Events of a tool's text, with the checksums that their header lines show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.truth.tool_text import HEADER_LINE, POSITION_LINE, ToolEvent, split_events

CHECKSUM = re.compile(rb" CRC32 0x([0-9a-f]{8})")


@dataclass(frozen=True)
class ToolSection:
    """An event as the tool prints it."""

    event: ToolEvent
    lines: tuple[bytes, ...]
    checksum: int | None

    @property
    def name(self) -> str:
        """The tool's name of the type."""
        return self.event.event_type_text

    @property
    def detail(self) -> str:
        """The rest of the header line."""
        return self.event.detail


def printed_checksums(text: bytes) -> Iterator[int | None]:
    """Yield the checksum of each event's header line, in the order of `split_events`."""
    num_positions = 0
    for line in text.split(b"\n"):
        if POSITION_LINE.fullmatch(line):
            num_positions += 1
        elif num_positions and HEADER_LINE.fullmatch(line):
            num_positions -= 1
            found = CHECKSUM.search(line)
            yield int(found[1], 16) if found else None


def read_sections(text: bytes) -> list[ToolSection]:
    """Return the events of a text, in its order."""
    return [
        ToolSection(found.event, tuple(found.lines), checksum)
        for found, checksum in zip(split_events(text), printed_checksums(text), strict=True)
    ]
