"""`slice`: a small log of the chosen transactions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pyspark_adapter.cli.arguments import OUTPUT, add_logs, chosen_logs
from pyspark_adapter.cli.output_file import add_force, check_output, output_path
from pyspark_adapter.cli.terminal import printable
from pyspark_adapter.cli.transactions import ORDERS, add_top
from pyspark_adapter.errors import BinlogError
from pyspark_adapter.sources.progress import format_bytes

if TYPE_CHECKING:
    import argparse

    from pyspark_adapter.cli.terminal import Terminal


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_logs(command)
    command.add_argument(*OUTPUT, type=output_path, required=True, help="the log to write")
    add_force(command)
    add_top(command)
    command.add_argument(
        "--definitions",
        action="store_true",
        help="also the transactions before them that define their tables (CREATE, ALTER, DROP,"
        " RENAME): for logs that do not name columns",
    )


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run the command and return its exit code."""
    path: Path = arguments.output
    logs = chosen_logs(arguments)
    check_output("--output", path, logs, force=arguments.force)
    from pyspark_adapter.operations.log_slice import (
        choose_transactions,
        with_definitions,
        write_slice,
    )
    from pyspark_adapter.sources.written_files import existing_file

    options = logs.checked()
    log_files = logs.files(options)
    by = ORDERS[arguments.by]
    chosen = choose_transactions(log_files, options, terminal.progress(), by=by)
    if arguments.top is not None:
        chosen.keep_largest(arguments.top)
    if chosen.error is not None and existing_file(path) is not None:
        raise chosen.error  # a part does not replace another file
    if chosen.count:
        if arguments.definitions:
            chosen = with_definitions(chosen, options, terminal.progress())
        num_bytes = write_slice(chosen, options, path, replaces=arguments.force)
        plural = "" if chosen.count == 1 else "s"
        terminal.print(
            f"written: {printable(str(path))}: {chosen.count:,} transaction{plural},"
            f" {format_bytes(num_bytes)}"
        )
    if chosen.error is not None:
        raise chosen.error
    if not chosen.count:
        logs.note_nothing_found(terminal)
        raise BinlogError(
            "no transaction is chosen, and no file is written",
            advice="list those of the logs: mysql-binlog-spark transactions",
        )
    return 0
