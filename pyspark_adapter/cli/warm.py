"""`warm`: compile the kernels, for images and hosts of a cluster."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from pyspark_adapter.cli.terminal import have_kernels, say

if TYPE_CHECKING:
    from pyspark_adapter.cli.terminal import Commands


def add_to(commands: Commands) -> None:
    """Add the command to a parser."""
    help_text = "compile the kernels now, for images and hosts of a cluster"
    commands.add_parser("warm", help=help_text).set_defaults(run=run)


def run(_parsed: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    if not have_kernels():
        say("numba is not installed: logs are read by the reference decoder")
        return 1
    say("the kernels are compiled")
    return 0
