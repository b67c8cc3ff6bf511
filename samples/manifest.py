"""The manifest: the content of each sample, with counts from external sources."""

import collections
import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from samples.capture import Capture
from samples.event_headers import summarize_log
from samples.sample import MANIFEST, SAMPLES_FOLDER, Sample

LICENCE = "CC0-1.0"
# Both tools print one of these lines at the start of a row.
PRINTED_ROW = re.compile(
    rb"^### (INSERT INTO|UPDATE|DELETE FROM) (`(?:[^`]|``)+`\.`(?:[^`]|``)+`)", re.MULTILINE
)
CHANGE_BY_VERB = {b"INSERT INTO": "insert", b"UPDATE": "update", b"DELETE FROM": "delete"}

RowChanges = dict[str, dict[str, int]]
Entry = dict[str, Any]


class SampleError(RuntimeError):
    """A sample whose log, text and tables do not agree."""


def count_printed_rows(text: bytes) -> RowChanges:
    r"""Return the row changes by `database.table` that the official tool prints.

    >>> count_printed_rows(b"### DELETE FROM `a`.`b`\n### WHERE\n")
    {'a.b': {'insert': 0, 'update': 0, 'delete': 1}}
    """
    counts: RowChanges = {}
    for verb, place in PRINTED_ROW.findall(text):
        name = re.sub(r"`((?:[^`]|``)+)`", unquote, place.decode())
        changes = counts.setdefault(name, {"insert": 0, "update": 0, "delete": 0})
        changes[CHANGE_BY_VERB[verb]] += 1
    return dict(sorted(counts.items()))


def unquote(match: re.Match[str]) -> str:
    """Return a name without its quotes."""
    return match[1].replace("``", "`")


def check_counts(sample: Sample, captured: Capture, counts: RowChanges) -> None:
    """Compare the printed rows with what the server reported and what its tables hold.

    Raises:
        SampleError: They differ, and the sample states no reason.
    """
    total = sum(sum(changes.values()) for changes in counts.values())
    if not sample.hidden_changes and total != captured.num_changes:
        raise SampleError(
            f"{sample.name}: the tool prints {total} row changes, the server reported "
            f"{captured.num_changes}; find out why, then give hidden_changes"
        )
    surprising = []
    for table in captured.tables:
        changes = collections.Counter(counts.get(table.name, {}))
        num_left = changes["insert"] - changes["delete"]
        if num_left != len(table.rows) and table.name not in sample.diverging:
            surprising.append(f"{table.name}: {dict(changes)} but {len(table.rows)} rows")
    if surprising:
        raise SampleError(
            f"{sample.name}: {'; '.join(surprising)}; find out why, then name them in `diverging`"
        )


def check_version(sample: Sample, captured: Capture) -> None:
    """Compare the version in the sample's name with the server's.

    Raises:
        SampleError: The server has another version now.
    """
    version = sample.name.split("-")[1]
    if not captured.server_version.startswith(f"{version}."):
        raise SampleError(
            f"{sample.name}: the server is {captured.server_version}; rename the samples of "
            f"{sample.server} and their databases"
        )


def build_entry(sample: Sample, captured: Capture, golden: Path) -> Entry:
    """Return the manifest's entry of a sample.

    Args:
        sample: The sample.
        captured: Its log and truth.
        golden: The file for the tool's text.

    Raises:
        SampleError: The sample's parts do not agree.
    """
    check_version(sample, captured)
    summary = summarize_log(captured.log)
    counts = count_printed_rows(captured.tool_text)
    check_counts(sample, captured, counts)
    return {
        "name": sample.name,
        "file": sample.file,
        "shows": sample.shows,
        "flavor": "mariadb" if "MariaDB" in captured.server_version else "mysql",
        "server": sample.server,
        "server_version": captured.server_version,
        "options": dict(sample.options),
        "sql": list(sample.sql),
        "end": sample.end,
        "checksum": summary.checksum,
        "in_use": summary.in_use,
        "encrypted": summary.encrypted,
        "size": len(captured.log),
        "sha256": hashlib.sha256(captured.log).hexdigest(),
        "licence": LICENCE,
        "events": summary.events,
        "row_changes": counts,
        "diverging": dict(sample.diverging),
        "tool": sample.tool,
        "tool_fails": sample.tool_fails,
        "golden": str(golden.relative_to(SAMPLES_FOLDER.parent)),
        "expected": str(sample.expected.relative_to(SAMPLES_FOLDER)),
        "tables": {
            table.name: {"create": table.create, "num_rows": len(table.rows)}
            for table in captured.tables
        },
    }


def read_manifest() -> list[Entry]:
    """Return the entries of the manifest; none if there is no file yet."""
    if not MANIFEST.exists():
        return []
    entries: list[Entry] = json.loads(MANIFEST.read_text(encoding="utf-8"))
    return entries


def write_manifest(entries: Sequence[Entry], names: Sequence[str]) -> None:
    """Store the entries in the order of the names; drop others."""
    by_name = {entry["name"]: entry for entry in entries}
    kept = [by_name[name] for name in names if name in by_name]
    text = json.dumps(kept, indent=1, ensure_ascii=False)
    MANIFEST.write_text(text + "\n", encoding="utf-8")
