"""Writes of files and data sets among files of others, with an error at a step of chance."""

import errno
import json
import os
import random
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pyspark_adapter import BinlogError, list_tables
from pyspark_adapter.options.folder_name import folder_name
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.written_files import whole_file
from pyspark_adapter.spark.data_set import part_name, staging
from tests.fuzz.reads import DisagreementError, log_at

# Files of others: in the folder of the data set, in one in it, and next to it.
_PLACES = ("out", "out/sub", ".", "other")
_NAMES = ("notes.txt", "a.parquet", ".hidden")


class _Faults:
    """Raises an error at a step, of those that Python tells its audit hooks of."""

    left = -1

    @classmethod
    def hook(cls, event: str, _: Any) -> None:
        if cls.left < 0 or not event.startswith(("os.", "open", "fcntl.", "shutil.")):
            return
        cls.left -= 1
        if cls.left < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


_hooks: list[str] = []


@contextmanager
def _fault_after(steps: int) -> Iterator[None]:
    if not _hooks:  # a hook stays for ever
        sys.addaudithook(_Faults.hook)
        _hooks.append("added")
    _Faults.left = steps
    try:
        yield
    finally:
        _Faults.left = -1


def make_write(rng: random.Random) -> bytes:
    """Return a plan of a write: what is there, what is written, and where it fails."""
    files = [
        (rng.choice(_PLACES), rng.choice(_NAMES), rng.randrange(1000))
        for _ in range(rng.randrange(6))
    ]
    plan = {
        "files": files,
        "has_old": rng.random() < 0.5,
        "fault": rng.choice((-1, rng.randrange(60))),
        "write": rng.choice(("data set", "data set", "file")),
        "overwrite": rng.random() < 0.8,
    }
    return json.dumps(plan).encode()


def try_write(data: bytes, folder: Path) -> None:
    """Write a data set or a file; what it did not write has to be there afterwards.

    Raises:
        DisagreementError: if a file of others is gone or changed, or if the old rows are gone and
            the new ones are not there.
    """
    try:
        plan = json.loads(data)
    except ValueError:
        return
    if not isinstance(plan, dict) or len(plan) != 5:
        return
    base = folder / "written"
    if base.exists():
        shutil.rmtree(base)
    base.mkdir()
    try:
        _try(plan, base)
    finally:
        shutil.rmtree(base)


def _try(plan: dict[str, Any], base: Path) -> None:
    out = base / "out"
    if plan["has_old"]:
        write_rows(out, 1)
    foreign = dict[Path, bytes]()
    for place, name, value in plan["files"]:
        path = base / place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"of others {value}")
        foreign[path] = path.read_bytes()
    path = base / "other.bin" if plan["write"] == "file" else out
    error = None
    try:
        with _fault_after(plan["fault"]):
            if plan["write"] == "file":
                with whole_file(path, replaces=True) as file:
                    file.write(b"new")
            else:
                write_rows(out, 2, overwrite=plan["overwrite"])
    except (BinlogError, OSError) as failed:
        error = failed
    for path_of_others, content in foreign.items():
        if not path_of_others.is_file() or path_of_others.read_bytes() != content:
            name = path_of_others.relative_to(base)
            raise DisagreementError(f"{name} of others, after {error!r}")
    if plan["write"] == "file":
        written = path.read_bytes() if path.exists() else None
        # It may have its place, and the folder fail to sync.
        if written != b"new" and (error is None or written is not None):
            raise DisagreementError(f"file: {written!r} after {error!r}")
        return
    rows = rows_of(out)
    if error is None and rows != [2, 2]:
        raise DisagreementError(f"rows {rows} are not the new ones")
    if error is not None and rows not in ([2, 2], [1, 1] if plan["has_old"] else []):
        raise DisagreementError(f"rows {rows} after {error!r}")


def write_rows(out: Path, value: int, *, overwrite: bool = True) -> None:
    """Write a data set of two rows, in two files."""
    with staging(Location.parse(out), overwrite=overwrite) as staged:
        names = [part_name(k) for k in range(2)]
        for name in names:
            path = Path(staged.folder.path) / staged.name / name
            pq.write_table(pa.table({"value": [value]}), path)
        staged.commit(names)


def rows_of(out: Path) -> list[int]:
    """Return what a reader of a data set finds."""
    parts = [path for path in out.glob("part-*.parquet") if path.read_bytes()[:4] == b"PAR1"]
    return sorted(value for part in parts for value in pq.read_table(part)["value"].to_pylist())


def name_folders(data: bytes, folder: Path) -> None:
    """Name the folders of the tables of a log, as `export` does.

    Raises:
        DisagreementError: if two tables have one folder, or one is not a new folder in `folder`.
    """
    log_file = log_at(folder / "log.000001", data)
    try:
        tables = [found.table for found in list_tables(log_file.path, verify_checksums=False)]
    except BinlogError:
        return
    names = {table: folder_name(table.database_name, table.table_name) for table in tables}
    for table, name in names.items():
        place = Path(os.path.normpath(folder / name))
        if place.parent != folder or name[0] in "._" or not name.isascii() or len(name) > 240:
            raise DisagreementError(f"{table!r} is {name!r}")
    if len({name.lower() for name in names.values()}) != len(names):
        raise DisagreementError(f"one folder for two tables: {names}")
