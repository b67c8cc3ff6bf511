"""`check`: whether logs are whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark_adapter.cli.arguments import add_logs, chosen_logs
from pyspark_adapter.cli.terminal import printable
from pyspark_adapter.sources.progress import format_bytes

if TYPE_CHECKING:
    import argparse

    from pyspark_adapter.cli.terminal import Terminal


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_logs(command)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run the command and return its exit code: 1 if something is wrong."""
    logs = chosen_logs(arguments)
    from pyspark_adapter.operations.log_check import check_logs

    options = logs.checked()
    log_files = logs.files(options)
    logs.note_unused_filters(terminal, "check reads all of the logs")
    num_problems = 0
    for result in check_logs(log_files, options, terminal.progress()):
        num_problems += len(result.problems)
        count = len(result.problems)
        state = f"{count} problem{'' if count == 1 else 's'}" if count else "whole"
        checksums = "" if result.has_checksums else ", no checksums"
        terminal.print(
            f"{printable(result.name)}: {state}; {result.num_transactions:,} transactions in"
            f" {format_bytes(result.num_bytes)}{checksums}"
        )
        for problem in result.problems:
            terminal.print(f"  {printable(terminal.spelled(problem))}")
    return 1 if num_problems else 0
