"""Markers: small files that name the folders of this package, and the lake that they are in."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final
from uuid import uuid4

from pyarrow import fs

from pyspark_adapter.own_files import has_text
from pyspark_adapter.sources.written_files import whole_file

# In the folder of a lake: its name, which no other has but copies of it.
LAKE: Final = "_mysql_binlog_lake"
_OWNER: Final = b"Written by mysql-binlog-spark replicate"
_LAKE_TEXT: Final = _OWNER + b", whose lake this folder is.\n"
UUID: Final = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_NAME: Final = b"Lake: (?P<lake>%s)\n" % UUID.encode()
_LAKE: Final = re.compile(re.escape(_LAKE_TEXT) + _NAME)
# In the folders that are of this package; Delta and Spark pass over it.
MARKER: Final = "_mysql_binlog"
_TEXT: Final = _OWNER + b", which may replace or remove what it wrote in this folder.\n"
_DROPPED: Final = _TEXT + b"The table is gone, and its files are being removed.\n"
# All of a marker. The names tell the folder from a copy of it, in this lake or in another.
_MARK: Final = re.compile(
    b"(?:%s|%s)Folder: (?P<folder>.*)\n" % (re.escape(_TEXT), re.escape(_DROPPED)) + _NAME
)
_LEN_MARK: Final = 1024


def marker_check(folder: Path) -> Callable[[], bool]:
    """Return a check that a folder still has its marker: another may come in its place."""

    def found() -> tuple[int, ...]:
        with suppress(OSError):
            of = (folder / MARKER).lstat()
            return of.st_dev, of.st_ino, of.st_size, of.st_mtime_ns  # inodes come again
        return ()

    first = found()
    return lambda: found() == first != ()


def marker_of(system: fs.FileSystem, path: str, depth: int) -> bytes | None:
    """Return the text of the marker of a folder; None if it is not of this package.

    Args:
        system: of the folder.
        path: of the folder.
        depth: how many folders it is below that of the lake; a copy of a lake may be deeper in it.
    """
    found = _MARK.fullmatch(_read(system, f"{path}/{MARKER}"))
    if found is None:
        return None
    lake, *place = path.rsplit("/", depth)
    is_here = "/".join(place).encode() == found["folder"]
    return found[0] if is_here and lake_at(system, lake) == found["lake"] else None


def lake_at(system: fs.FileSystem, path: str) -> bytes | None:
    """Return the name of the lake in a folder; None if it has none of this package."""
    found = _LAKE.fullmatch(_read(system, f"{path}/{LAKE}"))
    return found and found["lake"]


def _read(system: fs.FileSystem, path: str) -> bytes:
    """Return the first bytes of a file of this package; none if there is no file, but a link."""
    if isinstance(system, fs.LocalFileSystem):
        is_there = Path(path).is_file() and not Path(path).is_symlink()
    else:
        is_there = system.get_file_info(path).type == fs.FileType.File
    if not is_there:
        return b""
    with system.open_input_stream(path, compression=None) as file:
        return bytes(file.read(_LEN_MARK))


def is_dropped(marker: bytes) -> bool:
    """Return whether a marker says that the table is gone."""
    return marker.startswith(_DROPPED)


def name_lake(system: fs.FileSystem, path: str) -> None:
    """Give a lake a name; raises as `whole_file`."""
    _write(system, f"{path}/{LAKE}", _LAKE_TEXT + b"Lake: %s\n" % str(uuid4()).encode(), _LAKE)


def mark(system: fs.FileSystem, path: str, depth: int, lake: bytes) -> None:
    """Mark a folder, which is so many folders below its lake; raises as `whole_file`."""
    place = "/".join(path.split("/")[-depth:]).encode()
    text = _TEXT + b"Folder: %s\nLake: %s\n" % (place, lake)
    _write(system, f"{path}/{MARKER}", text, _MARK)


def mark_dropped(system: fs.FileSystem, path: str, marker: bytes) -> None:
    """Say in the marker of a table that the table is gone; raises as `whole_file`."""
    text = _DROPPED + marker[marker.index(b"Folder: ") :]
    _write(system, f"{path}/{MARKER}", text, _MARK)


def _write(system: fs.FileSystem, path: str, text: bytes, known: re.Pattern[bytes]) -> None:
    """Write a small file, which may take the place of one whose text is known."""
    if isinstance(system, fs.LocalFileSystem):
        # Beside it and renamed: a backup may share the file.
        def replaces(file: Path) -> bool:
            return has_text(file, known, _LEN_MARK)

        with whole_file(path, replaces=replaces, is_own=True) as local:
            local.write(text)
        return
    with system.open_output_stream(path, compression=None) as file:
        file.write(text)
