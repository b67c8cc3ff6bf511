"""Row changes, each as one: an update with its images before and after it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

# The metadata columns of the row images that `pair_changes` takes, and the names in JSON.
METADATA: Final = {
    "_commit_timestamp": "time",
    "_log_file": "log_file",
    "_start_pos": "start_pos",
    "_gtid": "gtid",
    "_thread_id": "thread_id",
    "_database_name": "database",
    "_table_name": "table",
    "_change_type": "change",
    "_statement": "statement",
}
_ROW: Final = "row"
_TEXT: Final = ("_gtid", "_log_file", "_database_name", "_table_name", "_change_type", "_statement")
# Mostly the same in all rows of a batch.
_REPEATED: Final = ("_log_file", "_thread_id", "_database_name", "_table_name", "_change_type")


def pair_changes(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield a row for each change instead of one for each image.

    Args:
        batches: of METADATA and `row`, the row image as JSON; both images of an update follow each
            other, unless one is filtered out.

    Returns:
        Batches of METADATA, with `_change_type` insert, update or delete, and of the images as
        JSON, `before` and `after`, null where there is none.
    """
    held: pa.RecordBatch | None = None  # an image before an update, at the end of a batch
    for batch in batches:
        if held is not None:
            batch = pa.concat_batches([held, batch])
        held = None
        if not batch.num_rows:
            continue
        if batch.column("_change_type")[-1].as_py() == "update_preimage":
            batch, held = batch[:-1], batch[-1:]
        if batch.num_rows:
            yield _paired(batch)
    if held is not None:
        yield _paired(held)


def _paired(batch: pa.RecordBatch) -> pa.RecordBatch:
    encoded = batch.column("_change_type").dictionary_encode()
    names = encoded.dictionary.to_pylist()
    change = encoded.indices.to_numpy()
    row = batch.column(_ROW)
    columns = {name: batch.column(name) for name in METADATA}
    if len(names) == 1 and names[0] in ("insert", "delete"):
        # Copies of large documents take as long as making them.
        nothing = pa.nulls(len(row), pa.string())
        before, after = (nothing, row) if names[0] == "insert" else (row, nothing)
        return pa.RecordBatch.from_pydict({**columns, "before": before, "after": after})
    is_before, is_after, is_delete = (
        np.isin(change, [k for k, name in enumerate(names) if name == kind])
        for kind in ("update_preimage", "update_postimage", "delete")
    )
    has_pair = np.append(is_before[:-1] & is_after[1:], [False])  # with the next image
    begins = np.flatnonzero(~np.append([False], has_pair[:-1]))
    is_old = (is_before | is_delete)[begins]
    paired = has_pair[begins]
    columns = {name: column.take(pa.array(begins)) for name, column in columns.items()}
    kinds = pa.array(["update" if name.startswith("update") else name for name in names])
    columns["_change_type"] = kinds.take(pa.array(change[begins]))
    before = row.take(pa.array(begins, mask=~is_old))
    after = row.take(pa.array(begins + paired, mask=is_old & ~paired))
    return pa.RecordBatch.from_pydict({**columns, "before": before, "after": after})


def json_lines(changes: pa.RecordBatch) -> pa.Array:
    """Return the changes of `pair_changes` as JSON objects, each with a line feed at its end.

    What is null is left out. Arrow puts them together: Python would take longer than the decoder.
    """
    pieces: list[pa.Array | str] = ['{"']
    for name, key in (*METADATA.items(), ("before", "before"), ("after", "after")):
        values = changes.column(name)
        if values.null_count == len(values):
            continue
        # The first member, the time, is never null.
        start = 'time": ' if name == "_commit_timestamp" else f', "{key}": '
        quote = ""
        if name in _TEXT:
            values, quote = _escaped(values)
        elif pa.types.is_timestamp(values.type):
            values, quote = iso_times(values), '"'
        values = values.cast(pa.string())
        start += quote
        if name in _REPEATED and values[0].is_valid and pc.all(pc.equal(values, values[0])).as_py():
            _add(pieces, f"{start}{values[0].as_py()}{quote}")
        elif values.null_count:
            _add(pieces, pc.fill_null(pc.binary_join_element_wise(start, values, quote, ""), ""))
        else:
            _add(pieces, start, values, quote)
    _add(pieces, "}\n")
    return pc.binary_join_element_wise(*pieces, "")


def _add(pieces: list[pa.Array | str], *more: pa.Array | str) -> None:
    """Append pieces; texts that follow each other become one."""
    for piece in more:
        if isinstance(piece, str) and isinstance(pieces[-1], str):
            pieces[-1] += piece
        else:
            pieces.append(piece)


def iso_times(times: pa.Array) -> pa.Array:
    """Return UTC times as `2026-01-02T03:04:05.678901Z`.

    Arrow takes thirty times as long for times with a zone.
    """
    texts = times.cast(pa.timestamp(times.type.unit)).cast(pa.string())
    return pc.binary_join_element_wise(pc.utf8_replace_slice(texts, 10, 11, "T"), "Z", "")


def _escaped(texts: pa.Array) -> tuple[pa.Array, str]:
    """Return texts as the inside of JSON strings, and the quote; or whole, with no quote."""
    offsets = np.frombuffer(texts.buffers()[1], dtype=np.int32)
    first, last = offsets[texts.offset], offsets[texts.offset + len(texts)]
    data = np.frombuffer(texts.buffers()[2] or b"", dtype=np.uint8)[first:last]
    is_special = (data < 0x20) | (data >= 0x7F) | (data == ord('"')) | (data == ord("\\"))
    if not is_special.any():
        return texts, '"'
    encoded = texts.dictionary_encode()
    words = [None if word is None else json.dumps(word) for word in encoded.dictionary.to_pylist()]
    return pa.array(words, pa.string()).take(encoded.indices), ""
