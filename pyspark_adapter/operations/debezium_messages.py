"""Changes of rows as the messages of Debezium's MySQL connector: topic, key, value and headers.

Source: "Data change events" of the documentation of Debezium 3.5.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.errors import SchemaMismatchError
from pyspark_adapter.kernels.layout import Numbers
from pyspark_adapter.operations.row_changes import ChangePairs, Changes, json_texts
from pyspark_adapter.options.change_types import SNAPSHOT
from pyspark_adapter.plan.output_schema import DEBEZIUM, DEBEZIUM_METADATA, ROW_NAME
from pyspark_adapter.values.arrow_arrays import number_array
from pyspark_adapter.values.text_pieces import TextPiece, join_pieces

_HEADER: Final = pa.struct([("key", pa.string()), ("value", pa.binary())])
MESSAGES: Final = pa.schema(
    [
        pa.field("topic", pa.string(), nullable=False),
        pa.field("key", pa.string()),
        pa.field("value", pa.string()),
        pa.field("headers", pa.list_(_HEADER)),
    ]
)
# The members of `source`: name, type of Connect, whether it may be null, and column or value.
_SOURCE: Final = (
    ("version", "string", False, None),
    ("connector", "string", False, None),
    ("name", "string", False, None),
    ("ts_ms", "int64", False, None),
    ("snapshot", "string", True, None),
    ("db", "string", False, "_database_name"),
    ("sequence", "string", True, None),
    ("ts_us", "int64", True, None),
    ("ts_ns", "int64", True, None),
    ("table", "string", True, "_table_name"),
    ("server_id", "int64", False, None),
    ("gtid", "string", True, "_gtid"),
    ("file", "string", False, "_log_file"),
    ("pos", "int64", False, "_start_pos"),
    ("row", "int32", False, None),
    ("thread", "int64", True, "_thread_id"),
    ("query", "string", True, "_query"),
)

_OPERATIONS: Final = {"insert": "c", "update": "u", "delete": "d", SNAPSHOT: "r"}
_SNAPSHOTS: Final = (
    "true,first,first_in_data_collection,last_in_data_collection,last,false,incremental"
)


class DebeziumMessages:
    """Makes messages, MESSAGES, of row images that were read with row=debezium, in their order.

    Args:
        topic_prefix: of all topics, and the name of the server in `source`.
        tombstones: whether a message without a value follows each delete of a key.
    """

    def __init__(self, topic_prefix: str, *, tombstones: bool = True) -> None:
        self._topic_prefix, self._tombstones = topic_prefix, tombstones
        self._pairs = ChangePairs()
        self._last = (-1, -1, -1)  # version, position and index of the change before

    def add(self, images: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        """Yield the messages of row images; an update may wait for the next batch."""
        yield from map(self._messages, self._pairs.add(images))

    def end(self) -> Iterator[pa.RecordBatch]:
        """Yield the last messages."""
        yield from map(self._messages, self._pairs.end())

    def of(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the messages of batches of row images."""
        for images in batches:
            yield from self.add(images)
        yield from self.end()

    def _numbers(self, changes: Changes) -> Numbers:
        """Return (n,) the index of each change in its event."""
        columns = [changes.images.column(n) for n in ("_commit_version", "_start_pos")]
        version, pos = (column.to_numpy()[changes.first] for column in columns)
        last_version, last_pos, last_number = self._last
        is_first = np.diff(version, prepend=last_version) != 0
        is_first |= np.diff(pos, prepend=last_pos) != 0
        numbers = np.arange(len(pos))
        numbers -= np.maximum.accumulate(np.where(is_first, numbers, -1 - last_number))
        self._last = (int(version[-1]), int(pos[-1]), int(numbers[-1]))
        is_snapshot = pc.equal(changes.kinds, SNAPSHOT).to_numpy(zero_copy_only=False)
        return np.where(is_snapshot[changes.kind], 0, numbers)

    def _messages(self, changes: Changes) -> pa.RecordBatch:
        images = changes.images
        keys, rows, schemas, connectors = images.column(ROW_NAME).flatten()
        kinds = changes.kinds.take(number_array(changes.kind)).to_numpy(zero_copy_only=False)
        old, new = (_taken(keys, index) for index in (changes.before, changes.after))
        is_moved = pc.fill_null(pc.not_equal(old, new), False).to_numpy(zero_copy_only=False)
        # A change of the key is a delete and an insert.
        counts = 1 + is_moved + self._tombstones * ((kinds == "delete") | is_moved)
        which = np.repeat(np.arange(len(counts)), counts)
        step = np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
        is_new = is_moved[which] & (step == counts[which] - 1)
        is_old = is_moved[which] & ~is_new
        is_tombstone = (step == 1) & (is_old | (kinds == "delete")[which])
        operation = np.array([_OPERATIONS[kind] for kind in kinds.tolist()])[which]
        operation[is_new], operation[is_old] = "c", "d"
        first = changes.first[which]
        topic = pc.binary_join_element_wise(
            self._topic_prefix, images.column("_database_name"), images.column("_table_name"), "."
        ).take(number_array(first))
        topic = pc.replace_substring_regex(topic, "[^A-Za-z0-9._-]", "_")
        old, new = (values.take(number_array(which)) for values in (old, new))
        key = pc.if_else(number_array(is_old), old, pc.coalesce(new, old))
        before = np.where(is_new, -1, changes.before[which])
        after = np.where(is_old, -1, changes.after[which])
        parts = [
            TextPiece('{"before": ', rows, none='{"before": null', index=before),
            TextPiece(', "after": ', rows, none=', "after": null', index=after),
            *self._source(images, first, self._numbers(changes)[which]),
            TextPiece('"transaction": null, "op": "', pa.array(operation.tolist()), '"'),
            TextPiece(_times_now()),
        ]
        value = join_pieces(parts, len(which))
        other = pc.if_else(number_array(is_old), new, old)
        if schemas.null_count < len(schemas):
            facts = (topic, _taken(schemas, first), _taken(connectors, first))
            both = [_schemas(*each) for each in zip(*(f.to_pylist() for f in facts), strict=True)]
            of_key, of_value = (pa.array(texts, pa.string()) for texts in zip(*both, strict=True))
            key, other = (_with_schema(of_key, payload) for payload in (key, other))
            value = _with_schema(of_value, value)
        value = pc.if_else(number_array(is_tombstone), pa.scalar(None, pa.string()), value)
        headers = _headers(images, first, other, is_old, is_new)
        return pa.RecordBatch.from_arrays([topic, key, value, headers], schema=MESSAGES)

    def _source(self, images: pa.RecordBatch, first: Numbers, numbers: Numbers) -> list[TextPiece]:
        from pyspark_adapter import __version__

        constants = {
            "version": f"mysql-binlog-spark {__version__}",
            "name": self._topic_prefix,
            "sequence": None,
        } | ({} if "_query" in images.schema.names else {"query": None})
        micros = images.column("_commit_timestamp").cast(pa.int64())
        is_snapshot = pc.equal(images.column("_change_type"), SNAPSHOT)
        computed = {
            "connector": images.column(ROW_NAME).field("connector"),
            "snapshot": pc.if_else(is_snapshot, "true", "false"),
            "server_id": pc.fill_null(images.column("_server_id"), 0),  # of a snapshot
            "ts_ms": pc.divide(micros, 1000),
            "ts_us": micros,
            "ts_ns": pc.multiply(micros, 1000),
        }
        pieces, before = [], ', "source": {'
        for name, kind, _, column in _SOURCE:
            before += f'"{name}": '
            if name in constants:
                before += json.dumps(constants[name]) + ", "
                continue
            if name == "row":
                values, index = number_array(numbers), None
            elif column is None:
                values, index = computed[name], first
            else:
                values, index = images.column(column), first
            none, quote = f"{before}null", ""
            if values.null_count == len(values):
                before = f"{none}, "
                continue
            if kind == "string":
                values, quote = json_texts(values)
                if len(values) == 1:
                    before += f"{quote}{values[0].as_py()}{quote}, "
                    continue
            pieces.append(TextPiece(f"{before}{quote}", values, quote, none, index=index))
            before = ", "
        return [*pieces, TextPiece(f"{before.removesuffix(', ')}}}, ")]


def check_schema(images: pa.Schema) -> None:
    """Check the columns of row images; raises SchemaMismatchError if messages need others."""
    missing = {*DEBEZIUM_METADATA, ROW_NAME}.difference(images.names)
    if missing or images.field(ROW_NAME).type != DEBEZIUM:
        raise SchemaMismatchError(
            f"messages of Debezium: expected the columns of a read with option row=debezium, found"
            f" {', '.join(images.names)}",
            advice="read with row=debezium, and keep all its columns",
        )


def _taken(values: pa.Array, index: Numbers) -> pa.Array:
    """Return values by index; null where it is below 0."""
    return values.take(number_array(index, index < 0))


def _times_now() -> str:
    nanos = time.time_ns()
    return f', "ts_ms": {nanos // 10**6}, "ts_us": {nanos // 1000}, "ts_ns": {nanos}}}'


def _with_schema(schema: pa.Array, payload: pa.Array) -> pa.Array:
    return pc.binary_join_element_wise('{"schema": ', schema, ', "payload": ', payload, "}", "")


def _headers(
    images: pa.RecordBatch, first: Numbers, other: pa.Array, is_old: Numbers, is_new: Numbers
) -> pa.ListArray:
    """Return headers of n messages: the place, and where the key has changed the other key.

    A delete `is_old`, and has the key after the change; an insert `is_new`.
    """
    n, has_other = len(first), is_old | is_new
    places = [
        images.column(name).take(number_array(first)) for name in ("_commit_version", "_row_number")
    ]
    pool = pa.concat_arrays([*(place.cast(pa.string()) for place in places), other])
    names = ["_commit_version", "_row_number", "__debezium.newkey", "__debezium.oldkey"]
    offsets = np.zeros(n + 1, dtype=np.int32)
    offsets[1:] = np.cumsum(2 + has_other)
    index, of_name = np.empty(offsets[-1], dtype=np.int64), np.empty(offsets[-1], dtype=np.int64)
    every = np.arange(n)
    for k in range(2):
        index[offsets[:-1] + k], of_name[offsets[:-1] + k] = every + k * n, k
    at = offsets[:-1][has_other] + 2
    index[at], of_name[at] = every[has_other] + 2 * n, np.where(is_old, 2, 3)[has_other]
    values = pool.take(number_array(index)).cast(pa.binary())
    entries = [pa.array(names).take(number_array(of_name)), values]
    structs = pa.StructArray.from_arrays(entries, fields=list(_HEADER))
    return pa.ListArray.from_arrays(pa.array(offsets), structs)


@lru_cache(maxsize=256)
def _schemas(topic: str, schema: str, connector: str) -> tuple[str, str]:
    """Return the schemas of the key and the value of a message.

    Args:
        topic, connector: of it.
        schema: of its row, as `render_debezium` writes it.
    """
    row = json.loads(schema)
    named = {field["field"]: field for field in row["fields"]}
    of_key = [named[name] for name in row["key"]]
    source = [_field(kind, name, optional=is_null) for name, kind, is_null, _ in _SOURCE]
    source[4] |= {"name": "io.debezium.data.Enum", "version": 1, "default": "false"}
    source[4]["parameters"] = {"allowed": _SNAPSHOTS}
    transaction = [
        _field("string", "id"),
        _field("int64", "total_order"),
        _field("int64", "data_collection_order"),
    ]
    fields = [
        _struct(row["fields"], "before", f"{topic}.Value", optional=True),
        _struct(row["fields"], "after", f"{topic}.Value", optional=True),
        _struct(source, "source", f"io.debezium.connector.{connector}.Source", version=1),
        _struct(transaction, "transaction", "event.block", optional=True, version=1),
        _field("string", "op"),
        *(_field("int64", name, optional=True) for name in ("ts_ms", "ts_us", "ts_ns")),
    ]
    envelope = _struct(fields, None, f"{topic}.Envelope", version=2)
    return json.dumps(_struct(of_key, None, f"{topic}.Key")), json.dumps(envelope)


def _field(kind: str, name: str, *, optional: bool = False) -> dict[str, Any]:
    return {"type": kind, "optional": optional, "field": name}


def _struct(
    fields: list[Any], field: str | None, name: str, *, optional: bool = False, version: int = 0
) -> dict[str, Any]:
    schema = {"type": "struct", "fields": fields, "optional": optional, "name": name}
    schema |= {"version": version} if version else {}
    return schema | ({} if field is None else {"field": field})
