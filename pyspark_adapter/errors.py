"""The errors that this package raises on purpose, each with the place in the log it is about.

::

    BinlogError                       base of all
      NotABinlogError                 the file does not begin as a binary log does
      TruncatedEventError             the file ends inside an event or transaction; also an EOFError
      CorruptEventError               lengths or codes that cannot be; also a ValueError
        ChecksumMismatchError         the CRC32 of an event is not that of its bytes
      MissingTableMapError            rows of a table that the log has not named; also a LookupError
      SchemaMismatchError             a table has another shape than was expected; also a ValueError
      StatementEventError             rows changed by a statement that the log has no rows of
      UnsupportedError                a feature that is not read (yet); also a NotImplementedError
      OptionError                     an option with a value that is not allowed; also a ValueError
      LogFileError                    a file that cannot be found or read; also an OSError
      DataLossError                   a log that a stream has to read is gone; also a LookupError
      ServerError                     a running server that cannot be reached, or refuses

What is told and does not end a read is a warning, `BinlogWarning`.
"""

from __future__ import annotations

import contextlib
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

# Files whose frames lie between a caller of the package and the place that warns.
_INNER_FILES: Final = (str(Path(__file__).parent), contextlib.__file__)


@dataclass(frozen=True)
class EventSite:
    """Where in the input something stands.

    Attributes:
        log_file: name of the log file.
        start_pos: offset of the event in the file, in bytes; -1 if the file as a whole is meant.
        event_type: name of the event's type, as `TABLE_MAP_EVENT`; empty if it is unknown.
        inner_pos: of an event within a compressed transaction, which is the event at start_pos:
            its offset in the decompressed bytes, shown as `@6735+185`; else -1.
    """

    log_file: str
    start_pos: int = -1
    event_type: str = ""
    inner_pos: int = -1

    def __str__(self) -> str:
        position = f"@{self.start_pos}" if self.start_pos >= 0 else ""
        if self.inner_pos >= 0:
            position += f"+{self.inner_pos}"
        return f"{self.log_file}{position}{' ' if self.event_type else ''}{self.event_type}"


class BinlogError(Exception):
    """Base of all errors of this package.

    Args:
        message: what was expected and what was found.
        site: where; filled in by `located` if the raising code does not know it.
    """

    def __init__(self, message: str, *, site: EventSite | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.site = site

    def __str__(self) -> str:
        return self.message if self.site is None else f"{self.site}: {self.message}"

    def __reduce__(self) -> tuple[Any, ...]:
        # By state and not by constructor, so that no class can lose a fact on its way from a
        # Spark worker to the driver.
        return _restore, (type(self), self.message, self.__dict__)


def _restore(cls: type[BinlogError], message: str, state: dict[str, Any]) -> BinlogError:
    """Make an error again after it has crossed a process border."""
    error = cls(message)
    error.__dict__.update(state)
    return error


class NotABinlogError(BinlogError):
    """The file does not begin as a binary log does."""


class TruncatedEventError(BinlogError, EOFError):
    """The file ends too early.

    Attributes:
        needed: bytes that were expected.
        available: bytes that are there.
    """

    def __init__(
        self,
        message: str,
        *,
        site: EventSite | None = None,
        needed: int = 0,
        available: int = 0,
    ) -> None:
        super().__init__(message, site=site)
        self.needed = needed
        self.available = available


class CorruptEventError(BinlogError, ValueError):
    """An event holds lengths or codes that cannot be."""


class ChecksumMismatchError(CorruptEventError):
    """The CRC32 of an event is not that of its bytes.

    Attributes:
        expected: CRC32 as logged.
        actual: CRC32 of the bytes.
    """

    def __init__(
        self, message: str, *, site: EventSite | None = None, expected: int = 0, actual: int = 0
    ) -> None:
        super().__init__(message, site=site)
        self.expected = expected
        self.actual = actual


class MissingTableMapError(BinlogError, LookupError):
    """A rows event is about a table id that no table map of its statement names.

    Attributes:
        table_id: the id.
    """

    def __init__(self, message: str, *, site: EventSite | None = None, table_id: int = 0) -> None:
        super().__init__(message, site=site)
        self.table_id = table_id


class SchemaMismatchError(BinlogError, ValueError):
    """A table has another shape than an earlier place of the log or the given schema says."""


class StatementEventError(BinlogError):
    """A statement changed rows, and the log has its text and not the rows."""


class UnsupportedError(BinlogError, NotImplementedError):
    """The log uses a feature that is not read."""


class OptionError(BinlogError, ValueError):
    """An option has a value that is not allowed.

    Attributes:
        option: name of the option.
        value: the value given.
        allowed: the values allowed, as text.
    """

    def __init__(
        self,
        message: str,
        *,
        site: EventSite | None = None,
        option: str = "",
        value: str = "",
        allowed: str = "",
    ) -> None:
        super().__init__(message, site=site)
        self.option = option
        self.value = value
        self.allowed = allowed


class LogFileError(BinlogError, OSError):
    """A log file cannot be found or read."""


class DataLossError(BinlogError, LookupError):
    """Logs that a stream still has to read were purged, or replaced by others."""


class ServerError(BinlogError):
    """A running server cannot be reached, or does not give what it is asked for."""


class BinlogWarning(UserWarning):
    """Something a user should know of a log that is read on all the same."""


def warn(message: str) -> None:
    """Warn of something that does not end a read, at the line of the caller of the package.

    `warnings.warn` takes `skip_file_prefixes` since Python 3.12 only.
    """
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_INNER_FILES):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, BinlogWarning, stacklevel=level)


def one_line(text: str, max_length: int = 300) -> str:
    r"""Return foreign text for a message: control characters escaped, cut to one line.

    >>> one_line("binlog\n\x1b[2J")
    'binlog\\n\\x1b[2J'
    """
    cut = text[:max_length]
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in cut)
    return shown if cut == text else shown + "..."


@contextmanager
def prefixed(subject: str) -> Iterator[None]:
    """Name the subject, such as a table's column, in errors that are raised below."""
    try:
        yield
    except BinlogError as error:
        error.message = f"{subject}: {error.message}"
        raise


@contextmanager
def as_log_file_error(site: EventSite) -> Iterator[None]:
    """Raise what a storage raises in the body as one of our errors.

    Raises:
        LogFileError: in place of an OSError.
    """
    try:
        yield
    except BinlogError:
        raise
    except OSError as error:
        # A missing library adds a line for each place where it was looked for.
        reason = error.strerror or str(error).partition("\n")[0]
        raise LogFileError(f"cannot be read: {reason}", site=site) from error


@contextmanager
def located(site: EventSite) -> Iterator[None]:
    """Fill in the place of errors that are raised below without one."""
    try:
        yield
    except BinlogError as error:
        if error.site is None:
            error.site = site
        raise
