"""The logs of a round: a server sends their bytes once, however often a round reads them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from tempfile import NamedTemporaryFile, SpooledTemporaryFile
from typing import IO, Final

from pyspark_adapter.charsets.charset import decode_text
from pyspark_adapter.errors import StatementEventError
from pyspark_adapter.events.statements import (
    UNLOGGED_CHANGES,
    Statement,
    StatementKind,
    client_charset,
)
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.log_position import StreamOffset
from pyspark_adapter.options.table_name import TableName, full_name
from pyspark_adapter.plan.output_schema import ABSENT
from pyspark_adapter.replication.changes import Changes, changes_of
from pyspark_adapter.replication.history import FACTS
from pyspark_adapter.replication.lake import State
from pyspark_adapter.scan.scanner import Scanner
from pyspark_adapter.sources.locations import StoredBytes
from pyspark_adapter.sources.log_file import LogFile, LogStore
from pyspark_adapter.splits.log_splits import OffsetRange, Split, read_range_of
from pyspark_adapter.splits.read_split import plan_read, read_split
from pyspark_adapter.timeline.user_ddl import written_ddl

AS_TEXT: Final = "the log has only the text of a statement that changed rows"
_WORDS: Final = re.compile(r"`(?:[^`]|``)+`|[\w$]+")
# They change what a function or a procedure changes, which has no name in the log.
_CALLS: Final = re.compile(r"\W*(?:CALL|DO|SELECT)\b", re.IGNORECASE)


def unlogged_statements(splits: Iterable[Split], options: BinlogOptions) -> Iterator[Statement]:
    """Yield the statements of logs that changed rows which the logs do not hold.

    Raises:
        BinlogError: if a log is damaged, or the server cannot be reached.
    """
    for split in splits:
        part = read_range_of(split)
        for scanned in Scanner(split.log_file, options, None, UNLOGGED_CHANGES, part):
            for statement, *_ in scanned.statements:
                if statement.is_selected and not statement.is_truncate:
                    yield statement


def changed_by(
    statement: Statement, followed: Collection[TableName], changed: Collection[TableName]
) -> set[TableName]:
    """Return the tables whose rows a statement may have changed, of those that are followed.

    Views, triggers and foreign keys do not count: the log does not say what they change.

    Args:
        statement: of `unlogged_statements`.
        changed: the tables that have rows in the log; a rollback may have taken back any.

    Raises:
        StatementEventError: if it names no table that it changes.
    """
    if statement.kind == StatementKind.TAKES_BACK:
        return {*changed}
    target = statement.table
    if target is not None:
        return {name for name in followed if name.lower() == target.lower()}
    charset = client_charset(statement.status_vars)
    text = decode_text(statement.text, charset, replaces=True)
    if _CALLS.match(text):
        raise StatementEventError(
            f"{AS_TEXT}, and it names no table: {statement.summary}",
            site=statement.site,
            advice="start replicate with --reload, which copies all tables again, and set"
            " binlog_format=ROW on the server",
        )
    words = {word.strip("`").replace("``", "`").lower() for word in _WORDS.findall(text)}
    words.add(statement.database.lower())
    return {
        name
        for name in followed
        if words.issuperset((name.lower().database_name, name.lower().table_name))
    }


_IN_MEMORY: Final = 32 << 20  # of each stretch; the rest is in a file without a name


def read_changes(
    server: LogStore,
    state: State,
    offsets: tuple[StreamOffset, StreamOffset],
    ranges: Iterable[tuple[LogFile, OffsetRange]],
) -> tuple[list[Changes], dict[TableName, Statement]]:
    """Return the changes of tables between two offsets, and by table the last statement as text.

    Of the statements that changed rows which the log does not hold.

    Args:
        state: of the lake, with the definitions of tables at the first offset.
        offsets: both.
        ranges: the logs between them, and which bytes of each.

    Raises:
        StatementEventError: if such a statement does not name what it changes.
        BinlogError: if the log cannot be read.
    """
    definitions, shift = state.followed, state.shift
    start, end = offsets
    with NamedTemporaryFile("w", suffix=".sql", encoding="utf-8") as ddl:
        ddl.write(written_ddl(definitions, start.log_name, start.pos))
        ddl.flush()
        options = BinlogOptions.from_python(
            {
                "row": "arrow",
                "time": "string",
                "schema_changes": True,
                "ddl": ddl.name,
                "tables": ",".join(map(full_name, definitions)),
                "metadata_columns": ",".join([*FACTS.names, ABSENT]),
                "on_statement_events": "error",
                "starting_position": f"{start.log_name}:{start.pos}",
                "ending_position": f"{end.log_name}:{end.pos}",
            }
        )
        with closing(RoundLogs(server)) as kept:
            splits = [Split(kept.up_to(log, part.stop), part) for log, part in ranges]
            try:
                return _changes_in(splits, options, shift), {}
            except StatementEventError:
                changes = _changes_in(splits, replace(options, on_statement_events="ignore"), shift)
            changed, unlogged = {c.table for c in changes}, dict[TableName, Statement]()
            for statement in unlogged_statements(splits, options):
                unlogged |= dict.fromkeys(changed_by(statement, definitions, changed), statement)
            return changes, unlogged


def _changes_in(splits: Sequence[Split], options: BinlogOptions, shift: int) -> list[Changes]:
    request = plan_read([split.log_file for split in splits], options)
    return changes_of((batch for split in splits for batch in read_split(split, request)), shift)


class RoundLogs:
    """Keeps what a server has sent of its logs."""

    def __init__(self, server: LogStore) -> None:
        self._server = server
        self._stretches: dict[str, list[_Stretch]] = {}  # by path

    def up_to(self, log_file: LogFile, end: int | None) -> LogFile:
        """Return a log of the server whose bytes are kept, up to an offset; None for its end."""
        return replace(log_file, server=self, num_bytes=end or log_file.num_bytes)

    def open(self, log_file: LogFile) -> StoredBytes:
        """Open a log for reading."""
        log = replace(log_file, server=self._server)
        return _KeptLog(log, self._stretches.setdefault(log_file.path, []))

    def close(self) -> None:
        """Forget all bytes."""
        for stretch in (held for kept in self._stretches.values() for held in kept):
            stretch.log.close()
            stretch.file.close()
        self._stretches.clear()


@dataclass
class _Stretch:
    """Bytes of a log.

    Attributes:
        start, end: offsets in the log.
        log: whose next byte is that at the end.
        file: the bytes.
    """

    start: int
    end: int
    log: StoredBytes
    file: IO[bytes] = field(
        default_factory=lambda: SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - `RoundLogs.close`
    )


class _KeptLog:
    """A log that is open for reading; as `ServerLog`."""

    def __init__(self, log_file: LogFile, stretches: list[_Stretch]) -> None:
        self._log_file = log_file
        self._stretches = stretches
        self._position = 0

    def tell(self) -> int:
        """Return the offset of the next byte."""
        return self._position

    def seek(self, position: int, /) -> int:
        """Go to where an event begins, or to the magic."""
        self._position = position
        return position

    def readinto(self, buffer: memoryview, /) -> int:
        """Read at least one byte; 0 at the end. Raises as the server's log."""
        stretch = self._stretch()
        if self._position < stretch.end:
            stretch.file.seek(self._position - stretch.start)
            piece = stretch.file.read(min(len(buffer), stretch.end - self._position))
            buffer[: len(piece)] = piece
            self._position += len(piece)
            return len(piece)
        count = stretch.log.readinto(buffer) or 0
        stretch.file.seek(stretch.end - stretch.start)
        stretch.file.write(buffer[:count])
        stretch.end += count
        self._position += count
        return count

    def close(self) -> None:
        """End the connections; a later read continues where they were."""
        for stretch in self._stretches:
            stretch.log.close()

    def _stretch(self) -> _Stretch:
        """Return what holds the next byte, or continues with it."""
        position = self._position
        held = [stretch for stretch in self._stretches if stretch.start <= position <= stretch.end]
        if held:
            return max(held, key=lambda stretch: stretch.end)
        assert self._log_file.server is not None
        log = self._log_file.server.open(self._log_file)
        log.seek(position)
        self._stretches.append(_Stretch(position, position, log))
        return self._stretches[-1]
