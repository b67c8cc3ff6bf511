"""Makes the indexes of logs by a Spark job, a task for each log."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Unpack

from pyspark.sql import SparkSession

from pyspark_adapter.errors import BinlogError, LogFileError, located
from pyspark_adapter.find_logs import Paths, find_log_files
from pyspark_adapter.index.make_index import (
    IndexedLog,
    checked_patterns,
    is_done,
    logs_lacking_keys,
    make_index,
)
from pyspark_adapter.index_store.index_folder import IndexFolder
from pyspark_adapter.options.binlog_options import BinlogOptions, with_options
from pyspark_adapter.options.declarations import BinlogOptionsDict
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.spark.task_runs import run_tasks
from pyspark_adapter.warn import warn


@with_options
def build_index(
    spark: SparkSession,
    paths: Paths,
    folder: str | os.PathLike[str],
    *,
    key_tables: str = "*.*",
    **options: Unpack[BinlogOptionsDict],
) -> int:
    """Index logs in parallel, a task for each log, as the command `index` does one after the other.

    A log whose index is complete is not read; one that has grown is read again.
    Keys of tables that a log does not describe come from the statements in the logs before it.
    Where these matter, a second job reads such a log again.

    Args:
        spark: the session, classic or of Spark Connect.
        paths: a log file, a directory of log files, or several of either; see `find_log_files`.
        folder: of the indexes: a path or URI that this program and all tasks reach.
        key_tables: tables whose keys are kept, as `shop.*,crm.user_*`; empty for none.
        options: the keyword arguments below; filters do not matter.

    Returns:
        The number of logs that were indexed now. A warning names each log that has no index, or
        has one only up to some position.

    Raises:
        OptionError: for an unknown option or a value that is not allowed.
        BinlogError: if the logs cannot be found, or an index cannot be written.
    """
    checked = replace(BinlogOptions.from_python(options), index=None)
    log_files = find_log_files(paths, checked)
    keys_of = checked_patterns("key_tables", key_tables)
    position = os.fspath(folder)
    indexes = IndexFolder(position, may_be_missing=True)
    wanted = [log for log in log_files if not is_done(log, indexes.find(log), keys_of)]
    done = run_tasks(spark, _Task.run, [_Task(position, checked, keys_of, [log]) for log in wanted])
    numbers = logs_lacking_keys(log_files, IndexFolder(position, may_be_missing=True), keys_of)
    again = {
        log_files[number].path: _Task(position, checked, keys_of, log_files[: number + 1])
        for number in numbers
        if log_files[number] in wanted
    }
    done = [log for log in done if log.log_file.path not in again]
    done += run_tasks(spark, _Task.run, [*again.values()])
    for log in done:
        if log.problem:
            warn(f"{log.log_file.name}: {log.problem}")
    return sum(log.is_new for log in done)


@dataclass(frozen=True)
class _Task:
    """Indexes the last of some logs; the others may define its tables.

    With several logs, their indexes exist, and that of the last one is made again.
    """

    folder: str
    options: BinlogOptions
    keys_of: str
    log_files: Sequence[LogFile]

    def run(self) -> IndexedLog | BinlogError:
        """Return what was done; an error as a value, to keep its class."""
        log_file = self.log_files[-1]
        try:
            with located(log_file.site):
                folder = IndexFolder(self.folder, may_be_missing=True)
                return make_index(
                    self.log_files, folder, self.options, self.keys_of
                ).without_index()
        except BinlogError as error:
            return error
        except OSError as error:
            return LogFileError(f"its index cannot be written: {error}", site=log_file.site)
