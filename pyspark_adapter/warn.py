"""Warnings: problems that do not end a read."""

from __future__ import annotations

import contextlib
import sys
import warnings
from pathlib import Path
from typing import Final

from pyspark_adapter.errors import MAX_MESSAGE, BinlogWarning, one_line

# Files of the frames between a caller of the package and the line that warns.
_INNER_FILES: Final = (str(Path(__file__).parent), contextlib.__file__)


def warn(message: str) -> None:
    """Warn of something that does not end a read, at the line of the caller of the package.

    `warnings.warn` takes `skip_file_prefixes` since Python 3.12 only.
    """
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_INNER_FILES):
        level, frame = level + 1, frame.f_back
    warnings.warn(one_line(message, MAX_MESSAGE), BinlogWarning, stacklevel=level)
