"""The chosen row changes of logs, in order, as fragments of SQL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pyspark_adapter.errors import located
from pyspark_adapter.events.frame import frame_site
from pyspark_adapter.events.frame_reader import FrameReader
from pyspark_adapter.events.row_filter import RowFilter
from pyspark_adapter.events.statements import Statement, StatementKind
from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.format.schema import EventType
from pyspark_adapter.options.ignored_errors import ignoring
from pyspark_adapter.plan.survey import Surveyor
from pyspark_adapter.sources.log_file import LogFile, log_number
from pyspark_adapter.sql_text.findings import note_outcome
from pyspark_adapter.sql_text.fragments import SqlFragments
from pyspark_adapter.sql_text.log_changes import LogChanges, SqlRequest
from pyspark_adapter.sql_text.refusals import CannotWriteError
from pyspark_adapter.sql_text.target_table import Targets, TargetTable
from pyspark_adapter.timeline.followed_log import FollowedLog
from pyspark_adapter.timeline.timeline import Timeline


class _LogReader:
    """Reads the changes of logs, one log after the other."""

    def __init__(self, log_files: Sequence[LogFile], request: SqlRequest) -> None:
        self._log_files = log_files
        self._request = request
        self._timeline = Timeline(log_files, Surveyor(request.options), request.user_ddl)
        self._targets: dict[TableMap, TargetTable | CannotWriteError] = {}

    def read(self) -> Iterator[SqlFragments]:
        has_read = False
        for index, log_file in enumerate(self._log_files):
            self._request.findings.log_index = index
            if RowFilter(self._request.options, log_file).keeps_none:
                if not has_read:  # the timeline reads it, if it is asked
                    if self._request.cascades is not None:
                        yield from self._read_all(index, log_file)
                    continue
                if self._request.findings.are_outcomes_known:
                    return  # the range has ended
                with ignoring(self._request.options):
                    self._find_outcomes(log_file)
                continue
            has_read = True
            yield from self._read_all(index, log_file)

    def _read_all(self, index: int, log_file: LogFile) -> Iterator[SqlFragments]:
        """Read a log, and note what its tables are at its end."""
        log = FollowedLog(self._timeline, log_file, is_whole=True)
        if self._request.cascades is not None and index:
            before = log_number(self._log_files[index - 1].name)
            if log_number(log_file.name) != before + 1:  # changes may be missing
                self._request.cascades.forget(None)
        with ignoring(self._request.options):
            yield from self._read_log(log_file, log)
        self._request.findings.note_parents(
            (*log.definitions(), *self._request.user_ddl.definitions())
        )

    def _read_log(self, log_file: LogFile, log: FollowedLog) -> Iterator[SqlFragments]:
        targets = Targets(
            log,
            self._request.user_ddl,
            self._request.options,
            self._targets,
            defines_all=self._request.cascades is not None,
        )
        changes = LogChanges(self._request, log_file, targets)
        # Loaded only for those who ask for SQL.
        if self._request.cascades is not None:
            from pyspark_adapter.sql_text.rebuilt_fragments import RebuiltFragments

            return iter(RebuiltFragments(changes, self._request.cascades))
        from pyspark_adapter.sql_text.kernel_fragments import KernelFragments

        return iter(KernelFragments(changes))

    def _find_outcomes(self, log_file: LogFile) -> None:
        """Look in a log after the range for the ends of distributed transactions."""
        frames = FrameReader(log_file, self._request.options)
        for frame in frames:
            if frame.plain_type != EventType.query or b"XA " not in frame.event:
                continue
            site = frame_site(log_file, frame)
            with located(site):
                statement = Statement.from_event(frames.parser.parse(frame.event), site)
                if statement.kind & StatementKind.NOTED:
                    note_outcome(self._request.findings, statement)
            if self._request.findings.are_outcomes_known:
                return


def chosen_fragments(log_files: Sequence[LogFile], request: SqlRequest) -> Iterator[SqlFragments]:
    """Yield the chosen changes of logs, in order; raises BinlogError if a log is damaged.

    The findings are complete after the last change.
    """
    return _LogReader(log_files, request).read()
