"""The folders of a lake, and the lock that names the program that writes it."""

from __future__ import annotations

import fcntl
import os
import socket
from contextlib import suppress
from pathlib import Path
from typing import IO, Final
from uuid import uuid4

from pyarrow import fs

from pyspark_adapter.errors import BinlogError
from pyspark_adapter.options.table_name import TableName, folder_name
from pyspark_adapter.sources.arrow_storage import file_system, make_folder
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.open_storage import put_file, read_start

STATE_FOLDER: Final = "_replicate"  # no database has such a folder
_LOCK: Final = "_lock"
_MOST_BYTES: Final = 1024


def file_name(name: str) -> str:
    """Return the name of the folder of a table or database."""
    return folder_name(name).replace("%", "@")  # deltalake would take %2F for a slash


def table_folder(lake: Location, table: TableName, kind: str = "") -> Location:
    """Return the folder of the copy of a table, or with `.history` that of its history."""
    database = lake.child(f"{file_name(table.database_name)}{kind}")
    return database.child(file_name(table.table_name))


def remove_empty(folder: Location) -> str | None:
    """Remove a folder without files; return the name of a file for which it stays.

    Raises:
        OSError: if it cannot be read or removed.
    """
    system, path = file_system(folder)
    infos = system.get_file_info(fs.FileSelector(path, recursive=True, allow_not_found=True))
    files = [info.path for info in infos if info.type == fs.FileType.File]
    if files:
        return str(min(files)).removeprefix(f"{path}/")
    if system.get_file_info(path).type == fs.FileType.Directory:
        system.delete_dir(path)
    return None


class TakenLakeError(BinlogError):
    """Another program writes the lake, or has moved it."""


class LakeLock:
    """Lets one program at a time write a lake.

    A second program that opens a local lake is refused. In object storage, and where files cannot
    be locked, it takes the lake over, and the first one notices at its next `check`.

    Raises:
        TakenLakeError: if another program has it.
        OSError: if the file cannot be written.
    """

    def __init__(self, lake: Location) -> None:
        self._lake, self._file = lake, lake.child(STATE_FOLDER).child(_LOCK)
        self._token = f"process {os.getpid()} on {socket.gethostname()}, {uuid4().hex}".encode()
        self._opened: IO[bytes] | None = None
        make_folder(*file_system(self._file.parent))
        if not lake.is_local:
            put_file(self._file, self._token)
            return
        self._opened = Path(self._file.path).open("a+b")  # noqa: SIM115 - until `close`
        try:
            fcntl.flock(self._opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._opened.seek(0)
            writer = self._opened.read().decode(errors="replace").partition(",")[0]
            self._opened.close()
            raise TakenLakeError(
                f"{lake.shown}: another replicate writes this lake ({writer})",
                advice="end it first, or choose another folder",
            ) from None
        except OSError:  # file systems without locks
            pass
        self._opened.truncate(0)
        self._opened.write(self._token)
        self._opened.flush()

    def check(self) -> None:
        """Check that the lake is the one that was opened, and that no other program has it.

        Raises:
            TakenLakeError: if not, for example since a backup has its place.
            OSError: if the file cannot be read.
        """
        with suppress(FileNotFoundError):
            if read_start(self._file, _MOST_BYTES) == self._token:
                return
        raise TakenLakeError(
            f"{self._lake.shown}: another replicate writes this lake since then, or the lake was"
            " moved or replaced",
            advice="let one program at a time write it, and start this one again",
        )

    def close(self) -> None:
        """Let another program have the lake."""
        if self._opened is not None:
            with suppress(OSError):  # a full disk
                self._opened.close()
