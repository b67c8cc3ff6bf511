"""Every row image of the adapter is the one that an official tool prints."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from tests.corpus.logs import corpus_logs, sample_logs
from tests.corpus.tally import Tally
from tests.golden.printed_rows import OTHER_CHARSETS, compare_rows
from tests.inputs import need_corpus

SAMPLE_LOGS = {log.name: log for log in sample_logs()}
# Some of each kind, so that nothing passes by comparing nothing.
LEAST = {
    "cells BIT": 5000,
    "cells DECIMAL": 10_000,
    "cells ENUM": 1000,
    "cells JSON": 400,
    "cells TIME": 1000,
    "columns": 5500,
    "places": 5500,
    "rows": 5500,
}
LEAST_OF_CORPUS = {
    "cells DATETIME": 40_000,
    "cells ENUM": 1000,
    "cells SET": 1000,
    "cells STRING": 20_000,
    "cells TIMESTAMP": 40_000,
    "cells VARSTRING": 20_000,
    "columns": 65_000,
    "places": 65_000,
    "rows": 65_000,
}


@cache
def compare_sample(name: str) -> Tally:
    return compare_rows(SAMPLE_LOGS[name])


def total(tallies: Iterable[Tally]) -> Tally:
    """Return what was compared in some logs."""
    found = Tally()
    for tally in tallies:
        found.add(tally)
    return found


def too_few(tally: Tally, least: dict[str, int]) -> dict[str, int]:
    """Return the kinds with too few comparisons."""
    return {kind: tally.compared[kind] for kind in least if tally.compared[kind] < least[kind]}


def test_rows_of_samples_are_those_that_the_tool_prints() -> None:
    tally = total(compare_sample(name) for name in SAMPLE_LOGS)
    assert tally.differences == []
    assert too_few(tally, LEAST) == {}


@pytest.mark.parametrize("name", [name for name in SAMPLE_LOGS if "charsets" not in name])
def test_text_is_read_as_utf8_or_latin1(name: str) -> None:
    assert [kind for kind in compare_sample(name).compared if OTHER_CHARSETS in kind] == []


@pytest.mark.slow
def test_rows_of_the_corpus_are_those_that_the_tool_prints() -> None:
    need_corpus()
    tally = total(compare_rows(log) for log in corpus_logs())
    assert tally.differences == []
    assert too_few(tally, LEAST_OF_CORPUS) == {}
    assert [kind for kind in tally.compared if OTHER_CHARSETS in kind] == []
    assert +tally.skipped == {"rows: tables whose columns change within the log": 28}


@pytest.mark.parametrize(
    ("kind", "printed", "other"),
    [
        ("cells STRING in other character sets, as bytes", b"='CUP-0001' /*", b"='CUP-0002' /*"),
        ("cells LONGINT", b"###   @1=1 /* LONGINT", b"###   @1=2 /* LONGINT"),
        ("cells ENUM", b"=1 /* ENUM(1 byte)", b"=2 /* ENUM(1 byte)"),
        ("cells DECIMAL", b"=10.50 /* DECIMAL", b"=10.51 /* DECIMAL"),
        (
            "rows",
            b"### DELETE FROM `shop`.`orders`\n### WHERE",
            b"### INSERT INTO `shop`.`orders`\n### SET",
        ),
        ("columns", b"###   @2=", b"###   @99="),
    ],
)
def test_other_text_is_a_difference(
    kind: str, printed: bytes, other: bytes, tmp_path: Path
) -> None:
    log = SAMPLE_LOGS["mysql-9.7-shop"]
    assert printed in log.text
    changed = tmp_path / "shop.txt"
    changed.write_bytes(log.text.replace(printed, other, 1))
    differences = compare_rows(replace(log, text_path=changed)).differences
    assert kind in {difference.kind for difference in differences}


def test_rows_that_are_not_printed_are_a_difference(tmp_path: Path) -> None:
    log = SAMPLE_LOGS["mysql-9.7-shop"]
    changed = tmp_path / "shop.txt"
    changed.write_bytes(log.text[: log.text.rindex(b"### UPDATE")])
    differences = compare_rows(replace(log, text_path=changed)).differences
    assert {difference.printed for difference in differences} == {"no row"}
