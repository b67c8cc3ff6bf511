"""Row changes of logs as SQL scripts: undo, redo, and statements as they are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Final, Unpack

from pyspark_adapter.errors import EventSite, UnsupportedError
from pyspark_adapter.find_logs import Paths, find_log_files
from pyspark_adapter.options.binlog_options import BinlogOptions, with_options
from pyspark_adapter.options.declarations import BinlogOptionsDict
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.sql_text.logged_changes import (
    Findings,
    LoggedChange,
    LoggedTransaction,
    chosen_changes,
)
from pyspark_adapter.sql_text.refusal import CannotWriteError
from pyspark_adapter.sql_text.row_change import RowChange
from pyspark_adapter.sql_text.session import (
    LENIENT,
    STRICT,
    begin_session,
    end_session,
    refuse_triggers,
)
from pyspark_adapter.sql_text.spool import Spool

_MAX_LISTED: Final = 1000  # refusals of different kinds, and statements


@with_options
def undo_statements(
    paths: Paths | None = None, *, force: bool = False, **options: Unpack[BinlogOptionsDict]
) -> Iterator[str]:
    """Return the SQL that takes row changes back, the last one first.

    Reads all changes before it gives a line, and writes the SQL into a temporary file.

    Args:
        paths: a log file, a directory of log files, or several of either; None with option `host`.
        force: give the SQL although the range holds statements that it does not take back, such as
            ALTER TABLE and TRUNCATE, and although the tables may have triggers. The statements are
            listed in comments.
        options: the keyword arguments below. `table` chooses as `tables` does. Options of how
            values are returned, such as `json`, have no effect.

    Returns:
        The lines of a script for the client program `mysql`, without line ends. Each transaction of
        the log is taken back by one transaction.

    Raises:
        UnsupportedError: if a change cannot be taken back exactly: all reasons are listed.
        OptionError: as `read_batches`.
        BinlogError: as `read_batches`.

    >>> log, place = "samples/mysql-9.7-shop.000001", "mysql-9.7-shop.000001:25000"
    >>> lines = list(undo_statements(log, change_types="delete", starting_position=place))
    >>> lines[-3][:34]
    'INSERT INTO `shop`.`orders` (`orde'
    """
    return _script(paths, options, force=force, is_undo=True)


@with_options
def redo_statements(
    paths: Paths | None = None, *, force: bool = False, **options: Unpack[BinlogOptionsDict]
) -> Iterator[str]:
    """Return the SQL that makes row changes again, in their order.

    Args:
        paths: as `undo_statements`.
        force: as `undo_statements`.
        options: the keyword arguments below.

    Returns:
        The lines of a script, as `undo_statements`.

    Raises:
        UnsupportedError: if a change cannot be written exactly: all reasons are listed.
        OptionError: as `read_batches`.
        BinlogError: as `read_batches`.
    """
    return _script(paths, options, force=force, is_undo=False)


@with_options
def sql_rows(paths: Paths | None = None, **options: Unpack[BinlogOptionsDict]) -> Iterator[str]:
    """Yield one SQL statement for each row change, as it is read.

    The literals are those of `redo_statements`, and hold in its session, as `session` sets it.

    Args:
        paths: as `undo_statements`.
        options: the keyword arguments below.

    Raises:
        UnsupportedError: at the first change that cannot be written.
        OptionError: as `read_batches`.
        BinlogError: as `read_batches`.
    """
    checked = BinlogOptions.from_python(options)
    checked.check_for_batch()
    log_files = find_log_files(paths, checked)
    for logged in chosen_changes(log_files, checked, Findings()):
        try:
            sql = _written(logged, is_undo=False)
        except CannotWriteError as error:
            raise UnsupportedError(
                f"table {logged.table}: {error.reason}", site=logged.site
            ) from None
        if sql:
            yield from _lines(logged, sql)


def _written(logged: LoggedChange, *, is_undo: bool) -> str:
    if isinstance(logged.change, CannotWriteError):
        raise logged.change
    return logged.change.undo() if is_undo else logged.change.redo()


def _lines(logged: LoggedChange, sql: str) -> list[str]:
    is_lenient = isinstance(logged.change, RowChange) and logged.change.is_lenient
    return [LENIENT, f"{sql};", STRICT] if is_lenient else [f"{sql};"]


@dataclass(slots=True)
class _Refusals:
    """Reasons why there is no script, each with how often and where first.

    Attributes:
        found: by reason.
        can_be_forced: whether the option `force` overrides all of them.
    """

    found: dict[str, tuple[int, EventSite]] = field(default_factory=dict)
    can_be_forced: bool = True

    def add(self, reason: str, site: EventSite, *, can_be_forced: bool = False) -> None:
        """Add a reason."""
        self.can_be_forced &= can_be_forced
        count, first = self.found.get(reason, (0, site))
        if count or len(self.found) < _MAX_LISTED:
            self.found[reason] = count + 1, first

    def check(self, verb: str) -> None:
        """Raise if there is one.

        Raises:
            UnsupportedError: with all of them.
        """
        if not self.found:
            return
        lines = [
            f"{reason} ({count:,} times, first at {site})" if count > 1 else f"{reason} ({site})"
            for reason, (count, site) in self.found.items()
        ]
        if self.can_be_forced:
            lines.append("force=True, or the flag --force, gives the SQL of the rows anyway")
        advice = "the page Undo of the documentation lists what can be done"
        error = UnsupportedError(f"{verb} gives no SQL: {'; '.join(lines)}", advice=advice)
        error.reasons = tuple(lines)
        raise error


def _script(
    paths: Paths | None, options: BinlogOptionsDict, *, force: bool, is_undo: bool
) -> Iterator[str]:
    checked = BinlogOptions.from_python(options)
    checked.check_for_batch()
    log_files = find_log_files(paths, checked)
    verb = "undo" if is_undo else "redo"
    script = _Script(is_undo=is_undo)
    findings = Findings()
    try:
        script.read(chosen_changes(log_files, checked, findings))
        script.settle(findings, force=force)
        script.refusals.check(verb)
    except BaseException:
        script.spool.close()
        raise
    return script.lines(findings, force=force)


class _Script:
    """The statements of a script, spooled while the changes are read.

    Args:
        is_undo: whether the changes are taken back.
    """

    def __init__(self, *, is_undo: bool) -> None:
        self._is_undo = is_undo
        self._tables: dict[TableName, None] = {}
        self._changed_parents: dict[TableName, EventSite] = {}
        self._prepared: list[tuple[int, LoggedTransaction]] = []
        self._left_out: set[int] = set()
        self._num_transactions = 0
        self.spool = Spool()
        self.refusals = _Refusals()

    def read(self, changes: Iterable[LoggedChange]) -> None:
        """Spool the statements of changes, in the order of the log.

        Backwards, a transaction is read from its last record to its first.
        """
        ends = ("COMMIT;", "START TRANSACTION;")
        first, last = ends if self._is_undo else ends[::-1]
        current: LoggedTransaction | None = None
        for logged in changes:
            if logged.transaction is not current:
                if current is not None:
                    self._end(current, last)
                current = logged.transaction
                self._begin(current, first)
            self._add(logged)
        if current is not None:
            self._end(current, last)

    def _begin(self, transaction: LoggedTransaction, line: str) -> None:
        if transaction.xid is not None:
            self._prepared.append((self._num_transactions, transaction))
        self.spool.append(self._num_transactions, self._headed(transaction, line))

    def _end(self, transaction: LoggedTransaction, line: str) -> None:
        self.spool.append(self._num_transactions, self._headed(transaction, line))
        self._num_transactions += 1

    def _headed(self, transaction: LoggedTransaction, line: str) -> str:
        return line if line == "COMMIT;" else f"-- {transaction}\n{line}"

    def _add(self, logged: LoggedChange) -> None:
        try:
            sql = _written(logged, is_undo=self._is_undo)
        except CannotWriteError as error:
            what = logged.change.kind if isinstance(logged.change, RowChange) else "rows"
            self.refusals.add(f"{what} of table {logged.table}: {error.reason}", logged.site)
            return
        assert isinstance(logged.change, RowChange)
        if not sql:
            return
        self._tables[logged.table] = None
        if logged.change.kind != "insert":
            self._changed_parents.setdefault(logged.table, logged.site)
        if not self.refusals.found:  # else nothing is given
            self.spool.append(self._num_transactions, "\n".join(_lines(logged, sql)))

    def settle(self, findings: Findings, *, force: bool) -> None:
        """Decide what depends on all that was read."""
        for number, transaction in self._prepared:
            assert transaction.xid is not None
            is_committed = findings.outcomes.get(transaction.xid)
            if is_committed is None:
                self.refusals.add(
                    f"distributed transaction {transaction.xid}: the logs do not say whether it"
                    " was committed",
                    transaction.site,
                )
            elif not is_committed:
                self._left_out.add(number)
        if force:
            return
        for site, text in findings.statements:
            reason = f"a statement that SQL of rows does not cover: {text}"
            self.refusals.add(reason, site, can_be_forced=True)
        if findings.logs_cascades:
            return
        known = [findings.parents, findings.references if findings.knows_references else {}]
        pairs = ((c, p) for found in known for c, parents in found.items() for p in parents)
        for child, parent in dict.fromkeys(pairs):
            if parent in self._changed_parents:
                self.refusals.add(
                    f"table {child}: foreign keys carry changes of {parent} over to it, which this"
                    " server does not log",
                    self._changed_parents[parent],
                    can_be_forced=True,
                )

    def lines(self, findings: Findings, *, force: bool) -> Iterator[str]:
        """Yield the lines of the script."""
        with closing(self.spool):
            for site, text in findings.statements[:_MAX_LISTED]:
                yield f"-- Not covered: {site}: {text}"
            if not self._tables:
                yield "-- No row changes."
                return
            yield from begin_session()
            if not force:
                yield from refuse_triggers(self._tables)
            records = self.spool.backwards() if self._is_undo else self.spool.forwards()
            for number, text in records:
                if number not in self._left_out:
                    yield from text.split("\n")
            yield from end_session()
