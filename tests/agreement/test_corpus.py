"""Logs of many servers and versions: kernels and plain Python agree on each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import read_batches
from tests.inputs import CORPUS, corpus_entries, need_corpus
from tests.support.outcome import ALL_METADATA, read

MOST_BYTES = 1 << 20  # of a log that the reference reads in a test that is not slow


def logs(*, largest: int | None = None) -> Iterator[tuple[dict[str, Any], Path]]:
    """Yield the logs of binlog version 4."""
    need_corpus()
    for entry in corpus_entries():
        size = entry["size"]
        if entry["binlog_version"] == 4 and (largest is None or size <= largest):
            yield entry, CORPUS / entry["file"]


def differences(paths: list[Path]) -> list[str]:
    """Return the names of logs of which the decoders give different rows or errors."""
    found = []
    for path in paths:
        kernels, reference = (
            read(path, engine=engine, metadata_columns=ALL_METADATA)
            for engine in ("kernels", "reference")
        )
        if kernels.content != reference.content:
            found.append(path.name)
    return found


def test_rows_and_errors_are_the_same() -> None:
    assert differences([path for _, path in logs(largest=MOST_BYTES)]) == []


@pytest.mark.slow
def test_rows_and_errors_of_large_logs_are_the_same() -> None:
    paths = [path for entry, path in logs() if entry["size"] > MOST_BYTES]
    assert differences(paths) == []


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
