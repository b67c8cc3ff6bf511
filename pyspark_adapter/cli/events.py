"""`events`: each event of some logs, its header and its body."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

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
    """Run the command and return its exit code."""
    logs = chosen_logs(arguments)
    from pyspark_adapter.reader import read_batches

    # Few at a time: a person waits for the first ones.
    options: dict[str, Any] = {"batch_rows": 64, "view": "events"} | logs.options
    is_empty = True
    for batch in read_batches(logs.paths, **options):
        is_empty = is_empty and not batch.num_rows
        for event in batch.to_pylist():
            if arguments.format == "jsonl":
                body = event.pop("body")
                line = f'{to_json(event)[:-1]}, "body": {body}}}\n'
                terminal.write_data(line.encode())
            else:
                terminal.print(_line(event))
    if is_empty:
        logs.note_nothing_found(terminal)
    return 0


def _line(event: dict[str, Any]) -> str:
    """Return an event as a line."""
    inner = "" if event["inner_pos"] is None else f"+{event['inner_pos']}"
    site = f"{event['log_file']}@{event['start_pos']}{inner}"
    body = ", ".join(
        f"{name}: {_value(value)}" for name, value in json.loads(event["body"]).items()
    )
    return printable(
        f"{event['event_timestamp']:%Y-%m-%d %H:%M:%S}  {site}  {event['event_type']}"
        f"  server {event['server_id']}, {event['len_event']} bytes  {body}"
    )


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
