"""`replicate`: copy databases of a running server into a lake, and keep them current."""

from __future__ import annotations

import argparse
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pyspark_adapter.cli.arguments import add_server, chosen_logs
from pyspark_adapter.errors import OptionError

if TYPE_CHECKING:
    from types import FrameType

    from pyspark_adapter.cli.terminal import Terminal
    from pyspark_adapter.replication.run import Round
    from pyspark_adapter.replication.verified_table import VerifiedTable


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    command.usage = f"{command.prog} --host HOST --user USER --to FOLDER [option ...] database ..."
    command.add_argument("databases", nargs="*", metavar="database", help="a database to copy")
    command.add_argument("--to", metavar="FOLDER", help="folder of the lake, or a URI (s3://...)")
    formats = ["delta", "iceberg"]
    command.add_argument("--format", choices=formats, default="delta", help="of the tables")
    command.add_argument("--catalog", metavar="NAME", help="of Iceberg, as pyiceberg knows it")
    command.add_argument("--tables", metavar="PATTERN", help="which tables: 'shop.o*,*.customers'")
    command.add_argument("--history", action="store_true", help="keep all changes, too")
    command.add_argument("--reload", action="store_true", help="copy all tables again")
    command.add_argument(
        "--prune", action="store_true", help="remove copies of tables that the server has dropped"
    )
    command.add_argument(
        "--verify", action="store_true", help="compare each table with the server, and end"
    )
    command.add_argument(
        "--repair", action="store_true", help="the same, and make rows those of the server"
    )
    command.add_argument("--rounds", type=int, metavar="N", help="end after so many rounds")
    command.add_argument(
        "--pause",
        type=float,
        default=1.0,
        metavar="SECONDS",
        help="from round to round (default 1)",
    )
    command.add_argument("--metrics", metavar="FILE", help="keep a file of metrics for Prometheus")
    command.add_argument("--status", action="store_true", help="print what the lake says of itself")
    add_server(command)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run the command and return its exit code."""
    if arguments.to is None:
        raise OptionError("--to: expected the folder of the lake, or a URI", option="to")
    from pyspark_adapter.replication.run import lake_status, replicate

    if arguments.status:
        for line in lake_status(arguments.to):
            terminal.print(line)
        return 0
    if not arguments.databases:
        raise OptionError("expected the name of a database", option="databases")
    arguments.logs = ["a server"]  # so that none is asked for
    server = chosen_logs(arguments).options
    if "host" not in server:
        raise OptionError("--host: expected the name of a server", option="host")
    note = _metrics(arguments.metrics)

    def after_round(done: Round) -> None:
        note(done)
        terminal.note(str(done))

    verified: list[VerifiedTable] = []

    def verify(table: VerifiedTable) -> None:
        verified.append(table)
        terminal.print(str(table))

    with _stopped_by_signals(terminal) as stop:
        replicate(
            arguments.databases,
            arguments.to,
            format=arguments.format,
            catalog=arguments.catalog,
            tables=arguments.tables,
            history=arguments.history,
            reload=arguments.reload,
            prune=arguments.prune,
            rounds=arguments.rounds,
            pause=arguments.pause,
            after_round=after_round,
            stop=stop,
            verify=verify if arguments.verify or arguments.repair else None,
            repair=arguments.repair,
            **server,
        )
    return int(any(table.num_different or table.problem for table in verified))


def _metrics(path: str | None) -> Callable[[Round], None]:
    """Return what writes the metrics of a round."""
    if path is None:
        return lambda _: None
    from pyspark_adapter.replication.run import RoundMetrics

    return RoundMetrics(path).note


@contextmanager
def _stopped_by_signals(terminal: Terminal) -> Iterator[threading.Event]:
    """Give an event that SIGTERM and the first Ctrl-C set; the second Ctrl-C ends at once.

    A round that is ended anywhere is done again by the next run.
    """
    stop = threading.Event()
    before = signal.getsignal(signal.SIGINT)

    def end(number: int, _frame: FrameType | None) -> None:
        if number == signal.SIGINT:
            signal.signal(signal.SIGINT, before)
        stop.set()
        terminal.note("ends after this round")

    previous = signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGTERM, previous)
        signal.signal(signal.SIGINT, before)
