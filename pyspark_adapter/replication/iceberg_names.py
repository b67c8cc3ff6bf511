"""The names of files that this package wrote for an Iceberg table, in a file next to them.

pyiceberg gives files of all programs names of one form, and old files stay when no snapshot has
them any more. So each name is noted before the file is made.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from threading import Lock
from typing import Final

from pyspark_adapter.own_files import has_text, open_own
from pyspark_adapter.sources.written_files import whole_file

NAMES: Final = "_mysql_binlog_files"  # in the folder of a table
_TITLE: Final = b"Written by mysql-binlog-spark replicate, which may remove the files named here.\n"
# A full disk may cut a line.
_LINE: Final = re.compile(r"((meta)?data/[\w.-]*)?", re.ASCII)
_NAMES_LOCK: Final = Lock()
_NEWEST: Final = 1 << 20


def names_in(folder: Path) -> set[str]:
    """Return the files in a folder that this package wrote, as `data/NAME`, and parts of lines.

    Raises:
        OSError: if they cannot be read.
    """
    if not has_names(folder / NAMES):
        return set()
    with open(folder / NAMES, "rb", opener=open_own) as opened:
        return set(opened.read().removeprefix(_head(folder)).decode(errors="replace").split("\n"))


def newest_names(folder: Path) -> set[str]:
    """Return those of `names_in` that were noted last, up to a MiB of them; raises as it."""
    if not has_names(folder / NAMES):
        return set()
    with open(folder / NAMES, "rb", opener=open_own) as opened:
        size = opened.seek(0, os.SEEK_END)
        opened.seek(max(size - _NEWEST, 0))
        return set(opened.read().decode(errors="replace").split("\n")[1:])  # the first may be cut


def are_names(lines: Iterable[str]) -> bool:
    """Return whether lines of `names_in` hold nothing else, such as notes of a user."""
    return all(map(_LINE.fullmatch, lines))


def add_names(folder: Path, names: Iterable[str]) -> None:
    """Note files, unless there is a file of others in the place of the names; raises as `names_in`.

    Then the files stay when the table is removed.
    """
    file = folder / NAMES
    # A full disk may have cut the last line, so each name starts a new one.
    added = "".join(f"\n{name}" for name in names).encode()
    with _NAMES_LOCK:
        is_new = not os.path.lexists(file)
        if not is_new and not has_names(file):
            return
        if is_new or file.stat().st_nlink > 1:  # a backup of hard links shares it
            known = _head(folder) if is_new else file.read_bytes()
            with whole_file(file, replaces=has_names, lasts=False, is_own=True) as opened:
                opened.write(known + added)
            return
        with open(file, "a+b", opener=open_own) as opened:
            opened.seek(0)
            head = _head(folder)
            if opened.read(len(head)) == head:  # no other came meanwhile
                opened.write(added)


def has_names(file: Path) -> bool:
    """Return whether a file is one of names, of this package; raises as `names_in`."""
    if not file.is_file() or file.is_symlink():
        return False
    head = _head(file.parent)
    return has_text(file, re.compile(re.escape(head)), len(head))


def _head(folder: Path) -> bytes:
    """Return how the names begin; that of the folder tells them from a copy."""
    return _TITLE + b"Folder: %s\n" % os.fsencode(folder.name)
