"""The table of samples in `samples/README.md`, written from the manifest."""

from collections.abc import Mapping, Sequence
from typing import Any

from samples.sample import SAMPLES_FOLDER

README = SAMPLES_FOLDER / "README.md"
BEGIN = "<!-- samples: written by samples/make.py -->\n"
END = "<!-- end of samples -->"
HEAD = "| file | what it shows | bytes | inserts, updates, deletes |\n|---|---|---|---|\n"


def render_line(entry: Mapping[str, Any]) -> str:
    """Return one sample as a line of the table."""
    changes = entry["row_changes"].values()
    counts = ", ".join(
        str(sum(change[kind] for change in changes)) for kind in ("insert", "update", "delete")
    )
    return f"| `{entry['file']}` | {entry['shows']} | {entry['size']:,} | {counts} |\n"


def replace_table(text: str, entries: Sequence[Mapping[str, Any]]) -> str:
    """Return a README's text with the table of these samples.

    Raises:
        ValueError: The text lacks the markers of the table.
    """
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{README.name} needs the lines {BEGIN.strip()!r} and {END!r}")
    table = HEAD + "".join(render_line(entry) for entry in entries)
    return before + begin + table + end + after


def write_table(entries: Sequence[Mapping[str, Any]]) -> None:
    """Write the table into the README."""
    text = README.read_text(encoding="utf-8")
    README.write_text(replace_table(text, entries), encoding="utf-8")
