"""`export`: write each table of some logs as a Parquet data set, with Spark."""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from pyspark_adapter.cli.arguments import OUTPUT, add_logs, chosen_logs
from pyspark_adapter.cli.output_file import output_path
from pyspark_adapter.cli.tables import print_tables
from pyspark_adapter.cli.terminal import printable
from pyspark_adapter.errors import BinlogError
from pyspark_adapter.sources.written_files import temporary_space

if TYPE_CHECKING:
    import argparse

    from pyspark_adapter.cli.terminal import Terminal

# Options that `table` replaces in the read of one.
_OF_SEVERAL = ("tables", "databases")


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_logs(command)
    command.add_argument(
        *OUTPUT, type=output_path, default=Path("out"), help="folder of the data sets"
    )
    command.add_argument("--rows", type=int, default=5, help="rows to show of the first table")


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run the command and return its exit code."""
    try:
        from pyspark_adapter.spark.export import export_tables, show_rows, start_quiet_session
        from pyspark_adapter.spark.session import check_java
    except ImportError as error:
        advice = "pip install 'mysql-binlog-spark[spark]'"
        raise BinlogError(str(error), advice=advice) from error
    check_java()
    logs = chosen_logs(arguments)
    summaries = [summary for summary in print_tables(logs, terminal) if summary.num_changes]
    if not summaries:
        return 0
    options: Any = {name: value for name, value in logs.options.items() if name not in _OF_SEVERAL}
    # The list above has counted the statements already.
    options["on_statement_events"] = "ignore"
    terminal.note("writing the tables with Spark ...")
    failed, example = 0, None
    with temporary_space():
        messages = tempfile.TemporaryFile()  # noqa: SIM115 - closed below
    with messages, _ending_java():
        session = start_quiet_session(messages)
        for done in export_tables(session, summaries, arguments.output, options):
            if done.error is not None:
                failed += 1
                terminal.error(f"error: {done.table}: not written: {done.error}")
                continue
            name = printable(str(done.table))
            terminal.print(f"{name}: {done.num_rows:,} row images in {done.path}")
            example = example or done
        for line in _warnings_in(messages):
            terminal.note(f"warning: {line}")
    if example is not None and arguments.rows > 0:
        terminal.print(f"\n{printable(str(example.table))}:")
        terminal.flush()
        if not show_rows(session, example.path, arguments.rows):
            terminal.note("its rows are not shown: Spark takes the path for a pattern")
    return 1 if failed else 0


@contextmanager
def _ending_java() -> Iterator[None]:
    """End the Java process when the body is interrupted: Spark's own end of it takes long.

    Its start may be interrupted, so that no object refers to it yet.
    """
    try:
        yield
    except KeyboardInterrupt:
        for children in Path("/proc/self/task").glob("*/children"):
            for process in children.read_text().split():
                os.kill(int(process), signal.SIGTERM)
        raise


def _warnings_in(messages: IO[bytes]) -> list[str]:
    """Return the warnings of this package among the messages of Spark's workers, each once."""
    messages.seek(0)
    texts: dict[str, None] = {}
    for line in messages:
        _, is_warning, text = line.decode(errors="replace").partition("BinlogWarning: ")
        if is_warning:
            texts[text.strip()] = None
    return list(texts)
