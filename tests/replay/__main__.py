"""Replay random workloads for as long as asked: `python -m tests.replay --help`."""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.replay.applier import ReplayError
from tests.replay.configurations import CONFIGURATIONS
from tests.replay.replay import ENGINES, Servers, replay

MOST_SEED = 1 << 31


def parse_arguments() -> argparse.Namespace:
    """Return the arguments of the command."""
    names = ", ".join(configuration.name for configuration in CONFIGURATIONS)
    parser = argparse.ArgumentParser(prog="python -m tests.replay", description=__doc__)
    parser.add_argument("--servers", type=Path, default=Path(".servers"), help="their folder")
    parser.add_argument("--seconds", type=float, default=600, help="to begin replays in")
    parser.add_argument("--seeds", default="", help="of replays, with commas; else random ones")
    parser.add_argument("--steps", type=int, default=400, help="statements and transactions of one")
    parser.add_argument("--engines", default=",".join(ENGINES), help="that read the logs")
    parser.add_argument("--only", default="", help=f"part of a configuration's name: {names}")
    return parser.parse_args()


def chosen_seeds(text: str, seconds: float) -> Iterator[int]:
    """Yield the seeds that were given, or random ones until time is up."""
    deadline = time.monotonic() + seconds
    yield from (int(seed) for seed in text.split(",") if seed)
    while not text and time.monotonic() < deadline:
        yield random.SystemRandom().randrange(MOST_SEED)


def main() -> int:
    """Replay; return 1 if a log did not lead to what a server has."""
    arguments = parse_arguments()
    chosen = [c for c in CONFIGURATIONS if arguments.only in c.name]
    engines = arguments.engines.split(",")
    num_failed = 0
    with Servers(arguments.servers) as servers:
        for seed in chosen_seeds(arguments.seeds, arguments.seconds):
            for configuration in chosen:
                sys.stdout.write(f"{configuration.name} --seeds {seed}: ")
                sys.stdout.flush()
                state = servers.state_of(configuration)
                try:
                    found = replay(state, configuration, seed, arguments.steps, engines)
                    sys.stdout.write(f"{found}\n")
                except ReplayError as error:
                    num_failed += 1
                    sys.stdout.write(f"DIFFERS\n{error}\n")
    return 1 if num_failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
