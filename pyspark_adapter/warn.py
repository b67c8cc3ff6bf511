"""Warnings: problems that do not end a read."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from pyspark_adapter.errors import MAX_MESSAGE, BinlogWarning, one_line

# How the names of files begin whose frames are between a caller of the package and this module.
_INNER_FILES: Final = (f"{Path(__file__).parent}{os.sep}", contextlib.__file__)

_thread = threading.local()


def warn(message: str) -> None:
    """Warn of something that does not end a read, at the line of the caller of the package.

    `warnings.warn` takes `skip_file_prefixes` since Python 3.12 only.
    """
    note = getattr(_thread, "note", None)
    if note is not None:
        note()
    take = getattr(_thread, "take", None)
    if take is not None:
        take(message)
        return
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_INNER_FILES):
        level, frame = level + 1, frame.f_back
    warnings.warn(one_line(message, MAX_MESSAGE), BinlogWarning, stacklevel=level)


@contextmanager
def taking_warnings(take: Callable[[str], None]) -> Iterator[None]:
    """Pass the text of what this thread warns of in the body to a function, not to the user."""
    _thread.take = take
    try:
        yield
    finally:
        _thread.take = None


@contextmanager
def noting_warnings(note: Callable[[], None]) -> Iterator[None]:
    """Call a function at each warning of this thread in the body; the user sees them as before."""
    _thread.note = note
    try:
        yield
    finally:
        _thread.note = None
