"""The logs of a command, and the options of the reader as its flags.

Every option that `BinlogOptions` declares is a flag: `batch_rows` is `--batch-rows`. Those that an
operator reaches for have a shorter one, and are in the help.
"""

from __future__ import annotations

import argparse
import os
import re
import warnings
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from getpass import GetPassWarning, getpass
from typing import TYPE_CHECKING, Any, Final

from pyspark_adapter.cli.given_times import TIMEZONE, absolute_time, zone_of
from pyspark_adapter.errors import OptionError, did_you_mean, listed, one_line
from pyspark_adapter.options.binlog_options import OPTIONS, BinlogOptions, Option, options_with
from pyspark_adapter.options.checks import HIDDEN
from pyspark_adapter.options.declarations import Trait
from pyspark_adapter.server.address import ServerAddress
from pyspark_adapter.spelling import python_name

if TYPE_CHECKING:
    from pyspark_adapter.cli.terminal import Terminal
    from pyspark_adapter.sources.log_file import LogFile

# The flags in the help, in its order, and the options that they set.
_FILTERS: Final = {
    "table": "tables",
    "database": "databases",
    "change": "change_types",
    "since": "starting_timestamp",
    "until": "ending_timestamp",
    "position": "starting_position",
    "until-position": "ending_position",
    "gtid": "include_gtids",
    "exclude-gtid": "exclude_gtids",
    "server-id": "server_ids",
    "ddl": "ddl",
    "index": "index",
}
# The flag of a command that writes files, and its former name.
OUTPUT: Final = ("--output", "--out")
# A filter of tables without any of these is the name of one.
PATTERN_LETTERS: Final = "*?[,"
# Those that choose rows, and among them tables.
_ROW_FILTERS: Final = tuple(name for name in _FILTERS.values() if name not in ("ddl", "index"))
_TABLE_FILTERS: Final = ("tables", "databases")
_TIMES: Final = {_FILTERS["since"], _FILTERS["until"]}
_TIME: Final = "%Y-%m-%d %H:%M:%SZ"
_SERVER: Final = {name: name for name in ("host", "port", "user", "password")}
_FLAGS: Final = _FILTERS | _SERVER

NOT_FLAGS: Final = frozenset(options_with(Trait.NO_FLAG))

_PREFIX: Final = "option_"
_ASK: Final = "\0"  # for the password


def flag_of(name: str) -> str:
    """Return the flag of an option.

    >>> flag_of("tables"), flag_of("verify_checksums"), flag_of("batch_rows")
    ('--table', '--no-verify-checksums', '--batch-rows')
    """
    short = {option: flag for flag, option in _FLAGS.items()}
    flag = short.get(name, name.replace("_", "-"))
    return f"--no-{flag}" if _DEFAULTS[name] is True else f"--{flag}"


_DEFAULTS: Final = {option.name: option.default for option in OPTIONS}
_CHECKS: Final = {option.name: option.check for option in OPTIONS}
# What messages say of Python and Spark, as commands have it. They take no schema.
_IN_COMMANDS: Final = (
    (r"\boption view[= ]events\b", "the command events"),
    (r"\bread_schema returns the columns and types\b", "the command tables lists the tables"),
    (r"\blist_tables counts\b", "the command tables counts"),
    (r"(; with|, or pass|,? or) a schema( of your own)?( the result is empty)?", ""),
    (r"\bpass such a schema, or\b", "pass"),
    (r"\bstart the query again to continue with [^;]*", "start the command again"),
)


def spelled_as_flags(text: str) -> str:
    """Return a message with the names of options, as Python or Spark spells them, as flags.

    What Python or Spark can do and a command cannot is left out.

    >>> spelled_as_flags("option starting_timestamp: expected ISO 8601")
    '--since: expected ISO 8601'
    >>> spelled_as_flags("option invalidText=BINARY, option failOnDataLoss=false")
    '--invalid-text BINARY, --no-fail-on-data-loss'
    >>> spelled_as_flags("name them with option ddl, or pass a schema")
    'name them with --ddl'
    """

    def flag(match: re.Match[str]) -> str:
        name = python_name(match[1])
        if name == "table":  # set by a command whose flag names one
            name = "tables"
        if name not in _DEFAULTS or name in NOT_FLAGS:
            return match[0]
        is_switch = isinstance(_DEFAULTS[name], bool)
        return flag_of(name) if is_switch or not match[2] else f"{flag_of(name)} {match[2]}"

    for pattern, in_commands in _IN_COMMANDS:
        text = re.sub(pattern, in_commands, text)
    return re.sub(r"\b(?:the )?option ([a-zA-Z_]+)\b(?:=(\w+))?", flag, text)


def add_server(command: argparse.ArgumentParser) -> None:
    """Let a command take the options of a running server as flags."""
    by_name = {option.name: option for option in OPTIONS}
    group = command.add_argument_group("the server")
    for name in _SERVER:
        _add_option(group, by_name[name], is_shown=True)
    for name in ServerAddress.__dataclass_fields__.keys() & by_name.keys() - _SERVER.keys():
        _add_option(group, by_name[name], is_shown=False)


def add_logs(command: argparse.ArgumentParser, *, only: Collection[str] | None = None) -> None:
    """Let a command take logs, and the options of the reader as flags; `only` some, or all."""
    command.usage = f"{command.prog} [option ...] [log ...]"
    command.add_argument(
        "logs",
        nargs="*",
        metavar="log",
        help="a log, a directory of logs, a pattern, an index file, an archive or a URL",
    )
    filters = command.add_argument_group("filters")
    server = command.add_argument_group("logs of a running server")
    remaining = command.add_argument_group(
        "other options of the reader", "each is a flag: --invalid-text REPLACE, --batch-rows 1000"
    )
    by_name = {option.name: option for option in OPTIONS}
    for group, names in ((filters, _FILTERS.values()), (server, _SERVER.values())):
        for name in names:
            if only is None or name in only:
                _add_option(group, by_name[name], is_shown=True)
    if only is None or "starting_timestamp" in only:
        filters.add_argument(
            TIMEZONE,
            metavar="ZONE",
            help="of times without an offset, such as Europe/Berlin (default UTC); --since and"
            " --until also take -2h, today, 'yesterday 18:00'",
        )
    for option in OPTIONS:
        is_flag = option.name not in NOT_FLAGS and option.name not in _FLAGS.values()
        if is_flag and (only is None or option.name in only):
            _add_option(remaining, option, is_shown=False)


def _add_option(group: argparse._ArgumentGroup, option: Option, *, is_shown: bool) -> None:
    """Add the flag of an option; several values become one, with commas."""
    help_text = argparse.SUPPRESS
    if is_shown:
        help_text = option.help.replace("%", "%%").replace("`", "")
    flag, dest = flag_of(option.name), _PREFIX + option.name
    if isinstance(option.default, bool):
        value = str(not option.default).lower()
        group.add_argument(flag, dest=dest, action="append_const", const=value, help=help_text)
        return
    more: dict[str, Any] = {}
    if option.check.is_secret:  # a secret; without a value it is asked for
        more = {"nargs": "?", "const": _ASK}
    metavar = flag.lstrip("-").replace("-", "_").upper()
    group.add_argument(flag, dest=dest, action="append", metavar=metavar, help=help_text, **more)


@dataclass(frozen=True)
class ChosenLogs:
    """The logs of a command, and the options to read them with.

    Attributes:
        paths: as `read_batches` takes them; None for a running server.
        options: as `read_batches` takes them.
    """

    paths: list[str] | None
    options: dict[str, Any]

    def checked(self, **more: Any) -> BinlogOptions:
        """Return the checked options, with those that the command adds; raises OptionError."""
        return BinlogOptions.from_python(self.options | more)

    def files(self, options: BinlogOptions) -> list[LogFile]:
        """Return the logs, in order; raises BinlogError if none can be found."""
        from pyspark_adapter.find_logs import find_log_files

        return find_log_files(self.paths, options)

    def note_unused_filters(self, terminal: Terminal, reason: str) -> None:
        """Say which filters a command does not apply, and why."""
        unused = {name: self.options[name] for name in _ROW_FILTERS if name in self.options}
        if unused:
            terminal.note(f"warning: {_spelled(unused)}: not used; {reason}")

    def note_nothing_found(self, terminal: Terminal, *, of_tables_alone: bool = False) -> None:
        """After an empty result, say which filter matches nothing, and what the logs have.

        Statements that changed rows are named, whatever the filters.

        Args:
            of_tables_alone: whether other filters than those of tables are no reason to warn.

        Raises:
            BinlogError: if the logs cannot be read.
        """
        from pyspark_adapter.events.row_filter import TableFilter
        from pyspark_adapter.reader import list_tables

        filters = _TABLE_FILTERS if of_tables_alone else _ROW_FILTERS
        asked: dict[str, Any] = {
            name: self.options[name] for name in filters if name in self.options
        }
        unfiltered = {n: value for n, value in self.options.items() if n not in _ROW_FILTERS}
        tables = list_tables(self.paths, **unfiltered)
        by_statements = [str(summary.table) for summary in tables if summary.num_statements]
        tables = [summary for summary in tables if summary.num_changes]
        if (
            by_statements
            and not of_tables_alone
            and unfiltered.get("on_statement_events") != "ignore"
        ):
            terminal.note(
                f"warning: statements changed {listed(by_statements)}; the logs hold no rows of"
                " that; see the command events"
            )
        if not tables or not asked:
            return
        names = sorted(str(summary.table) for summary in tables)
        of_tables: dict[str, Any] = {name: asked[name] for name in _TABLE_FILTERS if name in asked}
        keeps = TableFilter(BinlogOptions.from_python(of_tables))
        if of_tables and not any(keeps.may_keep(summary.table) for summary in tables):
            named = ",".join(str(value) for value in of_tables.values())
            text = (
                f"{_spelled(of_tables)}: no table of these logs has that name; they have rows of"
                f" {listed(names)}{did_you_mean(named, names)}"
            )
        elif of_tables_alone:
            return
        else:
            times = [t for f in tables for t in (f.first_commit_time, f.last_commit_time) if t]
            text = f"{_spelled(asked)}: nothing in these logs matches; they have rows of"
            text += f" {listed(names)}"
            if times:
                text += f", committed from {min(times):{_TIME}} to {max(times):{_TIME}}"
        terminal.note(f"warning: {text}")


def _spelled(options: dict[str, Any]) -> str:
    """Return options as flags."""
    return " ".join(f"{flag_of(name)} {one_line(str(value))}" for name, value in options.items())


def _joined(name: str, values: list[str]) -> str:
    """Return the value of an option that may be repeated; raises OptionError."""
    if _CHECKS[name].takes_several:
        return ",".join(values)
    first, *more = dict.fromkeys(values)
    if more:
        shown = HIDDEN if _CHECKS[name].is_secret else " and ".join([first, *more])
        raise OptionError(f"option {name}: expected one value, found {shown}", option=name)
    return first


def _typed_password(user: str) -> str:
    """Ask for a password; raises OptionError."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", GetPassWarning)
            return getpass(f"password of {user}: ")
    except (EOFError, GetPassWarning):
        raise OptionError(
            "option password: expected a password, and there is no terminal to ask for it",
            option="password",
            advice="set it in the variable MYSQL_PWD where nobody can type it",
        ) from None


def chosen_logs(arguments: argparse.Namespace) -> ChosenLogs:
    """Return the logs and options of a command; raises OptionError."""
    named = {
        name.removeprefix(_PREFIX): values
        for name, values in vars(arguments).items()
        if name.startswith(_PREFIX) and values is not None
    }
    options = {name: _joined(name, values) for name, values in named.items()}
    zone_name = getattr(arguments, "timezone", None)
    zone, now = UTC if zone_name is None else zone_of(zone_name), datetime.now(UTC)
    for name in _TIMES & options.keys():
        options[name] = absolute_time(f"option {name}", options[name], zone, now)
    if "host" in options:
        options.setdefault("password", os.environ.get("MYSQL_PWD", ""))
    if options.get("password") == _ASK:
        options["password"] = _typed_password(options.get("user", ""))
    if not arguments.logs and "host" not in options:
        raise OptionError(
            "expected a log, a directory of logs, or a server (--host)", option="path"
        )
    chosen = ChosenLogs(arguments.logs or None, options)
    chosen.checked()
    return chosen
