"""Logs of many servers and versions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pyspark_adapter import read_batches
from tests.inputs import CORPUS, corpus_entries, need_corpus


def logs(*, largest: int | None = None) -> Iterator[tuple[dict[str, Any], Path]]:
    """Yield the logs of binlog version 4."""
    need_corpus()
    for entry in corpus_entries():
        size = entry["size"]
        if entry["binlog_version"] == 4 and (largest is None or size <= largest):
            yield entry, CORPUS / entry["file"]


def test_events_of_all_whole_logs_are_listed() -> None:
    need_corpus()
    whole = [
        entry
        for entry in corpus_entries()
        if entry["end"] == "clean" and {"encrypted", "corrupt"}.isdisjoint(entry["labels"])
    ]
    assert len(whole) > 50
    for entry in whole:
        batches = read_batches(CORPUS / entry["file"], view="events", verify_checksums=False)
        num_listed = sum(batch["inner_pos"].null_count for batch in batches)
        assert num_listed == sum(entry["events"].values()), entry["file"]
