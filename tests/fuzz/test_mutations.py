"""Reads of damaged logs, and of the inputs in `crashers/` that once ended otherwise."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.fuzz.mutation import mutate
from tests.fuzz.outcomes import FUZZED_SAMPLES, Outcome, run_worker, sources_of

NUM_SEEDS = 8
TIMEOUT = 300


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    """Give the outcomes of all mutations and crashers, read by two processes."""
    sources = sources_of(range(NUM_SEEDS))
    with ThreadPoolExecutor() as pool:
        halves = [sources[0::2], sources[1::2]]
        found = pool.map(lambda half: run_worker(half, timeout=TIMEOUT), halves)
        return [outcome for half in found for outcome in half]


def test_reads_end_in_rows_or_in_errors_of_ours(outcomes: list[Outcome]) -> None:
    traces = [trace for outcome in outcomes for trace in outcome.traces()]
    assert not traces, "\n".join(traces)


def test_the_schema_gives_the_same_rows_as_far_as_both_get(outcomes: list[Outcome]) -> None:
    differences = [text for outcome in outcomes for text in outcome.differences()]
    assert not differences, "\n".join(differences)


def test_damage_is_found_and_rows_before_it_are_given(outcomes: list[Outcome]) -> None:
    # Else the mutations would all miss the rows, or all hit the first event.
    changes = [outcome.reads["changes"] for outcome in outcomes]
    ends = [end for end in changes if "trace" not in end]
    assert sum(bool(end["error"]) for end in ends) > len(ends) / 4
    assert sum(bool(end["error"]) and end["num_rows"] > 0 for end in ends) > len(ends) / 20
    assert {"CorruptEventError", "MissingTableMapError"} <= {end["error"] for end in ends}


@pytest.mark.parametrize("sample", FUZZED_SAMPLES)
def test_a_seed_gives_the_same_bytes_again(sample: str) -> None:
    assert mutate(sample, 5) == mutate(sample, 5)
    assert mutate(sample, 5) != mutate(sample, 6)
