"""Start and stop private MySQL and MariaDB servers in a work folder.

Nothing is installed on the system and root is not needed: packages are downloaded and unpacked
below DIR. Needs apt-get and dpkg-deb, for mysql-5.6 npm and x86-64 Linux.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.live.servers.catalog import ALIASES, CLIENT_SERVERS, SERVER_BY_NAME, SERVER_NAMES
from tests.live.servers.commands import ServerError
from tests.live.servers.installation import Installation, client_path
from tests.live.servers.instance import DEFAULT_TIMEOUT, Instance
from tests.live.servers.state import running_states

EPILOG = """\
Servers keep running after `start` has printed how to reach them, as JSON: account root without
a password, by socket or at 127.0.0.1. A server that fails to start prints its error log's end.
"""


def parse_options(items: Sequence[str]) -> dict[str, str | None]:
    """Return server options by name.

    >>> parse_options(["binlog_checksum=NONE", "--skip-name-resolve"])
    {'binlog-checksum': 'NONE', 'skip-name-resolve': None}
    """
    options: dict[str, str | None] = {}
    for item in items:
        key, equals, value = item.removeprefix("--").partition("=")
        options[key.replace("_", "-")] = value if equals else None
    return options


def install(args: argparse.Namespace) -> str:
    """Install a server and return what is there now, as JSON."""
    installation = Installation(args.dir, args.server).install(update=args.update)
    found = {
        "server": installation.server.name,
        "version": installation.version(),
        "root": str(installation.root),
    }
    return json.dumps(found, indent=1)


def start(args: argparse.Namespace) -> str:
    """Start an instance and return its state as JSON."""
    instance = Instance(args.dir, args.instance or args.server)
    options = parse_options(args.option)
    state = instance.start(args.server, options=options, fresh=args.fresh, timeout=args.timeout)
    return state.to_json()


def stop(args: argparse.Namespace) -> str:
    """Stop one instance or all of them and return what became of each, as JSON."""
    names = [state.instance for state in running_states(args.dir)] if args.all else [args.instance]
    results = {name: Instance(args.dir, name).stop() for name in names}
    return json.dumps({k: "stopped" if done else "not running" for k, done in results.items()})


def status(args: argparse.Namespace) -> str:
    """Return the states of the running instances as JSON."""
    return "[" + ",\n".join(state.to_json() for state in running_states(args.dir)) + "]"


def show_client_path(args: argparse.Namespace) -> str:
    """Return the path of a script that runs the client program."""
    return str(client_path(args.dir, args.program, args.server))


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.live.servers",
        description=__doc__,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    actions = parser.add_subparsers(required=True, metavar="ACTION")

    def action(
        name: str, run: Callable[[argparse.Namespace], str], text: str
    ) -> argparse.ArgumentParser:
        sub = actions.add_parser(name, help=text, description=text)
        sub.add_argument(
            "--dir",
            type=lambda text: Path(text).resolve(),
            required=True,
            help="work folder, outside the checkout or ignored by it",
        )
        sub.set_defaults(run=run)
        return sub

    sub = action("install", install, "download and unpack a server")
    sub.add_argument("server", choices=SERVER_NAMES)
    sub.add_argument("--update", action="store_true", help="look for newer packages")

    sub = action("start", start, "start a server and print how to reach it, as JSON")
    sub.add_argument("server", choices=SERVER_NAMES)
    sub.add_argument("--instance", help="name of this instance (default: the server's name)")
    sub.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME[=VALUE]",
        help="server option on top of the defaults (row format, server id 1, binary log on); "
        "may be repeated",
    )
    sub.add_argument("--fresh", action="store_true", help="discard old data of the instance")
    sub.add_argument("--timeout", type=float, default=DEFAULT_TIMEOUT, help="seconds to wait")

    sub = action("stop", stop, "stop an instance, or all of them")
    which = sub.add_mutually_exclusive_group(required=True)
    which.add_argument("instance", nargs="?", help="name of the instance or of its server")
    which.add_argument("--all", action="store_true")

    action("status", status, "print the running instances as JSON")

    sub = action("client-path", show_client_path, "print the path of a runnable client program")
    sub.add_argument("program", choices=tuple(CLIENT_SERVERS))
    sub.add_argument(
        "--server",
        choices=(*SERVER_BY_NAME, *ALIASES),
        help="take it from this server's packages instead of the newest",
    )
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    args = build_parser().parse_args(argv)
    try:
        sys.stdout.write(args.run(args) + "\n")
    except ServerError as error:
        sys.stderr.write(f"servers: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
