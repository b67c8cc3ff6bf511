"""The command line: `python -m pyspark_adapter`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from pyspark_adapter.engine import are_kernels_warm, has_kernels, warm_kernels
from pyspark_adapter.errors import BinlogError
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.progress import TimedProgress
from pyspark_adapter.reader import list_tables
from pyspark_adapter.survey.table_list import TableSummary

_PROGRESS_SECONDS = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    parsed = _build_parser().parse_args(arguments)
    try:
        return int(parsed.run(parsed))
    except BinlogError as error:
        _say(f"error: {error}", to_stderr=True)
        return 1


def _build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m pyspark_adapter", description="Binary logs of MySQL and MariaDB as rows."
    )
    commands = parser.add_subparsers(required=True, metavar="command")

    export = commands.add_parser("export", help="write each table as a Parquet data set, by Spark")
    export.add_argument("paths", nargs="+", metavar="log", help="a log file or a directory of some")
    export.add_argument("--out", type=Path, default=Path("out"), help="folder of the data sets")
    export.add_argument("--rows", type=int, default=5, help="rows of each table to show")
    export.set_defaults(run=_export)

    tables = commands.add_parser("tables", help="list the tables and count their row changes")
    tables.add_argument("paths", nargs="+", metavar="log", help="a log file or a directory of some")
    tables.set_defaults(run=_tables)

    warm = commands.add_parser(
        "warm", help="compile the kernels now, for images and hosts of a cluster"
    )
    warm.set_defaults(run=_warm)
    return parser


def _warm(_parsed: argparse.Namespace) -> int:
    if not has_kernels(BinlogOptions()):
        _say("numba is not installed: logs are read by the reference decoder")
        return 1
    if are_kernels_warm():
        _say("the kernels are compiled already")
    else:
        _say("compiling the kernels, once for this machine ...", to_stderr=True)
        warm_kernels()
    return 0


def _tables(parsed: argparse.Namespace) -> int:
    _print_tables(_list(parsed.paths))
    return 0


def _list(paths: Sequence[str]) -> list[TableSummary]:
    if has_kernels(BinlogOptions()) and not are_kernels_warm():
        _say("compiling the kernels, once for this machine ...", to_stderr=True)
        warm_kernels()
    return list_tables(paths, progress=TimedProgress("looking for tables", _PROGRESS_SECONDS))


def _print_tables(summaries: Sequence[TableSummary]) -> None:
    width = max((len(str(found.table)) for found in summaries), default=0)
    titles = ("inserts", "updates", "deletes", "statements")
    _say(f"{'table':{width}} {' '.join(f'{title:>12}' for title in titles)}")
    for found in summaries:
        counts = (found.num_inserts, found.num_updates, found.num_deletes, found.num_statements)
        _say(f"{found.table!s:{width}} {' '.join(f'{count:12,}' for count in counts)}")
    if any(found.num_statements for found in summaries):
        _say("statements: changed rows of which the logs have none; see `view` = `events`")


def _export(parsed: argparse.Namespace) -> int:
    try:
        from pyspark_adapter.spark.export import export_tables, start_session
    except ImportError as error:
        _say(f"error: {error}; pip install 'mysql-binlog-spark[spark]'", to_stderr=True)
        return 1
    summaries = _list(parsed.paths)
    _print_tables(summaries)
    summaries = [found for found in summaries if found.num_changes]
    # What a warning would tell stands in the list already.
    options = {"progressSeconds": str(_PROGRESS_SECONDS), "onStatementEvents": "ignore"}
    failed = 0
    for done in export_tables(start_session(), summaries, parsed.out, options):
        if done.frame is None:
            failed += 1
            _say(f"\n{done.table}: not written\n{done.error}")
            continue
        _say(f"\n{done.table}: {done.frame.count():,} row images in {done.path}")
        done.frame.printSchema()
        done.frame.show(parsed.rows)
    _say(f"\n{len(summaries) - failed} of {len(summaries)} tables written to {parsed.out}")
    return 1 if failed else 0


def _say(text: str, *, to_stderr: bool = False) -> None:
    print(text, file=sys.stderr if to_stderr else sys.stdout, flush=True)
