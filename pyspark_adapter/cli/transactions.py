"""`transactions`: a line for each transaction, or the largest ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from pyspark_adapter.cli.arguments import add_logs, chosen_logs
from pyspark_adapter.cli.formats import add_format, to_json
from pyspark_adapter.cli.terminal import printable
from pyspark_adapter.errors import BinlogError

if TYPE_CHECKING:
    import argparse

    import pyarrow as pa

    from pyspark_adapter.cli.terminal import Terminal

# What `--by` takes, and the column.
ORDERS: Final = {"rows": "num_rows", "bytes": "num_bytes", "duration": "duration"}
_TITLES: Final = (
    ("time", 27),
    ("position", 26),
    ("bytes", 12),
    ("rows", 10),
    ("seconds", 7),
    ("thread", 8),
    ("gtid", 40),
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_logs(command)
    add_top(command)
    add_format(command, "text", "jsonl")


def add_top(command: argparse.ArgumentParser) -> None:
    """Let a command take the largest transactions only."""
    command.add_argument("--top", type=int, metavar="N", help="the N largest ones only")
    command.add_argument(
        "--by", choices=ORDERS, default="bytes", help="what is large: rows, bytes or duration"
    )


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run the command and return its exit code."""
    logs = chosen_logs(arguments, terminal)
    from pyspark_adapter.operations.transactions import largest_transactions, list_transactions

    options = logs.checked()
    failure: list[BinlogError] = []
    batches = _until_error(
        list_transactions(logs.files(options), options, terminal.progress()), failure
    )
    if arguments.top is not None:
        batches = iter([largest_transactions(batches, arguments.top, ORDERS[arguments.by])])
    if arguments.format == "jsonl":
        for batch in batches:
            for row in batch.to_pylist():
                terminal.write_data(f"{to_json(row)}\n".encode())
    else:
        titles = [
            title.ljust(width) if k in (0, 1, 6) else title.rjust(width)
            for k, (title, width) in enumerate(_TITLES)
        ]
        terminal.print("  ".join([*titles, "changes (+ inserts, ~ updates, - deletes)"]))
        for batch in batches:
            terminal.write(_lines(batch))
    if failure:
        raise failure[0]
    return 0


def _until_error(
    batches: Iterator[pa.RecordBatch], failure: list[BinlogError]
) -> Iterator[pa.RecordBatch]:
    """Yield batches; an error ends them, and is kept until they are printed."""
    try:
        yield from batches
    except BinlogError as error:
        failure.append(error)


def _lines(batch: pa.RecordBatch) -> str:
    """Return a line for each transaction, by Arrow: Python takes a microsecond for each value."""
    import pyarrow as pa
    import pyarrow.compute as pc

    def text(name: str) -> pa.Array:
        return batch.column(name).cast(pa.string())

    if not batch.num_rows:
        return ""
    cells = [
        text("commit_timestamp"),
        pc.binary_join_element_wise(text("log_file"), text("start_pos"), ":"),
        *(text(name) for name in ("num_bytes", "num_rows", "duration", "thread_id", "gtid")),
    ]
    padded = []
    for k, (cell, (_, width)) in enumerate(zip(cells, _TITLES, strict=True)):
        pad = pc.utf8_rpad if k in (0, 1, 6) else pc.utf8_lpad
        padded.append(pad(pc.fill_null(cell, "-"), width))
    lists = batch.column("tables")
    fields = dict(zip(lists.type.value_type.names, lists.flatten().flatten(), strict=True))
    parts = [fields["table"]]
    for sign, name in (("+", "num_inserts"), ("~", "num_updates"), ("-", "num_deletes")):
        counts = fields[name]
        shown = pc.binary_join_element_wise(sign, counts.cast(pa.string()), "")
        parts.append(pc.if_else(pc.equal(counts, 0), pa.scalar(None, pa.string()), shown))
    changes = pc.binary_join_element_wise(*parts, " ", null_handling="skip")
    offsets = pc.subtract(lists.offsets, lists.offsets[0])
    joined = pc.binary_join(pa.ListArray.from_arrays(offsets, changes), ", ")
    whole = pc.binary_join_element_wise(*padded, joined, "  ")
    lines = pc.binary_join_element_wise(whole, "\n", "")
    printed = str(lines.buffers()[2].to_pybytes(), "utf-8")
    if printed.replace("\n", "").isprintable():
        return printed
    return "".join(f"{printable(line[:-1])}\n" for line in lines.to_pylist())
