"""`tables`: list the tables of some logs and count their row changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark_adapter.cli.arguments import ChosenLogs, add_logs, chosen_logs
from pyspark_adapter.cli.terminal import printable

if TYPE_CHECKING:
    import argparse

    from pyspark_adapter.cli.terminal import Terminal
    from pyspark_adapter.discovery.table_list import TableSummary


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_logs(command)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run the command and return its exit code."""
    print_tables(chosen_logs(arguments, terminal), terminal)
    return 0


def print_tables(logs: ChosenLogs, terminal: Terminal) -> list[TableSummary]:
    """Print the tables of some logs, and return them."""
    from pyspark_adapter.reader import list_tables

    summaries = list_tables(logs.paths, progress=terminal.progress(), **logs.options)
    names = [printable(str(found.table)) for found in summaries]
    width = max(map(len, names), default=0)
    titles = ("inserts", "updates", "deletes", "statements")
    terminal.print(f"{'table':{width}} {' '.join(f'{title:>12}' for title in titles)}")
    for name, found in zip(names, summaries, strict=True):
        counts = (found.num_inserts, found.num_updates, found.num_deletes, found.num_statements)
        terminal.print(f"{name:{width}} {' '.join(f'{count:12,}' for count in counts)}")
    if any(found.num_statements for found in summaries):
        terminal.note("statements: changed rows that the logs do not hold; see `events`")
    return summaries
