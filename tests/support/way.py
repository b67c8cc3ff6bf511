"""Counts the files, functions and classes of the package that one small read goes through.

python -m tests.support.way samples/mysql-9.7-shop.000001 shop.orders
"""

import json
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import pyspark_adapter
from pyspark_adapter import BinlogOptionsDict, read_batches

PACKAGE = Path(pyspark_adapter.__file__).parent


class Way(NamedTuple):
    """How much of the package a read touches."""

    files: int
    functions: int
    classes: int


def way_of_read(path: str, options: BinlogOptionsDict) -> Way:
    """Return what a read goes through when all caches are warm.

    A function counts if Python calls it; those inside compiled kernels do not. A class counts if
    one of its methods is called.
    """
    files, functions, classes = set[str](), set[tuple[str, str]](), set[type]()
    folder = str(PACKAGE)

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        is_own = code.co_filename.startswith(folder) and not code.co_name.endswith("comp>")
        if event != "call" or not is_own:  # comprehensions are calls up to Python 3.11
            return
        files.add(code.co_filename)
        functions.add((code.co_filename, code.co_qualname))
        owner = type(frame.f_locals.get("self"))
        if owner.__module__.startswith(pyspark_adapter.__name__):
            classes.add(owner)

    def read() -> int:
        return sum(batch.num_rows for batch in read_batches(path, **options))

    assert read() > 0
    threading.setprofile(note)  # the thread that reads ahead
    sys.setprofile(note)
    try:
        read()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return Way(len(files), len(functions), len(classes))


if __name__ == "__main__":
    log, table = sys.argv[1:]
    found = way_of_read(log, {"table": table})
    sys.stdout.write(json.dumps(found._asdict()))
