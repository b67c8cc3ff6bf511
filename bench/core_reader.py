"""Our reader on one log file: one table to Arrow record batches, on one core, without Spark.

As a program, it prints one line of JSON:
`python -m bench.core_reader LOG --mode typed --repeats 3`.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from bench.timing import best_of, print_child_result
from bench.workloads import DATABASE_NAME
from pyspark_adapter import list_tables, read_batches
from pyspark_adapter.values.column_types import VARIANT

OPERATIONS = {"insert": "insert", "update_postimage": "update", "delete": "delete"}
# Types of the only column that is read.
DOCUMENT_TYPES = {"documents": pa.string(), "variants": VARIANT}
# Typed rows with the columns that the table has first, or with those of all its shapes.
TYPED = ("typed", "shapes")
MODES = (*TYPED, "json", "tables", *DOCUMENT_TYPES)

# With bounds checks of numba for all array accesses, including those of `kernels.load`.
CHECKED = {"NUMBA_BOUNDSCHECK": "1"}


def read(path: str, mode: str, **options: Any) -> Iterator[pa.RecordBatch]:
    """Return the rows of a log: its table, typed; all tables, as JSON; or the documents."""
    schema = None
    if mode == "typed":
        options["schema_at"] = "first"
    if mode in TYPED or mode in DOCUMENT_TYPES:
        options["table"] = f"{DATABASE_NAME}.{Path(path).stem}"
    if mode in DOCUMENT_TYPES and "metadata_columns" not in options:
        schema = pa.schema([("doc", DOCUMENT_TYPES[mode])])
    return read_batches(path, schema=schema, **options)


def count_changes(path: str, mode: str) -> dict[str, int]:
    """Return the row changes that a reader finds, by operation."""
    counts: Counter[str] = Counter()
    if mode == "tables":
        for found in list_tables(path):
            counts.update(
                insert=found.num_inserts, update=found.num_updates, delete=found.num_deletes
            )
    else:
        for batch in read(path, mode, metadata_columns="_change_type"):
            counts.update(batch.column("_change_type").to_pylist())
        counts = Counter({operation: counts[change] for change, operation in OPERATIONS.items()})
    return {operation: n for operation, n in counts.items() if n}


def main(arguments: Sequence[str] | None = None) -> None:
    """Time the reader and report to the parent process."""
    parser = argparse.ArgumentParser(prog="python -m bench.core_reader", description=__doc__)
    parser.add_argument("log", type=Path)
    parser.add_argument("--mode", choices=MODES, default="typed")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args(arguments)
    pa.set_cpu_count(1)
    path = str(options.log)

    def run() -> None:
        if options.mode == "tables":
            list_tables(path)
            return
        for _ in read(path, options.mode):
            pass

    run()  # loads the compiled kernels
    seconds, _ = best_of(options.repeats, run)
    rows = count_changes(path, options.mode)
    print_child_result(seconds=seconds, num_bytes=options.log.stat().st_size, rows=rows)


if __name__ == "__main__":
    main()
