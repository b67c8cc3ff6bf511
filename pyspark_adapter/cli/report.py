"""`report`: one HTML file with pictures of what logs hold."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pyspark_adapter.cli.arguments import OUTPUT, add_logs, chosen_logs
from pyspark_adapter.cli.output_file import add_force, check_output, output_path
from pyspark_adapter.cli.terminal import printable

if TYPE_CHECKING:
    import argparse

    from pyspark_adapter.cli.terminal import Terminal


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_logs(command)
    command.add_argument(
        *OUTPUT,
        type=output_path,
        default=Path("report.html"),
        help="the file to write (report.html)",
    )
    add_force(command)
    command.add_argument("--title", help="of the page; by default the names of the logs")


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run the command and return its exit code."""
    from pyspark_adapter.operations.report.pictures import import_matplotlib

    import_matplotlib()
    logs = chosen_logs(arguments)
    check_output("--output", arguments.output, logs, force=arguments.force)
    from pyspark_adapter.operations.report.findings import ReportFindings
    from pyspark_adapter.operations.report.page import write_page
    from pyspark_adapter.sources.written_files import whole_file

    options = logs.checked()
    findings = ReportFindings(logs.files(options), options)
    findings.read(terminal.progress())
    names = [log.name for log in findings.log_files]
    title = arguments.title or " to ".join(dict.fromkeys((names[0], names[-1])))
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(arguments.output, replaces=arguments.force) as file:
        file.writelines(text.encode() for text in write_page(findings, title))
    terminal.print(f"written: {printable(str(arguments.output))}")
    if findings.error is not None:
        raise findings.error
    if not findings.num_transactions:
        logs.note_nothing_found(terminal)
    return 0
