"""The changes of single rows of a table, found by their keys."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.errors import OptionError, listed
from pyspark_adapter.events.row_filter import logs_to_read
from pyspark_adapter.index.wanted_blocks import IndexedLogs
from pyspark_adapter.operations.row_changes import METADATA, pair_changes
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.change_types import SCHEMA_CHANGE_TYPES
from pyspark_adapter.options.filter_values import RowKey
from pyspark_adapter.options.name_patterns import NamePattern, TablePattern
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.output_schema import ABSENT, DIFF
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.splits.log_splits import Split
from pyspark_adapter.splits.read_split import plan_read, read_split

# Metadata columns of a history, and their names in JSON.
COLUMNS: Final = METADATA | {"_server_id": "server_id", "_query": "query"}
# A value that is in the JSON of a row as it is passed.
_PLAIN: Final = re.compile(r"[A-Za-z0-9_.:-]+")


@dataclass(frozen=True)
class Change:
    """A change of a row, or a statement about its table.

    Attributes:
        metadata: COLUMNS, by name; null where the log does not say.
        before, after: the row as JSON; None where there is none.
        json_diff: the differences of documents that are not logged, as JSON; None for none.
        absent: the columns that the row after the change lacks.
    """

    metadata: Mapping[str, Any]
    before: str | None
    after: str | None
    json_diff: str | None = None
    absent: Sequence[str] = ()


def row_history(
    log_files: Sequence[LogFile], options: BinlogOptions, table: TableName, keys: Sequence[RowKey]
) -> Iterator[Change]:
    """Yield the changes of some rows of a table in the order of the logs.

    An update that changes the key belongs to both rows. Statements that remove or change the whole
    table are printed as well.

    Args:
        options: of the read, without `table` and `tables`.
        keys: of the rows; their values are compared with the JSON of the rows, as text.

    Raises:
        OptionError: if the key of the table is not known, or is of other columns.
        BinlogError: as `read_batches`.
    """
    typed = replace(options, table=table, tables=None)
    pattern = TablePattern(
        NamePattern.exact(table.database_name), NamePattern.exact(table.table_name)
    )
    plain = replace(
        options, tables=(pattern,), schema_changes=True, metadata_columns=(*COLUMNS, DIFF, ABSENT)
    )
    request = plan_read(log_files, plain)
    indexed = IndexedLogs(typed, folder=request.indexes)
    wanted_logs = logs_to_read(log_files, options)
    row_key: tuple[str, ...] = ()
    if not all(name for key in keys for name, _ in key):
        row_key = indexed_key(wanted_logs, indexed, table)
        row_key = row_key or plan_read(log_files, replace(typed, index=None)).row_key
    wanted = [_by_column(key, table, row_key) for key in keys]
    values = [{name: (value,) for name, value in key.items()} for key in wanted]
    ranges = IndexedLogs(typed, [values], request.indexes, table).ranges(wanted_logs)
    images = (
        batch for pair in ranges for batch in read_split(Split(*pair), request) if batch.num_rows
    )
    for changes in pair_changes(images):
        both = changes.table()
        more = changes.images.take(pa.array(changes.first))
        for k in _candidates(both, wanted):
            before, after = both.column("before")[k].as_py(), both.column("after")[k].as_py()
            metadata = {name: more.column(name)[k].as_py() for name in COLUMNS}
            metadata["_change_type"] = both.column("_change_type")[k].as_py()
            is_statement = metadata["_change_type"] in SCHEMA_CHANGE_TYPES
            if is_statement:
                yield Change(metadata, None, None)
            elif _is_of(before, after, wanted):
                diff, absent = (both.column(name)[k].as_py() for name in (DIFF, ABSENT))
                yield Change(metadata, before, after, diff, absent or ())


def indexed_key(
    log_files: Sequence[LogFile], indexed: IndexedLogs, table: TableName
) -> tuple[str, ...]:
    """Return the columns of the key, if indexes of all logs agree; else none."""
    keys: set[tuple[str, ...]] = set()
    for log_file in log_files:
        index = indexed.find(log_file)
        if index is None or index.indexed_to < log_file.num_bytes:
            return ()
        specs = {tuple(c.name for c in spec.columns) for spec in index.specs if spec.table == table}
        if not specs and table in index.tables:
            return ()
        keys |= specs
    # Those of a key of several columns are in the order of the row.
    names = keys.pop() if len(keys) == 1 else ()
    return names if len(names) == 1 else ()


def _by_column(key: RowKey, table: TableName, row_key: Sequence[str]) -> dict[str, str]:
    """Return the values of a key as text, by the names of columns in lower case."""
    names = [name for name, _ in key]
    if not all(names):
        if len(row_key) != len(key):
            expected = f"a value for each of {listed(row_key)}" if row_key else "names of columns"
            raise OptionError(
                f"key of {table}: expected {expected}, got"
                f" {', '.join(str(value) for _, value in key)}",
                option="keys",
                advice='or name the columns: [{"order_id": 42}]',
            )
        names = list(row_key)
    return {name.lower(): str(value) for name, (_, value) in zip(names, key, strict=True)}


def _candidates(changes: pa.RecordBatch, wanted: Sequence[Mapping[str, str]]) -> list[int]:
    """Return the changes whose JSON has the text of a value of some key, and all statements."""
    texts = {next(iter(key.values())) for key in wanted}
    if len(texts) > 8 or not all(map(_PLAIN.fullmatch, texts)):
        return list(range(changes.num_rows))
    before, after = (pc.fill_null(changes.column(name), "") for name in ("before", "after"))
    keeps = pc.is_in(changes.column("_change_type"), pa.array(SCHEMA_CHANGE_TYPES))
    for text in texts:
        for rows in (before, after):
            keeps = pc.or_(keeps, pc.match_substring(rows, text))
    indices: list[int] = pc.indices_nonzero(keeps).to_pylist()
    return indices


def _is_of(before: str | None, after: str | None, wanted: Sequence[Mapping[str, str]]) -> bool:
    """Return whether a change is of a row with one of some keys, before it or after it."""
    images = [
        {name.lower(): str(value) for name, value in json.loads(row or "{}").items()}
        for row in (before, after)
    ]
    if images[1]:  # what it lacks has not changed
        images[1] = images[0] | images[1]
    return any(key.items() <= image.items() for key in wanted for image in images)
