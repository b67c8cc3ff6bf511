"""Logs that have an official tool's text: those of the corpus and the samples."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mysql_binlog import MysqlBinlog

from tests.corpus.plain_log import PLAIN_TYPES, read_payload, unpack_log
from tests.corpus.tally import Place
from tests.corpus.tool_events import ToolSection, read_sections
from tests.inputs import CORPUS, ROOT, SAMPLES, corpus_entries, sample_path
from tests.truth.tool_text import Flavor

TRANSACTION_PAYLOAD = 40
# Where logs have a body that is too short for its fields, which ends the schema's reading.
DAMAGED_AT = {
    "std_data__corrupt-relay-bin.000624": 91204,
    "suite__binlog__std_data__invalid_row_v2_tag.001": 256,
}


@dataclass(frozen=True)
class Log:
    """A log and the text of it."""

    name: str
    path: Path
    text_path: Path
    flavor: Flavor
    tool: str
    is_complete: bool

    @property
    def content(self) -> bytes:
        """The log, up to an event of a damaged length."""
        return self.path.read_bytes()[: DAMAGED_AT.get(self.name)]

    @property
    def text(self) -> bytes:
        """The tool's text."""
        data = self.text_path.read_bytes()
        return gzip.decompress(data) if self.text_path.suffix == ".gz" else data


@dataclass(frozen=True)
class Pair:
    """An event as the tool prints it and as the schema parses it.

    Attributes:
        place: Where it is.
        section: The tool's reading.
        event: The schema's reading.
        plain: The same event without compression; the event itself where there is none.
    """

    place: Place
    section: ToolSection
    event: Any
    plain: Any


def flavor_of(tool: str) -> Flavor:
    return Flavor.MARIADB if tool.startswith("mariadb") else Flavor.MYSQL


def corpus_log(entry: dict[str, Any]) -> Log:
    """Return the log of an entry of the corpus's manifest."""
    text_path = CORPUS / entry["oracle"]
    tool = text_path.name.removeprefix(Path(entry["file"]).name).split(".")[1]
    path = CORPUS / entry["file"]
    return Log(path.name, path, text_path, flavor_of(tool), tool, entry["oracle_complete"])


def corpus_logs() -> list[Log]:
    return [corpus_log(entry) for entry in corpus_entries()]


def sample_logs() -> list[Log]:
    """Return the samples that can be read without a key."""
    return [
        Log(
            name,
            sample_path(name),
            ROOT / entry["golden"],
            flavor_of(entry["tool"]),
            entry["tool"],
            not entry["tool_fails"],
        )
        for name, entry in SAMPLES.items()
        if not entry["encrypted"]
    ]


def start_positions(root: MysqlBinlog) -> list[int]:
    """Return the offsets of all events."""
    positions = []
    start_pos = len(root.magic)
    for event in root.events:
        positions.append(start_pos)
        start_pos += event.len_event
    return positions


def outer_pairs(log: Log) -> Iterator[tuple[Pair, list[ToolSection]]]:
    """Yield the printed events of a file, each with the sections that it is unpacked to."""
    content = log.content
    root = MysqlBinlog.from_bytes(content)
    events = root.events
    positions = start_positions(root)
    index_by_position = {position: index for index, position in enumerate(positions)}
    is_packed = any(event.frame.body_type in PLAIN_TYPES for event in events)
    plain = unpack_log(content, root) if is_packed else root
    held: tuple[Pair, list[ToolSection]] | None = None
    for section in read_sections(log.text):
        if section.event.in_payload:
            assert held is not None
            held[1].append(section)
            continue
        if held is not None:
            yield held
        index = index_by_position[section.event.start_pos]
        place = Place(log.name, index, positions[index])
        held = Pair(place, section, root.events[index], plain.events[index]), []
    if held is not None:
        yield held


def pairs_of(log: Log) -> Iterator[Pair]:
    """Yield all printed events of a log, those of compressed transactions included."""
    content = log.content
    for pair, inner in outer_pairs(log):
        yield pair
        if pair.event.event_type != TRANSACTION_PAYLOAD:
            assert not inner
            continue
        first = pair.event._root.events[0]
        events = read_payload(pair.event, content[4 : 4 + first.len_event])
        for inner_index, (section, event) in enumerate(zip(inner, events, strict=True)):
            place = Place(log.name, pair.place.index, pair.place.start_pos, inner_index)
            yield Pair(place, section, event, event)
