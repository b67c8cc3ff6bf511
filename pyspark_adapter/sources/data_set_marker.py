"""The marker of a data set: which files in a folder are of this package."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import quote_from_bytes
from uuid import uuid4

from pyarrow import fs

from pyspark_adapter.sources.written_files import RANDOM

# Spark and pyarrow pass over names that begin so.
MARKER: Final = "_mysql_binlog"
SUCCESS: Final = "_SUCCESS"
TITLE: Final = (
    "Written by mysql-binlog-spark, which replaces the files that are named here, and no others.\n"
)
LEN_TITLE: Final = len(TITLE)  # of ASCII
PART: Final = re.compile(rf"part-[0-9]{{5,}}-{RANDOM}\.parquet")
# Of a file, and how many bytes it has; earlier versions wrote the name alone.
_LINE: Final = re.compile(rf"({PART.pattern})(?: ([0-9]{{1,18}}))?")
# The last line names the folder, and tells it from a copy; earlier versions wrote none.
_FOLDER: Final = re.compile(r"folder (\S*)")
TEMPORARY: Final = re.compile(rf"_temporary-{RANDOM}")


def part_name(number: int) -> str:
    """Return a name for a file of a data set that no other has."""
    return f"part-{number:05d}-{uuid4().hex}.parquet"


def is_as_written(system: fs.FileSystem, info: fs.FileInfo, num_bytes: int | None) -> bool:
    """Return whether a file is no link, has its size, and names files alone if it is a marker."""
    if info.type != fs.FileType.File or num_bytes not in (None, info.size):
        return False
    if isinstance(system, fs.LocalFileSystem) and Path(info.path).is_symlink():
        return False
    if info.base_name != MARKER:
        return True
    lines = _lines(system, info.path)
    return all(_LINE.fullmatch(n) or (_FOLDER.fullmatch(n) and n == lines[-1]) for n in lines)


def is_marker(system: fs.FileSystem, at: str) -> bool:
    """Return whether there is a marker in a folder, whatever follows its title."""
    return start_of(system, f"{at}/{MARKER}") == TITLE.encode()


def is_title(start: bytes) -> bool:
    """Return whether a marker begins so, or as far as it was written before a kill."""
    return TITLE.encode().startswith(start)


def start_of(system: fs.FileSystem, path: str) -> bytes | None:
    """Return the first bytes of a file, as many as the title has; None if it is none."""
    if system.get_file_info(path).type != fs.FileType.File:
        return None
    with system.open_input_stream(path, compression=None) as file:
        return bytes(file.read(LEN_TITLE))


def listed_files(system: fs.FileSystem, at: str) -> dict[str, int | None]:
    """Return the files that a marker names, and how many bytes they have, if it says so."""
    if not is_marker(system, at):
        return {}
    found = map(_LINE.fullmatch, _lines(system, f"{at}/{MARKER}"))
    return {line[1]: None if line[2] is None else int(line[2]) for line in found if line}


def folder_of(system: fs.FileSystem, at: str) -> str | None:
    """Return the name of the folder for which a marker was written; None if it does not say so."""
    found = _FOLDER.fullmatch(["", *_lines(system, f"{at}/{MARKER}")][-1])
    return None if found is None else found[1]


def quoted_name(at: str) -> str:
    """Return the name of a folder as a marker has it."""
    return quote_from_bytes(os.fsencode(at.rpartition("/")[2]))


def _lines(system: fs.FileSystem, marker: str) -> list[str]:
    """Return the lines after the title of a marker."""
    with system.open_input_stream(marker, compression=None) as file:
        text = bytes(file.read())[LEN_TITLE:].decode(errors="replace")
    return text.removesuffix("\n").split("\n") if text else []


def text_of(at: str, files: Mapping[str, int | None]) -> str:
    """Return the lines of a folder and its files in a marker."""
    lines = [n if size is None else f"{n} {size}" for n, size in files.items()]
    return "".join(f"{line}\n" for line in [*lines, f"folder {quoted_name(at)}"])


def write_marker(system: fs.FileSystem, at: str, files: Mapping[str, int | None]) -> None:
    """Write a marker beside its place, and rename it."""
    temporary = f"{at}/_temporary-{uuid4().hex}"
    with system.open_output_stream(temporary, compression=None) as file:
        file.write(f"{TITLE}{text_of(at, files)}".encode())
    system.move(temporary, f"{at}/{MARKER}")
