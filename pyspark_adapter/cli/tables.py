"""`tables`: list the tables of some logs and count their row changes."""

from __future__ import annotations

from dataclasses import fields
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from pyspark_adapter.cli.arguments import ChosenLogs, add_logs, chosen_logs
from pyspark_adapter.cli.terminal import add_format, print_table

if TYPE_CHECKING:
    import argparse

    from pyspark_adapter.cli.terminal import Terminal
    from pyspark_adapter.counting.table_summary import TableSummary
    from pyspark_adapter.errors import BinlogError

_LEFT_OUT: Final = ("column_names", "first_site", "paths")


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_logs(command)
    add_format(command, "text", "jsonl", "csv")


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run the command and return its exit code."""
    print_tables(chosen_logs(arguments), terminal, arguments.format)
    return 0


def print_tables(logs: ChosenLogs, terminal: Terminal, form: str = "text") -> list[TableSummary]:
    """Print the tables of some logs, and return them.

    Raises:
        BinlogError: after the tables that come before a damage are printed.
    """
    from pyspark_adapter.counting.table_list import summarize_tables
    from pyspark_adapter.counting.table_summary import TableSummary

    options = logs.checked()
    log_files = logs.files(options)
    errors: list[BinlogError] = []
    summaries = summarize_tables(log_files, options, terminal.progress(), errors.append)
    # What a summary says, in its order; not how the table is read.
    names = [spec.name for spec in fields(TableSummary) if spec.name not in _LEFT_OUT]
    titles = [name.removeprefix("num_") for name in names]
    rows = [[_plain(getattr(summary, name)) for name in names] for summary in summaries]
    if rows or not errors:
        print_table(terminal, titles, rows, form)
        if not rows:
            logs.note_nothing_found(terminal)
    if any(summary.num_statements for summary in summaries):
        terminal.note("statements: changed rows that the logs do not hold; see `events`")
    if errors:
        raise errors[0]
    return summaries


def _plain(value: Any) -> Any:
    """Return a field of a summary as text, a number or a time."""
    if isinstance(value, tuple):
        return ",".join(value)
    return value if isinstance(value, int | datetime | None) else str(value)
