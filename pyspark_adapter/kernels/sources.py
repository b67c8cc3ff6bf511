"""The sources of the kernels: their digest, and a folder of what is made of them."""

from __future__ import annotations

import hashlib
import os
import tempfile
import zipfile
from functools import cache
from pathlib import Path
from typing import Any, Final

from pyspark_adapter.format.schema import EventType

_NAME: Final = "mysql-binlog-spark"
# What the kernels take from elsewhere: constants, which are compiled in.
_CONSTANTS: Final = ("event_types.py", "header.py")


@cache
def sources_digest() -> str:
    """Return a short text that changes with what the kernels are made of."""
    types = sorted((member.name, member.value) for member in EventType)
    digest = hashlib.sha256(repr(types).encode())
    folder = source_folder()
    paths = [path for path in folder.iterdir() if path.name.endswith(".py")]
    package: Any = folder.parent
    constants = [package / "format" / name for name in _CONSTANTS]
    for path in (*sorted(paths, key=lambda path: path.name), *constants):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def source_folder() -> Path | zipfile.Path:
    """Return the folder of this package, which may be within an archive."""
    folder = Path(__file__).parent
    for archive in folder.parents:
        if zipfile.is_zipfile(archive):
            return zipfile.Path(archive, f"{folder.relative_to(archive).as_posix()}/")
    return folder


@cache
def kept_folder() -> Path:
    """Return a folder of the user's own for what is made of these sources.

    Code with `NUMBA_BOUNDSCHECK`, which numba does not tell from other code, has its own folder.

    The first of `NUMBA_CACHE_DIR`, `XDG_CACHE_HOME` and `~/.cache` that can be written, or else a
    new folder for this process.
    """
    kind = f"{sources_digest()}{os.environ.get('NUMBA_BOUNDSCHECK', '')}"
    for name, default in (("NUMBA_CACHE_DIR", ""), ("XDG_CACHE_HOME", "~/.cache")):
        base = Path(os.environ.get(name) or default).expanduser()
        folder = base / _NAME / kind
        try:
            if base != Path():
                folder.mkdir(parents=True, exist_ok=True)
                with tempfile.TemporaryFile(dir=folder):
                    return folder
        except (OSError, RuntimeError):  # RuntimeError: there is no home
            continue
    return Path(tempfile.mkdtemp(prefix=_NAME))


def source_file(path: str) -> str:
    """Return a file with a source of this folder: itself, or a copy of one in an archive.

    numba recognises code that it has kept by the file of its source.
    """
    return path if Path(path).exists() else str(unpacked(Path(path).name))


def unpacked(name: str) -> Path:
    """Return a copy of a file of this folder, which is in an archive."""
    copy = kept_folder() / name
    if not copy.exists():
        with tempfile.NamedTemporaryFile(dir=copy.parent, delete=False) as file:
            file.write((source_folder() / name).read_bytes())
            file.flush()
            os.fsync(file.fileno())
        Path(file.name).replace(copy)  # other processes see all of it, or none
    return copy
