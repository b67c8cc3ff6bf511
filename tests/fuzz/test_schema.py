"""Damaged logs, with every field of the compiled schema opened: only Kaitai's own errors come."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest
from kaitaistruct import KaitaiStruct
from mysql_binlog import MysqlBinlog

from tests.fuzz.schema_inputs import make_input
from tests.fuzz.schema_worker import Opening
from tests.inputs import ROOT, sample_path
from tests.support.programs import captured

pytestmark = pytest.mark.slow

NUM_INPUTS = 4_000
NUM_PROCESSES = 2
TIMEOUT = 300
MAX_KILOBYTES = 200 << 10


@dataclass(frozen=True)
class Report:
    """What `schema_worker` says of its seeds."""

    findings: Mapping[str, list[str]]
    errors: Counter[str]
    opened: Counter[str]
    max_kilobytes: int


def run_worker(first: int, end: int) -> dict[str, Any]:
    """Return what a process of its own reports."""
    command = [sys.executable, "-X", "faulthandler", "-m", "tests.fuzz.schema_worker"]
    try:
        done = captured([*command, str(first), str(end)], cwd=ROOT, timeout=TIMEOUT)
    except subprocess.TimeoutExpired as error:
        output = error.stdout.decode() if isinstance(error.stdout, bytes) else error.stdout or ""
        raise AssertionError(f"seed {output.split()[-1:]}: the process hangs") from error
    last = done.stdout.splitlines()[-1:]
    assert done.returncode == 0, f"seed {last}: the process dies\n{done.stderr}"
    report: dict[str, Any] = json.loads(last[0])
    return report


@pytest.fixture(scope="module")
def report() -> Report:
    """Give what some processes report together."""
    step = NUM_INPUTS // NUM_PROCESSES
    with ThreadPoolExecutor(NUM_PROCESSES) as pool:
        parts = list(pool.map(lambda i: run_worker(i * step, (i + 1) * step), range(NUM_PROCESSES)))
    findings: dict[str, list[str]] = {}
    for part in parts:
        for finding, messages in part["findings"].items():
            findings.setdefault(finding, []).extend(messages)
    return Report(
        findings,
        sum((Counter(part["errors"]) for part in parts), Counter()),
        sum((Counter(part["opened"]) for part in parts), Counter()),
        max(part["max_kilobytes"] for part in parts),
    )


def test_fields_end_in_values_or_in_errors_of_kaitai(report: Report) -> None:
    found = sorted(
        ((len(messages), finding, messages[0]) for finding, messages in report.findings.items()),
        reverse=True,
    )
    lines = [f"{num} times: {name} ({it})" for num, name, it in found]
    assert not lines, "python -m tests.fuzz.schema_worker SEED gives the trace\n" + "\n".join(lines)


def test_memory_stays_small(report: Report) -> None:
    # Each input has some kilobytes; they are opened one after the other.
    assert report.max_kilobytes < MAX_KILOBYTES


def test_inputs_reach_nearly_all_types_and_errors(report: Report) -> None:
    # Else the inputs would all end at their first bytes, or come through undamaged.
    types = {
        name
        for name, it in vars(MysqlBinlog).items()
        if isinstance(it, type) and issubclass(it, KaitaiStruct)
    }
    assert len(types - set(report.opened)) < len(types) / 10, types - set(report.opened)
    assert report.opened["Cell"] > NUM_INPUTS
    assert {"EndOfStreamError", "ValidationNotEqualError", "ValidationNotAnyOfError"} <= set(
        report.errors
    )
    assert report.errors.total() > NUM_INPUTS / 5


def test_a_seed_gives_the_same_bytes_again() -> None:
    assert make_input(5) == make_input(5)
    assert make_input(5) != make_input(6)


def test_an_undamaged_log_opens_without_error() -> None:
    opening = Opening(sample_path("mysql-9.7-tagged-gtids").read_bytes())
    assert not opening.errors
    assert not opening.findings
    assert opening.opened["Cell"]


def test_errors_of_python_are_found_with_their_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MysqlBinlog.EventFrame, "body_type", property(lambda event: event.lost))
    opening = Opening(sample_path("mysql-9.7-tagged-gtids").read_bytes())
    assert any(name.startswith("AttributeError ") for name in opening.findings)


def test_an_endless_field_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def fill(_event: object) -> None:
        kept = []
        while True:
            kept.append(bytes(1000))

    monkeypatch.setattr(MysqlBinlog.EventFrame, "flag_bits", property(fill))
    opening = Opening(sample_path("mysql-9.7-tagged-gtids").read_bytes())
    assert [name.split()[0] for name in opening.findings] == ["LimitError"]
