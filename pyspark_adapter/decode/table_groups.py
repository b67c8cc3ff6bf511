"""Decoded blocks as groups: one row of the output for changes of one table, as Arrow."""

from __future__ import annotations

import hashlib
import io
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.decode.row_block import RowBlock
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.output_schema import GROUPS_SCHEMA, STATEMENT_METADATA, changes_schema
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.plan.row_plan import NO_ROWS, RowPlan

# In the metadata of a schema: the names of the key columns, as JSON.
KEY: Final = b"mysql_binlog.key"
# Metadata columns repeat their values. LZ4 takes less time than to copy what it saves, and Spark
# copies groups several times.
_IPC_OPTIONS: Final = pa.ipc.IpcWriteOptions(compression="lz4")


class _Shape:
    """Columns of rows of a plan.

    Args:
        plan: kept, since its id names the shape while it lives.
        schema: of the rows.

    Attributes:
        schema: as passed.
        digest: what identifies it.
    """

    def __init__(self, plan: RowPlan, schema: pa.Schema) -> None:
        self._plan = plan
        self.schema = schema
        self.digest = hashlib.sha256(schema.serialize()).hexdigest()[:32]
        self._sink = io.BytesIO()
        self._writer = pa.ipc.new_stream(self._sink, schema, options=_IPC_OPTIONS)
        self._writer.write_batch(pa.RecordBatch.from_pylist([], schema))  # after the schema

    def message(self, rows: pa.RecordBatch) -> bytes:
        """Return rows as an IPC message, without their schema."""
        self._sink.seek(0)
        self._sink.truncate()
        self._writer.write_batch(rows)
        return self._sink.getvalue()


class TableGroups:
    """Makes batches of groups."""

    def __init__(self, request: ReadRequest) -> None:
        self._options = request.options
        self._shapes: dict[int, _Shape] = {}  # by the id of the plan
        self._with_schema: set[str] = set()  # shapes whose schema was sent

    def build(self, blocks: Sequence[RowBlock]) -> pa.RecordBatch:
        """Return a row for each table and shape of some blocks; those of a table in order."""
        groups = [group for block in _in_order(blocks) for group in self._groups(block)]
        return pa.RecordBatch.from_pylist(groups, GROUPS_SCHEMA)

    def _groups(self, block: RowBlock) -> Iterator[dict[str, Any]]:
        table = block.plan.table_map.table
        if not block.num_rows:
            return
        if block.plan is NO_ROWS:
            yield from _statements(block)
            return
        shape = self._shape(block.plan)
        schema = shape.schema
        columns = [block.metadata.get(name) for name in schema.names[: len(block.metadata)]]
        rows = pa.RecordBatch.from_arrays([*columns, *block.columns], schema=schema)
        bounds = pc.min_max(rows.column("_commit_version"))
        is_new = shape.digest not in self._with_schema
        self._with_schema.add(shape.digest)
        yield {
            "database_name": table.database_name,
            "table_name": table.table_name,
            "first_commit_version": bounds["min"].as_py(),
            "last_commit_version": bounds["max"].as_py(),
            "num_rows": rows.num_rows,
            "shape": shape.digest,
            "schema": schema.serialize().to_pybytes() if is_new else None,
            "rows": shape.message(rows),
        }

    def _shape(self, plan: RowPlan) -> _Shape:
        """Return the columns of the rows of a plan."""
        if id(plan) not in self._shapes:
            table_map = plan.table_map
            schema = changes_schema(self._options, [wanted.field for wanted in plan.wanted])
            key = [table_map.columns[index].label for index in table_map.row_key]
            schema = schema.with_metadata({KEY: json.dumps(key).encode()})
            self._shapes[id(plan)] = _Shape(plan, schema)
        return self._shapes[id(plan)]


def _statements(block: RowBlock) -> Iterator[dict[str, Any]]:
    """Yield a group for each statement."""
    columns = [block.metadata[name].to_pylist() for name in STATEMENT_METADATA]
    for kind, version, database, table, text, definition in zip(*columns, strict=True):
        yield {
            "database_name": database,
            "table_name": table,
            "first_commit_version": version,
            "last_commit_version": version,
            "num_rows": 0,
            "change_type": kind,
            "statement": text,
            "definition": definition,
        }


def _in_order(blocks: Sequence[RowBlock]) -> Iterator[RowBlock]:
    """Yield blocks, those of a table cut where its rows alternate between several shapes."""
    of_table: dict[TableName, list[RowBlock]] = defaultdict(list)
    for block in blocks:
        of_table[block.plan.table_map.table].append(block)
    for listed in of_table.values():
        if len(listed) == 1:
            yield listed[0]
            continue
        owners = np.repeat(np.arange(len(listed)), [block.num_rows for block in listed])
        order = np.concatenate([block.order for block in listed])
        owners = owners[np.argsort(order, kind="stable")]
        ends = [*(np.flatnonzero(np.diff(owners)) + 1).tolist(), len(owners)]
        num_taken = [0] * len(listed)
        for begin, end in zip([0, *ends], ends, strict=False):
            k = int(owners[begin])
            yield listed[k].part(num_taken[k], end - begin)
            num_taken[k] += end - begin
