"""Runs `tests.fuzz.worker` and takes what it prints apart."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.fuzz.mutation import mutate
from tests.inputs import ROOT
from tests.support.programs import captured

CRASHERS = sorted(Path(__file__).with_name("crashers").glob("*.000001"))

# Each has something of its own that damage can hit: types, images, forms of GTIDs, servers.
FUZZED_SAMPLES = (
    "mysql-9.7-shop",
    "mysql-9.7-types",
    "mysql-9.7-types-minimal-metadata",
    "mysql-9.7-minimal-image",
    "mysql-9.7-small-events",
    "mysql-9.7-transactions",
    "mysql-9.7-tagged-gtids",
    "mysql-9.7-partial-json",
    "mysql-9.7-geometry-vector",
    "mysql-9.7-alter",
    "mysql-5.6-types-v1",
    "mariadb-10.11-types-full",
    "mariadb-11.8-images",
    "mariadb-11.8-transactions",
    "mariadb-11.8-compressed",
    "mysql-9.7-compressed-transactions",
)


@dataclass(frozen=True)
class Outcome:
    """How the reads of a damaged log ended."""

    source: str
    reads: dict[str, Any]

    def traces(self) -> list[str]:
        """Return the traces of errors that are not ours."""
        return [
            f"{describe(self.source)}, {name}:\n{read['trace']}"
            for name, read in self.reads.items()
            if "trace" in read
        ]

    def differences(self) -> list[str]:
        """Return the rows in which kernels and schema differ."""
        return [
            f"{describe(self.source)}, {name}:\n{read['difference']}"
            for name, read in self.reads.items()
            if read.get("difference")
        ]


def describe(source: str) -> str:
    """Return what a source is, and how to read it again."""
    again = f"python -m tests.fuzz.worker {source}"
    if Path(source).exists():
        return f"[{again}]"
    sample, _, seed = source.rpartition(":")
    return f"[{again}] {'; '.join(mutate(sample, int(seed))[1])}"


def sources_of(seeds: Sequence[int], samples: Sequence[str] = FUZZED_SAMPLES) -> list[str]:
    """Return the sources of all samples and seeds, and the crashers."""
    return [str(path) for path in CRASHERS] + [f"{s}:{seed}" for s in samples for seed in seeds]


def run_worker(
    sources: Sequence[str],
    *,
    timeout: float,
    settings: Mapping[str, str] | None = None,
    of_kernels: bool = False,
) -> list[Outcome]:
    command = [sys.executable, "-X", "faulthandler", "-m", "tests.fuzz.worker"]
    command += [*(["--kernels"] if of_kernels else []), *sources]
    environment = {**os.environ, **(settings or {})}
    end = "hangs"
    try:
        done = captured(command, cwd=ROOT, env=environment, timeout=timeout)
        output, end = done.stdout, f"ends with code {done.returncode}\n{done.stderr}"
        failed = done.returncode != 0
    except subprocess.TimeoutExpired as error:
        output = error.stdout.decode() if isinstance(error.stdout, bytes) else error.stdout or ""
        failed = True
    lines = output.splitlines()
    if failed:
        raise AssertionError(f"{describe(lines[-1]) if lines else 'worker'}: the process {end}")
    return [
        Outcome(source, json.loads(reads))
        for source, reads in zip(lines[::2], lines[1::2], strict=True)
    ]
