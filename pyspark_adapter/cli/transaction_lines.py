"""A line of text for each transaction, in columns, made by Arrow for a whole window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.cli.terminal import printable
from pyspark_adapter.values.text_form import text_form

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
