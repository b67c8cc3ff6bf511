"""`transactions`: a line for each transaction, or the largest ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.cli.arguments import add_logs, chosen_logs
from pyspark_adapter.cli.terminal import add_format, printable, to_json
from pyspark_adapter.errors import BinlogError
from pyspark_adapter.values.text_form import text_form

if TYPE_CHECKING:
    import argparse

    import pyarrow as pa

    from pyspark_adapter.cli.terminal import Terminal
    from pyspark_adapter.counting.counted_transactions import CountedTransactions

# Titles of the columns, and their widths: numbers are aligned right, other texts left.
_TITLES: Final = ("time", "position", "bytes", "rows", "seconds", "thread", "gtid")
_WIDTHS: Final = (27, 26, 12, 10, 7, 8, 40)
_ARE_LEFT: Final = ("time", "position", "gtid")
_BETWEEN: Final = "  "
_NO_VALUE: Final = "-"
# A character other than the printable ones of ASCII.
_UNUSUAL: Final = "[^ -~]"
_JSON_NAMES: Final = {
    "commit_timestamp": "time",
    "num_bytes": "bytes",
    "num_rows": "rows",
    "duration": "seconds",
    "thread_id": "thread",
}
_COUNTS: Final = {"+": "num_inserts", "~": "num_updates", "-": "num_deletes"}


def title_line() -> str:
    """Return the titles of the columns."""
    [line] = _joined([pa.array([title]) for title in _TITLES]).to_pylist()
    return f"{line}{_BETWEEN}changes (+ inserts, ~ updates, - deletes)"


def describe_transactions(batch: pa.RecordBatch) -> pa.Array:
    """Return (n,) string: a line for each transaction."""
    numbers = ("num_bytes", "num_rows", "duration", "thread_id")
    position = pc.binary_join_element_wise(
        _printable(batch.column("log_file")), text_form(batch.column("start_pos")), ":"
    )
    columns = [
        text_form(batch.column("commit_timestamp"), fsp=6),
        position,
        *(pc.fill_null(text_form(batch.column(name)), _NO_VALUE) for name in numbers),
        pc.fill_null(_printable(batch.column("gtid")), _NO_VALUE),
    ]
    changes = _describe_changes(batch.column("tables"))
    return pc.binary_join_element_wise(_joined(columns), changes, _BETWEEN)


def as_json(transaction: dict[str, Any]) -> dict[str, Any]:
    """Return a row of TRANSACTIONS as JSON has it: under the titles of the columns of text."""
    row = dict(transaction)
    row["position"] = f"{row.pop('log_file')}:{row.pop('start_pos')}"
    row["tables"] = [
        {name.removeprefix("num_"): value for name, value in table.items()}
        for table in row["tables"]
    ]
    named = {_JSON_NAMES.get(name, name): value for name, value in row.items()}
    return {name: named[name] for name in (*_TITLES, "end_pos", "tables")}


def as_bytes(lines: pa.Array) -> bytes:
    """Return lines as UTF-8, each with its line feed."""
    ended = pc.binary_join_element_wise(lines, "", "\n")
    end = int(np.frombuffer(ended.buffers()[1], dtype=np.int32)[len(ended)])
    return ended.buffers()[2].slice(0, end).to_pybytes() if end else b""


def _joined(columns: Sequence[pa.Array]) -> pa.Array:
    """Return texts next to each other, each padded to the width of its column."""
    padded = [
        (pc.utf8_rpad if title in _ARE_LEFT else pc.utf8_lpad)(column, width)
        for title, width, column in zip(_TITLES, _WIDTHS, columns, strict=True)
    ]
    return pc.binary_join_element_wise(*padded, _BETWEEN)


def _describe_changes(tables: pa.ListArray) -> pa.Array:
    """Return (n,) string: the changes of each transaction, such as `shop.orders +1 ~2`."""
    entries = tables.flatten()
    counts = [
        pc.if_else(
            pc.greater(entries.field(name), 0),
            pc.binary_join_element_wise(sign, text_form(entries.field(name)), ""),
            None,
        )
        for sign, name in _COUNTS.items()
    ]
    texts = pc.binary_join_element_wise(
        _printable(entries.field("table")), *counts, " ", null_handling="skip"
    )
    offsets = pc.subtract(tables.offsets, tables.offsets[0])
    return pc.binary_join(pa.ListArray.from_arrays(offsets, texts), ", ")


def _printable(texts: pa.Array) -> pa.Array:
    """Return texts in which characters that a terminal could act on are escaped."""
    if texts.type == pa.string():
        if not pc.any(pc.match_substring_regex(texts, _UNUSUAL)).as_py():
            return texts
        texts = texts.dictionary_encode()
    shown = [printable(text) for text in texts.dictionary.to_pylist()]
    return pa.array(shown, pa.string()).take(texts.indices)


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
    from pyspark_adapter.cli.transactions import (
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
