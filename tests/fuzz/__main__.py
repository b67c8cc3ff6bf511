"""A campaign: `python -m tests.fuzz --seconds 600 --workers 2 --seed 1 [--kinds DDL,rows]`.

Each worker is a process that tries inputs one after the other. One that hangs or dies is a finding,
and another takes its place. SIGTERM ends a campaign early. New findings are minimised and stored in
a folder; those that are mended belong into `tests/fuzz/crashers/`, which `make test` tries again.
"""

import argparse
import json
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from typing import IO, Any

from tests.fuzz.kinds import KINDS
from tests.inputs import ROOT

# A worker that says nothing for so long hangs in compiled code; it reports every few seconds.
SILENT_SECONDS = 180


@dataclass
class Totals:
    """What all workers found."""

    counts: Counter[str] = field(default_factory=Counter)
    spent: Counter[str] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)
    inputs: dict[str, Path] = field(default_factory=dict)
    peak_kilobytes: int = 0

    def table(self) -> str:
        """Return inputs and rates, by kind, and the findings."""
        lines = [f"{'kind':12} {'inputs':>9} {'cpu s':>8} {'per cpu s':>10}"]
        for kind, count in self.counts.items():
            seconds = self.spent[kind]
            lines.append(f"{kind:12} {count:9} {seconds:8.1f} {count / max(seconds, 1e-3):10.1f}")
        for finding, count in self.findings.most_common():
            lines.append(f"{count:6} times: {finding}\n      in {self.inputs.get(finding)}")
        lines.append(f"peak memory of a worker: {self.peak_kilobytes // 1024} MiB")
        lines.append(f"{self.counts.total()} inputs, {len(self.findings)} findings")
        return "\n".join(lines)


class Worker:
    """A process that tries inputs; started again when it ends early."""

    def __init__(
        self, folder: Path, seed: int, end: float, max_inputs: int, kinds: list[str]
    ) -> None:
        folder.mkdir()
        self.folder, self.heard = folder, time.monotonic()
        seconds = end - time.monotonic()
        command = [sys.executable, "-X", "faulthandler", "-m", "tests.fuzz.campaign"]
        self.process = subprocess.Popen(
            [*command, str(folder), str(seed), str(seconds), str(max_inputs), *kinds],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.last: dict[str, Any] = {"counts": {}, "spent": {}, "seen": {}, "peak": 0}
        self.inputs: dict[str, Path] = {}

    @property
    def output(self) -> IO[str]:
        """Where it reports."""
        assert self.process.stdout is not None
        return self.process.stdout

    def hear(self, line: str) -> None:
        """Take a report."""
        self.heard = time.monotonic()
        report = json.loads(line)
        if "finding" in report:
            self.inputs[report["finding"]] = self.folder / report["input"]
            print(f"finding: {report}", flush=True)  # noqa: T201
        else:
            self.last = report

    def close(self, totals: Totals, end: str) -> None:
        """Add what it found; what it tried last is a finding if it ended early."""
        totals.counts.update(self.last["counts"])
        totals.spent.update(self.last["spent"])
        totals.findings.update(self.last["seen"])
        totals.inputs.update(self.inputs)
        totals.peak_kilobytes = max(totals.peak_kilobytes, self.last["peak"])
        if end:
            kept = self.folder / f"last-{self.process.pid}"
            shutil.copy(self.folder / "current", kept)
            totals.findings[end] += 1
            totals.inputs[end] = kept


def run(
    seconds: float,
    workers: int,
    seed: int,
    kinds: list[str],
    folder: Path,
    max_inputs: int = sys.maxsize,
    stopped: Sequence[int] = (),
) -> Totals:
    """Run a campaign; findings are stored in the folder."""
    totals, end = Totals(), time.monotonic() + seconds
    seeds = random.Random(seed)  # noqa: S311 - the same each time
    with DefaultSelector() as selector:

        def start() -> None:
            number = seeds.getrandbits(32)
            worker = Worker(folder / f"worker-{number:08x}", number, end, max_inputs, kinds)
            selector.register(worker.output, EVENT_READ, worker)

        for _ in range(workers):
            start()
        while selector.get_map():
            ready = {key.data for key, _ in selector.select(timeout=1)}
            for key in list(selector.get_map().values()):
                worker: Worker = key.data
                line = worker.output.readline() if worker in ready else None
                if line:
                    worker.hear(line)
                    continue
                is_silent = time.monotonic() - worker.heard > SILENT_SECONDS
                if line is None and not is_silent and not stopped:
                    continue
                selector.unregister(worker.output)
                worker.process.kill() if is_silent or stopped else None
                code = worker.process.wait()
                worker.output.close()
                if stopped:
                    worker.close(totals, "")
                    continue
                reason = "a worker hangs" if is_silent else f"a worker ends with code {code}"
                worker.close(totals, reason if code or is_silent else "")
                if code and time.monotonic() < end:
                    start()
    return totals


def main() -> None:
    """Run a campaign and print what came of it; end with 1 if there are findings."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(32))
    parser.add_argument("--kinds", default="", help=f"of {', '.join(KINDS)}; all by default")
    given = parser.parse_args()
    kinds = [kind for kind in given.kinds.split(",") if kind]
    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    print(f"seed {given.seed}, findings in {folder}", flush=True)  # noqa: T201
    stopped: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: stopped.append(number))
    totals = run(given.seconds, given.workers, given.seed, kinds, folder, stopped=stopped)
    print(totals.table())  # noqa: T201
    sys.exit(1 if totals.findings else 0)


if __name__ == "__main__":
    main()
