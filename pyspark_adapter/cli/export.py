"""`export`: write each table of some logs as a Parquet data set, with Spark."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from pyspark_adapter.cli.tables import print_tables
from pyspark_adapter.cli.terminal import PROGRESS_SECONDS, add_paths, say

if TYPE_CHECKING:
    from pyspark_adapter.cli.terminal import Commands


def add_to(commands: Commands) -> None:
    """Add the command to a parser."""
    help_text = "write each table as a Parquet data set, with Spark"
    command = commands.add_parser("export", help=help_text)
    add_paths(command)
    command.add_argument("--out", type=Path, default=Path("out"), help="folder of the data sets")
    command.add_argument("--rows", type=int, default=5, help="rows to show of each table")
    command.set_defaults(run=run)


def run(parsed: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    try:
        from pyspark_adapter.spark.export import export_tables, start_session
    except ImportError as error:
        say(f"error: {error}; pip install 'mysql-binlog-spark[spark]'", to_stderr=True)
        return 1
    summaries = [found for found in print_tables(parsed.paths) if found.num_changes]
    # The list above has counted the statements already.
    options = {"progressSeconds": str(PROGRESS_SECONDS), "onStatementEvents": "ignore"}
    failed = 0
    for done in export_tables(start_session(), summaries, parsed.out, options):
        if done.frame is None:
            failed += 1
            say(f"\n{done.table}: not written\n{done.error}")
            continue
        say(f"\n{done.table}: {done.frame.count():,} row images in {done.path}")
        done.frame.printSchema()
        done.frame.show(parsed.rows)
    say(f"\n{len(summaries) - failed} of {len(summaries)} tables written to {parsed.out}")
    return 1 if failed else 0
