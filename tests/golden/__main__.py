"""Compare the rows of logs with the official tools' text: `python -m tests.golden --help`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable

from tests.corpus.logs import Log, corpus_logs, sample_logs
from tests.corpus.tally import Tally
from tests.golden.printed_rows import compare_rows

MOST_SHOWN = 10  # differences of a log


def summary(tally: Tally) -> str:
    """Return the counts of what was compared in a few words."""
    num_cells = sum(count for kind, count in tally.compared.items() if kind.startswith("cells"))
    return (
        f"{tally.compared['rows']:,} rows, {num_cells:,} cells,"
        f" {len(tally.differences):,} differences"
    )


def print_logs(title: str, logs: Iterable[Log]) -> Tally:
    """Print what was compared in each log, and in all."""
    write = sys.stdout.write
    total = Tally()
    for log in logs:
        tally = compare_rows(log)
        total.add(tally)
        if not (tally.compared or tally.skipped):
            continue
        write(f"{log.name}: {summary(tally)}\n")
        for reason, count in sorted(tally.skipped.items()):
            write(f"  not compared: {count:,} {reason}\n")
        for difference in tally.differences[:MOST_SHOWN]:
            write(f"  {difference}"[:600] + "\n")
    write(f"{title}: {summary(total)}\n")
    for kind, count in sorted(total.compared.items()):
        write(f"  {kind:30} {count:9,}\n")
    for reason, count in sorted(total.skipped.items()):
        write(f"  not compared: {count:,} {reason}\n")
    return total


def main() -> int:
    """Compare all logs, or those that are asked for; return 1 if something differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
    parser.add_argument("--only", default="", help="part of the names of logs")
    arguments = parser.parse_args()
    num_different = 0
    for title, logs in (("corpus", corpus_logs()), ("samples", sample_logs())):
        chosen = [log for log in logs if arguments.only in log.name]
        num_different += len(print_logs(title, chosen).differences)
    return 1 if num_different else 0


if __name__ == "__main__":
    raise SystemExit(main())
