"""Errors that leave the package for Spark, which shows the whole traceback and then the text."""

from __future__ import annotations

from contextlib import ContextDecorator
from types import TracebackType

from pyspark_adapter.errors import BinlogError


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
