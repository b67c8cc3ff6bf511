"""`undo` and `redo`: SQL that takes row changes back, or makes them again."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from pyspark_adapter.cli.arguments import add_logs, chosen_logs
from pyspark_adapter.cli.output_file import output_path

if TYPE_CHECKING:
    from pyspark_adapter.cli.terminal import Terminal
    from pyspark_adapter.sql_text.script import SqlScript


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_logs(command)
    command.add_argument(
        "--force",
        action="store_true",
        help="print the SQL although statements such as ALTER TABLE or TRUNCATE are in the range,"
        " foreign keys changed rows that are not logged, or the tables have triggers",
    )
    command.add_argument(
        "--rebuild-cascades",
        action="store_true",
        help="also what foreign keys did to rows of other tables, where the server does not log"
        " that: give all logs from the creation of these tables on",
    )
    command.add_argument(
        "--output",
        type=output_path,
        metavar="FILE",
        help="write the SQL into a new file, whole or not at all",
    )
    command.add_argument(
        "--rows-per-statement",
        type=_rows,
        metavar="N",
        help="most rows of an INSERT or DELETE (100)",
    )
    command.add_argument(
        "--transaction-rows",
        type=_rows,
        metavar="N",
        help="join transactions of the log until they have changed so many rows (1000)",
    )


def _rows(text: str) -> int:
    from pyspark_adapter.sql_text.script import MOST_ROWS

    if text.isdecimal() and 1 <= int(text) <= MOST_ROWS:
        return int(text)
    raise argparse.ArgumentTypeError(f"expected a number from 1 to {MOST_ROWS:,}, got {text!r}")


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Print a script, or why there is none: a line for each reason."""
    from pyspark_adapter.errors import OptionError, UnsupportedError
    from pyspark_adapter.sql_text.refusals import FORCE, NARROW, REBUILD
    from pyspark_adapter.sql_text.script import SqlScript

    chosen = chosen_logs(arguments)
    counts = {
        name: value
        for name in ("rows_per_statement", "transaction_rows")
        if (value := getattr(arguments, name)) is not None
    }
    if arguments.output is not None and arguments.output.is_file():
        raise OptionError(
            f"--output: {arguments.output} exists", advice="choose another file, or remove it"
        )
    try:
        script = SqlScript(
            chosen.paths,
            chosen.options,
            is_undo=arguments.command == "undo",
            force=arguments.force,
            rebuild_cascades=arguments.rebuild_cascades,
            **counts,
        )
    except UnsupportedError as error:
        if not error.reasons:
            raise
        flags = {
            NARROW: "if they do not belong to the accident, read that alone: --position, --since or"
            " --gtid, --until-position, and --table",
            REBUILD: f"--rebuild-cascades{REBUILD.removeprefix('rebuild_cascades=True')}",
            FORCE: "--force gives the SQL of the rows anyway",
        }
        terminal.error("error: no SQL, because of")
        for reason in error.reasons:
            terminal.error(f"  {flags.get(reason, terminal.spelled(reason))}")
        chosen.note_nothing_found(terminal, of_tables_alone=True)
        return 1
    _write(script, arguments.output, terminal)
    if script.is_empty:
        chosen.note_nothing_found(terminal)
    return 0


def _write(script: SqlScript, path: Path | None, terminal: Terminal) -> None:
    from pyspark_adapter.cli.terminal import printable
    from pyspark_adapter.sources.written_files import whole_file

    if path is None:
        for block in script.blocks():
            terminal.write_data(block)
        return
    with whole_file(path, replaces=False) as file:
        for block in script.blocks():
            file.write(block)
    terminal.note(f"written: {printable(str(path))}")
