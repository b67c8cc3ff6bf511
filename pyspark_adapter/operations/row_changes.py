"""Row changes, each as one: an update with its images before and after it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa

from pyspark_adapter.kernels.layout import Change, Numbers
from pyspark_adapter.options.change_types import CHANGE_TYPES, SCHEMA_CHANGE_TYPES, SNAPSHOT
from pyspark_adapter.plan.output_schema import ABSENT, DIFF
from pyspark_adapter.values.arrow_arrays import joined
from pyspark_adapter.values.text_pieces import TextPiece, piece_lines

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

# Names in `_change_type`, those of row images as `Change` numbers them, and the kinds of changes.
_NAMES: Final = (*CHANGE_TYPES, *SCHEMA_CHANGE_TYPES, SNAPSHOT)
_KINDS: Final = pa.array(["update" if name.startswith("update") else name for name in _NAMES])
# The index of a name by its length and first letter, which no other has.
_CODES: Final = np.zeros(256 * 17, dtype=np.int64)
for _code, _name in enumerate(_NAMES):
    _CODES[256 * len(_name) + ord(_name[0])] = _code

# Text that needs no escapes in JSON.
_PLAIN: Final = ("_gtid", "_change_type")
_QUOTED: Final = (*_PLAIN, "_commit_timestamp")


@dataclass(frozen=True, slots=True)
class Changes:
    """Row changes of a batch of row images.

    Attributes:
        images: METADATA and `row`, the row image as JSON.
        first: (n,) int64, the image of each change that its metadata is taken from.
        before: (n,) int64, the image before each change; -1 where there is none.
        after: (n,) int64, the image after it; -1 where there is none.
        kinds: names of kinds of changes; one if all are of one kind.
        kind: (n,) int64, the index of that of each change.
    """

    images: pa.RecordBatch
    first: Numbers
    before: Numbers
    after: Numbers
    kinds: pa.Array
    kind: Numbers

    def table(self) -> pa.RecordBatch:
        """Return a row for each change.

        Its columns are METADATA, with `_change_type` insert, update or delete, and the images as
        JSON, `before` and `after`, null where there is none. DIFF and ABSENT are those of the image
        after, where the images have them.
        """
        first = pa.array(self.first)
        columns = {name: self.images.column(name).take(first) for name in METADATA}
        columns["_change_type"] = self.kinds.take(pa.array(self.kind))
        row = self.images.column(_ROW)
        for name, index in (("before", self.before), ("after", self.after)):
            columns[name] = row.take(pa.array(index, mask=index < 0))
        for name in {DIFF, ABSENT}.intersection(self.images.schema.names):
            after = pa.array(self.after, mask=self.after < 0)
            columns[name] = self.images.column(name).take(after)
        return pa.RecordBatch.from_pydict(columns)

    def json_lines(self) -> Iterator[Any]:
        """Return the changes as JSON objects, each with a line feed at its end, as bytes.

        Null values are left out.
        """
        pieces = []
        before = "{"  # the next value that is not the same in all rows
        for name, key in METADATA.items():
            values, index = self.images.column(name), self.first
            if values.null_count == len(values):  # never the time, the first member
                continue
            quote = '"' if name in _QUOTED else ""
            if name == "_change_type":
                values, index = self.kinds, self.kind
            elif pa.types.is_string(values.type) and name not in _PLAIN:
                values, quote = json_texts(values)
            head = f"""{"" if name == "_commit_timestamp" else ", "}"{key}": {quote}"""
            if len(values) == 1 and pa.types.is_string(values.type):
                before += f"{head}{values[0].as_py()}{quote}"
            else:
                piece = TextPiece(before + head, values, quote, before, 6, index, is_iso=True)
                pieces.append(piece)
                before = ""
        row = self.images.column(_ROW)
        for head, index in ((', "before": ', self.before), (', "after": ', self.after)):
            pieces.append(TextPiece(before + head, row, "", before, index=index))
            before = ""
        if DIFF in self.images.schema.names:
            differences = self.images.column(DIFF)
            if differences.null_count < len(differences):
                pieces.append(TextPiece(', "json_diff": ', differences, index=self.after))
        pieces.append(TextPiece("}\n"))
        return piece_lines(pieces, len(self.first))


class ChangePairs:
    """Makes changes of row images, batch by batch.

    Both images of an update follow each other, unless one is filtered out.
    """

    def __init__(self) -> None:
        self._held: pa.RecordBatch | None = (
            None  # the image before an update, at the end of a batch
        )

    def add(self, batch: pa.RecordBatch) -> Iterator[Changes]:
        """Yield the changes of a batch, of METADATA and `row`; an update may wait for the next."""
        if self._held is not None:
            batch = joined([self._held, batch])
        self._held = None
        if batch.num_rows and batch.column("_change_type")[-1].as_py() == "update_preimage":
            batch, self._held = batch[:-1], batch[-1:]
        if batch.num_rows:
            yield _paired(batch)

    def end(self) -> Iterator[Changes]:
        """Yield the change of an image that nothing followed."""
        if self._held is not None:
            yield _paired(self._held)


def pair_changes(batches: Iterable[pa.RecordBatch]) -> Iterator[Changes]:
    """Yield changes instead of row images, whose `row` is JSON; see `ChangePairs`."""
    pairs = ChangePairs()
    for batch in batches:
        yield from pairs.add(batch)
    yield from pairs.end()


def _paired(batch: pa.RecordBatch) -> Changes:
    change = _change_codes(batch.column("_change_type"))
    every, none = np.arange(len(change)), np.full(len(change), -1)
    for only, before, after in ((Change.INSERT, none, every), (Change.DELETE, every, none)):
        if (change == only).all():
            return Changes(
                batch, every, before, after, _KINDS[only : only + 1], np.zeros_like(every)
            )
    is_before, is_after = change == Change.UPDATE_PREIMAGE, change == Change.UPDATE_POSTIMAGE
    has_pair = np.append(is_before[:-1] & is_after[1:], [False])  # with the next image
    first = np.flatnonzero(~np.append([False], has_pair[:-1]))
    is_old = (is_before | (change == Change.DELETE))[first]
    paired = has_pair[first]
    before = np.where(is_old, first, -1)
    after = np.where(is_old & ~paired, -1, first + paired)
    return Changes(batch, first, before, after, _KINDS, change[first])


def _change_codes(names: pa.Array) -> Numbers:
    """Return (n,) int64, the index in `_NAMES` of each."""
    offsets = np.frombuffer(names.buffers()[1], np.int32, len(names) + 1, 4 * names.offset)
    starts, data = offsets[:-1], np.frombuffer(names.buffers()[2], dtype=np.uint8)
    return np.asarray(_CODES[(offsets[1:] - starts) * 256 + data[starts]])


def json_texts(texts: pa.Array) -> tuple[pa.Array, str]:
    """Return texts in JSON, and the quote around each; one text if all are the same.

    Most columns are the same text in all rows, and need no escape. Not all may be null.
    """
    data = _bytes_of(texts)
    lengths = np.diff(np.frombuffer(texts.buffers()[1], np.int32, len(texts) + 1, 4 * texts.offset))
    length = int(lengths[0])
    is_same = length > 0 and not texts.null_count and (lengths == length).all()
    if is_same and (data[length:] == data[:-length]).all():
        texts, data = texts[:1], data[:length]
    is_special = (data < 0x20) | (data >= 0x7F) | (data == ord('"')) | (data == ord("\\"))
    if not is_special.any():
        return texts, '"'
    encoded = texts.dictionary_encode()
    words = [None if word is None else json.dumps(word) for word in encoded.dictionary.to_pylist()]
    return pa.array(words, pa.string()).take(encoded.indices), ""


def _bytes_of(texts: pa.Array) -> Numbers:
    """Return the bytes of all values of a string array."""
    offsets = np.frombuffer(texts.buffers()[1], dtype=np.int32)
    first, last = offsets[texts.offset], offsets[texts.offset + len(texts)]
    return np.frombuffer(texts.buffers()[2] or b"", dtype=np.uint8)[first:last]
