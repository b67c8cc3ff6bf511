"""`kinds`: how many events of each type some logs have."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from pyspark_adapter.cli.arguments import add_logs, chosen_logs

if TYPE_CHECKING:
    import argparse

    from pyspark_adapter.cli.terminal import Terminal


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_logs(command)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run the command and return its exit code."""
    logs = chosen_logs(arguments)
    from pyspark_adapter.reader import read_batches

    options: dict[str, Any] = {"view": "events"} | logs.options
    counts: Counter[str] = Counter()
    for batch in read_batches(logs.paths, **options):
        counts.update(batch["event_type"].to_pylist())
    for name, count in counts.most_common():
        terminal.print(f"{count:8,}  {name}")
    return 0
