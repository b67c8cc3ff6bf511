"""`undo`: SQL that takes row changes back."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from pyspark_adapter.cli.arguments import add_logs, chosen_logs, use_reference

if TYPE_CHECKING:
    from pyspark_adapter.cli.terminal import Terminal


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_logs(command)
    command.add_argument(
        "--force",
        action="store_true",
        help="print the SQL although statements such as ALTER TABLE or TRUNCATE are in the range,"
        " foreign keys changed rows that are not logged, or the tables have triggers",
    )


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Print the script."""
    from pyspark_adapter.sql_text.script import undo_statements

    return print_script(undo_statements, arguments, terminal)


def print_script(
    statements: Callable[..., Iterator[str]], arguments: argparse.Namespace, terminal: Terminal
) -> int:
    """Print a script, or why there is none: a line for each reason."""
    from pyspark_adapter.errors import UnsupportedError

    use_reference(arguments)
    chosen = chosen_logs(arguments)
    try:
        lines = statements(chosen.paths, force=arguments.force, **chosen.options)
    except UnsupportedError as error:
        if not error.reasons:
            raise
        terminal.error("error: no SQL, because of")
        for reason in error.reasons:
            terminal.error(f"  {reason}")
        chosen.note_nothing_found(terminal, of_tables_alone=True)
        return 1
    is_empty = True
    for line in lines:
        is_empty = is_empty and line.startswith("--")
        terminal.print_sql(line)
    if is_empty:
        chosen.note_nothing_found(terminal)
    return 0
