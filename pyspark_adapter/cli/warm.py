"""`warm`: compile the kernels, for images and hosts of a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark_adapter.cli.terminal import have_kernels

if TYPE_CHECKING:
    import argparse

    from pyspark_adapter.cli.terminal import Terminal


def add_arguments(_command: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command: it has none."""


def run(_arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run the command and return its exit code."""
    if not have_kernels(terminal):
        terminal.error("error: numba is not installed: logs are read by the reference decoder")
        return 1
    terminal.note("the kernels are compiled")
    return 0
