"""A lake: its folders, the lock that names the program that writes it, and its state."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any, Final
from uuid import uuid4

from pyarrow import fs

from pyspark_adapter.errors import BinlogError, OptionError
from pyspark_adapter.options.log_position import StreamOffset
from pyspark_adapter.options.table_name import TableName, folder_name
from pyspark_adapter.sources.arrow_storage import file_system, make_folder
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.open_storage import put_file, read_start
from pyspark_adapter.sources.ownership import LAKE, Owner, own_names, owner_of, write_owner
from pyspark_adapter.sources.written_files import whole_file
from pyspark_adapter.spark.part_files import writing
from pyspark_adapter.warn import warn

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


_FILE: Final = "state.json"


class DamagedStateError(BinlogError):
    """The state of a lake cannot be read."""


@dataclass(frozen=True)
class State:
    """What a lake says.

    Attributes:
        offset: up to where the log was read; None before the first copy.
        tables: that have a folder. The definition that a table had when it was copied, as long as
            it follows the log; None for one that has to be copied.
        dropped: tables that the server has dropped and whose copies stay, and when this was
            noticed, in seconds since 1970.
        has_history: whether all changes are kept.
        round: of the last round, as `Round.to_json` has it.
        catalog: of Iceberg tables, in the configuration of pyiceberg; empty for the lake's own.
        versions: of tables, by their folders, that are on the disk; see `Versions`.
        boot: names the start of the machine before which this was written; see `boot_id`.
        exact: tables whose copies have each row as often as the server.
        shift: is added to commit versions of the log, after other servers were followed.
    """

    offset: StreamOffset | None = None
    tables: Mapping[TableName, str | None] = field(default_factory=dict)
    dropped: Mapping[TableName, int] = field(default_factory=dict)
    has_history: bool = False
    round: Mapping[str, Any] = field(default_factory=dict)
    table_format: str = "delta"
    catalog: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    boot: str = ""
    shift: int = 0
    exact: frozenset[TableName] = frozenset()

    @property
    def followed(self) -> dict[TableName, str]:
        """The definitions of the tables that follow the log."""
        return {name: text for name, text in self.tables.items() if text is not None}

    def to_bytes(self) -> bytes:
        """Return the state as its file has it: JSON, with a checksum."""
        fields = {
            "offset": None if self.offset is None else self.offset.to_json(),
            "tables": [[n.database_name, n.table_name, text] for n, text in self.tables.items()],
            "dropped": [[n.database_name, n.table_name, at] for n, at in self.dropped.items()],
            "has_history": self.has_history,
            "round": dict(self.round),
            "table_format": self.table_format,
            "catalog": self.catalog,
            "versions": dict(self.versions),
            "boot": self.boot,
            "shift": self.shift,
            "exact": [[n.database_name, n.table_name] for n in sorted(self.exact, key=str)],
        }
        return json.dumps({"checksum": _checksum(fields), "state": fields}).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> State:
        """Read a state; raises ValueError if it is damaged."""
        try:
            whole = json.loads(data)
            fields = whole["state"]
            if _checksum(fields) != whole["checksum"]:
                raise ValueError("its checksum differs")
            offset = fields.pop("offset")
            for name in ("tables", "dropped"):
                fields[name] = {TableName(*names): value for *names, value in fields[name]}
            fields["exact"] = frozenset(TableName(*names) for names in fields.get("exact", ()))
            return cls(offset=None if offset is None else StreamOffset.from_json(offset), **fields)
        except (TypeError, KeyError) as error:
            raise ValueError(str(error)) from error


def _checksum(content: Any) -> int:
    return zlib.crc32(json.dumps(content).encode())


class StateFile:
    """The state of a lake, as a file; this program alone writes it.

    Args:
        sets_aside: whether a state that cannot be read is set aside: then there is none.

    Attributes:
        state: as it is now.

    Raises:
        OptionError: if the folder holds files and is no lake, or has tables of another format.
        BinlogError: if another program has the lake, or it cannot be read or written.
    """

    def __init__(
        self,
        lake: Location,
        table_format: str = "delta",
        catalog: str = "",
        *,
        sets_aside: bool = False,
    ) -> None:
        self._lake = lake
        with writing(lake):
            own_names(lake, LAKE, option="to")
            self._system, self._path = file_system(lake)
            if owner_of(self._system, self._path) is None:
                make_folder(self._system, self._path)
                write_owner(self._system, self._path, Owner(LAKE))
            self._lock = LakeLock(lake)
        try:
            try:
                known = _read(lake) or State()
            except DamagedStateError as error:
                if not sets_aside:
                    raise
                file = f"{self._path}/{STATE_FOLDER}/{_FILE}"
                with writing(lake):
                    self._system.move(file, f"{file}.damaged")
                warn(f"{error}; it is now {_FILE}.damaged")
                known = State()
            for option, has, requested in (
                ("format", known.table_format, table_format),
                ("catalog", known.catalog, catalog),
            ):
                if known.tables and has != requested:
                    raise OptionError(
                        f"option {option}: expected {has or 'none'}, which the tables in"
                        f" {lake.shown} have, got {requested or 'none'}",
                        option=option,
                        value=requested,
                        advice="choose another folder",
                    )
            self.state = replace(known, table_format=table_format, catalog=catalog)
        except BaseException:
            self.close()
            raise

    @property
    def server(self) -> str:
        """The UUID or id of the server whose tables the lake holds; empty if it has none yet."""
        with writing(self._lake):
            owner = owner_of(self._system, self._path)
        return "" if owner is None else owner.server

    def save(self, state: State) -> None:
        """Store a state, and in the marker of the lake the server that it follows.

        Raises:
            TakenLakeError: if another program has the lake.
            BinlogError: if it cannot be written.
        """
        self.check()
        file = self._lake.child(STATE_FOLDER).child(_FILE)
        server = "" if state.offset is None else state.offset.server
        with writing(self._lake):
            if server and (self.state.offset is None or server != self.state.offset.server):
                write_owner(self._system, self._path, Owner(LAKE, server))
            if self._lake.is_local:
                with whole_file(file.path, replaces=True) as local:
                    local.write(state.to_bytes())
            else:
                put_file(file, state.to_bytes())
        self.state = state

    def check(self) -> None:
        """Check that this program still has the lake; raises as `LakeLock.check`."""
        with writing(self._lake):
            self._lock.check()

    def close(self) -> None:
        """Let another program have the lake."""
        self._lock.close()


def read_state(lake: Location) -> State:
    """Return the state of a lake; raises BinlogError if there is none, or it is damaged."""
    state = _read(lake)
    if state is None:
        raise BinlogError(
            f"{lake.shown}: there is no lake of replicate here", advice="check the path"
        )
    return state


def _read(lake: Location) -> State | None:
    """Return the state of a lake; None if it has none yet; raises as `read_state`."""
    system, path = file_system(lake.child(STATE_FOLDER).child(_FILE))
    with writing(lake):
        try:
            with system.open_input_stream(path, compression=None) as file:
                data = bytes(file.read())
        except FileNotFoundError:
            return None
    try:
        return State.from_bytes(data)
    except ValueError as error:
        raise DamagedStateError(
            f"{lake.shown}/{STATE_FOLDER}/{_FILE}: the state of the lake is damaged: {error}",
            advice="start replicate with --reload (in Python, reload=True), which sets it aside and"
            " copies all tables again",
        ) from error
