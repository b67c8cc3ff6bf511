"""Runs with several seeds, each printed with what repeats it."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

MOST_SEED = 1 << 31


class ProofError(AssertionError):
    """A program has not given what the server has."""


def run_parser(
    module: str, description: str | None, names: Iterable[str]
) -> argparse.ArgumentParser:
    """Return the parser of a command that does runs, with the options that all have."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=description)
    parser.add_argument("--servers", type=Path, default=Path(".servers"), help="their folder")
    parser.add_argument("--kills", type=int, default=30, help="of each server's programs")
    parser.add_argument("--seeds", default="", help="of runs, with commas; else a random one")
    parser.add_argument("--only", default="", help=f"part of a name: {', '.join(names)}")
    return parser


def do_runs(seeds: str, only: str, names: Iterable[str], run: Callable[[str, int], object]) -> int:
    """Do a run for each seed and name, and print what each came to."""
    num_failed = 0
    wanted = [name for name in names if only in name]
    for seed in map(int, (seeds or str(random.SystemRandom().randrange(MOST_SEED))).split(",")):
        for name in wanted:
            sys.stdout.write(f"--only {name} --seeds {seed}: ")
            sys.stdout.flush()
            try:
                sys.stdout.write(f"{run(name, seed)}\n")
            except AssertionError as error:
                num_failed += 1
                notes = "\n".join(getattr(error, "__notes__", ()))
                sys.stdout.write(f"FAILED, {notes}\n{error}\n")
    return 1 if num_failed else 0
