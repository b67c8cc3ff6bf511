"""Results as text in columns, as JSON lines, or as CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pyspark_adapter.cli.terminal import printable

if TYPE_CHECKING:
    import argparse

    from pyspark_adapter.cli.terminal import Terminal


def add_format(command: argparse.ArgumentParser, *formats: str) -> None:
    """Let a command print in several formats; the first is the default."""
    command.add_argument(
        "--format", choices=formats, default=formats[0], help=f"{', '.join(formats)}"
    )


def print_table(
    terminal: Terminal, titles: Sequence[str], rows: Iterable[Sequence[Any]], form: str
) -> None:
    """Print a small table: numbers to the right, the rest to the left."""
    if form == "jsonl":
        for row in rows:
            terminal.write_data(f"{to_json(dict(zip(titles, row, strict=True)))}\n".encode())
        return
    if form == "csv":
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([titles, *rows])
        terminal.write_data(out.getvalue().encode())
        return
    listed = list(rows)
    is_number = [
        all(isinstance(row[k], (int, float)) or row[k] is None for row in listed)
        for k in range(len(titles))
    ]
    cells = [[title.replace("_", " ") for title in titles]]
    cells += [[_cell(value) for value in row] for row in listed]
    widths = [max(len(row[k]) for row in cells) for k in range(len(titles))]
    for row in cells:
        padded = [
            text.rjust(width) if right else text.ljust(width)
            for text, width, right in zip(row, widths, is_number, strict=True)
        ]
        terminal.print("  ".join(padded).rstrip())


def to_json(value: Any) -> str:
    """Return a value as JSON; times in ISO 8601."""
    return json.dumps(value, ensure_ascii=False, default=_iso)


def _iso(value: Any) -> str:
    return value.isoformat().replace("+00:00", "Z") if isinstance(value, datetime) else str(value)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool | str):
        return printable(str(value))
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S}"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"
