"""Whether a sink holds each change of some logs once, and all that leads to the server's tables."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from tests.exactly_once.load import DATABASE, TellingSession
from tests.live.servers import client_path
from tests.live.servers.commands import run
from tests.replay.applier import Applier
from tests.replay.changes import Change, Image
from tests.replay.session import Facts
from tests.replay.timeline import Altered, Created, Mark
from tests.truth.cells import json_cell

KINDS = {
    "INSERT INTO": ("insert",),
    "UPDATE": ("update_preimage", "update_postimage"),
    "DELETE FROM": ("delete",),
}
PRINTED_ROW = re.compile(r"^### (INSERT INTO|UPDATE|DELETE FROM) `(.*)`\.`(.*)`$", re.MULTILINE)
MOST_SHOWN = 5


class ProofError(AssertionError):
    """A sink does not hold what the logs hold."""


class Counted(NamedTuple):
    """What images are counted by."""

    log_file: str
    database_name: str
    table_name: str
    change_type: str


class Proven(NamedTuple):
    """What was found right.

    Attributes:
        num_images: row images in the sink, as many as the official tool prints.
        num_transactions: that they belong to.
        num_compared: rows of the server's tables, found again by replay.
    """

    num_images: int
    num_transactions: int
    num_compared: int


def count_printed(servers: Path, logs: Sequence[Path], program: str) -> Counter[Counted]:
    """Return how many row images the official tool prints."""
    counts: Counter[Counted] = Counter()
    tool = client_path(servers, program)
    for log in logs:
        text = run([str(tool), "-v", "--base64-output=decode-rows", str(log)])
        for statement, database, table in PRINTED_ROW.findall(text):
            for kind in KINDS[statement]:
                counts[Counted(log.name, database, table.replace("``", "`"), kind)] += 1
    return counts


def prove(
    sink: pa.Table, printed: Counter[Counted], session: TellingSession, *, logs_cascades: bool
) -> Proven:
    """Check what a sink holds; raises ProofError, ReplayError."""
    rows = sink.to_pylist()
    check_once(rows)
    check_counts(rows, printed)
    images = sorted(
        (row for row in rows if row["_database_name"] == DATABASE),
        key=lambda row: (
            row["_commit_version"],
            row["_row_number"],
            row["_change_type"] == "update_postimage",
        ),
    )
    applier = Applier(follows_foreign_keys=not logs_cascades)
    applier.run(changes_of(images, session.facts, session.marks), session.marks)
    num_transactions = len({row["_commit_version"] for row in rows})
    return Proven(len(rows), num_transactions, applier.num_compared)


def check_once(rows: Iterable[dict[str, Any]]) -> None:
    """Check that no image is there twice; raises ProofError."""
    counts = Counter(
        (row["_log_file"], row["_commit_version"], row["_row_number"], row["_change_type"])
        for row in rows
    )
    twice = sorted(place for place, count in counts.items() if count > 1)
    if twice:
        raise ProofError(f"{len(twice):,} images are there twice or more: {twice[:MOST_SHOWN]}")


def check_counts(rows: Iterable[dict[str, Any]], printed: Counter[Counted]) -> None:
    """Check that there are as many images as the official tool prints; raises ProofError."""
    found = Counter(
        Counted(row["_log_file"], row["_database_name"], row["_table_name"], row["_change_type"])
        for row in rows
    )
    if found != printed:
        lacking, beyond = printed - found, found - printed
        raise ProofError(
            f"{lacking.total():,} images are not there: {lacking.most_common(MOST_SHOWN)};"
            f" {beyond.total():,} are in no log: {beyond.most_common(MOST_SHOWN)}"
        )


def changes_of(
    images: Iterable[dict[str, Any]], facts: dict[tuple[str, str], Facts], marks: Iterable[Mark]
) -> Iterator[Change]:
    """Yield row images in their order as changes."""
    definitions = [
        (mark.version, mark.event.created if isinstance(mark.event, Altered) else mark.event)
        for mark in marks
        if isinstance(mark.event, Created | Altered)
    ]
    tables: dict[str, Created] = {}
    before: Image | None = None
    for row in images:
        while definitions and definitions[0][0] <= row["_commit_version"]:
            _, created = definitions.pop(0)
            tables[created.table] = created
        names, image = read_row(row["row"], tables[row["_table_name"]], facts)
        kind = row["_change_type"]
        if kind == "update_preimage":
            before = image
            continue
        yield Change(
            row["_commit_version"],
            row["_row_number"],
            f"{row['_log_file']}@{row['_start_pos']}",
            row["_table_name"],
            names,
            image if kind == "delete" else before,
            None if kind == "delete" else image,
            xa=row["_xa"],
        )
        before = None


def read_row(
    text: str, table: Created, facts: dict[tuple[str, str], Facts]
) -> tuple[tuple[str, ...], Image]:
    """Return names and cells of a row as JSON, which may lack generated columns."""
    cells = json.loads(text)
    names = tuple(name for name in table.names if name in cells or name in table.generated)
    if list(cells) != [name for name in names if name in cells]:
        names = tuple(cells)  # the applier names what it expects
    image: Image = {
        place: json_cell(facts[table.table, name].data_type, cells[name])
        for place, name in enumerate(names)
        if name in cells
    }
    return names, image
