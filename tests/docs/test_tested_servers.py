"""The versions that the README calls tested are those that tests run."""

from __future__ import annotations

import re

import pytest

from samples.catalog import SAMPLES
from tests.docs.pages import PAGES
from tests.inputs import corpus_entries, need_corpus
from tests.live.servers.catalog import SERVERS
from tests.replay.configurations import CONFIGURATION_BY_NAME, CONFIGURATIONS
from tests.replay.test_replay import BETWEEN, LONG

FAMILIES = {"mysql": "MySQL", "mariadb": "MariaDB"}


def row_of(title: str) -> tuple[list[str], list[str]]:
    """Return the versions of servers, and the first and last of logs, that the README names."""
    readme = PAGES[0].read_text(encoding="utf-8")
    [tested] = re.findall(rf"^\| {title} \| (.*?) \|", readme, re.MULTILINE)
    servers, logs = tested.split("; logs of ")
    return servers.split(", "), logs.split(" to ")


@pytest.mark.parametrize("family", FAMILIES)
def test_each_server_is_one_of_the_tests(family: str) -> None:
    versions = {s.name: s.version for s in SERVERS if s.name.startswith(family)}
    assert row_of(FAMILIES[family])[0] == sorted(
        versions.values(), key=lambda text: [*map(int, text.split("."))]
    )
    assert {c.server for c in CONFIGURATIONS if c.server.startswith(family)} == set(versions)


def test_soak_alone_has_one_of_two_near_versions() -> None:
    """Each other server also has a replay or a sample in `make test`."""
    replayed = {c.server for c in LONG} | {CONFIGURATION_BY_NAME[name].server for name in BETWEEN}
    with_samples = {sample.server for sample in SAMPLES}
    assert {s.name for s in SERVERS} - replayed - with_samples == {"mysql-8.0.15"}


@pytest.mark.parametrize("family", FAMILIES)
def test_the_corpus_has_rows_of_the_first_version_and_logs_of_the_last(family: str) -> None:
    need_corpus()
    found: dict[bool, set[tuple[int, int]]] = {True: set(), False: set()}
    for entry in corpus_entries():
        match = re.match(r"(\d+)\.(\d+)\.\d+", entry["server_version"] or "")
        if match and ("MariaDB" in entry["server_version"]) == (family == "mariadb"):
            has_rows = any("rows" in name.lower() for name in entry["events"])
            found[has_rows].add((int(match[1]), int(match[2])))
    first, last = ([*map(int, text.split("."))] for text in row_of(FAMILIES[family])[1])
    assert (*min(found[True]),) == (*first,)
    assert (*max(found[True] | found[False]),) == (*last,)
