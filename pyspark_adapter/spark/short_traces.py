"""Errors as Spark shows them: the whole traceback of the Python process, and then the text."""

from __future__ import annotations

from contextlib import ContextDecorator
from types import TracebackType

from pyspark_adapter.errors import BinlogError


class _ShortTraces(ContextDecorator):
    """Leaves the frames within the body out of the tracebacks of our errors.

    The text names the place in the log; Spark cuts messages that are long, at their end.
    """

    def __enter__(self) -> None:
        """Do nothing."""

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Raise an error of ours again, without its traceback."""
        if isinstance(error, BinlogError):
            raise error.with_traceback(None) from error.__cause__


short_traces = _ShortTraces()
