"""The same frame with each release of Spark that has an environment in `.venvs`.

`make .venvs/spark-3.5/.done` makes one. As a program, with logs, it prints a line of JSON: the
seconds of each log in a warm session of the release that runs it.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from bench.timing import PROJECT_FOLDER, best_of
from bench.workloads import DATABASE_NAME

# Least speed of a release, as a ratio to the newest.
RELEASE_BAR = 0.8


def describe_releases(logs: Mapping[str, Path], repeats: int) -> str:
    """Return a line for each release: seconds of each log, and ratios to the newest release."""
    found = sorted((PROJECT_FOLDER / ".venvs").glob("spark-*/.done"))
    pythons = {stamp.parent.name: stamp.parent / "bin/python" for stamp in found}
    pythons["newest"] = Path(sys.executable)
    paths = [str(path) for path in logs.values()]
    # In turn, so that what slows the machine down for a while slows all of them.
    rounds = [
        {name: _run(python, paths, repeats) for name, python in pythons.items()} for _ in "12"
    ]
    best = {name: {log: min(one[name][log] for one in rounds) for log in logs} for name in pythons}
    lines = [f"Releases of Spark, local[2], noop sink, warm (bar {RELEASE_BAR} of the newest)"]
    for name, seconds in best.items():
        each = ", ".join(
            f"{log} {seconds[log]:.2f} s, ratio {best['newest'][log] / seconds[log]:.2f}"
            for log in logs
        )
        lines.append(f"  {name}: {each}")
    return "\n".join(lines)


def _run(python: Path, paths: Iterable[str], repeats: int) -> dict[str, float]:
    command = [str(python), "-m", "bench.spark_releases", *paths, "--repeats", str(repeats)]
    environment = {**os.environ, "PYSPARK_PYTHON": str(python)}
    done = subprocess.run(
        command,
        cwd=PROJECT_FOLDER,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    seconds: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return seconds


def main(arguments: Sequence[str] | None = None) -> None:
    """Time the frame of each log in this process."""
    from pyspark_adapter import read_frame
    from pyspark_adapter.spark.export import start_session

    parser = argparse.ArgumentParser(prog="python -m bench.spark_releases", description=__doc__)
    parser.add_argument("logs", nargs="+", type=Path)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args(arguments)
    spark = start_session("2")
    report = {}
    for log in options.logs:
        frame = read_frame(spark, log, table=f"{DATABASE_NAME}.{log.stem}")
        write: Callable[[], None] = partial(frame.write.format("noop").mode("overwrite").save)
        write()
        report[log.stem], _ = best_of(options.repeats, write)
    print(json.dumps(report))
    sys.stdout.flush()
    os._exit(0)  # stopping the session takes longer than most jobs


if __name__ == "__main__":
    main()
