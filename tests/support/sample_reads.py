"""Typed rows of samples: several tests compare them, and each table is read once for all."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import Any

import pyarrow as pa

from pyspark_adapter import TableName, read_batches
from tests.inputs import SAMPLES, sample_path
from tests.support.groups import unpacked
from tests.support.outcome import ALL_METADATA, Outcome, read, table_names

# Of a sample with more tables, the reference reads all in one pass: it parses each event in Python.
# `test_table_groups` has the same rows from reads of one table.
MOST_TABLES = 12


@cache
def typed_rows(name: str, table: TableName, engine: str) -> Outcome:
    """Return the rows of a table in a sample, with all metadata columns."""
    if engine == "reference" and len(SAMPLES[name]["row_changes"]) > MOST_TABLES:
        found = _rows_by_table(name, engine).get(table)
        if found is not None:
            return Outcome(found, (found.num_rows,), None)
    return read(sample_path(name), table=table, engine=engine, metadata_columns=ALL_METADATA)


@cache
def _rows_by_table(name: str, engine: str) -> dict[TableName, pa.Table]:
    """Return the rows of all tables of a sample but those whose typed reads end in an error."""
    wanted = [t for t in table_names(SAMPLES[name]) if typed_rows(name, t, "kernels").error is None]
    found: dict[TableName, list[pa.RecordBatch]] = defaultdict(list)
    options: dict[str, Any] = {"tables": ",".join(map(str, wanted)), "engine": engine}
    batches = read_batches(sample_path(name), row="arrow", metadata_columns=ALL_METADATA, **options)
    for group, rows in unpacked(batches):
        found[TableName(group["database_name"], group["table_name"])].append(rows)
    return {
        table: pa.Table.from_batches(rows).replace_schema_metadata().combine_chunks()
        for table, rows in found.items()
    }
