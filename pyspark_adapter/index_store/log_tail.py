"""The bytes before an offset of a log, by which the log is known again."""

from __future__ import annotations

from typing import Final

from pyspark_adapter.errors import as_log_file_error
from pyspark_adapter.format.header import MAGIC
from pyspark_adapter.sources.locations import read_up_to
from pyspark_adapter.sources.log_file import LogFile, open_log

LEN_TAIL: Final = 64


def tail_before(log_file: LogFile, end: int) -> bytes:
    """Return the bytes of a log before an offset that an index keeps, to know the log again.

    Raises:
        LogFileError: if the log cannot be read.
    """
    start = max(end - LEN_TAIL, len(MAGIC))
    with as_log_file_error(log_file.site):
        file = open_log(log_file)
        try:
            file.seek(start)
            return read_up_to(file, end - start)
        finally:
            file.close()
