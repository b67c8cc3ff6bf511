"""The command line: `mysql-binlog-spark`, or `python -m pyspark_adapter`.

To add a command, add its name and a line of help to `COMMANDS`, and a module of that name to this
folder with two functions::

    def add_arguments(command: argparse.ArgumentParser) -> None:
        add_logs(command)                      # the logs, and the options of the reader as flags
        command.add_argument("--force", ...)   # what this command alone takes

    def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
        logs = chosen_logs(arguments)
        for line in undo_statements(logs.paths, **logs.options):
            terminal.print(line)
        return 0                               # the exit code

`run` lets errors through: `main` prints a `BinlogError`, an `OSError` and Ctrl-C as one line, and a
reader that closes the pipe ends the program silently. Results go to `terminal.print` or
`terminal.write`, all else to `terminal.note`. Modules of commands import numpy, pyarrow and what
needs them within functions, so that `--help` is quick.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Final

from pyspark_adapter.cli import completions
from pyspark_adapter.cli.given_times import with_joined_times
from pyspark_adapter.cli.interrupts import kept_interrupts
from pyspark_adapter.cli.terminal import Terminal
from pyspark_adapter.errors import BinlogError, OptionError, did_you_mean, printable

if TYPE_CHECKING:
    from types import ModuleType

COMMANDS: Final = {
    "sample": "write small logs of real servers, to try the other commands on",
    "tables": "list the tables and count their row changes",
    "rows": "the row changes, as text, JSON lines, CSV or SQL, or in a file of Parquet or Arrow",
    "history": "the life of one row: each change of it, with who made it and when",
    "as-of": "the rows of a table at a moment, from a baseline and the logs after it",
    "transactions": "list the transactions, or the largest ones: size, rows, duration, thread",
    "stats": "rows, transactions and bytes by table and time",
    "events": "each event: its header and its body",
    "doctor": "what settings of a server, or logs, mean for a reader, and what mends them",
    "check": "are the logs whole? checksums, positions, cut ends, gaps between logs and in GTIDs",
    "report": "write one HTML file with pictures: changes over time, tables, sizes, statements",
    "slice": "write a small log of the chosen transactions: for a bug report, a test, the Web IDE",
    "mask": "write copies of logs in which the values of some columns are replaced",
    "undo": "print SQL that takes row changes back",
    "redo": "print SQL that makes row changes again",
    "index": "keep what logs hold in a folder, so that later questions read only what matters",
    "replicate": "copy databases of a running server into Delta tables, and keep them current",
    "export": "write each table as a Parquet data set, with Spark",
}

# Exit codes.
FAILED: Final = 1
USAGE: Final = 2  # as argparse has it
INTERRUPTED: Final = 130  # 128 + SIGINT
CLOSED_PIPE: Final = 141  # 128 + SIGPIPE


class _WithoutPandas:
    """Hides pandas: pyarrow imports it for its first array, which takes a third of the start."""

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError("No module named 'pandas'", name=name)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    Args:
        arguments: of the command; None for those of the process, which is this program's alone.
    """
    if arguments is None:
        sys.meta_path.insert(0, _WithoutPandas())
        # NumPy's threads for matrices, which nothing here has, take 0.08 s of processor time.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    words = with_joined_times(sys.argv[1:] if arguments is None else arguments)
    terminal = Terminal(_with_flags)
    try:
        with kept_interrupts():
            code = _run(words, terminal)
            terminal.flush()
    except KeyboardInterrupt:
        terminal.error("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return CLOSED_PIPE
    except OSError as error:  # of a file that is written, or of the output
        file = f"{error.filename}: " if error.filename else ""
        terminal.error(f"error: {file}{error.strerror or error}")
        _discard_output()
        return FAILED
    return code


def _discard_output() -> None:
    """Discard what cannot be written; the interpreter would report it again when it ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(words: Sequence[str], terminal: Terminal) -> int:
    """Run a command; errors become a line and an exit code."""
    with terminal.warnings():
        try:
            parsed, module = _parse(words)
            terminal.is_quiet = parsed.quiet
            if parsed.quiet:
                logging.getLogger("pyspark_adapter").setLevel(logging.ERROR)
            return int(module.run(parsed, terminal))
        except BinlogError as error:
            terminal.error(f"error: {error}")
            return USAGE if isinstance(error, OptionError) else FAILED


def _with_flags(text: str) -> str:
    from pyspark_adapter.cli.arguments import spelled_as_flags

    return spelled_as_flags(text)


def _parse(words: Sequence[str]) -> tuple[argparse.Namespace, ModuleType]:
    """Return the parsed arguments, and the module of the command; raises SystemExit."""
    parser = argparse.ArgumentParser(
        prog=_program_name(), description="MySQL and MariaDB binary logs as rows."
    )
    parser.set_defaults(quiet=False)
    _add_common(parser)
    commands = parser.add_subparsers(required=True, metavar="command", dest="command")
    chosen = next((word for word in words if not word.startswith("-")), None)
    has_all = completions.FLAG in words
    if not has_all:
        completions.declare(parser)
    for name, help_text in COMMANDS.items():
        command = commands.add_parser(name, help=help_text, description=_sentence(help_text))
        if name == chosen or has_all:  # the modules of the others are not loaded
            _module_of(name).add_arguments(command)
            _add_common(command)
    if has_all:
        completions.complete(parser, commands.choices.values(), [*words])
    parsed, unknown = parser.parse_known_args(words)
    if unknown:
        command = commands.choices[parsed.command]
        flags = [flag for action in command._actions for flag in action.option_strings]
        wrong = unknown[0].partition("=")[0]
        near = did_you_mean(wrong, flags) if wrong.startswith("--") else ""
        command.error(f"unrecognized arguments: {' '.join(map(printable, unknown))}{near}")
    return parsed, _module_of(parsed.command)


def _add_common(parser: argparse.ArgumentParser) -> None:
    """Add the flags that may come before or after the command."""
    version = f"{_program_name()} {_version()}"
    parser.add_argument("--version", action="version", version=version)
    parser.add_argument(
        "-q",
        "--quiet",
        action="store_true",
        default=argparse.SUPPRESS,  # a command would reset what came before it
        help="print results and errors only",
    )


def _version() -> str:
    from pyspark_adapter import __version__

    return __version__


def _program_name() -> str:
    is_module = sys.argv[0].endswith("pyspark_adapter/__main__.py")
    return "python -m pyspark_adapter" if is_module else "mysql-binlog-spark"


def _module_of(command: str) -> ModuleType:
    name = "undo" if command == "redo" else command.replace("-", "_")
    return import_module(f"{__package__}.{name}")


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
