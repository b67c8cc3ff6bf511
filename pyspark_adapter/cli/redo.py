"""`redo`: SQL that makes row changes again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark_adapter.cli.undo import add_arguments, print_script

if TYPE_CHECKING:
    import argparse

    from pyspark_adapter.cli.terminal import Terminal

__all__ = ["add_arguments", "run"]


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Print the script."""
    return print_script(arguments, terminal, is_undo=False)
