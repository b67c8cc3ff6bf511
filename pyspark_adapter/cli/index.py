"""`index`: keep what logs hold, so that later questions read only what can answer them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark_adapter.cli.arguments import add_logs, chosen_logs
from pyspark_adapter.errors import OptionError
from pyspark_adapter.progress import format_bytes

if TYPE_CHECKING:
    import argparse

    from pyspark_adapter.cli.terminal import Terminal


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_logs(command)
    what = command.add_mutually_exclusive_group()
    what.add_argument(
        "--check", action="store_true", help="read the logs and compare them with their indexes"
    )
    what.add_argument(
        "--pack", action="store_true", help="also put all indexes into one file, to open faster"
    )
    what.add_argument("--drop", action="store_true", help="remove the indexes; no log is needed")


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run the command and return its exit code."""
    from pyspark_adapter.index.index_folder import IndexFolder
    from pyspark_adapter.operations.make_index import check_indexes, make_indexes

    if not arguments.option_index:
        raise OptionError("option index: expected the folder of the indexes", option="index")
    if arguments.drop:
        folder = IndexFolder(arguments.option_index[-1])
        terminal.note(f"files removed from {folder.path}: {folder.drop():,}")
        return 0
    logs = chosen_logs(arguments)
    options = logs.checked()
    log_files = logs.files(options)
    assert options.index is not None
    folder = IndexFolder(options.index, may_be_missing=not arguments.check)
    work = check_indexes if arguments.check else make_indexes
    num_new = num_bytes = num_problems = 0
    for done in work(log_files, folder, options, terminal.progress()):
        num_new += done.is_new
        num_bytes += done.log_file.num_bytes
        if done.problem:
            num_problems += 1
            terminal.note(f"{done.log_file.name}: {done.problem}")
    if arguments.pack:
        folder.pack()
    count = "1 log" if len(log_files) == 1 else f"{len(log_files):,} logs"
    if arguments.check:
        terminal.note(f"{count} of {format_bytes(num_bytes)}; {num_problems:,} differ")
        return 1 if num_problems else 0
    terminal.note(
        f"{count} of {format_bytes(num_bytes)}; {num_new:,} indexed now, in {folder.path}"
    )
    return 0
