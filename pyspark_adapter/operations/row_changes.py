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
}
_ROW: Final = "row"
_TEXT: Final = ("_gtid", "_log_file", "_database_name", "_table_name", "_change_type")
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
    change = batch.column("_change_type")
    is_before = _is(change, "update_preimage")
    is_after = _is(change, "update_postimage")
    has_pair = np.append(is_before[:-1] & is_after[1:], [False])  # with the next image
    begins = np.flatnonzero(~np.append([False], has_pair[:-1]))
    row = batch.column(_ROW)
    is_old = (is_before | _is(change, "delete"))[begins]
    before = pc.if_else(pa.array(is_old), row.take(pa.array(begins)), None)
    paired = has_pair[begins]
    is_new = ~is_old | paired
    after = pc.if_else(pa.array(is_new), row.take(pa.array(begins + paired)), None)
    columns = {name: batch.column(name).take(pa.array(begins)) for name in METADATA}
    columns["_change_type"] = pc.replace_substring_regex(
        columns["_change_type"], "_(pre|post)image$", ""
    )
    return pa.RecordBatch.from_pydict({**columns, "before": before, "after": after})


def _is(texts: pa.Array, text: str) -> np.ndarray:
    return np.asarray(pc.equal(texts, text))


def json_lines(changes: pa.RecordBatch) -> pa.Array:
    """Return the changes of `pair_changes` as JSON objects, each with a line feed at its end.

    What is null is left out. Arrow puts them together: Python would take longer than the decoder.
    """
    pieces: list[pa.Array | str] = ['{"']
    for name, key in (*METADATA.items(), ("before", "before"), ("after", "after")):
        values = changes.column(name)
        if values.null_count == len(values):
            continue
        if name in _TEXT:
            values = _quoted(values)
        elif pa.types.is_timestamp(values.type):
            values = _times(values)
        # The first member, the time, is never null.
        start = 'time": ' if name == "_commit_timestamp" else f', "{key}": '
        values = values.cast(pa.string())
        if name in _REPEATED and values[0].is_valid and pc.all(pc.equal(values, values[0])).as_py():
            pieces.append(f"{start}{values[0].as_py()}")
        elif values.null_count:
            pieces.append(pc.fill_null(pc.binary_join_element_wise(start, values, ""), ""))
        else:
            pieces += [start, values]
    return pc.binary_join_element_wise(*pieces, "}\n", "")


def _times(times: pa.Array) -> pa.Array:
    """Return times as JSON strings; rows of a transaction share theirs."""
    encoded = times.dictionary_encode()
    texts = encoded.dictionary.cast(pa.string())
    texts = pc.utf8_replace_slice(texts, 10, 11, "T")
    return pc.binary_join_element_wise('"', texts, '"', "").take(encoded.indices)


def _quoted(texts: pa.Array) -> pa.Array:
    """Return few distinct texts as JSON strings."""
    encoded = texts.dictionary_encode()
    words = [None if word is None else json.dumps(word) for word in encoded.dictionary.to_pylist()]
    return pa.array(words, pa.string()).take(encoded.indices)
