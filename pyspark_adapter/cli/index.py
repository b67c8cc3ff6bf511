"""`index`: keep what logs hold, so that later questions read only what can answer them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark_adapter.cli.arguments import add_logs, chosen_logs
from pyspark_adapter.errors import OptionError
from pyspark_adapter.sources.progress import format_bytes

if TYPE_CHECKING:
    import argparse

    from pyspark_adapter.cli.terminal import Terminal


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_logs(command)
    which = command.add_mutually_exclusive_group()
    which.add_argument(
        "--keys",
        default="*.*",
        metavar="PATTERNS",
        help="tables whose keys are kept, as `shop.*,crm.user_*`; all by default",
    )
    which.add_argument(
        "--no-keys", action="store_const", const="", dest="keys", help="keep no keys of rows"
    )
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
    from pyspark_adapter.index.make_index import check_indexes, checked_patterns, make_indexes
    from pyspark_adapter.index_store.index_folder import IndexFolder

    if not arguments.option_index:
        raise OptionError("option index: expected the folder of the indexes", option="index")
    if arguments.drop:
        folder = IndexFolder(arguments.option_index[-1])
        terminal.note(f"files removed from {folder.location.shown}: {folder.drop():,}")
        return 0
    logs = chosen_logs(arguments)
    options = logs.checked()
    log_files = logs.files(options)
    logs.note_unused_filters(terminal, "index reads all of the logs")
    assert options.index is not None
    folder = IndexFolder(options.index, may_be_missing=not arguments.check)
    if arguments.check:
        work = check_indexes(log_files, folder, options, terminal.progress())
    else:
        keys_of = checked_patterns("--keys", arguments.keys)
        work = make_indexes(log_files, folder, options, terminal.progress(), keys_of=keys_of)
    num_new = num_bytes = num_problems = 0
    for done in work:
        num_new += done.is_new
        num_bytes += done.log_file.num_bytes
        if done.problem:
            num_problems += 1
            terminal.note(f"{done.log_file.name}: {done.problem}")
    if arguments.pack:
        folder.pack()
    count = "1 log" if len(log_files) == 1 else f"{len(log_files):,} logs"
    if arguments.check:
        advice = "; remove the indexes with --drop, and make them again" if num_problems else ""
        terminal.note(f"{count} of {format_bytes(num_bytes)}; {num_problems:,} differ{advice}")
        return 1 if num_problems else 0
    terminal.note(
        f"{count} of {format_bytes(num_bytes)}; {num_new:,} indexed now, in {folder.location.shown}"
    )
    return 0
