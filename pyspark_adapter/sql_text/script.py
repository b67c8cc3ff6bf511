"""Row changes of logs as SQL scripts: undo, redo, and statements as they are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, Final, Unpack

from pyspark_adapter.counting.table_list import summarize_tables
from pyspark_adapter.errors import EventSite, OptionError, UnsupportedError, one_line
from pyspark_adapter.events.row_filter import NO_FILTERS, TableFilter
from pyspark_adapter.find_logs import Paths, find_log_files
from pyspark_adapter.kernels.layout import Change
from pyspark_adapter.options.binlog_options import BinlogOptions, with_options
from pyspark_adapter.options.declarations import BinlogOptionsDict
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.sql_text.cascades import Cascades
from pyspark_adapter.sql_text.chosen_fragments import chosen_fragments
from pyspark_adapter.sql_text.findings import Uncovered
from pyspark_adapter.sql_text.fragments import Marks
from pyspark_adapter.sql_text.log_changes import SqlRequest
from pyspark_adapter.sql_text.refusals import MOST_LISTED
from pyspark_adapter.sql_text.script_writer import ScriptWriter, Tally
from pyspark_adapter.sql_text.session import begin_session, end_session, refuse_triggers
from pyspark_adapter.sql_text.statement_blocks import Block, StatementBlocks

ROWS_PER_STATEMENT: Final = 100
TRANSACTION_ROWS: Final = 1000
MOST_ROWS: Final = 10_000  # more conditions of a DELETE would not be looked up by an index


@with_options
def undo_statements(
    paths: Paths | None = None,
    *,
    force: bool = False,
    rebuild_cascades: bool = False,
    rows_per_statement: int = ROWS_PER_STATEMENT,
    transaction_rows: int = TRANSACTION_ROWS,
    **options: Unpack[BinlogOptionsDict],
) -> Iterator[str]:
    """Return the SQL that takes row changes back, the last one first.

    Reads all changes before it gives a line, and writes the SQL into a temporary file.

    Args:
        paths: a log file, a directory of log files, or several of either; None with option `host`.
        force: give the SQL although the range holds statements that it does not take back, such as
            ALTER TABLE and TRUNCATE, and although the tables may have triggers. The statements are
            listed in comments.
        rebuild_cascades: take back also what foreign keys did to rows of other tables, where the
            server does not log that (MySQL before 9.6, MariaDB): from all changes in the logs.
        rows_per_statement: most rows of an INSERT or DELETE. Rows are deleted together only by a
            key. An UPDATE changes one row.
        transaction_rows: transactions of the log are taken back together until they have changed so
            many rows; none is ever divided.
        options: the keyword arguments below. `table` chooses as `tables` does. Options of how
            values are returned, such as `json`, have no effect.

    Returns:
        The lines of a script for the client program `mysql`, without line ends.

    Raises:
        UnsupportedError: if a change cannot be taken back exactly: all reasons are listed.
        OptionError: as `read_batches`.
        BinlogError: as `read_batches`.

    >>> log, start = "samples/mysql-9.7-shop.000001", "mysql-9.7-shop.000001:25000"
    >>> lines = list(undo_statements(log, change_types="delete", starting_position=start))
    >>> lines[-3][:34]
    'INSERT INTO `shop`.`orders` (`orde'
    """
    script = SqlScript(
        paths,
        options,
        is_undo=True,
        force=force,
        rebuild_cascades=rebuild_cascades,
        rows_per_statement=rows_per_statement,
        transaction_rows=transaction_rows,
    )
    return _lines(script.blocks())


@with_options
def redo_statements(
    paths: Paths | None = None,
    *,
    force: bool = False,
    rebuild_cascades: bool = False,
    rows_per_statement: int = ROWS_PER_STATEMENT,
    transaction_rows: int = TRANSACTION_ROWS,
    **options: Unpack[BinlogOptionsDict],
) -> Iterator[str]:
    """Return the SQL that makes row changes again, in their order.

    Takes the arguments of `undo_statements`, and returns lines as it does; rebuild_cascades adds
    what foreign keys did.

    Raises:
        UnsupportedError: if a change cannot be written exactly: all reasons are listed.
        OptionError: as `read_batches`.
        BinlogError: as `read_batches`.
    """
    script = SqlScript(
        paths,
        options,
        is_undo=False,
        force=force,
        rebuild_cascades=rebuild_cascades,
        rows_per_statement=rows_per_statement,
        transaction_rows=transaction_rows,
    )
    return _lines(script.blocks())


@with_options
def sql_rows(paths: Paths | None = None, **options: Unpack[BinlogOptionsDict]) -> Iterator[str]:
    """Yield one SQL statement for each row change, as it is read.

    Literals are written as by `redo_statements`, for the session that its scripts set.

    Raises:
        UnsupportedError: at the first change that cannot be written.
        OptionError: as `read_batches`.
        BinlogError: as `read_batches`.
    """
    return _lines(sql_row_blocks(paths, options))


def sql_row_blocks(paths: Paths | None, options: Mapping[str, Any]) -> Iterator[Block]:
    """Yield what `sql_rows` does, as blocks of whole lines; each is valid until the next."""
    checked = BinlogOptions.from_python(options)
    checked.check_for_batch()
    log_files = find_log_files(paths, checked)
    request = SqlRequest.of(checked, is_undo=False)
    blocks = StatementBlocks(request, most_rows=1)
    for fragments in chosen_fragments(log_files, request):
        refused = fragments.refused[0] if fragments.refused else None
        if refused is not None:
            fragments = fragments.cut(0, refused.index)
        yield from blocks.take(fragments, Marks.none(), is_last=True)
        if refused is not None:
            raise UnsupportedError(f"table {refused.table}: {refused.reason}", site=refused.site)


def _lines(blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        yield from bytes(block).decode().split("\n")[:-1]


def _check_count(name: str, value: int) -> None:
    if not 1 <= value <= MOST_ROWS:
        allowed = f"a number from 1 to {MOST_ROWS:,}"
        raise OptionError(
            f"{name}: expected {allowed}, got {value}",
            option=name,
            value=str(value),
            allowed=allowed,
        )


class SqlScript:
    """A script that takes row changes back, or makes them again. Reads all of them.

    Args:
        paths: as `undo_statements` takes them.
        options: the keyword arguments of `undo_statements`.
        is_undo: whether the changes are taken back.
        force, rebuild_cascades, rows_per_statement, transaction_rows: as `undo_statements` takes
            them.

    Raises:
        UnsupportedError: as `undo_statements`.
        OptionError: as `undo_statements`.
        BinlogError: as `undo_statements`.
    """

    def __init__(
        self,
        paths: Paths | None,
        options: Mapping[str, Any],
        *,
        is_undo: bool,
        force: bool = False,
        rebuild_cascades: bool = False,
        rows_per_statement: int = ROWS_PER_STATEMENT,
        transaction_rows: int = TRANSACTION_ROWS,
    ) -> None:
        checked = BinlogOptions.from_python(options)
        checked.check_for_batch()
        _check_count("rows_per_statement", rows_per_statement)
        _check_count("transaction_rows", transaction_rows)
        self._force = force
        self._cascades: list[tuple[EventSite, str]] = []
        log_files = find_log_files(paths, checked)
        if checked.index is not None and not rebuild_cascades:
            from pyspark_adapter.index.wanted_blocks import narrowed_to_blocks

            checked = narrowed_to_blocks(log_files, checked)
        self._request = SqlRequest.of(
            checked, is_undo=is_undo, cascades=Cascades() if rebuild_cascades else None
        )
        self._writer = ScriptWriter(self._request, rows_per_statement, transaction_rows)
        try:
            for fragments in chosen_fragments(log_files, self._request):
                self._writer.add(fragments)
            self._writer.finish()
            self._tally = self._writer.settle()
            self._settle(log_files)
            self._writer.refusals.check("undo" if is_undo else "redo")
        except BaseException:
            self._writer.spool.close()
            raise

    def _settle(self, log_files: Sequence[LogFile]) -> None:
        """Decide what depends on all that was read."""
        findings, refusals = self._request.findings, self._writer.refusals
        changed, rebuilt = self._writer.changed_parents, self._request.cascades
        if rebuilt is not None:
            self._cascades = rebuilt.unknown
        elif not findings.logs_cascades:
            known = [findings.parents, findings.references if findings.knows_references else {}]
            pairs = ((c, p) for finding in known for c, parents in finding.items() for p in parents)
            self._cascades = [
                (
                    changed[parent],
                    f"table {child}: foreign keys carry changes of {parent} over to it, which this"
                    " server does not log",
                )
                for child, parent in dict.fromkeys(pairs)
                if parent in changed
            ]
        if self._force or self._are_tables_unknown(log_files):
            return
        for finding in findings.statements:
            if not self._is_before_rows(finding):
                reason = f"a statement that SQL of rows does not cover: {finding.text}"
                refusals.add(reason, finding.site, can_be_forced=True)
                refusals.can_be_narrowed = True
        for site, reason in self._cascades:
            refusals.add(reason, site, can_be_forced=True)
        if self._cascades and rebuilt is None:
            refusals.can_be_rebuilt = True

    def _is_before_rows(self, finding: Uncovered) -> bool:
        """Return whether a statement creates tables before their first row changes.

        These are taken back exactly although it is not. So a slice with definitions can be undone.
        """
        first = self._writer.first_rows
        return bool(finding.begins) and all(
            finding.position < first[name]
            for table in finding.begins
            for name in (table, table.lower())
            if name in first
        )

    def _are_tables_unknown(self, log_files: Sequence[LogFile]) -> bool:
        """Return whether tables are asked for, and no log has any of them.

        Then a DROP DATABASE in the range does not matter.
        """
        statements = self._request.findings.statements
        keeps = TableFilter(self._request.options)
        if self._writer.first_rows or keeps.keeps_all or not statements:
            return False
        if not all(finding.names_none for finding in statements):
            return False
        everything = replace(self._request.options, **NO_FILTERS)
        return not any(keeps.keeps(f.table) for f in summarize_tables(log_files, everything))

    @property
    def is_empty(self) -> bool:
        """Whether it has no row changes."""
        return not self._tally.rows

    def blocks(self) -> Iterator[bytes]:
        """Yield the script, whole lines at a time. It can be read once."""
        with closing(self._writer.spool):
            yield _joined(self._head())
            if self.is_empty:
                return
            tables = sorted({table for table, _ in self._tally.rows}, key=str)
            yield _joined(begin_session())
            if not self._force:
                yield _joined(refuse_triggers(tables))
            yield from self._writer.blocks()
            yield _joined(end_session())

    def _head(self) -> Iterator[str]:
        if self.is_empty:
            yield "-- No row changes."
        else:
            yield from describe(self._tally, is_undo=self._request.is_undo)
            if self._request.cascades is not None:
                yield from self._request.cascades.describe()
        statements = ((finding.site, finding.text) for finding in self._request.findings.statements)
        for site, text in (*statements, *self._cascades)[:MOST_LISTED]:
            yield f"-- Not covered: {site}: {text}"
        if not self.is_empty:
            yield "-- Not covered: counters of AUTO_INCREMENT; rows that were changed later"


_KINDS = (
    (Change.INSERT, "inserted"),
    (Change.UPDATE_PREIMAGE, "updated"),
    (Change.DELETE, "deleted"),
)


def describe(tally: Tally, *, is_undo: bool) -> Iterator[str]:
    """Yield comments that say what a script is about."""
    (_, first), (_, last) = tally.transactions[0], tally.transactions[-1]
    count = tally.num_transactions
    plural = "" if count == 1 else "s"
    verb = "Takes back" if is_undo else "Makes again"
    order = "the last one first" if is_undo else "in their order"
    yield f"-- {verb} the row changes of {count:,} transaction{plural}, {order}:"
    yield f"-- from {first.name}"
    yield f"-- to   {last.name}"
    for table in sorted({table for table, _ in tally.rows}, key=str):
        counts = ((tally.rows[table, change], kind) for change, kind in _KINDS)
        listed = ", ".join(
            f"{count:,} row{'' if count == 1 else 's'} {kind}" for count, kind in counts if count
        )
        yield f"-- {one_line(str(table))}: {listed}"


def _joined(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()
