"""Batches made ahead by a thread: the same, in the same order, with errors in their place."""

import gc
import sys
import threading
import warnings
from collections.abc import Generator
from pathlib import Path
from threading import Thread

import pyarrow as pa
import pytest

from pyspark_adapter import BinlogError, BinlogWarning, CorruptEventError, read_batches
from pyspark_adapter.decode import batch_reader as module
from pyspark_adapter.decode.batch_reader import ReadAhead
from pyspark_adapter.warn import warn
from tests.inputs import ROOT, sample_path
from tests.support.logs import read_sample
from tests.support.programs import captured


@pytest.fixture(autouse=True)
def _starts_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the thread start with the second batch, however fast the caller is."""
    monkeypatch.setattr(module, "_LEAST_SECONDS", 0.0)
    monkeypatch.setattr(module, "_SHARE", 0.0)


def threads() -> list[Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "read_ahead"]


def batch_of(number: int) -> pa.RecordBatch:
    return pa.record_batch({"n": pa.array([number])})


def number_of(batch: pa.RecordBatch) -> int:
    number: int = batch["n"][0].as_py()
    return number


class Source:
    """Makes batches, and counts them."""

    def __init__(self, count: int, end: BaseException | str | None = None) -> None:
        self._count = count
        self._end = end
        self.num_made = 0
        self.is_closed = False

    def batches(self) -> Generator[pa.RecordBatch]:
        """Yield the batches, and end as it was said."""
        try:
            for number in range(self._count):
                self.num_made += 1
                yield batch_of(number)
            if isinstance(self._end, BaseException):
                raise self._end
            if self._end is not None:
                warn(self._end)
        finally:
            self.is_closed = True


def test_batches_keep_their_order() -> None:
    source = Source(50)
    assert [number_of(batch) for batch in ReadAhead(source.batches())] == list(range(50))
    assert source.is_closed
    assert threads() == []


def test_a_caller_who_takes_no_time_gets_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LEAST_SECONDS", 60.0)
    for _ in ReadAhead(Source(5).batches()):
        assert threads() == []


def test_the_thread_is_three_batches_ahead_at_most() -> None:
    source = Source(50)
    reader = ReadAhead(source.batches())
    for number in range(20):
        assert number_of(next(reader)) == number
        assert source.num_made <= number + 1 + 3  # two that wait, and one that finds no room
    assert len(threads()) == 1
    reader.close()


def test_an_error_comes_after_the_batches_before_it() -> None:
    reader = ReadAhead(Source(5, CorruptEventError("here")).batches())
    found: list[int] = []
    with pytest.raises(CorruptEventError, match="here"):
        found.extend(map(number_of, reader))
    assert found == list(range(5))
    assert threads() == []
    with pytest.raises(StopIteration):
        next(reader)


def test_a_warning_is_given_by_the_thread_of_the_caller() -> None:
    reader = ReadAhead(Source(3, "said").batches())
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in reader:
            assert caught == []
    assert [str(one.message) for one in caught] == ["said"]
    assert caught[0].filename == __file__


def test_a_warning_that_is_an_error_ends_the_read() -> None:
    reader = ReadAhead(Source(3, "said").batches())
    with warnings.catch_warnings():
        warnings.simplefilter("error", BinlogWarning)
        with pytest.raises(BinlogWarning, match="said"):
            list(reader)
    reader.close()
    assert threads() == []


@pytest.mark.parametrize("ends", ["close", "collect"])
def test_a_reader_that_is_left_ends_its_thread(ends: str) -> None:
    source = Source(50)
    reader: ReadAhead | None = ReadAhead(source.batches())
    assert reader is not None
    next(reader)
    next(reader)
    assert len(threads()) == 1
    if ends == "close":
        reader.close()
        reader.close()
        with pytest.raises(StopIteration):
            next(reader)
    reader = None
    gc.collect()
    assert threads() == []
    assert source.is_closed


def rows_of(path: Path) -> tuple[list[object], str]:
    """Return the rows of a log, and the error that ends them."""
    rows: list[object] = []
    try:
        for batch in read_batches(path, batch_rows=64):
            rows += batch.to_pylist()
    except BinlogError as error:
        return rows, str(error)
    return rows, ""


@pytest.mark.parametrize("num_missing", [0, 40])
@pytest.mark.parametrize("name", ["mysql-9.7-types", "mariadb-11.8-compressed"])
def test_rows_and_errors_do_not_depend_on_the_thread(
    name: str, num_missing: int, log_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = read_sample(name)
    log_path.write_bytes(log[: len(log) - num_missing])
    started = 0

    class Counted(Thread):
        def start(self) -> None:
            nonlocal started
            started += 1
            super().start()

    monkeypatch.setattr(module, "Thread", Counted)
    ahead = rows_of(log_path)
    assert started == 1
    monkeypatch.setattr(module, "_LEAST_SECONDS", 60.0)
    assert ahead == rows_of(log_path)
    assert started == 1
    assert ahead[0]
    assert bool(ahead[1]) == bool(num_missing)


@pytest.mark.slow
def test_a_process_that_leaves_a_reader_open_ends() -> None:
    program = f"""
from pyspark_adapter import read_batches
from pyspark_adapter.decode import batch_reader
batch_reader._LEAST_SECONDS = batch_reader._SHARE = 0.0
reader = read_batches({str(sample_path("mysql-9.7-types"))!r}, batch_rows=2)
next(reader), next(reader)
print("open")
"""
    done = captured([sys.executable, "-c", program], cwd=ROOT, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "open\n", "")
