"""DuckDB and Polars over a log, with and without what the call of a read pushes down.

    python -m bench.recipes bench/logs/bulk.000001

The functions are those of the page "Without Spark". Each time is the best of five.
"""

import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from pyspark_adapter import list_tables, read_batches, read_schema

PAGE = Path(__file__).parents[1] / "docs" / "guides" / "without-spark.md"
REPEATS = 5


def scan_changes() -> Callable[..., pl.LazyFrame]:
    """Return the function of the page."""
    programs = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    [program] = [program for program in programs if "def scan_changes" in program]
    names: dict[str, Any] = {"read_batches": read_batches, "read_schema": read_schema}
    exec(program.partition("\norders = ")[0], names)  # noqa: S102
    found: Callable[..., pl.LazyFrame] = names["scan_changes"]
    return found


def main(log: str) -> None:
    """Count the inserts of the largest table, and find its greatest key."""
    found = max(list_tables(log), key=lambda table: table.num_changes)
    table, key = str(found.table), found.primary_key[0]
    ask = f"SELECT count(*), max({key}) FROM"
    scanned = scan_changes()(log, table=table)

    def whole() -> object:
        reader = read_batches(log, table=table)  # noqa: F841 - DuckDB finds it by its name
        return duckdb.sql(f"{ask} reader WHERE _change_type = 'insert'").fetchall()

    def pushed() -> object:
        reader = read_batches(  # noqa: F841
            log, table=table, columns=key, metadata_columns="_change_type", change_types="insert"
        )
        return duckdb.sql(f"{ask} reader").fetchall()

    def counted(frame: Any) -> Any:
        inserts = frame.filter(pl.col("_change_type") == "insert")
        return inserts.select(pl.len(), pl.col(key).max())

    for name, run in (
        ("DuckDB, all columns", whole),
        ("DuckDB, one column and change type in the call", pushed),
        ("Polars, eager", lambda: counted(pl.DataFrame(read_batches(log, table=table)))),
        ("Polars, lazy", lambda: counted(scanned).collect()),
    ):
        seconds = []
        for _ in range(REPEATS):
            begun = time.perf_counter()
            run()
            seconds.append(time.perf_counter() - begun)
        print(f"{min(seconds) * 1000:6.0f} ms  {name}")


if __name__ == "__main__":
    main(*sys.argv[1:])
