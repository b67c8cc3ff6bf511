"""Kill streams as often as asked: `python -m tests.exactly_once --help`."""

from __future__ import annotations

from tests.exactly_once.configurations import CONFIGURATION_BY_NAME
from tests.exactly_once.found import Found
from tests.exactly_once.kill_run import run_kills
from tests.exactly_once.kills import choose_kills
from tests.exactly_once.runs import do_runs, run_parser


def main() -> int:
    """Run; return 1 if a sink does not hold each change once."""
    arguments = run_parser("tests.exactly_once", __doc__, CONFIGURATION_BY_NAME).parse_args()

    def run(name: str, seed: int) -> Found:
        configuration = CONFIGURATION_BY_NAME[name]
        kills = choose_kills(configuration, seed, arguments.kills)
        return run_kills(arguments.servers.resolve(), configuration, seed, kills)

    return do_runs(arguments.seeds, arguments.only, CONFIGURATION_BY_NAME, run)


if __name__ == "__main__":
    raise SystemExit(main())
