"""Reads of an input by kernels and by the schema, and what they give, compared."""

import itertools
import json
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from pyspark_adapter import BinlogError, TableName, list_tables
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.operations.debezium_messages import DebeziumMessages
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import folder_name
from pyspark_adapter.plan.output_schema import METADATA_BY_NAME
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.splits.read_split import plan_read, read_log
from tests.oracle.comparison import PLACES, first_difference

# Options of reads. Windows are small: the buffer of decompressed events is filled with zeros first.
_WINDOW = 1 << 16
CHANGES: dict[str, Any] = {
    "metadata_columns": tuple(METADATA_BY_NAME),
    "verify_checksums": False,
    "window_bytes": _WINDOW,
}
SMALL: dict[str, Any] = {
    "verify_checksums": False,
    "window_bytes": 1024,
    "batch_rows": 2,
    "batch_bytes": 1024,
}
EVENTS: dict[str, Any] = {"view": "events", "verify_checksums": False}
VERIFIED: dict[str, Any] = {"metadata_columns": tuple(METADATA_BY_NAME)}
_FIRST: dict[str, Any] = {
    "metadata_columns": ("_database_name", "_table_name"),
    "verify_checksums": False,
    "window_bytes": _WINDOW,
}


class DisagreementError(AssertionError):
    """Kernels and schema, windows of two sizes, or splits and the whole log give different rows."""


@dataclass(frozen=True)
class Outcome:
    """What a read gives."""

    batches: list[pa.RecordBatch]
    error: str = ""
    site: str = ""

    @property
    def rows(self) -> list[str]:
        """Rows as text, since NaN is no value of a column."""
        return [repr(row) for batch in self.batches for row in batch.to_pylist()]

    def table(self) -> pa.Table | None:
        """The rows as one table; None if there are none."""
        return pa.Table.from_batches(self.batches) if self.batches else None


def outcome_of(read: Callable[[], Iterable[pa.RecordBatch]]) -> Outcome:
    """Return what a read gives; every batch has to be valid; raises DisagreementError."""
    batches = []
    try:
        for batch in read():
            batch.validate(full=True)
            batches.append(batch)
    except BinlogError as error:
        if not str(error).isprintable():
            raise DisagreementError(f"not one line: {error!r}") from error
        return Outcome(batches, type(error).__name__, str(error.site))
    return Outcome(batches)


def compare(first: Outcome, second: Outcome, *, with_errors: bool = True) -> None:
    """Compare rows and errors; raises DisagreementError.

    Args:
        first: an outcome.
        second: the other.
        with_errors: whether class and place of the errors have to be the same, too; else only
            whether there is one, and rows as far as both go: the window that fails gives none.
    """
    one, two = first.table(), second.table()
    if one is None or two is None or not one.equals(two):
        pairs = (itertools.zip_longest if with_errors else zip)(first.rows, second.rows)
        for number, (row, other) in enumerate(pairs):
            if row != other:
                raise DisagreementError(f"row {number}:\n{row}\n{other}")
    ends = [(it.error, it.site) if with_errors else bool(it.error) for it in (first, second)]
    if ends[0] != ends[1]:
        raise DisagreementError(f"ends: {ends[0]} {ends[1]}")


@cache
def _options(given: tuple[tuple[str, Any], ...]) -> BinlogOptions:
    return BinlogOptions(**dict(given))


def options_of(options: dict[str, Any]) -> BinlogOptions:
    """Return checked options; the same ones are made once."""
    return _options(tuple(options.items()))


def read_twice(log_file: LogFile, options: dict[str, Any], *, with_errors: bool = True) -> Outcome:
    """Return what a log gives, in windows of any size; raises DisagreementError."""
    found = outcome_of(lambda: batches_of(log_file, options))
    small = outcome_of(lambda: batches_of(log_file, options | {"window_bytes": 1024}))
    compare(found, small, with_errors=with_errors)
    return found


def read_both(log_file: LogFile, options: dict[str, Any]) -> None:
    """Read a plain log by kernels, and by the schema, as far as both get.

    Raises:
        DisagreementError: as `read_twice`, or if the rows are not those of the schema.
    """
    found = read_twice(log_file, {"metadata_columns": PLACES} | options)
    rows = (row for batch in found.batches for row in batch.to_pylist())
    difference = first_difference(Path(log_file.path), rows)
    if difference:
        raise DisagreementError(difference)


def batches_of(log_file: LogFile, options: dict[str, Any]) -> Iterable[pa.RecordBatch]:
    checked = options_of(options)
    return read_log(log_file, plan_read([log_file], checked))


def log_at(path: Path, data: bytes) -> LogFile:
    """Write a log, and return it as a read of its path finds it."""
    write(path, data)
    return LogFile(str(path), path.name, 1, len(data))


def found_at(path: Path, data: bytes, **options: Any) -> LogFile:
    """Write a log that may be packed, and find it by its first bytes; raises BinlogError."""
    write(path, data)
    [log_file] = find_log_files(path, options_of(options))
    return log_file


def write(path: Path, data: bytes) -> None:
    """Write a file, over what is there."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    try:
        os.write(file, data)
    finally:
        os.close(file)


def read_first_table(log_file: LogFile) -> None:
    """Read the table that the log changes first, in columns of its types."""
    with suppress(BinlogError):
        first = next(iter(batches_of(log_file, _FIRST)), None)
        if first is None or not first.num_rows:
            return
        names = _FIRST["metadata_columns"]
        table = TableName(*(first.column(name)[0].as_py() for name in names))
        typed = {"table": table, "verify_checksums": False, "json": "variant"}
        read_twice(log_file, typed)
    with suppress(BinlogError):
        as_messages = {"row": "debezium", "debezium_schemas": True, "verify_checksums": False}
        for messages in DebeziumMessages("x").of(batches_of(log_file, as_messages)):
            for value in messages.column("value").drop_null().to_pylist():
                json.loads(value)


def list_of(log_file: LogFile) -> None:
    """List the tables of a log; errors of ours are no fault."""
    with suppress(BinlogError):
        list_tables(log_file.path, verify_checksums=False)


def name_folders(data: bytes, folder: Path) -> None:
    """Name the folders of the tables of a log, as `export` does; raises DisagreementError."""
    log_file = log_at(folder / "log.000001", data)
    try:
        tables = [found.table for found in list_tables(log_file.path, verify_checksums=False)]
    except BinlogError:
        return
    names = {table: folder_name(table.database_name, table.table_name) for table in tables}
    for table, name in names.items():
        place = Path(os.path.normpath(folder / name))
        if place.parent != folder or name[0] in "._" or not name.isascii() or len(name) > 240:
            raise DisagreementError(f"{table!r} is {name!r}")
    if len({name.lower() for name in names.values()}) != len(names):
        raise DisagreementError(f"one folder for two tables: {names}")
