"""The rows of a table at a moment: the Python interface."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, Final, Unpack

import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.as_of.baseline import POSITION, TABLE, Baseline
from pyspark_adapter.as_of.followed_table import METADATA, FollowedTable, Keep, XaEnds
from pyspark_adapter.errors import DataLossError, OptionError
from pyspark_adapter.events.log_start import read_log_start
from pyspark_adapter.events.row_filter import logs_to_read
from pyspark_adapter.events.statements import Statement, StatementKind
from pyspark_adapter.find_logs import Paths, find_log_files
from pyspark_adapter.index.wanted_blocks import IndexedLogs
from pyspark_adapter.operations.row_history import indexed_key
from pyspark_adapter.operations.transactions import count_transactions
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.declarations import BinlogOptionsDict
from pyspark_adapter.options.filter_values import RowKey
from pyspark_adapter.options.gtid_set import GtidSet
from pyspark_adapter.options.log_position import LogPosition
from pyspark_adapter.options.name_patterns import NamePattern, TablePattern
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.splits.log_splits import Split
from pyspark_adapter.splits.read_split import plan_read, read_split
from pyspark_adapter.timeline.user_ddl import UserDdl
from pyspark_adapter.warn import warn

# Options that would leave out changes, or give rows in another form.
_REFUSED: Final = (
    *("tables", "databases", "change_types", "server_ids", "starting_timestamp", "row"),
    *("view", "schema_changes", "metadata_columns", "time", "json", "columns", "ending_timestamp"),
    *("follow_renames", "schema_at", "ignore_corrupt_files", "unsigned_bigint", "geometry", "uuid"),
)
_GROUP: Final = (
    "last_commit_version",
    "change_type",
    "statement",
    "definition",
    "shape",
    "schema",
    "rows",
)


@dataclass(frozen=True)
class TableRows:
    """The rows of a table at a moment.

    Attributes:
        rows: the rows, in the types of a read with option `table`, times of day as text. Generated
            columns are left out where the definition is known. The metadata of the schema has the
            table and the position, so that a Parquet file of the rows is a baseline.
        position: of the first transaction that is not applied; None if the moment is a set of
            GTIDs.
        is_whole: whether all rows are known, from a baseline, or since the table was created or
            emptied within the logs.
        num_unknown: rows that were changed while their insert is not in the logs. Their values
            after an update are known, so such rows are returned; rows that no log changes are not.
    """

    rows: pa.Table
    position: LogPosition | None
    is_whole: bool
    num_unknown: int


def rows_at(
    paths: Paths | None = None,
    *,
    at: str | datetime | None = None,
    baseline: str | os.PathLike[str] | None = None,
    **options: Unpack[BinlogOptionsDict],
) -> TableRows:
    """Return the rows of a table at a moment, from a baseline and the logs after it.

    ::

        result = rows_at("binlogs", table="shop.orders", at="2026-11-20T18:00:00Z",
                         baseline="orders.sql")
        spark.createDataFrame(result.rows)

    A moment is a time (`at`), a position (`ending_position`) or a set of GTIDs (`include_gtids`);
    without one it is the end of the logs. A time stands for the place after the last transaction
    that was committed at this time or before. All transactions before that place in the log are
    applied, so the rows are a state that the server had, also where its clock was set back.

    Without a baseline the rows are those that the logs tell of; see `TableRows.is_whole`. All rows
    are in memory, and as many changes.

    Args:
        paths: the logs; see `find_log_files`. None with the option `host`.
        at: the time.
        baseline: a Delta table (`PATH`, or `PATH@v12` for a version), or a Parquet file or data
            set, of all rows of the table at `starting_position` (files of `rows_at` know it); or a
            file of `mysqldump --single-transaction --source-data`.
        options: `table`, and those of `read_batches` that leave out no changes; `keys` selects
            rows, `ddl` defines the table at the start, `index` reads only the needed blocks,
            `exclude_gtids` are those in the baseline.

    Raises:
        OptionError: for an option that is not allowed, or a baseline without a position.
        UnsupportedError: for a statement that cannot be followed, images that lack columns whose
            values are not known, and a distributed transaction that was prepared before the
            baseline.
        SchemaMismatchError: if the table does not exist at the moment, or has other columns.
        DataLossError: if the logs do not continue from the baseline.
        BinlogError: as `read_batches`, and if a change does not fit the rows.
    """
    read_options: dict[str, Any] = dict(options)
    for name in _REFUSED:
        if read_options.get(name) is not None:
            raise OptionError(f"option {name}: expected none for the rows at a moment", option=name)
    table = BinlogOptions.from_python({"table": read_options.get("table")}).table
    if table is None:
        raise OptionError("option table: expected database.table, found none", option="table")
    source = Baseline() if baseline is None else Baseline.read(os.fspath(baseline), table)
    if source.ddl is not None:
        read_options.setdefault("ddl", source.ddl)
    read_options.setdefault("on_statement_events", "error")
    if (
        source.position is not None
        and not {"starting_position", "exclude_gtids"} & read_options.keys()
    ):
        read_options["starting_position"] = source.position
    if at is not None:
        read_options["ending_timestamp"] = at
    pattern = TablePattern(
        NamePattern.exact(table.database_name), NamePattern.exact(table.table_name)
    )
    checked = BinlogOptions.from_python(read_options)
    if source.definition is None:
        source = replace(source, definition=UserDdl.of(checked).find(table))
    log_files = find_log_files(paths, checked)
    if baseline is not None:
        _check_start(checked, log_files)
    keep = None if checked.keys is None else Keep(checked)
    checked_keys = checked.keys or ()
    if checked.starting_position is not None and checked.ending_position is not None:
        _check_order(checked.starting_position, checked.ending_position)
    checked = replace(checked, table=None, keys=None)

    checked, position = _moment(checked, log_files)

    def noted() -> Iterator[Statement]:
        for window in count_transactions(log_files, checked, kinds=StatementKind.NOTED):
            yield from window.statements

    xa = XaEnds(noted, has_baseline=baseline is not None)
    reading = replace(
        checked,
        tables=(pattern,),
        row="arrow",
        schema_changes=True,
        time="string",
        metadata_columns=METADATA,
    )
    followed = FollowedTable(table, source, checked.starting_position, keep, xa)
    for group in _groups(log_files, reading, table, checked_keys):
        followed.take(group)
    rows = followed.rows()
    if followed.parents:
        parents = ", ".join(map(str, followed.parents))
        warn(
            f"table {table}: rows that foreign keys to {parents} deleted or changed (CASCADE, SET"
            " NULL) are as before: MySQL before 9.6 and MariaDB do not log them"
        )
    metadata = {TABLE: str(table).encode()}
    if position is not None and followed.is_whole and keep is None:
        metadata[POSITION] = f"{position.log_name}:{position.start_pos}".encode()
    rows = rows.replace_schema_metadata(metadata)
    return TableRows(rows, position, followed.is_whole, followed.num_unknown)


def _check_start(options: BinlogOptions, log_files: Sequence[LogFile]) -> None:
    """Check that the logs continue from the baseline; raises OptionError or DataLossError."""
    start = options.starting_position
    if start is None:
        if options.exclude_gtids is None:
            raise OptionError(
                "option starting_position: expected the position of the baseline, found none",
                option="starting_position",
                advice="give it, or dump the table with --source-data=2",
            )
        _check_follows(_from_gtids(log_files, options.exclude_gtids))
        return
    wanted = logs_to_read(log_files, options)
    if not wanted or wanted[0].name != start.log_name:
        raise DataLossError(
            f"expected log {start.log_name}, where the baseline ends, found"
            f" {wanted[0].name if wanted else 'none'}",
            advice="give all logs from the baseline on",
        )
    _check_follows(wanted)


def _from_gtids(log_files: Sequence[LogFile], gtids: GtidSet) -> Sequence[LogFile]:
    """Return the logs that may have more than the baseline has; raises DataLossError."""
    wanted, lacking = log_files, ""
    for number, log_file in reversed([*enumerate(log_files)]):
        start = read_log_start(log_file)
        before = None if start is None else start.gtids
        if before is None:  # the log does not say
            continue
        lacking = before.minus_set(gtids).text
        wanted = log_files[number:]
        if not lacking:
            break
    if lacking:
        raise DataLossError(
            f"expected the baseline to have all transactions before log {wanted[0].name}, found"
            f" that it lacks {lacking}",
            advice="give the logs with these transactions too, or a later baseline",
        )
    return wanted


def _check_follows(wanted: Sequence[LogFile]) -> None:
    """Check that logs follow each other; raises DataLossError."""
    for before, after in pairwise(wanted):
        if after.number != before.number + 1:
            raise DataLossError(
                f"expected all logs after the baseline, found {before.name} and then {after.name}",
                advice="give all logs from the baseline on",
            )


def _check_order(start: LogPosition, end: LogPosition) -> None:
    """Check that a moment is not before the baseline; raises OptionError."""
    side = start.side_of(end.log_name)
    if side < 0 or (side == 0 and end.start_pos < start.start_pos):
        raise OptionError(
            f"option ending_position: expected a position from {start.log_name}:{start.start_pos}"
            f" on, got {end.log_name}:{end.start_pos}, which is before the baseline",
            option="ending_position",
        )


def _moment(
    options: BinlogOptions, log_files: Sequence[LogFile]
) -> tuple[BinlogOptions, LogPosition | None]:
    """Return options that end at the moment, and its position; raises OptionError."""
    if options.ending_position is not None:
        return options, options.ending_position
    if options.include_gtids is not None:
        return options, None
    ending = options.ending_timestamp
    if ending is not None:
        options = replace(options, ending_timestamp=ending + timedelta(microseconds=1))
    last: LogPosition | None = None
    for log_file in reversed(logs_to_read(log_files, options)):
        for window in count_transactions([log_file], options):
            batch = window.batch()
            if batch.num_rows:
                row = batch.slice(batch.num_rows - 1).to_pylist()[0]
                last = LogPosition(row["log_file"], row["end_pos"] or row["start_pos"] + 1)
        if last is not None:
            break
    options = replace(options, ending_timestamp=None)
    start = options.starting_position
    if last is None and ending is None:
        return options, start
    if last is None:
        if start is None:
            raise OptionError(
                "option at: expected a moment within the logs, found no transaction up to it",
                option="at",
            )
        last = start
        warn(f"no transaction between the baseline and {ending:%Y-%m-%d %H:%M:%S.%fZ}")
    if ending is not None:
        _warn_of_clock(options, log_files, last, ending)
    return replace(options, ending_position=last), last


def _warn_of_clock(
    options: BinlogOptions, log_files: Sequence[LogFile], last: LogPosition, ending: datetime
) -> None:
    """Warn of transactions that are applied, and were committed after the moment."""
    later = replace(
        options, ending_position=last, starting_timestamp=ending + timedelta(microseconds=1)
    )
    count = sum(len(window.batch()) for window in count_transactions(log_files, later))
    if count:
        warn(
            f"{count} transactions before {last.log_name}:{last.start_pos} have a later time than"
            " the moment, and are applied: the clock of the server was set back, or times are those"
            " of the statements"
        )


def _by_column(
    key: RowKey, log_files: Sequence[LogFile], indexed: IndexedLogs, table: TableName
) -> dict[str, tuple[str]]:
    """Return the values of a key by column, as far as indexes know the columns; else none."""
    names: Sequence[str] = [name for name, _ in key]
    if not all(names):
        names = indexed_key(log_files, indexed, table)
    if len(names) != len(key):
        return {}
    return {name.lower(): (str(value),) for name, (_, value) in zip(names, key, strict=True)}


def _groups(
    log_files: Sequence[LogFile], options: BinlogOptions, table: TableName, keys: Sequence[RowKey]
) -> Iterator[dict[str, Any]]:
    """Yield the groups of a table and the statements about it, in the order of the logs."""
    request = plan_read(log_files, options)
    wanted_logs = logs_to_read(log_files, options)
    typed = replace(options, tables=None, table=table, row="json")
    indexed = IndexedLogs(typed, folder=request.indexes)
    wanted = [_by_column(key, wanted_logs, indexed, table) for key in keys]
    has_names = bool(wanted) and all(wanted)
    ranges = IndexedLogs(typed, [wanted] if has_names else (), request.indexes).ranges(wanted_logs)
    for pair in ranges:
        for batch in read_split(Split(*pair), request):
            order = pc.sort_indices(batch, sort_keys=[("first_commit_version", "ascending")])
            yield from batch.take(order).select(list(_GROUP)).to_pylist()
