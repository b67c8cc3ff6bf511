"""Shell completions of the command line, by the package shtab."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Final

from pyspark_adapter.errors import BinlogError

FLAG: Final = "--print-completion"
_HELP: Final = "print the completions for a shell, such as bash or zsh"
# Arguments that are paths, by the names that argparse gives them.
_PATHS: Final = ("logs", "output", "to", "option_ddl", "option_index")


def declare(parser: argparse.ArgumentParser) -> None:
    """Add the flag to the help of the program; `complete` replaces it."""
    parser.add_argument(FLAG, metavar="SHELL", help=_HELP)


def complete(
    parser: argparse.ArgumentParser, commands: Iterable[argparse.ArgumentParser], words: list[str]
) -> None:
    """Print the completions, and end the program.

    Args:
        commands: the parsers of all commands, with their arguments.
        words: the arguments of the program.

    Raises:
        BinlogError: if shtab is not installed.
        SystemExit: when they are printed, or after a usage error.
    """
    try:
        import shtab
    except ImportError as error:
        raise BinlogError(
            "completions need the package shtab, which is not installed",
            advice="pip install 'mysql-binlog-spark[completion]'",
        ) from error
    for command in commands:
        for action in command._actions:
            if action.dest in _PATHS:
                action.complete = shtab.FILE  # type: ignore[attr-defined]  # what shtab reads
    shtab.add_argument_to(parser, FLAG, help=_HELP)
    parser.parse_args(words)
