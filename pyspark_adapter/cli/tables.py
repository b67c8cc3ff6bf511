"""`tables`: list the tables of some logs and count their row changes."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pyspark_adapter.cli.terminal import PROGRESS_SECONDS, add_paths, have_kernels, say

if TYPE_CHECKING:
    from pyspark_adapter.cli.terminal import Commands
    from pyspark_adapter.discovery.table_list import TableSummary


def add_to(commands: Commands) -> None:
    """Add the command to a parser."""
    command = commands.add_parser("tables", help="list the tables and count their row changes")
    add_paths(command)
    command.set_defaults(run=run)


def run(parsed: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    print_tables(parsed.paths)
    return 0


def print_tables(paths: Sequence[str]) -> list[TableSummary]:
    """Print the tables of some logs, and return them."""
    from pyspark_adapter.progress import TimedProgress
    from pyspark_adapter.reader import list_tables

    have_kernels()
    progress = TimedProgress("looking for tables", PROGRESS_SECONDS)
    summaries = list_tables(paths, progress=progress)
    width = max((len(str(found.table)) for found in summaries), default=0)
    titles = ("inserts", "updates", "deletes", "statements")
    say(f"{'table':{width}} {' '.join(f'{title:>12}' for title in titles)}")
    for found in summaries:
        counts = (found.num_inserts, found.num_updates, found.num_deletes, found.num_statements)
        say(f"{found.table!s:{width}} {' '.join(f'{count:12,}' for count in counts)}")
    if any(found.num_statements for found in summaries):
        say("statements: changed rows that the logs do not hold; `view` = `events` shows them")
    return summaries
