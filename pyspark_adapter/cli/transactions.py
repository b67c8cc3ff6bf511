"""`transactions`: a line for each transaction, or the largest ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

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
            terminal.write_data(_lines(batch))
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


def _lines(batch: pa.RecordBatch) -> Any:
    """Return a line for each transaction, bytes, by Arrow: Python takes a microsecond a value."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    def text(name: str) -> pa.Array:
        return batch.column(name).cast(pa.string())

    if not batch.num_rows:
        return b""
    # Arrow takes thirty times as long for times with a zone.
    times = batch.column("commit_timestamp").cast(pa.timestamp("us")).cast(pa.string())
    cells = [
        pc.binary_join_element_wise(times, "Z", ""),
        pc.binary_join_element_wise(text("log_file"), text("start_pos"), ":"),
        *(text(name) for name in ("num_bytes", "num_rows", "duration", "thread_id", "gtid")),
    ]
    padded = []
    for k, (cell, (_, width)) in enumerate(zip(cells, _TITLES, strict=True)):
        pad = (pc.utf8_rpad if k == 1 else pc.ascii_rpad) if k in (0, 1, 6) else pc.ascii_lpad
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
    data = np.frombuffer(lines.buffers()[2], dtype=np.uint8)
    if not ((data < 0x20) & (data != ord("\n")) | (data >= 0x7F)).any():
        return data
    return "".join(f"{printable(line[:-1])}\n" for line in lines.to_pylist()).encode()
