"""`doctor`: what settings of a server, or logs, mean for a reader."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from pyspark_adapter.cli.arguments import add_logs, chosen_logs
from pyspark_adapter.cli.terminal import add_format, printable, to_json

if TYPE_CHECKING:
    import argparse

    from pyspark_adapter.cli.terminal import Terminal


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_logs(command)
    add_format(command, "text", "jsonl")


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run the command and return its exit code: 1 if rows would be wrong or missing."""
    logs = chosen_logs(arguments)
    from pyspark_adapter.find_logs import server_of
    from pyspark_adapter.operations.doctor import NO_ROWS, look_at_logs, look_at_server

    options = logs.checked()
    server = server_of(logs.paths, options)
    if server is None:
        log_files = logs.files(options)
        findings = look_at_logs(log_files, options)
    else:
        logs.note_unused_filters(terminal, "doctor looks at the whole server")
        findings = look_at_server(server, options)
    num_wrong = num_found = 0
    finds_rows = True
    for finding in findings:
        finds_rows &= finding.setting != NO_ROWS
        num_found += 1
        num_wrong += finding.is_wrong
        if arguments.format == "jsonl":
            texts = {k: terminal.spelled(str(v)) for k, v in asdict(finding).items()}
            line = to_json(texts | {"is_wrong": finding.is_wrong})
            terminal.write_data(f"{line}\n".encode())
            continue
        level = terminal.coloured("wrong", "red") if finding.is_wrong else "note "
        terminal.print(f"{level}  {printable(finding.setting)}")
        for text in filter(None, (finding.meaning, finding.remedy and f"-> {finding.remedy}")):
            terminal.print(f"       {printable(terminal.spelled(text))}")
    terminal.note(f"rows are wrong or missing: {num_wrong}; notes: {num_found - num_wrong}")
    if not finds_rows:
        logs.note_nothing_found(terminal)
    return 1 if num_wrong else 0
