"""python -m tests.languages core|digests|gallery|table|typed OUT|text LOG: the schema in languages.

See `docs/format/conformance.md`.
"""

import argparse
import sys
from pathlib import Path

from tests.languages.core_schema import write_core_schema
from tests.languages.digests import FORMS, python_text, write_digests
from tests.languages.gallery import check_as_gallery
from tests.languages.shape import SCHEMA
from tests.languages.table import make_table
from tests.languages.targets import CORE
from tests.languages.typed_schema import write_typed_schema


def event_lines(text: str, index: int) -> list[str]:
    r"""Return the lines of one event of a text.

    >>> event_lines("log log\n events [2]\n  0 event\n   a 1\n  1 !\n trailing <>\n", 0)
    ['  0 event', '   a 1']
    """
    lines = text.split("\n")
    start = next(at for at, line in enumerate(lines) if line.startswith(f"  {index} "))
    end = next(at for at in range(start + 1, len(lines)) if not lines[at].startswith("   "))
    return lines[start:end]


def main() -> None:
    """Run a command."""
    parser = argparse.ArgumentParser(prog="python -m tests.languages")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("digests", help="publish the digests of the samples")
    commands.add_parser("core", help="write the core of the schema, mysql_binlog_core.ksy")
    commands.add_parser("gallery", help="compile the schema as Kaitai's gallery does")
    table = commands.add_parser(
        "table", help="build and run languages; write the table of the docs"
    )
    table.add_argument("only", nargs="*", help="targets, such as `ruby`; all if there is none")
    typed = commands.add_parser("typed", help="write the typed form of the schema, for Go")
    typed.add_argument("out", type=Path)
    text = commands.add_parser("text", help="print the canonical text of a log")
    text.add_argument("log", type=Path)
    text.add_argument("--event", type=int, help="of one event only")
    text.add_argument("--integers", choices=FORMS, default="signed")
    arguments = parser.parse_args()
    if arguments.command == "core":
        write_core_schema(SCHEMA, CORE)
        return
    if arguments.command == "gallery":
        print(*check_as_gallery(), sep="\n")  # noqa: T201
        return
    if arguments.command == "digests":
        write_digests()
        return
    if arguments.command == "table":
        print(*make_table(arguments.only), sep="\n")  # noqa: T201
        return
    if arguments.command == "typed":
        write_typed_schema(SCHEMA, arguments.out)
        return
    shown = FORMS[arguments.integers](python_text(arguments.log))
    if arguments.event is not None:
        shown = "".join(f"{line}\n" for line in event_lines(shown, arguments.event))
    sys.stdout.write(shown)


if __name__ == "__main__":
    main()
