"""`stats`: rows, transactions and bytes by table, or by table and time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark_adapter.cli.arguments import add_logs, chosen_logs
from pyspark_adapter.cli.terminal import add_format, print_table
from pyspark_adapter.sources.progress import format_bytes

if TYPE_CHECKING:
    import argparse

    from pyspark_adapter.cli.terminal import Terminal

_NUMBERS = ("num_transactions", "num_inserts", "num_updates", "num_deletes", "num_bytes")


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_logs(command)
    command.add_argument(
        "--by", choices=("minute", "hour", "day"), help="also by commit time, in UTC"
    )
    add_format(command, "text", "jsonl", "csv")


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run the command and return its exit code."""
    logs = chosen_logs(arguments)
    from pyspark_adapter.errors import BinlogError
    from pyspark_adapter.operations.statistics import Statistics
    from pyspark_adapter.operations.transactions import count_transactions

    options = logs.checked()
    log_files = logs.files(options)
    statistics = Statistics(arguments.by)
    failure: BinlogError | None = None
    try:
        if options.index is None:
            statistics.add(count_transactions(log_files, options, terminal.progress()))
        else:
            from pyspark_adapter.operations.indexed_answers import add_logs

            add_logs(statistics, log_files, options, terminal.progress())
    except BinlogError as error:
        failure = error
    listed = statistics.by_table().to_pylist()
    total = sum(row["num_bytes"] for row in listed) or 1
    keys = ("table",) if arguments.by is None else ("time", "table")
    titles = (*keys, *(name.removeprefix("num_") for name in _NUMBERS), "percent")
    rows = [
        [*(row[name] for name in (*keys, *_NUMBERS)), round(100 * row["num_bytes"] / total, 2)]
        for row in listed
    ]
    if failure is not None and not rows:
        raise failure
    print_table(terminal, titles, rows, arguments.format)
    in_logs = statistics.num_bytes
    of_size = f"{total / in_logs:.2f} times their size" if in_logs and listed else "no bytes"
    logs_read = "1 log" if len(log_files) == 1 else f"{len(log_files):,} logs"
    terminal.note(
        f"{logs_read} of {format_bytes(sum(log.num_bytes for log in log_files))};"
        f" {statistics.num_transactions:,} transactions of {format_bytes(in_logs)};"
        f" their rows, uncompressed, are {of_size}"
    )
    if failure is not None:
        raise failure
    if not listed:
        logs.note_nothing_found(terminal)
    return 0
