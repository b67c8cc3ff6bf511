"""The file that a command writes: not an existing one without `--force`, never one it reads."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pyspark_adapter.errors import BinlogError, OptionError
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.written_files import existing_file

if TYPE_CHECKING:
    from pyspark_adapter.cli.arguments import ChosenLogs


def output_path(text: str) -> Path:
    """Parse the path of a file or folder that is written.

    Raises:
        argparse.ArgumentTypeError: for a URI, which would be a folder of that name here.
    """
    location = Location.parse(text)
    if not location.is_local:
        raise argparse.ArgumentTypeError(f"expected a path of this machine, got {location.shown}")
    return Path(location.path if text.lower().startswith(("file:", "local:", "~")) else text)


def add_force(command: argparse.ArgumentParser) -> None:
    """Let a command replace a file that exists."""
    command.add_argument("--force", action="store_true", help="replace the file if it exists")


def check_output(
    flag: str, path: str | Path, logs: ChosenLogs, *, force: bool, inputs: Iterable[str] = ()
) -> None:
    """Refuse a file that may not be written, before the logs are read.

    Args:
        flag: of the file.
        logs: the logs, and options, which may name files, too.
        force: whether an existing file is replaced.
        inputs: other files that the command reads.

    Raises:
        OptionError: if it exists and `force` is false, or is one of the files that are read.
        BinlogError: if the logs cannot be found.
        OSError: if the path cannot be looked at.
    """
    try:
        existing = existing_file(path)
    except OSError as error:
        error.filename = os.fspath(path)
        raise
    if existing is not None and not force:
        raise OptionError(f"{flag}: {path} exists", advice="choose another file, or add --force")
    target = Path(path)
    if not target.is_file():  # also one that the shell has opened
        return
    sources = [*inputs, *map(str, logs.options.values())]
    if logs.paths is not None:
        sources += [*logs.paths, *(log.path for log in logs.files(logs.checked()))]
    if any(_is_same(target, source) for source in sources):
        raise OptionError(
            f"{flag}: {path} is one of the files that are read", advice="choose another file"
        )


def _is_same(target: Path, source: str) -> bool:
    """Return whether a source is a file: a path, perhaps after `~` or `FILE:`, or its URI."""
    forms = [source, source[5:]] if source.lower().startswith("file:") else [source]
    for form in forms:
        with suppress(OSError, ValueError, BinlogError):  # no path, a pattern, in other storage
            location = Location.parse(form)
            paths = (form, location.path) if location.is_local else ()  # some take `~` as it is
            if any(map(target.samefile, filter(os.path.exists, paths))):
                return True
    return False
