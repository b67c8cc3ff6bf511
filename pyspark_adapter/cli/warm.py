"""`warm`: compile the kernels, for images and hosts of a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark_adapter.errors import BinlogError

if TYPE_CHECKING:
    import argparse

    from pyspark_adapter.cli.terminal import Terminal


def add_arguments(_command: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command: it has none."""


def run(_arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run the command and return its exit code."""
    from pyspark_adapter.kernels.warm import warm_kernels
    from pyspark_adapter.options.binlog_options import BinlogOptions

    BinlogOptions().check_kernels()
    try:
        warm_kernels(with_sql=True)
    except RuntimeError as error:
        advice = "option engine=reference reads without kernels, slowly"
        raise BinlogError(str(error), advice=advice) from error
    terminal.note("the kernels are compiled")
    return 0
