"""The kernels give the rows that the schema decodes by itself, value by value."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.agreement.test_corpus import logs
from tests.inputs import SAMPLES, UNREADABLE, sample_path
from tests.oracle.comparison import compare_log

# The width of MariaDB's old temporals is not logged; the schema takes them for those of MySQL.
AMBIGUOUS = frozenset({"mariadb-10.11-old-fractions"})
MOST_BYTES = 1 << 20


@pytest.mark.parametrize("name", sorted(SAMPLES.keys() - UNREADABLE - AMBIGUOUS))
def test_samples(name: str) -> None:
    counts = compare_log(sample_path(name))
    assert counts["same"] or not SAMPLES[name]["row_changes"]
    assert counts["untold"] < counts["same"] / 3 + 1


def test_all_is_told_by_logs_with_full_metadata() -> None:
    counts = compare_log(sample_path("mariadb-11.8-types-full"))
    assert set(counts) == {"same"}
    assert counts["same"] > 4000


def test_corpus() -> None:
    counts: Counter[str] = Counter()
    for entry, path in logs(largest=MOST_BYTES):
        if {"encrypted", "corrupt", "relay"}.isdisjoint(entry["labels"]):
            counts += compare_log(path)
    assert counts["same"] > 10_000
    assert counts["untold"] < counts["same"]
