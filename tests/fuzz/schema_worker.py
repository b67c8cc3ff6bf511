"""Opens logs with the compiled schema: `python -m tests.fuzz.schema_worker FIRST [END]`.

Each seed is named on a line before its log is opened, so that the process may hang or die and still
tell where. What was found in all of them follows as JSON. The traces of a single seed are printed.
"""

import contextlib
import gc
import io
import json
import linecache
import re
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import mysql_binlog
from kaitaistruct import KaitaiStream, KaitaiStruct, KaitaiStructError
from mysql_binlog import MysqlBinlog

from tests.fuzz.schema_inputs import make_input

MAX_MEMORY = 2 << 30  # of the process; the limits of one input are lower
MAX_GROWTH = 64 << 20  # in bytes, of one input
MAX_SECONDS = 2.0  # of the processor, for one input
CHECK_SECONDS = 0.02

_NOT_CHILDREN = frozenset({"_parent", "_root", "_io", "_config"})


class LimitError(Exception):
    """An input takes too long or too much memory."""


class Root(MysqlBinlog):  # type: ignore[misc]
    """A root that is kept with the events before one that cannot be read."""

    def _read(self) -> None:
        """Leave it to `Opening`."""


def _memory() -> int:
    """Return the bytes that the process has in memory now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def _peak_kilobytes() -> int:
    """Return the most that the process had in memory; `ru_maxrss` starts at that of its parent."""
    status = Path("/proc/self/status").read_text()
    found = re.search(r"^VmHWM:\s+(\d+) kB$", status, re.MULTILINE)
    assert found is not None
    return int(found[1])


@contextlib.contextmanager
def _limits() -> Iterator[None]:
    """Raise an error within, wherever that is, when a limit is passed."""
    end = time.process_time() + MAX_SECONDS
    max_memory = _memory() + MAX_GROWTH

    def check(_signal: int, _frame: FrameType | None) -> None:
        if time.process_time() > end:
            raise LimitError(f"more than {MAX_SECONDS} seconds")
        if _memory() > max_memory:
            raise LimitError(f"more than {MAX_GROWTH} bytes")

    before = signal.signal(signal.SIGALRM, check)
    signal.setitimer(signal.ITIMER_REAL, CHECK_SECONDS, CHECK_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@cache
def _instances(of: type) -> tuple[str, ...]:
    return tuple(
        name for base in of.__mro__ for name, it in vars(base).items() if isinstance(it, property)
    )


def _children(node: KaitaiStruct) -> Iterator[KaitaiStruct]:
    """Yield the objects of all fields and instances, and those of a list up to its error."""
    for name, value in vars(node).items():
        if name not in _NOT_CHILDREN:
            values = value if isinstance(value, list) else (value,)
            yield from (child for child in values if isinstance(child, KaitaiStruct))


def place_of(error: BaseException) -> str:
    """Return the type and the field that raised an error, as `Type.field`.

    Where a limit is met is chance: of its error it is the field that was asked for.
    """
    places = []
    for frame, line in traceback.walk_tb(error.__traceback__):
        code = frame.f_code
        if code.co_filename != mysql_binlog.__file__:
            continue
        owner, _, name = code.co_qualname.rpartition(".")
        if name in {"_read", "__init__"}:
            field = re.search(r"self\.([a-z]\w*)", linecache.getline(code.co_filename, line))
            name = field[1] if field else name
        places.append(f"{owner.removeprefix('MysqlBinlog.')}.{name}")
    return places[0 if isinstance(error, LimitError) else -1] if places else "?"


class Opening:
    """What came of it to open all fields of all objects of a log."""

    def __init__(self, log: bytes, *, verbose: bool = False) -> None:
        self.errors: Counter[str] = Counter()
        self.findings: Counter[str] = Counter()
        self.messages: dict[str, str] = {}
        self.opened: Counter[str] = Counter()
        self.num_nodes = 0
        self._verbose = verbose
        try:
            with _limits():
                self._open(log)
        except LimitError as error:
            self._find(error)
            error.__traceback__ = None
            gc.collect()  # else what it made counts for the next inputs

    def _open(self, log: bytes) -> None:
        root = Root(KaitaiStream(io.BytesIO(log)))
        with self._noting():
            MysqlBinlog._read(root)
        waiting: list[KaitaiStruct] = [root]
        while waiting:
            node = waiting.pop()
            self.num_nodes += 1
            of: Any = type(node)
            self.opened[of.__name__] += 1
            for name in _instances(of):
                with self._noting():
                    getattr(node, name)
            waiting.extend(_children(node))

    @contextlib.contextmanager
    def _noting(self) -> Iterator[None]:
        try:
            yield
        except KaitaiStructError as error:
            self.errors[type(error).__name__] += 1
        except LimitError:
            raise
        except Exception as error:  # noqa: BLE001 - this is what the tests look for
            self._find(error)

    def _find(self, error: Exception) -> None:
        finding = f"{type(error).__name__} {place_of(error)}"
        self.findings[finding] += 1
        self.messages.setdefault(finding, str(error)[:200])
        if self._verbose:
            traceback.print_exception(error)


def main(first: int, end: int) -> None:
    """Open the logs of the seeds from the first one up to the end."""
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    errors: Counter[str] = Counter()
    opened: Counter[str] = Counter()
    findings: dict[str, list[str]] = {}
    for seed in range(first, end):
        print(seed, flush=True)  # noqa: T201
        opening = Opening(make_input(seed), verbose=end == first + 1)
        errors += opening.errors
        opened += opening.opened
        for finding, message in opening.messages.items():
            findings.setdefault(finding, []).append(f"seed {seed}: {message}")
    report = {
        "errors": errors,
        "findings": findings,
        "opened": opened,
        "max_kilobytes": _peak_kilobytes(),
    }
    print(json.dumps(report))  # noqa: T201


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else int(sys.argv[1]) + 1)
