"""Where the processor time of a large Spark job goes: `python -m bench.spark_profile DIR/LOG`.

Nothing is instrumented inside Spark. A warm session, local[2], runs the job, and one in which a
source gives as many rows that were decoded before (`PreparedSource`); /proc says what the JVM, by
thread, and each kind of Python process have used. From there, in processor seconds:

- survey: all of the Python processes that plan a read (`schema`, `partitions`).
- kernels: measured without Spark (`bench.decode_profile`).
- Python around them: what the workers take less for rows decoded before, without the kernels.
- Arrow hand-over: the stream of record batches into a socket, measured without Spark.
- Spark's worker: what the workers take for rows decoded before, without the hand-over.
- JVM: by thread: tasks (which read the stream and make Spark's rows of it), the compiler, the
  garbage collector, others.

Survey, kernels and the Python around them are ours.
"""

import argparse
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.large_job import run_session
from bench.timing import describe_machine, run_child, warm_page_cache

OURS_BAR = 1 / 3
_LEN_SPLIT = 1 << 27  # maxPartitionBytes


def describe_profile(path: Path, repeats: int) -> str:
    """Return the table.

    Args:
        path: of the log.
        repeats: runs; the best counts.
    """
    warm_page_cache(path)
    with tempfile.TemporaryDirectory() as folder:
        batches = Path(folder) / "batches.arrows"
        arguments = (str(path), "--batches", str(batches), "--repeats", str(repeats))
        alone = run_child("bench.decode_profile", *arguments)
        job = run_session("large", str(path), "--repeats", str(repeats))["used"]
        num_partitions = -(-path.stat().st_size // _LEN_SPLIT)
        size = ("--rows", str(alone["num_rows"]), "--partitions", str(num_partitions))
        prepared = run_session("prepared", str(batches), *size, "--repeats", str(repeats))["used"]
    in_worker = job["workers"] - prepared["workers"]
    survey = job["schema"] + job["plan"]
    ours = {
        "survey of the log's tables": survey,
        "decode: kernels": alone["kernels"],
        "decode: Python around them": in_worker - alone["kernels"],
    }
    theirs = {
        "Arrow hand-over to the JVM": alone["hand_over"],
        "Spark's Python worker": prepared["workers"] - alone["hand_over"],
        "JVM, tasks": job["jvm tasks"],
        "JVM, compiler": job["jvm jit"],
        "JVM, garbage collector": job["jvm gc"],
        "JVM and driver, others": job["jvm other"] + job["driver"] + job["other"],
    }
    total = sum(ours.values()) + sum(theirs.values())
    lines = [f"Processor time of a job on {path.name}, local[2], warm: {total:.2f} s"]
    lines += [
        f"  {name:<28}{seconds:>6.2f} s{seconds / total:>7.1%}"
        for name, seconds in {**ours, **theirs}.items()
    ]
    share = sum(ours.values()) / total
    jvm = sum(seconds for name, seconds in prepared.items() if name.startswith("jvm"))
    return "\n".join(
        [
            *lines,
            f"  ours: {share:.1%} (bar {OURS_BAR:.1%})",
            f"  rows decoded before: workers {prepared['workers']:.2f} s, JVM {jvm:.2f} s;"
            f" our code without Spark: survey {alone['survey']:.2f} s,"
            f" decode {alone['decode']:.2f} s",
        ]
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table of a log."""
    parser = argparse.ArgumentParser(prog="python -m bench.spark_profile", description=__doc__)
    parser.add_argument("log", type=Path, nargs="?", default=Path("bench/logs/large.000009"))
    parser.add_argument("--repeats", type=int, default=3, help="runs; the best counts")
    options = parser.parse_args(arguments)
    print(describe_machine())
    try:
        print(describe_profile(options.log.resolve(), options.repeats))
    except subprocess.CalledProcessError as error:
        parser.exit(1, f"{error}\n")


if __name__ == "__main__":
    main()
