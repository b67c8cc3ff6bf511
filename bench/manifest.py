"""The manifest of the logs: their files, and the row counts of the server that wrote them."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

FILE_NAME = "manifest.json"


@dataclass(frozen=True)
class LogRecord:
    """One log.

    Attributes:
        log_file: name of the file in the manifest's folder.
        num_bytes: size of that file.
        rows: row changes by operation, added up from the server's answers to the statements.
        num_rows_in_table: SELECT COUNT(*) when the log was full.
        events: number of events by name, counted in the file.
        server_version: of the server that wrote it.
        parameters: what decides whether the log has to be made again.
        document_bytes: of the JSON documents in the table, in their binary form.
    """

    log_file: str
    num_bytes: int
    rows: dict[str, int]
    num_rows_in_table: int
    events: dict[str, int]
    server_version: str
    parameters: dict[str, Any]
    document_bytes: int = 0

    def is_current(self, folder: Path, parameters: Mapping[str, Any]) -> bool:
        """Return whether the log is there, whole, and made with these parameters."""
        path = folder / self.log_file
        whole = path.exists() and path.stat().st_size == self.num_bytes
        return whole and self.parameters == parameters


def read_manifest(folder: Path) -> dict[str, LogRecord]:
    """Return the records of the logs in a folder by workload name; empty without a manifest."""
    path = folder / FILE_NAME
    if not path.exists():
        return {}
    return {name: LogRecord(**record) for name, record in json.loads(path.read_text()).items()}


def write_manifest(folder: Path, records: Mapping[str, LogRecord]) -> None:
    """Replace the manifest of a folder."""
    text = json.dumps({name: asdict(record) for name, record in records.items()}, indent=1)
    (folder / FILE_NAME).write_text(text + "\n")
