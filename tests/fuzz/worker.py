"""Reads damaged logs in a process of its own: `python -m tests.fuzz.worker [--kernels] SOURCE...`.

A source is `SAMPLE:SEED` or the path of a log. With `--kernels`, the events view is left out, in
which there are no kernels, and mutations are not read by the schema. Each source is named on a
line before it is read, and its outcome follows as JSON, so that the process may hang or die and
still tell where.
"""

import json
import resource
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pyspark_adapter import BinlogError, TableName, list_tables, read_batches
from pyspark_adapter.plan.output_schema import METADATA_BY_NAME
from tests.fuzz.mutation import mutate
from tests.oracle.comparison import first_difference

MAX_MEMORY = 6 << 30

Read = Callable[[str], list[Any]]


def _changes(path: str) -> list[Any]:
    return _collect(path, metadata_columns=tuple(METADATA_BY_NAME))


def _small_windows(path: str) -> list[Any]:
    return _collect(path, window_bytes=1024, batch_rows=2, batch_bytes=1024)


def _typed(path: str) -> list[Any]:
    """Read the table that the log changes first."""
    names = ("_database_name", "_table_name")
    first = next(read_batches(path, verify_checksums=False, metadata_columns=names), None)
    if first is None or not first.num_rows:
        return ["", []]
    table = TableName(first.column(names[0])[0].as_py(), first.column(names[1])[0].as_py())
    return _collect(path, table=table, zero_date_time_behavior="ROUND")


def _counts(path: str) -> list[Any]:
    tables = list_tables(path, verify_checksums=False)
    return ["", list(tables)]


def _events(path: str) -> list[Any]:
    return _collect(path, view="events")


def _collect(path: str, **options: Any) -> list[Any]:
    """Return [class of the error or "", rows]; the rows before an error are kept."""
    rows: list[Any] = []
    try:
        for batch in read_batches(path, verify_checksums=False, **options):
            batch.validate(full=True)
            rows += batch.to_pylist()
    except BinlogError as error:
        str(error)
        return [type(error).__name__, rows]
    return ["", rows]


READS: dict[str, Read] = {
    "changes": _changes,
    "small windows": _small_windows,
    "typed": _typed,
    "counts": _counts,
    "events": _events,
}


def end_of(read: Read, path: str) -> tuple[dict[str, Any], list[Any]]:
    """Return how a read ends, and its rows: our error's class or "", or the trace of another."""
    rows: list[Any] = []
    try:
        error, rows = read(path)
    except BinlogError as raised:
        error = type(raised).__name__
    except Exception:  # noqa: BLE001 - this is what the tests look for
        return {"trace": traceback.format_exc()}, rows
    return {"error": error, "num_rows": len(rows)}, rows


def outcome(name: str, path: str, *, by_schema: bool) -> dict[str, Any]:
    """Return how a read ends, and the first row in which the schema differs."""
    found, rows = end_of(READS[name], path)
    if by_schema and name == "changes":
        found["difference"] = first_difference(Path(path), rows)
    return found


def reads_of(seed: int | None) -> list[str]:
    """Return the reads of a mutation: its changes, and another way in turns."""
    others = [name for name in READS if name != "changes"]
    return list(READS) if seed is None else ["changes", others[seed % len(others)]]


def main(sources: list[str]) -> None:
    """Read each source."""
    of_kernels = sources[0] == "--kernels"
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    with tempfile.TemporaryDirectory() as folder:
        for source in sources[of_kernels:]:
            print(source, flush=True)  # noqa: T201
            path, seed = Path(source), None
            if not path.exists():
                sample, _, number = source.rpartition(":")
                seed = int(number)
                path = Path(folder, "log.000001")
                path.write_bytes(mutate(sample, seed)[0])
            names = [name for name in reads_of(seed) if not (of_kernels and name == "events")]
            by_schema = seed is None or not of_kernels
            found = {name: outcome(name, str(path), by_schema=by_schema) for name in names}
            print(json.dumps(found), flush=True)  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
