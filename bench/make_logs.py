"""Make the benchmark logs: `python -m bench.make_logs --servers-dir DIR --out bench/logs`."""

import argparse
import hashlib
import shutil
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench import values, workloads
from bench.documents import DOCUMENT_WORKLOADS, Documents
from bench.large import Large
from bench.log_file import count_events
from bench.manifest import LogRecord, read_manifest, write_manifest
from bench.minimal import Minimal
from bench.server import Server, running_server
from bench.timing import MEGABYTE
from bench.workloads import DATABASE_NAME, WORKLOADS, Wide, Workload

LOGGED_OPTIONS = {"binlog-row-metadata": "FULL", "max-binlog-size": "1G"}
# These change the time to make a log, and no byte of it.
FAST_OPTIONS = {
    "sync-binlog": "0",
    "innodb-flush-log-at-trx-commit": "0",
    "innodb-doublewrite": "OFF",
    "innodb-buffer-pool-size": "1G",
    "innodb-redo-log-capacity": "2G",
}


def recipe(kind: type[Workload]) -> str:
    """Return a fingerprint of the statements: the log of a changed workload is made again."""
    modules = dict.fromkeys((values, workloads, sys.modules[kind.__module__]))
    sources = (Path(module.__file__ or "") for module in modules)
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]


def make_log(
    server: Server, kind: type[Workload], folder: Path, parameters: dict[str, Any]
) -> LogRecord:
    """Run a workload on the server, and copy its log into the folder."""
    _run(server, f"DROP DATABASE IF EXISTS {DATABASE_NAME}")
    # Each log starts with an empty GTID history, like that of a new server.
    _run(server, f"RESET BINARY LOGS AND GTIDS TO {kind.number}")
    _run(server, f"CREATE DATABASE {DATABASE_NAME}")
    megabytes = parameters["megabytes"]
    workload = kind(lambda: server.connect(DATABASE_NAME), megabytes)
    try:
        for statement in kind.ddl:
            workload.execute(statement)
        workload.execute("SET SESSION sql_log_bin = 0")
        workload.prepare()
        workload.execute("SET SESSION sql_log_bin = 1")
        rows = fill(server, workload, int(megabytes * MEGABYTE))
    finally:
        workload.close()
    table = f"{DATABASE_NAME}.{kind.name}"
    num_rows_in_table = _run(server, f"SELECT COUNT(*) FROM {table}")[0][0]
    document_bytes = 0
    if issubclass(kind, Documents):
        document_bytes = int(_run(server, f"SELECT SUM(JSON_STORAGE_SIZE(doc)) FROM {table}")[0][0])
    _run(server, "FLUSH BINARY LOGS")
    path = folder / f"{kind.name}.{kind.number:06}"
    partial = path.with_name(path.name + ".partial")
    shutil.copyfile(server.log_file(kind.number), partial)
    partial.replace(path)
    return LogRecord(
        log_file=path.name,
        num_bytes=path.stat().st_size,
        rows=dict(rows),
        num_rows_in_table=num_rows_in_table,
        events=count_events(path),
        server_version=server.version,
        parameters=parameters,
        document_bytes=document_bytes,
    )


def fill(server: Server, workload: Workload, num_bytes: int) -> Counter[str]:
    """Write slices until the log has this size; return the rows by operation."""
    path = server.log_file(workload.number)
    rows: Counter[str] = Counter()
    slice_index = 0
    while path.stat().st_size < num_bytes:
        rows += workload.write_slice(slice_index)
        slice_index += 1
    return rows


def _run(server: Server, statement: str) -> Any:
    connection = server.connect()
    try:
        with connection.cursor() as cursor:
            cursor.execute(statement)
            return cursor.fetchall()
    finally:
        connection.close()


ALL_WORKLOADS: tuple[type[Workload], ...] = (*WORKLOADS, Wide, *DOCUMENT_WORKLOADS, Large, Minimal)


def make_logs(
    servers_folder: Path,
    folder: Path,
    megabytes: float,
    kinds: Sequence[type[Workload]] = ALL_WORKLOADS,
) -> None:
    """Make logs that are missing or outdated, and print the content of each."""
    folder.mkdir(parents=True, exist_ok=True)
    records = read_manifest(folder)
    wanted = {
        kind: {"megabytes": megabytes * kind.share, "recipe": recipe(kind), **LOGGED_OPTIONS}
        for kind in kinds
    }
    missing = [
        kind
        for kind in kinds
        if kind.name not in records or not records[kind.name].is_current(folder, wanted[kind])
    ]
    if missing:
        with running_server(servers_folder, LOGGED_OPTIONS | FAST_OPTIONS) as server:
            for kind in missing:
                started = time.monotonic()
                records[kind.name] = make_log(server, kind, folder, wanted[kind])
                write_manifest(folder, records)
                print(f"{kind.name}: made in {time.monotonic() - started:.0f} s", file=sys.stderr)
    for kind in kinds:
        print(describe(kind.name, records[kind.name]))


def describe(name: str, record: LogRecord) -> str:
    """Return lines with the size, rows and events of a log."""
    rows = ", ".join(f"{count:,} {operation}" for operation, count in record.rows.items())
    events = ", ".join(f"{count:,} {event}" for event, count in record.events.items())
    return (
        f"{name}: {record.log_file}, {record.num_bytes / MEGABYTE:.1f} MB,"
        f" MySQL {record.server_version}\n  rows: {rows}\n  events: {events}"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and make the logs."""
    parser = argparse.ArgumentParser(prog="python -m bench.make_logs", description=__doc__)
    parser.add_argument("--servers-dir", type=Path, required=True, help="folder of the servers")
    parser.add_argument("--out", type=Path, default=Path("bench/logs"), help="folder of the logs")
    parser.add_argument("--megabytes", type=float, default=100, help="size of a log, in 10^6 bytes")
    options = parser.parse_args(arguments)
    make_logs(options.servers_dir, options.out, options.megabytes)


if __name__ == "__main__":
    main()
