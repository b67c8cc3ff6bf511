"""What a power failure leaves of a folder: what was synced, and by chance more.

A program that is watched notes each file and folder that it syncs. `leave` then makes what a disk
may hold: names and bytes that were synced are there; of what was not, each name may be there or
not, or still the former one, and a file may be empty or cut.
"""

from __future__ import annotations

import json
import os
import random
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from shutil import copyfile

_ALWAYS_SYNCED = ("iceberg.db", "iceberg.db-journal", "iceberg.db-wal")  # by SQLite itself


class Shadow:
    """What was synced, in a folder of its own: files by their number, and names of folders."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(exist_ok=True)

    def note(self, number: int) -> None:
        """Note that an open file or folder is synced as it is."""
        found = os.fstat(number)
        key, names = self._folder / f"{found.st_ino}", dict[str, tuple[int, int]]()
        if stat.S_ISDIR(found.st_mode):
            with os.scandir(f"/proc/self/fd/{number}") as entries:
                for entry in entries:
                    with suppress(FileNotFoundError):
                        names[entry.name] = (entry.inode(), entry.stat().st_mtime_ns)
            _write(key.with_suffix(".names"), json.dumps(names).encode())
        else:
            data = Path(f"/proc/self/fd/{number}").read_bytes()
            _write(key.with_suffix(f".{found.st_mtime_ns}"), data)

    def begin(self, folder: Path) -> None:
        """Take a folder as it is for what is on the disk."""
        for file in self._folder.iterdir():
            file.unlink()
        for path in (folder, *folder.rglob("*")):
            number = os.open(path, os.O_RDONLY)
            self.note(number)
            os.close(number)

    def names(self, folder: Path) -> dict[str, list[int]]:
        """Return the names that are on the disk, with numbers and times of their files."""
        file = self._folder / f"{folder.stat().st_ino}.names"
        return dict(json.loads(file.read_bytes())) if file.exists() else {}

    def content(self, file: Path) -> bytes | None:
        """Return what is on the disk of a file; None if nothing of its content was synced."""
        found = file.stat()
        synced = self._folder / f"{found.st_ino}.{found.st_mtime_ns}"
        return synced.read_bytes() if synced.exists() else None

    def lost(self, inode: int, changed_at: int) -> bytes | None:
        """Return what was synced of a file that has no name any more; None for a folder."""
        file = self._folder / f"{inode}.{changed_at}"
        return file.read_bytes() if file.exists() else None


def _write(file: Path, data: bytes) -> None:
    part = file.with_name(f"{file.name}.part{os.getpid()}")
    part.write_bytes(data)
    part.replace(file)


def watch(shadow: Shadow) -> None:
    """Note from here on what this process syncs."""
    real: Callable[[int], None] = os.fsync

    def fsync(number: int) -> None:
        real(number)
        shadow.note(number)

    os.fsync = fsync  # type: ignore[assignment]


def leave(folder: Path, shadow: Shadow, target: Path, chance: random.Random) -> None:
    """Make what a power failure may leave of a folder, which nobody writes meanwhile."""
    target.mkdir()
    synced = shadow.names(folder)
    now = {path.name: path for path in folder.iterdir()}
    for name in sorted({*synced, *now}):
        path = now.get(name)
        is_new = path is not None and synced.get(name, [0])[0] != path.stat().st_ino
        if name in _ALWAYS_SYNCED and path is not None:
            copyfile(path, target / name)
        elif path is not None and not (is_new and chance.random() < 0.5):
            if path.is_dir():
                leave(path, shadow, target / name, chance)
            else:
                data = shadow.content(path)
                if data is None:
                    data = path.read_bytes()
                    data = data[: chance.choice((0, chance.randint(0, len(data)), len(data)))]
                (target / name).write_bytes(data)
        elif name in synced and chance.random() < 0.8:  # the former file of this name
            former = shadow.lost(*synced[name])
            if former is not None:
                (target / name).write_bytes(former)


if __name__ == "__main__":
    from pyspark_adapter.cli.main import main
    from pyspark_adapter.replication import replica, versions

    for module in (replica, versions):  # each start is one of the machine
        vars(module)["boot_id"] = lambda: f"{os.getpid()}"
    watch(Shadow(Path(sys.argv.pop(1))))
    sys.exit(main())
