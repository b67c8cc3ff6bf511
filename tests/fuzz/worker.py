"""Reads damaged logs in a process of its own: `python -m tests.fuzz.worker [--kernels] SOURCE...`.

A source is `SAMPLE:SEED` or the path of a log. With `--kernels`, the events view is left out, in
which there are no kernels, and mutations are read by the kernels alone. Each source is named on a
line before it is read, and its outcome follows as JSON, so that the process may hang or die and
still tell where.
"""

import json
import resource
import sys
import tempfile
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pyspark_adapter import BinlogError, TableName, list_tables, read_batches
from pyspark_adapter.plan.output_schema import METADATA_BY_NAME
from tests.fuzz.mutation import mutate

MAX_MEMORY = 6 << 30
ENGINES = ("kernels", "reference")

Read = Callable[[str, str], list[Any]]


def _changes(path: str, engine: str) -> list[Any]:
    return _collect(path, engine, metadata_columns=tuple(METADATA_BY_NAME))


def _small_windows(path: str, engine: str) -> list[Any]:
    return _collect(path, engine, window_bytes=1024, batch_rows=2, batch_bytes=1024)


def _typed(path: str, engine: str) -> list[Any]:
    """Read the table that the log changes first."""
    names = ("_database_name", "_table_name")
    first = next(
        read_batches(path, verify_checksums=False, engine=engine, metadata_columns=names), None
    )
    if first is None or not first.num_rows:
        return ["", []]
    table = TableName(first.column(names[0])[0].as_py(), first.column(names[1])[0].as_py())
    return _collect(path, engine, table=table, zero_date_time_behavior="ROUND")


def _counts(path: str, engine: str) -> list[Any]:
    tables = list_tables(path, verify_checksums=False, engine=engine)
    return ["", [repr(table) for table in tables]]


def _events(path: str, engine: str) -> list[Any]:
    return _collect(path, engine, view="events")


def _collect(path: str, engine: str, **options: Any) -> list[Any]:
    """Return [class of the error or "", rows]; the rows before an error are kept."""
    rows: list[str] = []
    try:
        for batch in read_batches(path, verify_checksums=False, engine=engine, **options):
            batch.validate(full=True)
            rows += map(repr, batch.to_pylist())
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


def end_of(read: Read, path: str, engine: str) -> tuple[dict[str, Any], list[str]]:
    """Return how a read ends, and its rows: our error's class or "", or the trace of another."""
    rows: list[str] = []
    try:
        error, rows = read(path, engine)
    except BinlogError as raised:
        error = type(raised).__name__
    except Exception:  # noqa: BLE001 - this is what the tests look for
        return {"trace": traceback.format_exc()}, rows
    return {"error": error, "num_rows": len(rows)}, rows


def compare(name: str, path: str, engines: Sequence[str]) -> dict[str, Any]:
    """Return how a read ends with each engine, and the first row in which they differ."""
    found: dict[str, Any] = {}
    of_engines = []
    for engine in engines:
        found[engine], rows = end_of(READS[name], path, engine)
        of_engines.append(rows)
    pairs = zip(of_engines[0], of_engines[-1], strict=False)  # how far each got is another matter
    found["difference"] = next((pair for pair in pairs if pair[0] != pair[1]), None)
    return found


def reads_of(seed: int | None) -> list[str]:
    """Return the reads of a mutation: its changes, and another way in turns."""
    others = [name for name in READS if name != "changes"]
    return list(READS) if seed is None else ["changes", others[seed % len(others)]]


def main(sources: list[str]) -> None:
    """Read each source with each engine."""
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
            engines = ENGINES[:1] if of_kernels and seed is not None else ENGINES
            names = [name for name in reads_of(seed) if not (of_kernels and name == "events")]
            found = {name: compare(name, str(path), engines) for name in names}
            print(json.dumps(found), flush=True)  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
