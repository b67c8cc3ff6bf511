"""Writes of files and data sets among files of others, with an error at a step of chance."""

import errno
import hashlib
import json
import os
import random
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pyspark_adapter import BinlogError, list_tables
from pyspark_adapter.options.folder_name import folder_name
from pyspark_adapter.sources import data_set_marker
from pyspark_adapter.sources.data_set_marker import MARKER, part_name
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.written_files import whole_file
from pyspark_adapter.spark.data_set import staging
from tests.fuzz.reads import DisagreementError, log_at

_HEX = "0123456789abcdef" * 2
_PART = f"part-00000-{_HEX}.parquet"
_TITLE = data_set_marker.TITLE

# Files of others: in the folder of the data set, next to it, and in folders that look like ours.
_PLACES = (
    *("out", "out/sub", "out/_temporary", f"out/_temporary-{_HEX}", ".", "other", "linked"),
    *(".mysql-binlog-0123456789abcdef-x", ".mysql-binlog-{own}-x", ".mysql-binlog-{own}-old"),
)
_NAMES = ("notes.txt", _PART, "_SUCCESS", MARKER, "a.parquet", ".hidden", ".mysql-binlog-1.part")
_MARKERS = (
    *("", "x", _TITLE, f"{_TITLE}{_PART}\n", f"{_TITLE}../other/notes.txt\n"),
    *(f"{_TITLE}notes.txt\n", f"{_TITLE}../{_PART}\n", f"{_TITLE}sub/{_PART}\n\0\n"),
)


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
        "marker": rng.choice((None, None, *_MARKERS)),
        "marked": rng.choice(_PLACES[:4]),
        "link": rng.choice((None, None, None, "out", f"out/{_PART}", f"out/{MARKER}")),
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
    if not isinstance(plan, dict) or len(plan) != 8:
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
    out, link = base / "out", plan["link"]
    (base / "linked").mkdir()
    if link == "out":
        out.symlink_to(base / "linked")
    if plan["has_old"]:
        write_rows(out, 1)
    old, own = [path.name for path in out.glob("*")], own_prefix(out)
    for place, name, value in plan["files"]:
        with suppress(FileExistsError, NotADirectoryError):
            path = base / place.format(own=own) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                path.write_text(f"of others {value}")
    if link and link != "out" and out.is_dir() and not (base / link).exists():
        (base / link).symlink_to(base / "linked" / "target")
        (base / "linked" / "target").write_text("of others")
    if plan["marker"] is not None:
        with suppress(FileNotFoundError, NotADirectoryError):
            (base / plan["marked"] / MARKER).write_text(plan["marker"])
    foreign = {path: path.read_bytes() for path in foreign_files(base, old)}
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
    for place, content in foreign.items():
        # Folders with a name of ours may be put back, or aside with a warning, with all in them.
        is_moved = own in place.parent.name or place.parent.name == f"_temporary-{_HEX}"
        found = base.rglob(place.name) if is_moved else [place]
        if not any(path.is_file() and path.read_bytes() == content for path in found):
            raise DisagreementError(f"{place.relative_to(base)} of others, after {error!r}")
    if plan["write"] == "file":
        written = path.read_bytes() if path.exists() else None
        if written != (b"new" if error is None else None):
            raise DisagreementError(f"file: {written!r} after {error!r}")
        return
    rows = rows_of(out)
    if error is None and rows != [2, 2]:
        raise DisagreementError(f"rows {rows} are not the new ones")
    if error is not None and rows not in ([2, 2], [1, 1] if old else []):
        raise DisagreementError(f"rows {rows} after {error!r}")


def write_rows(out: Path, value: int, *, overwrite: bool = True) -> None:
    """Write a data set of two rows, in two files."""
    with staging(Location.parse(out), overwrite=overwrite) as staged:
        names = [part_name(k) for k in range(2)]
        for name in names:
            path = Path(staged.folder.path) / staged.name / name
            pq.write_table(pa.table({"value": [value]}), path)
        staged.commit(names)


def own_prefix(out: Path) -> str:
    """Return the part of the name of a staging folder that says which data set it is of."""
    return hashlib.sha256(os.fsencode(out.resolve().name)).hexdigest()[:16]


def foreign_files(base: Path, old: Sequence[str]) -> Iterator[Path]:
    """Yield the files that are not of the data set.

    Of it are those that were written before, and in its folders those that a marker names.
    """
    out = (base / "out").resolve()
    for path in base.rglob("*"):
        if not path.is_file() or (path.parent == out and path.name in old):
            continue
        marker = path.with_name(MARKER)
        text = marker.read_text() if marker.is_file() else ""
        is_staged = own_prefix(out) in path.parent.name
        if (path.parent == out or is_staged) and text.startswith(_TITLE):
            named = [MARKER, "_SUCCESS", *text.splitlines()[1:]]
            if path.name in named:
                continue
        if is_staged and path.name in (MARKER, "_SUCCESS", _PART):  # what a kill may leave
            continue
        yield path


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
