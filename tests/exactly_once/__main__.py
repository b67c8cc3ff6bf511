"""Kill streams as often as asked: `python -m tests.exactly_once --help`."""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

from tests.exactly_once.configurations import CONFIGURATIONS
from tests.exactly_once.kill_run import run_kills
from tests.exactly_once.kills import choose_kills

MOST_SEED = 1 << 31


def parse_arguments() -> argparse.Namespace:
    """Return the arguments of the command."""
    names = ", ".join(configuration.name for configuration in CONFIGURATIONS)
    parser = argparse.ArgumentParser(prog="python -m tests.exactly_once", description=__doc__)
    parser.add_argument("--servers", type=Path, default=Path(".servers"), help="their folder")
    parser.add_argument("--kills", type=int, default=30, help="of each server's streams")
    parser.add_argument("--seeds", default="", help="of runs, with commas; else a random one")
    parser.add_argument("--only", default="", help=f"part of a configuration's name: {names}")
    return parser.parse_args()


def main() -> int:
    """Run; return 1 if a sink does not hold each change once."""
    arguments = parse_arguments()
    servers = arguments.servers.resolve()
    chosen = [c for c in CONFIGURATIONS if arguments.only in c.name]
    random_seed = str(random.SystemRandom().randrange(MOST_SEED))
    num_failed = 0
    for seed in (int(text) for text in (arguments.seeds or random_seed).split(",")):
        for configuration in chosen:
            sys.stdout.write(f"--only {configuration.name} --seeds {seed}: ")
            sys.stdout.flush()
            kills = choose_kills(configuration, seed, arguments.kills)
            try:
                found = run_kills(servers, configuration, seed, kills)
                sys.stdout.write(f"{found}\n")
            except AssertionError as error:
                num_failed += 1
                notes = "\n".join(error.__notes__)
                sys.stdout.write(f"FAILED, {notes}\n{error}\n")
    return 1 if num_failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
