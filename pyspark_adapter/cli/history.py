"""`history`: the life of single rows, change by change."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pyspark_adapter.cli.arguments import PATTERN_LETTERS, add_logs, chosen_logs
from pyspark_adapter.cli.rows import COLOURS, describe
from pyspark_adapter.cli.terminal import add_format, printable
from pyspark_adapter.errors import OptionError
from pyspark_adapter.options.filter_values import parse_keys
from pyspark_adapter.options.table_name import TableName

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from pyspark_adapter.cli.terminal import Terminal
    from pyspark_adapter.operations.row_history import Change


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_logs(command)
    add_format(command, "text", "jsonl")
    command.add_argument(
        "--key",
        required=True,
        help='of the rows: 42,43, or JSON: [[42, 1]] for two columns, [{"order_id": 42}]',
    )


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run the command and return its exit code."""
    from pyspark_adapter.operations.row_history import row_history

    logs = chosen_logs(arguments)
    options = dict(logs.options)
    name = str(options.pop("tables", ""))
    if not name or set(name) & set(PATTERN_LETTERS):
        raise _refused(f"--table: expected the name of one table, got {name!r}")
    try:
        keys = parse_keys(arguments.key)
    except (ValueError, RecursionError) as error:
        raise _refused(f"--key: {error}") from error
    table = TableName.parse(name)  # a pattern without pattern letters
    checked = type(logs)(logs.paths, options).checked()
    count = 0
    for change in row_history(logs.files(checked), checked, table, keys):
        count += 1
        if arguments.format == "jsonl":
            terminal.write_data(f"{_json(change)}\n".encode())
        else:
            terminal.write(_text(change, terminal))
    if not count:
        terminal.note(f"{table}: no change of these rows in these logs")
    return 0


def _refused(message: str) -> OptionError:
    return OptionError(message, option="keys", advice="name a row: --table shop.orders --key 42")


def _json(change: Change) -> str:
    from pyspark_adapter.operations.row_history import COLUMNS

    values = {key: change.metadata[name] for name, key in COLUMNS.items()}
    values["time"] = f"{values['time']:%Y-%m-%dT%H:%M:%S.%fZ}"
    known = {key: value for key, value in values.items() if value is not None}
    text = json.dumps(known, ensure_ascii=False)[:-1]
    for key, row in (("before", change.before), ("after", change.after)):
        text += "" if row is None else f', "{key}": {row}'
    text += "" if change.json_diff is None else f', "json_diff": {change.json_diff}'
    return f"{text}}}"


def _text(change: Change, terminal: Terminal) -> str:
    """Return a change as lines: when and who, then the columns, then the statement."""
    metadata: Mapping[str, Any] = change.metadata
    kind = metadata["_change_type"]
    who = [f"{metadata['_log_file']}:{metadata['_start_pos']}"]
    names = {"_gtid": "", "_server_id": "server ", "_thread_id": "thread "}
    who += [f"{word}{metadata[name]}" for name, word in names.items() if metadata[name] is not None]
    coloured = terminal.coloured(kind, COLOURS.get(kind, "yellow"))
    lines = [f"{metadata['_commit_timestamp']:%Y-%m-%d %H:%M:%S}  {coloured}  {'  '.join(who)}"]
    before, after, diff = (
        None if text is None else json.loads(text)
        for text in (change.before, change.after, change.json_diff)
    )
    lines.append(metadata["_statement"] or describe(before, after, diff, change.absent))
    if metadata["_query"] is not None:
        lines.append(f"by: {metadata['_query']}")
    first, *rest = lines
    return "\n".join([first, *(f"    {printable(line)}" for line in rest), ""])
