"""How long transactions took."""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels.jit import kernel

NEVER = (1 << 63) - 1
_SECOND = np.int64(1_000_000)


@kernel("void(int64[::1], int64[::1], int64, int64, int64[::1], int64[::1])")
def fill_durations(transactions, seconds, first, last, commit_micros, durations):
    """Fill in the seconds from the first rows event of each transaction to its commit.

    A commit earlier than a rows event is that of another clock, and does not count.

    Args:
        transactions, seconds: (n,) of rows events, ordered by transaction.
        first, last: of events of transaction 0 that are not given here; NEVER and 0 if none is.
        commit_micros: (m,).
        durations: (m,) filled; -1 for transactions without rows events.
    """
    k = np.int64(0)
    for t in range(durations.size):
        last = max(last, commit_micros[t] // _SECOND)
        while k < transactions.size and transactions[k] == t:
            first, last = min(first, seconds[k]), max(last, seconds[k])
            k += 1
        durations[t] = max(last - first, np.int64(0)) if first != NEVER else np.int64(-1)
        first, last = NEVER, np.int64(0)
