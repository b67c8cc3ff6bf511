"""Durations of transactions: what a plain loop gives."""

import random

import numpy as np

from pyspark_adapter.counting.counted_transactions import RowTimes


def expected(events: list[tuple[int, int]], commits: list[int]) -> list[int]:
    """Return the durations; `events` are transactions and seconds."""
    durations = []
    for t, commit in enumerate(commits):
        own = [second for transaction, second in events if transaction == t]
        durations.append(max(max([commit // 1_000_000, *own]) - min(own), 0) if own else -1)
    return durations


def test_durations_are_from_the_first_rows_to_the_commit() -> None:
    rng = random.Random(3)  # noqa: S311
    for count in (0, 1, 2, 20):
        commits = [rng.randrange(100_000_000) for _ in range(count)]
        owners = sorted(rng.randrange(count) for _ in range(2 * count))
        events = [(owner, rng.randrange(100)) for owner in owners]
        transactions, seconds = np.array(events, dtype=np.int64).reshape(-1, 2).T.copy()
        for cut in (0, count // 2, 2 * count):
            if cut and owners[cut - 1]:
                continue  # only events of the first transaction come from windows before
            of_first = RowTimes(transactions[:cut], seconds[:cut]).of_last(0).earlier
            times = RowTimes(transactions[cut:], seconds[cut:], of_first)
            found = times.durations(np.array(commits, dtype=np.int64))
            assert found.tolist() == expected(events, commits)
