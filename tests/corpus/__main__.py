"""Print how much of the tools' texts the schema agrees with: `python -m tests.corpus`."""

from __future__ import annotations

import sys
from collections import Counter

from tests.corpus.comparison import compare_log
from tests.corpus.logs import Log, corpus_logs, sample_logs
from tests.corpus.tally import Tally

MOST_SHOWN = 40


def print_tally(title: str, logs: list[Log], only: str) -> int:
    """Print the counts of some logs; return the number of differences."""
    total = Tally()
    num_logs = 0
    for log in logs:
        if only not in log.name:
            continue
        num_logs += 1
        total.add(compare_log(log))
    write = sys.stdout.write
    write(f"{title}: {num_logs} logs, {sum(total.compared.values())} values\n")
    differing = Counter(difference.kind for difference in total.differences)
    for kind, count in sorted(total.compared.items()):
        write(f"  {kind:45} {count:9,} compared {differing[kind]:6,} differ\n")
    for reason, count in sorted(total.skipped.items()):
        write(f"  not compared: {count:,} {reason}\n")
    for difference in total.differences[:MOST_SHOWN]:
        write(f"  {difference}\n"[:600] + "\n")
    return len(total.differences)


def main() -> int:
    """Compare all logs, or those whose name has the argument in it."""
    only = sys.argv[1] if len(sys.argv) > 1 else ""
    found = print_tally("corpus", corpus_logs(), only) + print_tally("samples", sample_logs(), only)
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
