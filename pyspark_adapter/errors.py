"""The errors that this package raises on purpose, each with its site: a place in a log, or a file.

::

    BinlogError                       base of all
      NotABinlogError                 the file does not begin as a binary log does
      TruncatedEventError             the file ends inside an event or transaction; also an EOFError
      CorruptEventError               an invalid length or code; also a ValueError
        ChecksumMismatchError         the CRC32 of an event does not match its bytes
      MissingTableMapError            rows of a table without a table map; also a LookupError
      SchemaMismatchError             a table has another shape than expected; also a ValueError
      StatementEventError             a statement changed rows, and the log does not have them
      UnsupportedError                a feature that is not supported; also a NotImplementedError
      OptionError                     an option with a value that is not allowed; also a ValueError
      LogFileError                    a file that cannot be found or read; also an OSError
      DataLossError                   a log that a stream needs is gone; also a LookupError
      ServerError                     a running server that cannot be reached, or refuses

What does not end a read is a warning, `BinlogWarning`. The docstring of each class has the cause
and what to do. The text of an error ends in what to do, too: see `BinlogError.advice`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ContextDecorator, contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from types import TracebackType
from typing import Any, ClassVar, Final

from pyspark_adapter.spelling import in_python, python_name

# Most letters of a message: ten lines of a terminal. Names in logs have up to 255 bytes, and tables
# thousands of columns.
MAX_MESSAGE: Final = 800


@dataclass(frozen=True)
class EventSite:
    """A place in the input.

    Attributes:
        log_file: name of the log file.
        start_pos: offset of the event in the file, in bytes; -1 for the whole file.
        event_type: name of the event's type, such as `TABLE_MAP_EVENT`; empty if unknown.
        inner_pos: for an event inside the compressed transaction at `start_pos`, or the group whose
            commit record is there, its offset in the events of that, shown as `@6735+185`; else -1.
    """

    log_file: str
    start_pos: int = -1
    event_type: str = ""
    inner_pos: int = -1

    def __str__(self) -> str:
        position = f"@{self.start_pos}" if self.start_pos >= 0 else ""
        if self.inner_pos >= 0:
            position += f"+{self.inner_pos}"
        text = f"{self.log_file}{position}{' ' if self.event_type else ''}{self.event_type}"
        return one_line(text, MAX_MESSAGE)


class BinlogError(Exception):
    """Base of all errors of this package.

    As text it is one line, whatever names and messages of servers it quotes: see `one_line`. It
    ends in the advice, and spells options as the caller does.

    Args:
        message: what was expected and what was found. It refers to options as `option batchRows`,
            see `spelling`.
        site: where; set by `located` if the raising code does not know it.
        advice: what to do, if that of the class does not fit; empty if the message says it.
        numbers: values of attributes that the class declares.

    Attributes:
        is_spelled: whether options stay as in the message; set where an error leaves for Spark.
    """

    class_advice: ClassVar[str] = ""

    def __init__(
        self,
        message: str,
        *,
        site: EventSite | None = None,
        advice: str | None = None,
        **numbers: int,
    ) -> None:
        super().__init__(message)
        self.__dict__.update(numbers)
        self.message = message
        self.site = site
        self.advice = self.class_advice if advice is None else advice
        self.is_spelled = False

    def spelled(self, text: str) -> str:
        """Return a text with the options that it refers to as the caller spells them."""
        return text if self.is_spelled else in_python(text)

    @property
    def problem(self) -> str:
        """The text without the advice, for a report or a warning that has its own."""
        site = "" if self.site is None else f"{self.site}: "
        most = MAX_MESSAGE - len(one_line(self.spelled(self.advice)))
        return one_line(f"{site}{self.spelled(self.message)}", most)

    def __str__(self) -> str:
        advice = one_line(self.spelled(self.advice))
        return f"{self.problem}; {advice}" if advice else self.problem

    def __reduce__(self) -> tuple[Any, ...]:
        # By state, not by constructor: so no class can lose an attribute between a Spark worker
        # and the driver.
        return _restore, (type(self), self.message, self.__dict__)


def _restore(cls: type[BinlogError], message: str, state: dict[str, Any]) -> BinlogError:
    """Return an error that was pickled."""
    error = cls(message)
    error.__dict__.update(state)
    return error


class NotABinlogError(BinlogError):
    """The file does not begin as a binary log does.

    It may be the index of the logs, a text file, or the output of `mysqlbinlog` without `--raw`.
    Give the log itself.
    """

    class_advice = (
        "give the log itself, not its index or the text that mysqlbinlog prints; option"
        " ignoreCorruptFiles skips such files"
    )


class TruncatedEventError(BinlogError, EOFError):
    """The file ends inside an event or a transaction.

    The log was copied while the server wrote it, or the server crashed. Copy it again; or read what
    is there with the option `ignoreCorruptFiles`. For a log in use, read a stream or the server.

    Attributes:
        needed: number of bytes expected.
        available: number of bytes found.
    """

    class_advice = (
        "copy the log again, or read the undamaged part with option ignoreCorruptFiles; to follow a"
        " log in use, read a stream or the server (option host)"
    )
    needed: int = 0
    available: int = 0


class CorruptEventError(BinlogError, ValueError):
    """An event has an invalid length or code.

    Compare with `mysqlbinlog --verify-binlog-checksum`, and copy the log again. The option
    `ignoreCorruptFiles` returns the rows before it.
    """

    class_advice = (
        "the log is damaged, or of an unknown kind: compare with mysqlbinlog"
        " --verify-binlog-checksum and copy it again, or skip the rest of it with option"
        " ignoreCorruptFiles"
    )


class ChecksumMismatchError(CorruptEventError):
    """The CRC32 of an event does not match its bytes.

    The bytes are not those that the server wrote. Copy the log again.

    Attributes:
        expected: CRC32 as logged.
        actual: CRC32 of the bytes.
    """

    class_advice = (
        "copy the log again, or skip the rest of it with option ignoreCorruptFiles; option"
        " verifyChecksums=false reads it unchecked"
    )
    expected: int = 0
    actual: int = 0


class MissingTableMapError(BinlogError, LookupError):
    """A rows event has a table id without a table map in its statement.

    The log begins in the middle of a statement, or is damaged. Copy the whole log.

    Attributes:
        table_id: the id.
    """

    class_advice = "copy the whole log: this one begins inside a transaction, or lacks a part"
    table_id: int = 0


class SchemaMismatchError(BinlogError, ValueError):
    """A table is missing, or has another shape than elsewhere in the logs or in the schema passed.

    `list_tables` returns the tables that there are. The options `mergeSchema` and `schemaAt` choose
    how the shapes of a table are combined.
    """

    class_advice = "read_schema returns the columns and types that there are"


class StatementEventError(BinlogError):
    """A statement changed rows, and the log has only its text.

    Use `binlog_format=ROW` on the server. The option `onStatementEvents` = `warn` reads the rows
    that there are.
    """

    class_advice = (
        "use binlog_format=ROW on the server; option onStatementEvents=warn reads the rows that"
        " there are"
    )


class UnsupportedError(BinlogError, NotImplementedError):
    """The log or the server uses a feature that is not supported.

    The message names it. The limits in the documentation list what can be done instead.

    Attributes:
        reasons: all of them, if there are several; else empty.
    """

    class_advice = "the page Limits of the documentation lists the supported logs"
    reasons: tuple[str, ...] = ()


class OptionError(BinlogError, ValueError):
    """An option does not exist, or has a value that is not allowed.

    The message has the values that are allowed, or the nearest name.

    Attributes:
        option: name of the option, as the caller spells it.
        value: the value passed.
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
        advice: str | None = None,
    ) -> None:
        super().__init__(message, site=site, advice=advice)
        self._option = option
        self.value = value
        self._allowed = allowed

    @property
    def option(self) -> str:  # noqa: D102 - an attribute of the class
        return self._option if self.is_spelled else python_name(self._option)

    @property
    def allowed(self) -> str:  # noqa: D102
        return self.spelled(self._allowed)


class LogFileError(BinlogError, OSError):
    """A log file cannot be found or read.

    Check the path and the permissions; a server's logs can often be read by its own user only.
    """

    class_advice = (
        "check the path and its permissions; a server's logs can often be read by its own user only"
    )


class DataLossError(BinlogError, LookupError):
    """Logs that a stream has yet to read were purged, or replaced by others.

    Keep logs longer on the server (`binlog_expire_logs_seconds`). The option `failOnDataLoss` =
    `false` continues after the gap.
    """

    class_advice = (
        "start a new query; to continue after the gap, use option failOnDataLoss=false; keep logs"
        " longer on the server (binlog_expire_logs_seconds)"
    )


class ServerError(BinlogError):
    """A running server cannot be reached, or refuses, or answers something invalid.

    The message has the server's own reason. Check `host` and `port`, the user's privileges
    (REPLICATION SLAVE and REPLICATION CLIENT) and `sslMode`.
    """

    class_advice = (
        "check option host, option port, option user and option password, and the user's"
        " privileges (REPLICATION SLAVE, REPLICATION CLIENT)"
    )


class BinlogWarning(UserWarning):
    """A problem that does not end a read.

    Nothing has to be done if the rows are as expected. To make it an error, use
    `warnings.simplefilter("error", BinlogWarning)`.
    """


def one_line(text: str, max_length: int = 300) -> str:
    r"""Return foreign text for a message or a terminal: one line without control characters.

    They are escaped, and so are characters that change the direction of text. The middle of a
    longer text is left out.

    >>> one_line("binlog\n\x1b[2J")
    'binlog\\n\\x1b[2J'
    >>> one_line("0123456789", 6)
    '0123 ... 89'
    """
    if len(text := printable(text)) <= max_length:
        return text
    end = max_length // 3
    return f"{text[: max_length - end]} ... {text[len(text) - end :]}"


def printable(text: str) -> str:
    r"""Return text with its control characters escaped, so that no log can command a terminal.

    >>> printable("shop\x1b[2J\n")
    'shop\\x1b[2J\\n'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Return a proposal for a name that does not exist; empty if none is near.

    >>> did_you_mean("shop.Orders", ["shop.orders", "shop.items"])
    '; did you mean shop.orders? Only the case differs'
    """
    others = sorted(names)
    of_any_case = [other for other in others if other.lower() == name.lower()]
    if of_any_case:
        return f"; did you mean {of_any_case[0]}? Only the case differs"
    by_lower = {other.lower(): other for other in others}
    near = get_close_matches(name.lower(), by_lower, n=3)
    return f"; did you mean {' or '.join(by_lower[key] for key in near)}?" if near else ""


def listed(names: Iterable[str], most: int = 12) -> str:
    """Return names for a message, separated by commas, the first ones of many.

    >>> listed("abc", most=2)
    'a, b, ... (3 in all)'
    """
    every = list(names)
    shown = ", ".join(one_line(name, 100) for name in every[:most])
    return shown + (f", ... ({len(every)} in all)" if len(every) > most else "")


@contextmanager
def prefixed(subject: str) -> Iterator[None]:
    """Name the subject, such as a column of a table, in errors of the body."""
    try:
        yield
    except BinlogError as error:
        error.message = f"{subject}: {error.message}"
        raise


@contextmanager
def as_log_file_error(site: EventSite) -> Iterator[None]:
    """Raise what a storage raises in the body as one of our errors.

    Raises:
        LogFileError: instead of an OSError.
    """
    try:
        yield
    except BinlogError:
        raise
    except OSError as error:
        raise log_file_error("cannot be read", error, site) from error


def log_file_error(problem: str, error: OSError, site: EventSite) -> LogFileError:
    """Return the error for a file that cannot be opened or read."""
    # A missing library adds a line for each place where it was looked for.
    reason = error.strerror or str(error).partition("\n")[0]
    advice = None
    if isinstance(error, FileNotFoundError):
        advice = "check the path; option ignoreMissingFiles skips logs that are gone"
    return LogFileError(f"{problem}: {reason}", site=site, advice=advice)


@contextmanager
def located(site: EventSite) -> Iterator[None]:
    """Set the site of errors of the body that have none."""
    try:
        yield
    except BinlogError as error:
        if error.site is None:
            error.site = site
        raise


class _ShortTraces(ContextDecorator):
    """Leaves the frames within the body out of the tracebacks of our errors.

    The text names the place in the log; Spark cuts messages that are long, at their end. Options in
    it are spelled as Spark does.
    """

    def __enter__(self) -> None:
        """Do nothing."""

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Raise an error of this package again, without its traceback."""
        if isinstance(error, BinlogError):
            error.is_spelled = True
            raise error.with_traceback(None) from error.__cause__


short_traces = _ShortTraces()
