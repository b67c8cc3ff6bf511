"""A campaign of a few seconds with a fixed seed, and the inputs that were findings once."""

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from tests.fuzz import reads
from tests.fuzz.__main__ import Totals, run
from tests.fuzz.campaign import attempt
from tests.fuzz.kinds import KINDS, Kind
from tests.fuzz.minimise import minimise
from tests.fuzz.mutation import join_events
from tests.fuzz.reads import DisagreementError, Outcome, compare
from tests.inputs import ROOT
from tests.support.programs import captured

# By kind: names of files begin with it, as a campaign stores them.
CRASHERS = Path(__file__).with_name("crashers") / "campaign"
NUM_INPUTS = 300


def crashers() -> Iterator[tuple[str, Path]]:
    for path in sorted(CRASHERS.glob("*")):
        yield path.name.rpartition("-")[0].replace("-", " "), path


@pytest.fixture(scope="module")
def totals(tmp_path_factory: pytest.TempPathFactory) -> Totals:
    return run(300.0, 1, 20, [], tmp_path_factory.mktemp("campaign"), NUM_INPUTS)


def test_a_short_campaign_finds_nothing(totals: Totals) -> None:
    assert not totals.findings, totals.table()
    assert totals.counts.total() == NUM_INPUTS
    assert set(totals.counts) == set(KINDS)


@pytest.mark.parametrize(
    ("kind", "path"), [*crashers()], ids=lambda it: str(getattr(it, "name", ""))
)
def test_what_was_found_is_mended(kind: str, path: Path, tmp_path: Path) -> None:
    assert attempt(kind, path.read_bytes(), tmp_path) == ""


@pytest.mark.parametrize("kind", KINDS)
def test_a_seed_gives_the_same_input_again(kind: str) -> None:
    first, second, other = (KINDS[kind].make(random.Random(seed)) for seed in (5, 5, 6))  # noqa: S311
    assert first == second != other


def test_the_smallest_input_is_found() -> None:
    events = [bytes([k] * 9) + (40).to_bytes(4, "little") + bytes([k] * 27) for k in range(20)]
    log = join_events([bytearray(event) for event in events])
    small = minimise(log, lambda data: b"\x07" in data and b"\x0b" in data, is_log=True)
    assert sorted(small) == [0x07, 0x0B]
    small = minimise(log, lambda data: data.count(events[3]) == 1, is_log=True)
    assert small == events[3]


@pytest.mark.parametrize("fault", ["raise", "differ", "hang", "die"])
def test_faults_are_found(fault: str, tmp_path: Path) -> None:
    """Of each sort, in a worker of its own; the input is stored."""
    faults = {
        "raise": "raise KeyError(data)",
        "differ": "raise reads.DisagreementError('row 7')",
        "hang": "campaign.MAX_SECONDS = 0.2\n    while b'x' in data: pass",
        "die": "import os; os.abort()",
    }
    program = f"""
from pathlib import Path
from tests.fuzz import campaign, kinds, reads
def attempt(data, _):
    {faults[fault]}
campaign.MAX_SECONDS = 0.3
kinds.KINDS["bad"] = kinds.Kind(lambda rng: b"axb", (attempt,), 1, is_log=False)
campaign.main(Path({str(tmp_path)!r}), 1, 60.0, 3, ["bad"])
"""
    done = captured([sys.executable, "-c", program], cwd=ROOT)
    if fault == "die":
        assert done.returncode != 0
        assert (tmp_path / "current").read_bytes() == b"bad\naxb"
        return
    assert done.returncode == 0, done.stderr
    [finding] = [json.loads(line) for line in done.stdout.splitlines() if '"finding"' in line]
    names = {"raise": "bad: KeyError", "differ": "bad: row N", "hang": "bad: LimitError"}
    assert finding["finding"].startswith(names[fault])
    if fault == "hang":
        assert (tmp_path / finding["input"]).read_bytes() == b"x"


def test_engines_that_differ_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = KINDS["rows"].make(random.Random(1))  # noqa: S311
    rows = iter(range(100))
    monkeypatch.setattr(
        reads, "outcome_of", lambda _: Outcome([pa.record_batch({"row": [next(rows)]})])
    )
    assert attempt("rows", data, tmp_path).startswith("rows: row N")


def test_rows_that_differ_in_nan_alone_are_the_same() -> None:
    first, second, other = (
        Outcome([pa.record_batch({"number": pa.array([number])})])
        for number in (float("nan"), float("nan"), 1.0)
    )
    compare(first, second)
    with pytest.raises(DisagreementError):
        compare(first, other)


@pytest.mark.parametrize(
    ("second", "error"),
    [
        (Outcome([], "CorruptEventError", "binlog@4"), None),
        (Outcome([], "CorruptEventError", "binlog@5"), "ends"),
        (Outcome([], "MissingTableMapError", "binlog@4"), "ends"),
        (Outcome([pa.record_batch({"row": [1]})], "CorruptEventError", "binlog@4"), "row 0"),
    ],
)
def test_errors_and_places_are_compared(second: Outcome, error: str | None) -> None:
    first = Outcome([], "CorruptEventError", "binlog@4")
    if error is None:
        compare(first, second)
        return
    with pytest.raises(DisagreementError, match=error):
        compare(first, second)


def test_each_kind_has_weight() -> None:
    assert all(isinstance(kind, Kind) and kind.weight > 0 for kind in KINDS.values())
