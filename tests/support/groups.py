"""Changes of all tables in one pass: the groups of option `row` = `arrow`, unpacked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa

from pyspark_adapter.plan.output_schema import GROUPS_SCHEMA


def unpacked(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[dict[str, Any], pa.RecordBatch]]:
    """Yield the fields of each group of rows, without its rows, and those."""
    schemas: dict[str, pa.Schema] = {}
    for batch in batches:
        assert batch.schema == GROUPS_SCHEMA
        for group in batch.to_pylist():
            if group["definition"] is not None:
                continue
            if group["schema"] is not None:
                schemas[group["shape"]] = pa.ipc.read_schema(pa.py_buffer(group["schema"]))
            rows = pa.ipc.read_record_batch(group.pop("rows"), schemas[group["shape"]])
            rows.validate(full=True)
            assert rows.num_rows == group["num_rows"]
            yield group, rows
