"""The logs that tests read: samples of the project, and the corpus next to the checkout."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from samples.manifest import Entry, read_manifest
from samples.sample import SAMPLES_FOLDER
from tests.live.servers import Installation, server_named
from tests.live.servers.catalog import MavenServer

ROOT = SAMPLES_FOLDER.parent
SAMPLES = {entry["name"]: entry for entry in read_manifest()}
CORPUS = Path(os.environ.get("BINLOG_CORPUS", ROOT.parent / "shared" / "corpus"))

# What is not read yet; each log below has a reason of its own to end in an UnsupportedError.
UNREADABLE = frozenset({"mysql-9.7-encrypted", "mariadb-11.8-encrypted"})


def sample_path(name: str) -> Path:
    return SAMPLES_FOLDER / str(SAMPLES[name]["file"])


def expected_tables(entry: Entry) -> dict[str, Any]:
    """Return what the server answered to SELECT, by `database.table`."""
    tables: dict[str, Any] = json.loads((SAMPLES_FOLDER / entry["expected"]).read_text())
    return tables


def corpus_entries() -> list[dict[str, Any]]:
    """Return the manifest of the corpus, or nothing where there is none."""
    manifest = CORPUS / "manifest.json"
    if not manifest.exists():
        return []
    entries: list[dict[str, Any]] = json.loads(manifest.read_text())
    return entries


def need_corpus() -> None:
    """Skip the test where the corpus is absent; fail in continuous integration."""
    if corpus_entries():
        return
    if os.environ.get("CI"):
        pytest.fail(f"continuous integration has no corpus at {CORPUS}")
    pytest.skip(f"no corpus at {CORPUS}: set BINLOG_CORPUS")


def need_server(folder: Path, name: str) -> None:
    """Skip the test where a server comes from Maven and there is none; fail in CI."""
    is_there = shutil.which("mvn") or Installation(folder, name).is_complete()
    if not isinstance(server_named(name), MavenServer) or is_there:
        return
    if os.environ.get("CI"):
        pytest.fail(f"continuous integration has no mvn, which {name} comes through")
    pytest.skip(f"{name} comes through mvn, which is not there: install Maven")
