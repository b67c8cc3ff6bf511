"""Logs written back by the classes that read them: `python -m tests.corpus.written_back [NAME]`.

A log is parsed with all its fields, each raw copy of bytes that other fields were parsed from is
filled with zeros, and the log is written. A byte that is not as before is explained by no field.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from kaitaistruct import KaitaiStream, KaitaiStruct, KaitaiStructError

from tests.corpus.logs import corpus_logs, sample_logs
from tests.inputs import ROOT

# Bytes that are parsed a second time, by type and field, and what parses them if not always.
RAW_COPIES = {
    ("Event", "data"): "body",
    ("GtidEvent", "details"): "",
    ("QueryEvent", "status_vars"): "session",
    ("RowsEvent", "row_data"): "rows",
    ("TableMapEvent", "details"): "",
}
_NOT_CHILDREN = frozenset({"_parent", "_root", "_io"})
MAX_CALLS = 10_000  # a document may have a hundred levels, each of several calls


@dataclass(frozen=True)
class Written:
    """A log that was written back.

    Attributes:
        content: The bytes.
        num_zeroed: Bytes of raw copies that were zeros when it was written.
        differing: Positions of bytes that are not those of the log that was read.
    """

    content: bytes
    num_zeroed: int
    differing: list[int]


@cache
def writing_class() -> Any:
    """Return the class of the root as the compiler makes it with the option for writers."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["node", "tools/compile_schema.mjs", "--read-write", "--out", folder]
        subprocess.run(command, cwd=ROOT, check=True)
        path = Path(folder) / "mysql_binlog.py"
        spec = importlib.util.spec_from_file_location("writing_mysql_binlog", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return module.MysqlBinlog


def objects_of(value: Any) -> Iterator[Any]:
    """Yield an object and all that it holds."""
    yield value
    for name, held in list(vars(value).items()):
        if name not in _NOT_CHILDREN:
            for item in held if isinstance(held, list) else (held,):
                if isinstance(item, KaitaiStruct):
                    yield from objects_of(item)


def _fill_with_zeros(value: Any) -> int:
    """Fill the raw copies of an object with zeros; return the number of bytes."""
    num_bytes = 0
    for (kind, name), parsed in RAW_COPIES.items():
        data = getattr(value, name, None) if type(value).__name__ == kind else None
        if isinstance(data, bytes) and data and (not parsed or getattr(value, parsed) is not None):
            setattr(value, name, bytes(len(data)))
            num_bytes += len(data)
    return num_bytes


def write_back(log: bytes) -> Written:
    """Parse a log and write it; raises KaitaiStructError."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(MAX_CALLS)
    try:
        root = writing_class()(KaitaiStream(BytesIO(log)))
        root._read()
        root._fetch_instances()
        num_zeroed = 0
        for value in list(objects_of(root)):
            value._check()
        for value in list(objects_of(root)):
            num_bytes = _fill_with_zeros(value)
            if num_bytes:
                value._check()
                num_zeroed += num_bytes
        stream = KaitaiStream(BytesIO(bytes(len(log))))
        root._write(stream)
        content: bytes = stream.to_byte_array()
    finally:
        sys.setrecursionlimit(limit)
    differing = [at for at, pair in enumerate(zip(log, content, strict=True)) if pair[0] != pair[1]]
    return Written(content, num_zeroed, differing)


def main() -> int:
    """Write back the samples and the corpus, or those whose name has the argument in it."""
    only = sys.argv[1] if len(sys.argv) > 1 else ""
    num_bytes = num_differing = 0
    for log in [*sample_logs(), *corpus_logs()]:
        if only not in log.name:
            continue
        content = log.content
        try:
            written = write_back(content)
        except KaitaiStructError as error:
            sys.stdout.write(f"{log.name}: {error}\n")
            continue
        num_bytes += len(content)
        num_differing += len(written.differing)
        if written.differing:
            sys.stdout.write(f"{log.name}: {len(written.differing)} of {len(content)} bytes\n")
    sys.stdout.write(f"{num_differing} of {num_bytes} bytes differ\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
