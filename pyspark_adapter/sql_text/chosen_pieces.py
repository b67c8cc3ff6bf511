"""The chosen row changes of logs, in order, as pieces of SQL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pyspark_adapter.discovery.survey import Surveyor
from pyspark_adapter.errors import OptionError, located
from pyspark_adapter.events.frame import frame_site
from pyspark_adapter.events.frame_reader import FrameReader
from pyspark_adapter.events.statements import Statement, StatementKind
from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.filters.row_filter import RowFilter
from pyspark_adapter.format.schema import EventType
from pyspark_adapter.ignored_errors import ignoring
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.name_patterns import NamePattern, TablePattern
from pyspark_adapter.sources.log_file import LogFile, log_number
from pyspark_adapter.sql_text.cascades import Cascades
from pyspark_adapter.sql_text.findings import Findings, note_outcome
from pyspark_adapter.sql_text.pieces import SqlHeads, SqlPieces
from pyspark_adapter.sql_text.refusals import CannotWriteError
from pyspark_adapter.sql_text.target_table import TargetTable
from pyspark_adapter.sql_text.targets import Targets
from pyspark_adapter.timeline.followed_log import FollowedLog
from pyspark_adapter.timeline.timeline import Timeline
from pyspark_adapter.timeline.user_ddl import UserDdl


class _LogReader:
    """Reads the changes of logs, one log after the other.

    Args:
        log_files: in order.
        options: of the read.
        findings: filled in.
        heads: of all pieces.
        is_undo: whether the pieces take the changes back.
        cascades: told of all changes, also before the range, if foreign keys are followed.
    """

    def __init__(
        self,
        log_files: Sequence[LogFile],
        options: BinlogOptions,
        findings: Findings,
        heads: SqlHeads,
        *,
        is_undo: bool,
        cascades: Cascades | None,
    ) -> None:
        self._cascades = cascades
        self._log_files = log_files
        self._options = options
        self._findings = findings
        self._heads = heads
        self._is_undo = is_undo
        self._user_ddl = UserDdl.of(options)
        self._timeline = Timeline(log_files, Surveyor(options), self._user_ddl)
        self._targets: dict[TableMap, TargetTable | CannotWriteError] = {}

    def read(self) -> Iterator[SqlPieces]:
        has_read = False
        for index, log_file in enumerate(self._log_files):
            self._findings.log_index = index
            if RowFilter(self._options, log_file).keeps_none:
                if not has_read:  # the timeline reads it, if it is asked
                    if self._cascades is not None:
                        yield from self._read_all(index, log_file)
                    continue
                if self._findings.are_outcomes_known:
                    return  # the range has ended
                with ignoring(self._options):
                    self._find_outcomes(log_file)
                continue
            has_read = True
            yield from self._read_all(index, log_file)

    def _read_all(self, index: int, log_file: LogFile) -> Iterator[SqlPieces]:
        """Read a log, and note what its tables are at its end."""
        log = FollowedLog(self._timeline, log_file, is_whole=True)
        if self._cascades is not None and index:
            before = log_number(self._log_files[index - 1].name)
            if log_number(log_file.name) != before + 1:  # changes may be missing
                self._cascades.forget(None)
        with ignoring(self._options):
            yield from self._read_log(log_file, log)
        self._findings.note_parents((*log.definitions(), *self._user_ddl.definitions()))

    def _read_log(self, log_file: LogFile, log: FollowedLog) -> Iterator[SqlPieces]:
        targets = Targets(
            log,
            self._user_ddl,
            self._options,
            self._targets,
            defines_all=self._cascades is not None,
        )
        arguments = (log_file, self._options, targets, self._findings, self._heads)
        if self._cascades is not None:
            from pyspark_adapter.sql_text.rebuilt_pieces import rebuilt_pieces

            more = self._cascades, self._user_ddl
            return rebuilt_pieces(*arguments, *more, is_undo=self._is_undo)
        # Loaded only for those who ask for SQL.
        from pyspark_adapter.sql_text.kernel_pieces import KernelPieces

        return iter(KernelPieces(*arguments, is_undo=self._is_undo))

    def _find_outcomes(self, log_file: LogFile) -> None:
        """Look in a log after the range for the ends of distributed transactions."""
        frames = FrameReader(log_file, self._options)
        for frame in frames:
            if frame.plain_type != EventType.query or b"XA " not in frame.event:
                continue
            site = frame_site(log_file, frame)
            with located(site):
                statement = Statement.from_event(frames.parser.parse(frame.event), site)
                if statement.kind & StatementKind.NOTED:
                    note_outcome(self._findings, statement)
            if self._findings.are_outcomes_known:
                return


def chosen_pieces(
    log_files: Sequence[LogFile],
    options: BinlogOptions,
    findings: Findings,
    heads: SqlHeads,
    *,
    is_undo: bool,
    cascades: Cascades | None = None,
) -> Iterator[SqlPieces]:
    """Yield the chosen changes of logs, in order.

    Args:
        log_files: in order.
        options: of the read; `table` chooses as `tables` does.
        findings: filled in; complete after the last change.
        heads: of all pieces.
        is_undo: whether the pieces take the changes back.
        cascades: told of all changes, so that there are pieces of what foreign keys did, too.

    Raises:
        OptionError: if the options choose one image of updates and not the other.
        BinlogError: if a log is damaged.
    """
    changes = options.change_types
    if changes is not None and ("update_preimage" in changes) != ("update_postimage" in changes):
        allowed = "both images of updates (update), or none"
        raise OptionError(
            f"option changeTypes: expected {allowed}, got {','.join(changes)}",
            option="changeTypes",
            value=",".join(changes),
            allowed=allowed,
        )
    reader = _LogReader(
        log_files, with_tables(options), findings, heads, is_undo=is_undo, cascades=cascades
    )
    return reader.read()


def with_tables(options: BinlogOptions) -> BinlogOptions:
    """Return options whose `table` chooses as `tables` does."""
    if options.table is None:
        return options
    pattern = TablePattern(
        NamePattern.exact(options.table.database_name), NamePattern.exact(options.table.table_name)
    )
    return replace(options, table=None, tables=(pattern,))
