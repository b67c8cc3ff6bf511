"""Row changes as the project reads them from a log, in order."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from pyspark_adapter import BinlogOptions, TableName, list_tables
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.plan.output_schema import changes_schema
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.plan.survey import Surveyor
from pyspark_adapter.plan.table_view import TableShape, TableView
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.splits.read_split import read_log
from pyspark_adapter.timeline.followed_log import FollowedLog
from pyspark_adapter.timeline.table_map_completer import TableMapCompleter
from pyspark_adapter.timeline.timeline import Timeline
from pyspark_adapter.timeline.user_ddl import UserDdl
from tests.replay.documents import Differences
from tests.truth.cells import Cell, arrow_cell

METADATA = (
    "_change_type",
    "_commit_version",
    "_row_number",
    "_start_pos",
    "_absent_columns",
    "_json_diff",
    "_xa",
)

Image = dict[int, Cell]  # by place in the table; a column that is not logged is absent


@dataclass(frozen=True)
class Change:
    """A change of one row.

    Attributes:
        version: `_commit_version`.
        row_number: `_row_number`.
        place: log and offset of its event.
        table: its name.
        names: of the columns.
        before: the row that was; None for an insert.
        after: the row that is; None for a delete.
        differences: of documents that it does not hold, by name of the column.
        xa: `_xa`.
    """

    version: int
    row_number: int
    place: str
    table: str
    names: tuple[str, ...]
    before: Image | None
    after: Image | None
    differences: Differences = field(default_factory=dict)
    xa: str | None = None


def read_all(logs: Sequence[Path], database: str) -> list[Change]:
    """Return the changes of all tables of a database that logs hold, in order.

    A log begins before each change of a table, and is read for itself: as a read of all would, but
    without bringing the shapes of a table together.
    """
    log_files = find_log_files(logs)
    return [change for log in log_files for change in read_changes(log, log_files, database)]


def read_changes(log: LogFile, log_files: Sequence[LogFile], database: str) -> list[Change]:
    """Return the changes of all tables of a database that a log holds, in order."""
    changes: list[Change] = []
    listed = {
        found.table: found
        for found in list_tables(log.path, on_statement_events="ignore")
        if found.table.database_name == database and found.num_changes
    }
    for table, found in listed.items():
        read = list(changes_in(read_batches(log, log_files, table), log, table))
        counts = (
            sum(change.before is None for change in read),
            sum(change.before is not None and change.after is not None for change in read),
            sum(change.after is None for change in read),
        )
        assert counts == (found.num_inserts, found.num_updates, found.num_deletes), found
        order = [(change.version, change.row_number) for change in read]
        assert order == sorted(set(order)), f"{log.name} {found.table}: not in order"
        changes += read
    changes.sort(key=lambda change: (change.version, change.row_number))
    places = [(change.version, change.row_number) for change in changes]
    assert len(set(places)) == len(places), f"{log.name}: two changes of one place"
    return changes


def read_batches(
    log: LogFile, log_files: Sequence[LogFile], table: TableName
) -> Iterator[pa.RecordBatch]:
    """Yield the rows of one table in one log, with the names that earlier logs have given it."""
    options = BinlogOptions(table=table, metadata_columns=METADATA, on_statement_events="ignore")
    timeline = Timeline(log_files, Surveyor(options))
    completer = TableMapCompleter(FollowedLog(timeline, log), UserDdl(), table=table)
    survey = Surveyor(options, lambda found: found == table)(log)
    maps = [(completer.complete(logged, site), site) for logged, site in survey.table_maps]
    shapes = {shape.fields: shape for shape in (TableShape.of(*one, options) for one in maps)}
    view = TableView.over(table, list(shapes.values()), options)
    schema = changes_schema(options, view.fields)
    yield from read_log(log, ReadRequest(options, schema, view, timeline))


def changes_in(
    batches: Iterable[pa.RecordBatch], log: LogFile, table: TableName
) -> Iterator[Change]:
    held: tuple[tuple[object, ...], Image] | None = None
    for batch in batches:
        names = batch.schema.names[len(METADATA) :]
        assert names[0] != "col_1", f"{log.name}: the columns of {table} are not known"
        columns = [column.to_pylist() for column in batch.columns]
        for kind, version, row_number, start_pos, absent, diff, xa, *values in zip(
            *columns, strict=True
        ):
            image = {
                place: arrow_cell(value)
                for place, (name, value) in enumerate(zip(names, values, strict=True))
                if name not in absent
            }
            assert len(image) + len(absent) == len(names)
            assert (held is not None) == (kind == "update_postimage"), f"{log.name}@{start_pos}"
            if kind == "update_preimage":
                held = (version, row_number, start_pos), image
                continue
            before = image if kind == "delete" else None
            if held is not None:
                assert held[0] == (version, row_number, start_pos), f"{log.name}@{start_pos}"
                before, held = held[1], None
            yield Change(
                version,
                row_number,
                f"{log.name}@{start_pos}",
                table.table_name,
                tuple(names),
                before,
                None if kind == "delete" else image,
                {name: ops for name, ops in json.loads(diff or "{}").items() if name in absent},
                xa,
            )
    assert held is None


def count_statements(logs: Sequence[Path], database: str) -> Counter[str]:
    """Return by table how many statements changed rows that are not in the logs."""
    counts: Counter[str] = Counter()
    for found in list_tables(logs, on_statement_events="ignore"):
        if found.table.database_name == database:
            counts[found.table.table_name] += found.num_statements
    return +counts
