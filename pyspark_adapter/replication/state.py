"""What a lake says of itself: up to where the log was read, and the tables that follow it."""

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
from typing import IO, TYPE_CHECKING, Any, Final
from uuid import uuid4

import pyarrow as pa
from pyarrow.fs import SubTreeFileSystem

from pyspark_adapter.errors import BinlogError, OptionError
from pyspark_adapter.options.stream_offset import StreamOffset
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.own_files import open_own
from pyspark_adapter.replication.lake import STATE, STATE_FOLDER, claim_lake, open_ours
from pyspark_adapter.sources.arrow_storage import file_system
from pyspark_adapter.sources.delta_commits import LOG_RETENTION, committing
from pyspark_adapter.sources.delta_storage import (
    CommitConflictError,
    create_delta,
    delta_errors,
    open_delta,
)
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.written_files import is_at

if TYPE_CHECKING:
    from deltalake import CommitProperties, DeltaTable

_LOCK: Final = "_lock"
_METADATA: Final = "mysqlBinlog"  # of a commit
_SCHEMA: Final = pa.schema(
    [("database_name", pa.string()), ("table_name", pa.string()), ("definition", pa.string())]
)
# There is a commit for each round.
_CONFIGURATION: Final = {
    LOG_RETENTION: "interval 1 hour",
    "delta.deletedFileRetentionDuration": "interval 1 hour",
}


@dataclass(frozen=True)
class State:
    """What a lake says.

    Attributes:
        offset: up to where the log was read; None before the first copy.
        tables: that have a folder. The definition that a table had when it was copied, as long as
            it follows the log; None for one that has to be copied.
        has_history: whether all changes are kept.
        round: of the last round, as `Round.to_json` has it.
        table_format: of the tables.
        catalog: of Iceberg tables, in the configuration of pyiceberg; empty for the lake's own.
    """

    offset: StreamOffset | None = None
    tables: Mapping[TableName, str | None] = field(default_factory=dict)
    has_history: bool = False
    round: Mapping[str, Any] = field(default_factory=dict)
    table_format: str = "delta"
    catalog: str = ""

    @property
    def followed(self) -> dict[TableName, str]:
        """The definitions of the tables that follow the log."""
        return {name: text for name, text in self.tables.items() if text is not None}


class StateTable:
    """The state of a lake, as a Delta table; each commit of it is a compare-and-swap.

    A second program that opens the state of a local lake is refused. In object storage it takes the
    lake over: the next commit of the first one fails.

    Args:
        lake: the folder of the lake.
        table_format: of its tables.
        catalog: of its tables.

    Attributes:
        state: as it is now.

    Raises:
        OptionError: if the folder is of another.
        BinlogError: if another program has it, or it cannot be written.
    """

    def __init__(self, lake: Location, table_format: str = "delta", catalog: str = "") -> None:
        self._folder = lake.child(STATE_FOLDER)
        self._lock: IO[str] | None = None
        self._tried: list[str] = []  # what commits since the last known one said
        self._lock_path = Path(self._folder.path) / _LOCK
        claim_lake(lake)
        if lake.is_local:
            self._lock = _locked(self._lock_path, lake)
            self._at = self._lock_path.parent.stat()
        try:
            delta = open_delta(self._folder)
            if delta is None:
                delta = create_delta(self._folder, _SCHEMA, _CONFIGURATION)
            elif delta.file_uris():  # a stop before the first commit leaves an empty one
                open_ours(self._folder, depth=1)
            self._delta = delta
            self.state = _state_of(delta, self._folder)
            known = self.state
            for option, has, given in (
                ("format", known.table_format, table_format),
                ("catalog", known.catalog, catalog),
            ):
                if known.tables and has != given:
                    raise OptionError(
                        f"option {option}: expected {has or 'none'}, which the tables in"
                        f" {lake.shown} have, got {given or 'none'}",
                        option=option,
                        value=given,
                        advice="choose another folder",
                    )
            found, self.state = replace(known, table_format=table_format, catalog=catalog), State()
            self.save(found)  # so that another program notices
        except BaseException:
            self.close()
            raise

    def save(self, state: State) -> None:
        """Store a state.

        Raises:
            TakenLakeError: if another program has stored one.
            BinlogError: if it cannot be written.
        """
        said: dict[str, Any] = {
            "offset": None if state.offset is None else state.offset.to_json(),
            "has_history": state.has_history,
            "format": state.table_format,
            "catalog": state.catalog,
            "has_texts": True,
            "round": dict(state.round),
            "writer": f"{socket.gethostname()}:{os.getpid()}",
            "token": uuid4().hex,
        }
        said["digest"] = _digest(said, state.tables)
        text = json.dumps(said)
        self._tried.append(text)
        try:
            self._commit(state, text, is_whole=state.tables != self.state.tables)
        except CommitConflictError as error:
            # The answer to a commit may have been lost, or it could not be read at once.
            last = self._reopen()
            if last not in self._tried:
                raise TakenLakeError(
                    f"{self._folder.parent.shown}: another replicate writes this lake since then",
                    advice="end one of them",
                ) from error
            if last != text:
                self._commit(state, text, is_whole=True)
        self._tried.clear()
        self.state = state

    def _reopen(self) -> str | None:
        """Open the table again, and return the text of its last commit."""
        delta = open_delta(self._folder)
        if delta is None:
            return None
        self._delta = delta
        with delta_errors(self._folder):
            said: str | None = delta.history(1)[0].get(_METADATA)
        return said

    def _commit(self, state: State, text: str, *, is_whole: bool) -> None:
        """Store a state, and the rows of its tables if it is whole; raises as `committing`."""
        from deltalake import CommitProperties, Transaction, write_deltalake

        delta, number = self._delta, self._delta.version() + 1
        with delta_errors(self._folder):
            version = delta.transaction_version(STATE) or 0
        properties: CommitProperties = CommitProperties(
            app_transactions=[Transaction(STATE, version + 1)],
            custom_metadata={_METADATA: text},
            max_commit_retries=0,
        )
        with committing(self._folder, delta) as hooks:
            if is_whole or number == 1:
                write_deltalake(
                    delta,
                    _rows(state),
                    mode="overwrite",
                    commit_properties=properties,
                    post_commithook_properties=hooks,
                )
            else:
                delta.create_write_transaction(
                    [],
                    "append",
                    delta.schema(),
                    commit_properties=properties,
                    post_commithook_properties=hooks,
                )
            delta.load_as_version(number)

    def check_place(self) -> None:
        """Check that the lake is the one that was opened.

        Its copies may be older than what this program knows: the changes since would be missing.

        Raises:
            TakenLakeError: if another one has its place, such as a backup.
        """
        if self._lock is None:
            return
        # A backup of hard links has the same lock, in another folder.
        is_here = is_at(self._lock_path, self._lock.fileno())
        if not (is_here and os.path.samestat(self._lock_path.parent.stat(), self._at)):
            raise TakenLakeError(
                f"{self._folder.parent.shown}: the lake was moved away or replaced meanwhile",
                advice="start the program again: it goes on from where this lake was read",
            )

    def close(self) -> None:
        """Let another program have the lake."""
        if self._lock is not None:
            with suppress(OSError):  # a full disk
                self._lock.close()


class TakenLakeError(BinlogError):
    """Another program writes the lake, or has moved it."""


def read_state(lake: Location) -> State:
    """Return the state of a lake.

    Raises:
        BinlogError: if there is none.
    """
    folder = lake.child(STATE_FOLDER)
    delta = open_ours(folder, depth=1)
    if delta is None:
        raise BinlogError(
            f"{lake.shown}: there is no lake of replicate here", advice="check the path"
        )
    return _state_of(delta, folder)


def _state_of(delta: DeltaTable, folder: Location) -> State:
    with delta_errors(folder):
        # Threads of Arrow that read by Python would abort a process that ends right after.
        system, path = file_system(folder)
        rows = delta.to_pyarrow_table(filesystem=SubTreeFileSystem(path, system)).to_pylist()
        said = json.loads(delta.history(1)[0].get(_METADATA, "{}"))
        names = [TableName(row["database_name"], row["table_name"]) for row in rows]
        tables = dict(zip(names, (row["definition"] for row in rows), strict=True))
        digest = said.pop("digest", None)  # earlier versions wrote none
        if digest is not None and digest != _digest(said, tables):
            raise BinlogError(
                f"{folder.shown}: the state is damaged: its checksum differs",
                advice="move the folder away: then all tables are copied again",
            )
        for name, text in tables.items() if "has_texts" not in said else ():
            # UUID and INET of MariaDB were bytes.
            if any(f" {kind}" in (text or "") for kind in ("uuid", "inet4", "inet6")):
                tables[name] = None  # so that the table is copied again
        offset = said.get("offset")
        return State(
            None if offset is None else StreamOffset.from_json(offset),
            tables,
            said.get("has_history", False),
            dict(said.get("round", {})),
            said.get("format", "delta"),
            said.get("catalog", ""),
        )


def _digest(said: Mapping[str, Any], tables: Mapping[TableName, str | None]) -> int:
    """Return a checksum of what a commit says, and of the tables."""
    rows = sorted([n.database_name, n.table_name, str(text)] for n, text in tables.items())
    return zlib.crc32(json.dumps([said, rows], sort_keys=True).encode())


def _rows(state: State) -> pa.Table:
    columns = [
        [name.database_name for name in state.tables],
        [name.table_name for name in state.tables],
        list(state.tables.values()),
    ]
    return pa.table(columns, schema=_SCHEMA)


def _locked(path: Path, lake: Location) -> IO[str]:
    """Return a file that no other process has locked.

    Raises:
        TakenLakeError: if one has.
        BinlogError: if it cannot be opened, or is a link.
    """
    try:
        file = open(path, "a+", encoding="utf-8", opener=open_own)  # noqa: SIM115
    except OSError as error:
        raise BinlogError(
            f"{path}: {error.strerror}", advice="check the folder and its permissions"
        ) from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        writer = file.read().strip()
        file.close()
        raise TakenLakeError(
            f"{lake.shown}: another replicate writes this lake{writer and f' (process {writer})'}",
            advice="end it first, or choose another folder",
        ) from None
    except OSError:  # file systems without locks: the commits of the state tell
        return file
    with suppress(OSError, ValueError):  # a number alone is that of a process
        file.seek(0)
        int(file.read() or 0)
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
    return file
