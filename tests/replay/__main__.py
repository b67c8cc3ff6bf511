"""Replay random workloads for as long as asked: `python -m tests.replay --help`."""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from tests.replay.applier import ReplayError
from tests.replay.configurations import CONFIGURATIONS, Configuration
from tests.replay.replay import Replayed, Servers, replay
from tests.replay.undo import Undone, prove_undo

MOST_SEED = 1 << 31
PROOFS = ("replay", "undo")


def parse_arguments() -> argparse.Namespace:
    names = ", ".join(configuration.name for configuration in CONFIGURATIONS)
    parser = argparse.ArgumentParser(prog="python -m tests.replay", description=__doc__)
    parser.add_argument("--servers", type=Path, default=Path(".servers"), help="their folder")
    parser.add_argument("--seconds", type=float, default=600, help="to begin replays in")
    parser.add_argument("--seeds", default="", help="of replays, with commas; else random ones")
    parser.add_argument("--steps", type=int, default=400, help="statements and transactions of one")
    parser.add_argument("--proofs", default=",".join(PROOFS), help="what is proven")
    parser.add_argument("--only", default="", help=f"part of a configuration's name: {names}")
    return parser.parse_args()


def chosen_seeds(text: str, seconds: float) -> Iterator[int]:
    """Yield the seeds that were given, or random ones until time is up."""
    deadline = time.monotonic() + seconds
    yield from (int(seed) for seed in text.split(",") if seed)
    while not text and time.monotonic() < deadline:
        yield random.SystemRandom().randrange(MOST_SEED)


def prove(
    proof: str,
    servers: Servers,
    configuration: Configuration,
    seed: int,
    arguments: argparse.Namespace,
) -> Replayed | Undone:
    """Carry out one proof; raises ReplayError."""
    state = servers.state_of(configuration)
    if proof == "undo":
        return prove_undo(state, configuration, seed, arguments.steps)
    return replay(state, configuration, seed, arguments.steps)


def main() -> int:
    """Replay; return 1 if a log did not lead to what a server has."""
    arguments = parse_arguments()
    chosen = [c for c in CONFIGURATIONS if arguments.only in c.name]
    num_failed = 0
    with Servers(arguments.servers) as servers:
        for seed in chosen_seeds(arguments.seeds, arguments.seconds):
            for configuration, proof in product(chosen, arguments.proofs.split(",")):
                sys.stdout.write(f"{configuration.name} --proofs {proof} --seeds {seed}: ")
                sys.stdout.flush()
                try:
                    found = prove(proof, servers, configuration, seed, arguments)
                    sys.stdout.write(f"{found}\n")
                except ReplayError as error:
                    num_failed += 1
                    sys.stdout.write(f"DIFFERS\n{error}\n")
    return 1 if num_failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
