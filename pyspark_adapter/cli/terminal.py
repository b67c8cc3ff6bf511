"""What commands print on: results to the standard output, all else to the standard error.

Results are text in columns, JSON lines, or CSV.
"""

from __future__ import annotations

import csv
import io
import json
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, TextIO

from pyspark_adapter.errors import BinlogWarning
from pyspark_adapter.errors import printable as printable
from pyspark_adapter.sources.progress import Progress, format_bytes

if TYPE_CHECKING:
    import argparse

# Of ANSI terminals.
_COLOURS: Final = {"red": 31, "green": 32, "yellow": 33}
_ERASE_LINE: Final = "\r\x1b[K"
# Seconds before the first progress line, and between two.
_FIRST_PROGRESS: Final = 0.5
_PROGRESS_SECONDS: Final = 0.2


class Terminal:
    """Where a command prints.

    Attributes:
        is_quiet: whether notes, warnings and progress are left out.
        has_colours: whether results are printed on a terminal that shows colours.

    Args:
        spelled: puts the names of options in a message of the reader into the form of flags.
    """

    def __init__(self, spelled: Callable[[str], str] = str) -> None:
        self.spelled = spelled
        self.is_quiet = False
        self.has_colours = sys.stdout.isatty()
        self._has_progress = False
        self._has_text = False  # in the buffer of characters, which is before that of bytes
        self._is_utf8 = (sys.stdout.encoding or "utf8").lower().replace("-", "") == "utf8"
        # Characters that the output cannot show, such as an ASCII terminal.
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")

    def print(self, text: str) -> None:
        """Print a line of the result; control characters in it are escaped by the caller."""
        self.write(text + "\n")

    def write(self, text: str) -> None:
        """Print a part of the result."""
        self.clear_progress()
        self._has_text = True
        sys.stdout.write(text)

    def print_sql(self, statement: str) -> None:
        """Print a statement: in UTF-8, as its session says, unless it is shown on a terminal."""
        if self.has_colours:
            self.print(statement)
        else:
            self.write_data(f"{statement}\n".encode())

    def write_lines(self, lines: bytes) -> None:
        """Print lines of text that are in UTF-8 already."""
        if self._is_utf8:
            self.write_data(lines)
        else:
            self.write(lines.decode())

    def write_data(self, data: Any) -> None:
        """Print whole lines that programs read: UTF-8 in bytes or a buffer of them.

        Control characters are escaped on a terminal, and left as they are elsewhere.
        """
        self.clear_progress()
        if self.has_colours:
            lines = bytes(data).decode().split("\n")
            sys.stdout.write("\n".join(map(printable, lines)))
            return
        if self._has_text:
            sys.stdout.flush()
            self._has_text = False
        sys.stdout.buffer.write(data)

    def flush(self) -> None:
        """Hand out what was printed.

        Raises:
            OSError: if it cannot be written; a BrokenPipeError if nobody reads it any more.
        """
        sys.stdout.flush()

    def note(self, text: str) -> None:
        """Print a line that is no result, unless the user wants quiet."""
        if not self.is_quiet:
            self.error(text)

    def error(self, text: str) -> None:
        """Print a line to the standard error, after all results so far; options in it as flags."""
        self.clear_progress()
        with suppress(OSError):  # `main` ends the program
            sys.stdout.flush()
        sys.stderr.write(printable(self.spelled(text)) + "\n")
        sys.stderr.flush()

    def coloured(self, text: str, colour: str) -> str:
        """Return text in a colour of `_COLOURS`, where colours are shown."""
        return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m" if self.has_colours else text

    @contextmanager
    def warnings(self) -> Iterator[None]:
        """Print warnings of the package as one line each."""

        def show(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: TextIO | None = None,
            line: str | None = None,
        ) -> None:
            if issubclass(category, BinlogWarning):
                self.note(f"warning: {message}")
            else:
                before(message, category, filename, lineno, file, line)

        before = warnings.showwarning
        with warnings.catch_warnings():
            warnings.simplefilter("always", BinlogWarning)
            warnings.showwarning = show
            yield

    def progress(self) -> Progress | None:
        """Return what shows the progress of a read; None unless a person sees it."""
        if self.is_quiet or not sys.stderr.isatty():
            return None
        return _ProgressLine(self)

    def show_progress(self, text: str) -> None:
        """Replace the progress line."""
        sys.stderr.write(_ERASE_LINE + text)
        sys.stderr.flush()
        self._has_progress = True

    def clear_progress(self) -> None:
        """Remove the progress line."""
        if self._has_progress:
            sys.stderr.write(_ERASE_LINE)
            sys.stderr.flush()
            self._has_progress = False


class _ProgressLine:
    """Shows how far a read is, its rate, and the time that it will still take."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._start = time.monotonic()
        self._last = self._start + _FIRST_PROGRESS - _PROGRESS_SECONDS

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._last < _PROGRESS_SECONDS:
            return
        self._last = now
        self._terminal.show_progress(describe_progress(done, total, now - self._start))


def describe_progress(done: int, total: int, seconds: float) -> str:
    """Return a progress line.

    >>> describe_progress(3 << 30, 4 << 30, 6)
    '75% of 4.0 GiB, 512.0 MiB/s, 2 s left'
    """
    rate = done / seconds if seconds > 0 else 0.0
    share = f"{100 * done // total}% of {format_bytes(total)}" if total else format_bytes(done)
    left = f", {max(total - done, 0) / rate:.0f} s left" if rate and total else ""
    return f"{share}, {format_bytes(rate)}/s{left}"


def add_format(command: argparse.ArgumentParser, *formats: str) -> None:
    """Let a command print in several formats; the first is the default."""
    command.add_argument("--format", choices=formats, default=formats[0], help=", ".join(formats))


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
