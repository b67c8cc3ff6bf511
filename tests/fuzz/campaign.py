"""A worker of a campaign: `python -m tests.fuzz.campaign FOLDER SEED SECONDS INPUTS [KIND...]`.

Tries inputs one after the other, in one process, until the time is over or there were so many.
Prints a line of JSON for each finding, and one of counts now and then. The input that is tried is
in `FOLDER/current`, so that the process may hang or die and still say where.
"""

import contextlib
import gc
import json
import os
import random
import re
import resource
import signal
import sys
import tempfile
import time
import traceback
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count, islice
from pathlib import Path
from types import FrameType
from typing import Any

from tests.fuzz.kinds import KINDS, quiet
from tests.fuzz.minimise import minimise
from tests.fuzz.reads import DisagreementError

MAX_SECONDS = 5.0  # of the processor, for one input
MAX_KILOBYTES = 600 << 10  # of a worker
_NUM_FIRST = 500  # inputs after which a worker has compiled and imported nearly all
_REPORT_SECONDS = 5.0
# Where files are in memory; None is a folder of the disk.
_MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108


class LimitError(Exception):
    """An input takes too long, or too much memory."""


def _raise_limit(_signal: int, _frame: FrameType | None) -> None:
    raise LimitError(f"more than {MAX_SECONDS} seconds")


def peak_kilobytes() -> int:
    """Return the most that the process has had in memory."""
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if kilobytes <= MAX_KILOBYTES:
        return kilobytes
    # What started the process counts above, if that was larger.
    found = re.search(r"^VmHWM:\s+(\d+) kB$", Path("/proc/self/status").read_text(), re.MULTILINE)
    assert found is not None
    return int(found[1])


def attempt(kind: str, data: bytes, folder: Path, *, in_all_ways: bool = True) -> str:
    """Try an input and return what it shows, or nothing.

    Two inputs show the same if the error and the line that raised it are the same.

    Args:
        kind: of the input.
        data: the input.
        folder: for files.
        in_all_ways: whether to try it in all ways of its kind, as not for a new input.
    """
    signal.signal(signal.SIGPROF, _raise_limit)
    signal.setitimer(signal.ITIMER_PROF, MAX_SECONDS)
    try:
        with quiet():
            KINDS[kind].attempt(data, folder, in_all_ways=in_all_ways)
    except DisagreementError as error:
        return f"{kind}: {_shape(str(error))}"
    except Exception as error:  # noqa: BLE001 - this is what a campaign looks for
        return f"{kind}: {type(error).__name__} {_place(error)}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return ""


def inputs(seed: int, kinds: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield inputs, by their weights; a seed gives the same ones each time."""
    names = list(kinds) or list(KINDS)
    weights = [KINDS[name].weight for name in names]
    for number in count():
        rng = random.Random(f"{seed} {number}")  # noqa: S311 - the same each time
        [kind] = rng.choices(names, weights)
        yield kind, KINDS[kind].make(rng)


def _place(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "pyspark_adapter" in frame.filename] or frames
    return f"{Path(own[-1].filename).name}:{own[-1].lineno}"


def _shape(text: str) -> str:
    """Return a disagreement without its numbers and rows."""
    first = text.partition("\n")[0]
    return re.sub(r"@[\d+]+", "@", re.sub(r"\b\d+\b", "N", first))


def main(
    folder: Path,
    seed: int,
    seconds: float,
    max_inputs: int = sys.maxsize,
    kinds: Sequence[str] = (),
) -> None:
    counts: Counter[str] = Counter()
    spent: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    begun = reported = time.monotonic()
    before = time.process_time()
    with contextlib.ExitStack() as stack:
        # Files of reads are in memory; else most of the time is spent on them.
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=_MEMORY)))
        current = stack.enter_context((folder / "current").open("wb", buffering=0))
        for number, (kind, data) in enumerate(islice(inputs(seed, kinds), max_inputs)):
            if number == _NUM_FIRST:  # what has been imported by then is never garbage
                gc.collect()
                gc.freeze()
            os.pwrite(current.fileno(), kind.encode() + b"\n" + data, 0)
            os.ftruncate(current.fileno(), len(kind.encode()) + 1 + len(data))
            found = attempt(kind, data, scratch, in_all_ways=False)
            if not found and peak_kilobytes() > MAX_KILOBYTES:
                found = f"{kind}: more than {MAX_KILOBYTES} kB of memory"
            counts[kind] += 1
            spent[kind] += time.process_time() - before  # type: ignore[assignment]
            before = time.process_time()
            if found:
                seen[found] += 1
                if seen[found] == 1:
                    _report(folder, scratch, kind, data, found)
            if time.monotonic() - reported > _REPORT_SECONDS:
                reported = time.monotonic()
                _print(counts=counts, spent=spent, seen=seen, peak=peak_kilobytes())
                if reported - begun > seconds:
                    break
    _print(counts=counts, spent=spent, seen=seen, peak=peak_kilobytes())


def _report(folder: Path, scratch: Path, kind: str, data: bytes, found: str) -> None:
    """Store a minimised input."""
    small = minimise(
        data, lambda some: attempt(kind, some, scratch) == found, is_log=KINDS[kind].is_log
    )
    name = f"{kind.replace(' ', '-')}-{zlib.crc32(small):08x}"
    (folder / name).write_bytes(small)
    _print(finding=found, input=name, num_bytes=len(small))


def _print(**values: Any) -> None:
    print(json.dumps(values), flush=True)  # noqa: T201


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4]), sys.argv[5:])
