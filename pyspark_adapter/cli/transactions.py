"""`transactions`: a line for each transaction, or the largest ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from pyspark_adapter.cli.arguments import add_logs, chosen_logs
from pyspark_adapter.cli.terminal import add_format, to_json
from pyspark_adapter.errors import BinlogError

if TYPE_CHECKING:
    import argparse

    import pyarrow as pa

    from pyspark_adapter.cli.terminal import Terminal
    from pyspark_adapter.counting.counted_transactions import CountedTransactions

# What `--by` takes, and the column.
ORDERS: Final = {"rows": "num_rows", "bytes": "num_bytes", "duration": "duration"}


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_logs(command)
    add_top(command)
    add_format(command, "text", "jsonl")


def add_top(command: argparse.ArgumentParser) -> None:
    """Let a command take the largest transactions only."""
    command.add_argument("--top", type=int, metavar="N", help="the N largest ones only")
    command.add_argument(
        "--by", choices=ORDERS, default="bytes", help="sort by rows, bytes or duration"
    )


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run the command and return its exit code."""
    logs = chosen_logs(arguments)
    from pyspark_adapter.operations.transactions import count_transactions

    options = logs.checked()
    failure: list[BinlogError] = []
    batches: Iterator[pa.RecordBatch]
    log_files = logs.files(options)
    if arguments.top is not None and options.index is not None:
        from pyspark_adapter.operations.indexed_answers import largest_transactions

        by, progress = ORDERS[arguments.by], terminal.progress()
        batch, error = largest_transactions(log_files, options, arguments.top, by, progress)
        batches = iter([batch])
        failure += [error] if error is not None else []
    else:
        windows = _until_error(count_transactions(log_files, options, terminal.progress()), failure)
        batches = (window.batch() for window in windows)
        if arguments.top is not None:
            batches = _largest(windows, arguments.top, ORDERS[arguments.by])
    write = terminal.write_lines if arguments.format == "text" else terminal.write_data
    is_empty = True
    for lines in _lines(batches, arguments, terminal):
        is_empty = is_empty and not lines
        write(lines)
    if failure:
        raise failure[0]
    if is_empty:
        logs.note_nothing_found(terminal)
    return 0


def _lines(
    batches: Iterator[pa.RecordBatch], arguments: argparse.Namespace, terminal: Terminal
) -> Iterator[Any]:
    """Yield lines as bytes, several at a time; the titles are printed before."""
    from pyspark_adapter.cli.transaction_lines import (
        as_bytes,
        as_json,
        describe_transactions,
        title_line,
    )

    if arguments.format == "jsonl":
        for batch in batches:
            for row in batch.to_pylist():
                yield f"{to_json(as_json(row))}\n".encode()
        return
    terminal.print(title_line())
    for batch in batches:
        yield as_bytes(describe_transactions(batch))


def _until_error(
    windows: Iterator[CountedTransactions], failure: list[BinlogError]
) -> Iterator[CountedTransactions]:
    """Yield windows; an error ends them, and is kept until they are printed."""
    try:
        yield from windows
    except BinlogError as error:
        failure.append(error)


def _largest(
    windows: Iterator[CountedTransactions], count: int, column: str
) -> Iterator[pa.RecordBatch]:
    """Yield a batch of the transactions with the largest values of a column."""
    import pyarrow as pa

    from pyspark_adapter.counting.counted_transactions import TRANSACTIONS
    from pyspark_adapter.operations.transactions import keep_largest

    best = pa.RecordBatch.from_pylist([], TRANSACTIONS)
    for window in windows:
        best = keep_largest(best, window, count, column)
    yield best
