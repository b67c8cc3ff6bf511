"""The command line: `python -m pyspark_adapter`.

A command imports what it needs when it runs, so `--help` loads neither pyarrow nor PySpark.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Final

from pyspark_adapter.cli import export, tables, warm
from pyspark_adapter.cli.terminal import say
from pyspark_adapter.errors import BinlogError

_COMMANDS: Final = (export, tables, warm)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m pyspark_adapter", description="MySQL and MariaDB binary logs as rows."
    )
    commands = parser.add_subparsers(required=True, metavar="command")
    for command in _COMMANDS:
        command.add_to(commands)
    parsed = parser.parse_args(arguments)
    try:
        return int(parsed.run(parsed))
    except BinlogError as error:
        say(f"error: {error}", to_stderr=True)
        return 1
