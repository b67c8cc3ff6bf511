"""`mask`: copies of logs in which the values of some columns are replaced."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pyspark_adapter.cli.arguments import OUTPUT, add_logs, chosen_logs
from pyspark_adapter.cli.output_file import output_path
from pyspark_adapter.cli.terminal import printable
from pyspark_adapter.errors import OptionError

if TYPE_CHECKING:
    import argparse

    from pyspark_adapter.cli.terminal import Terminal
    from pyspark_adapter.options.table_name import TableName

# Whole logs are copied: filters and forms of values do not apply.
_OPTIONS: Final = (
    *("ddl", "verify_checksums", "max_event_bytes", "max_payload_bytes", "window_bytes"),
    *("path_glob_filter", "recursive_file_lookup", "modified_after", "modified_before"),
)
_LEAST_KEY: Final = 16


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_logs(command, only=_OPTIONS)
    command.add_argument(*OUTPUT, type=output_path, required=True, help="the folder of the copies")
    command.add_argument(
        "--columns",
        action="append",
        required=True,
        help="shop.customers.email,shop.customers.phone; all of a table: shop.cards.*",
    )
    command.add_argument(
        "--key", type=Path, help="file with a secret: the same key gives the same replacements"
    )
    command.add_argument(
        "--keep-definitions",
        action="store_true",
        help="definitions of tables may hold values that are replaced, such as defaults",
    )


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run the command and return its exit code."""
    columns = _columns(",".join(arguments.columns))
    key = secrets.token_bytes(32) if arguments.key is None else arguments.key.read_bytes()
    if len(key) < _LEAST_KEY:
        raise OptionError(f"--key: expected a file of {_LEAST_KEY} bytes or more, got {len(key)}")
    logs = chosen_logs(arguments)
    from pyspark_adapter.operations.log_mask import mask_logs

    options = logs.checked()
    log_files = logs.files(options)
    folder: Path = arguments.output
    for log_file in log_files:
        if os.path.lexists(folder / log_file.name):
            raise OptionError(
                f"--output: {folder / log_file.name} exists", advice="choose another folder"
            )
    names = [log_file.name for log_file in log_files]
    if len(set(names)) < len(names):
        raise OptionError("expected logs of different names", option="path")
    folder.mkdir(parents=True, exist_ok=True)
    keeps = arguments.keep_definitions
    done = mask_logs(log_files, options, columns, key, folder, keeps_definitions=keeps)
    for name in names:
        terminal.print(f"written: {printable(str(folder / name))}")
    terminal.note(
        f"{done.num_values:,} values are replaced, {done.num_texts:,} statements are blanked"
    )
    return 0


def _columns(text: str) -> dict[TableName, frozenset[str]]:
    """Parse names `database.table.column`, separated by commas; raises OptionError."""
    from pyspark_adapter.options.table_name import TableName, split_names

    by_table: dict[TableName, set[str]] = {}
    for parts in split_names(text):
        if len(parts) != 3:
            raise OptionError(f"--columns: expected database.table.column, got {'.'.join(parts)}")
        by_table.setdefault(TableName(*parts[:2]), set()).add(parts[2].lower())
    return {table: frozenset(names) for table, names in by_table.items()}
