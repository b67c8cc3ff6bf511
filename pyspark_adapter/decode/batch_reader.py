"""The record batches of a read, made ahead, as other Arrow libraries take them."""

from __future__ import annotations

import math
import time
import weakref
from collections import deque
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass
from threading import Condition, Thread, current_thread
from types import TracebackType
from typing import Any, Final, TypeAlias

import pyarrow as pa

from pyspark_adapter.warn import taking_warnings, warn

# Batches that the thread is ahead.
_MAX_WAITING: Final = 2
# The thread starts when the caller has taken so many seconds, and such a share of the time that the
# batches have taken.
_LEAST_SECONDS: Final = 0.02
_SHARE: Final = 0.25


@dataclass(frozen=True)
class _Warning:
    message: str


# What the thread makes; None at the end.
_Made: TypeAlias = pa.RecordBatch | _Warning | BaseException | None


class _StoppedError(Exception):
    """Raised in the thread after the caller has closed the reader."""


class _Queue:
    """What the thread has made and the caller has not taken yet, in order.

    `queue.Queue` can be shut down since Python 3.13 only.
    """

    def __init__(self) -> None:
        self._changed = Condition()
        self._waiting: deque[_Made] = deque()
        self._is_stopped = False

    def put(self, made: _Made) -> None:
        """Add something; waits for room.

        Raises:
            _StoppedError: after `stop`.
        """
        with self._changed:
            while len(self._waiting) >= _MAX_WAITING and not self._is_stopped:
                self._changed.wait()
            if self._is_stopped:
                raise _StoppedError
            self._waiting.append(made)
            self._changed.notify_all()

    def take(self) -> _Made:
        """Return the next thing; waits for it."""
        with self._changed:
            while not self._waiting:
                self._changed.wait()
            made = self._waiting.popleft()
            self._changed.notify_all()
            return made

    def stop(self) -> None:
        """Make `put` raise an error from now on."""
        with self._changed:
            self._is_stopped = True
            self._changed.notify_all()


class ReadAhead:
    """An iterator of batches, which a thread makes ahead of the caller if that saves time.

    Kernels, reads of files and Arrow release the GIL, so the time of the caller and that of the
    batches can overlap. The thread starts when the caller has taken some time for the batches, as
    one that writes files does; one that only looks at them does not wait for a thread. Errors and
    warnings come in their place among the batches.
    """

    def __init__(self, batches: Generator[pa.RecordBatch]) -> None:
        self._batches = batches
        self._queue: _Queue | None = None  # of the thread, once it runs
        self._is_closed = False
        self._stop: Callable[[], object] = _do_nothing
        self._seconds_of_caller = self._seconds_of_batches = 0.0
        self._last_end = math.inf  # of `__next__`

    def __iter__(self) -> ReadAhead:
        return self

    def __next__(self) -> pa.RecordBatch:
        """Return the next batch.

        Raises:
            BinlogError: as `read_batches`; the rows before the error have been returned.
        """
        if self._is_closed:
            raise StopIteration
        if self._queue is None:
            start = time.perf_counter()
            self._seconds_of_caller += max(start - self._last_end, 0)
            if self._seconds_of_caller > max(_LEAST_SECONDS, _SHARE * self._seconds_of_batches):
                self._queue = self._start()
            else:
                batch = next(self._batches)
                self._last_end = time.perf_counter()
                self._seconds_of_batches += self._last_end - start
                return batch
        while isinstance(made := self._queue.take(), _Warning):
            warn(made.message)
        if isinstance(made, pa.RecordBatch):
            return made
        self.close()
        raise StopIteration if made is None else made

    def _start(self) -> _Queue:
        queue = _Queue()
        arguments = self._batches, queue
        thread = Thread(target=_make, args=arguments, name="read_ahead", daemon=True)
        thread.start()
        # Also called when the process ends, where a thread that still ran could crash.
        self._stop = weakref.finalize(self, _stop, queue, thread)
        return queue

    def close(self) -> None:
        """Close the log that is open, and end the thread; no batch follows."""
        self._is_closed = True
        self._stop()
        self._batches.close()


class BatchReader(ReadAhead):
    """The record batches of a read, in order; they can be read once.

    It is an iterator of `pyarrow.RecordBatch`, and an Arrow stream to pandas, Polars, DuckDB and
    others (`__arrow_c_stream__`), which receive errors as theirs, with the same text. Logs are
    read as batches are asked for.

    Attributes:
        schema: of all batches; known before the first one, also if there are none.
    """

    def __init__(self, schema: pa.Schema, batches: Generator[pa.RecordBatch]) -> None:
        super().__init__(batches)
        self.schema = schema

    def to_table(self) -> pa.Table:
        """Return the batches that are left as one table.

        Raises:
            BinlogError: as `read_batches`; use the batches one by one to get those before it.
        """
        return pa.Table.from_batches(self, self.schema)

    def __enter__(self) -> BatchReader:
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        """Return the batches that are left as a PyCapsule of the Arrow C stream interface."""
        reader = pa.RecordBatchReader.from_batches(self.schema, self)
        return reader.__arrow_c_stream__(requested_schema)


def _do_nothing() -> None:
    """Stop no thread."""


def _make(batches: Generator[pa.RecordBatch], queue: _Queue) -> None:
    try:
        with taking_warnings(lambda message: queue.put(_Warning(message))):
            for batch in batches:
                queue.put(batch)
        queue.put(None)
    except _StoppedError:
        pass
    except BaseException as error:  # noqa: BLE001 - the caller gets it
        with suppress(_StoppedError):
            queue.put(error)


def _stop(queue: _Queue, thread: Thread) -> None:
    queue.stop()
    if thread is not current_thread():  # in which garbage may be collected
        thread.join()
