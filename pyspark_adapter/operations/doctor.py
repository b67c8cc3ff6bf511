"""What settings of a server, or logs themselves, mean for a reader."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from pyspark_adapter.counting.table_list import summarize_tables
from pyspark_adapter.ddl.constraints import FIRST_TO_LOG_CASCADES
from pyspark_adapter.errors import BinlogError, ServerError, listed
from pyspark_adapter.events.log_start import read_format_event
from pyspark_adapter.events.row_filter import NO_FILTERS
from pyspark_adapter.format.header import MAGIC
from pyspark_adapter.format.schema import parse_format_description
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.server.server import LiveServer
from pyspark_adapter.sources.locations import read_up_to
from pyspark_adapter.sources.log_file import LogFile

if TYPE_CHECKING:
    from pyspark_adapter.server.connection import Session


@dataclass(frozen=True)
class Finding:
    """A setting of a server, or a fact of a log, that matters to a reader.

    Attributes:
        is_wrong: whether a read gives wrong or no rows because of it.
        setting: a variable of the server with its value, or what was looked at.
        meaning: for this reader.
        remedy: a statement, or what to do; empty if nothing has to be done.
    """

    is_wrong: bool
    setting: str
    meaning: str
    remedy: str = ""


class _Check(NamedTuple):
    """A check of a global variable: the value, in capitals, for which nothing is found."""

    variable: str
    is_fine: Callable[[str], bool]
    is_wrong: bool
    meaning: str
    remedy: str = ""


def _is(*values: str) -> Callable[[str], bool]:
    return values.__contains__


# The statements for MySQL; MariaDB has no SET PERSIST, see `_remedy`.
_CHECKS: Final = (
    _Check(
        "log_bin", _is("ON"), True, "no change is logged",
        "set log_bin in the section [mysqld] of the configuration, and start the server again",
    ),
    _Check(
        "binlog_format", _is("ROW"), True,
        "changes that are logged as statements are no rows; sessions that are open keep theirs",
        "SET PERSIST binlog_format = 'ROW'",
    ),
    _Check(
        "binlog_row_image", _is("FULL", "FULL_NODUP"), True,
        "columns that a change does not need are null in its rows (`_absent_columns` lists them),"
        " and undo refuses updates",
        "SET PERSIST binlog_row_image = 'FULL'",
    ),
    _Check(
        "binlog_row_metadata", _is("FULL"), False,
        "logs do not name columns: names come from CREATE TABLE in the logs or from option ddl,"
        " else they are col_1, col_2",
        "SET PERSIST binlog_row_metadata = 'FULL'",
    ),
    _Check(
        "binlog_row_value_options", _is(""), False,
        "updates of JSON hold parts of documents, which are completed from the image before",
        "SET PERSIST binlog_row_value_options = ''",
    ),
    _Check(
        "binlog_checksum", _is("CRC32"), False, "damage of a log is not always noticed",
        "SET PERSIST binlog_checksum = 'CRC32'",
    ),
    _Check(
        "gtid_mode", _is("ON"), False,
        "rows have no GTID, and a stream cannot continue at another server of the group",
        "SET PERSIST enforce_gtid_consistency = ON, then gtid_mode = OFF_PERMISSIVE, ON_PERMISSIVE"
        " and ON, one after the other",
    ),
    _Check(
        "binlog_expire_logs_seconds", lambda text: not 0 < _number(text) < 86_400, False,
        "logs are removed within a day: a reader that stops for longer loses changes",
        "SET PERSIST binlog_expire_logs_seconds = 604800",
    ),
    _Check(
        "binlog_transaction_compression", _is("OFF"), False,
        "transactions are compressed: they are read, and one is decompressed by one task",
    ),
    _Check("log_bin_compress", _is("OFF"), False, "events are compressed: they are read"),
    _Check(
        "binlog_encryption", _is("OFF"), False,
        "files are encrypted: they need option keyring; over the network logs are in clear",
    ),
    _Check("encrypt_binlog", _is("OFF"), False, "files are encrypted: they need option keyring"),
)  # fmt: skip

_VISIBLE: Final = """
SELECT CONVERT(COUNT(*), CHAR) FROM information_schema.tables
WHERE table_schema NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys')
 AND table_type = 'BASE TABLE'"""
_WITHOUT_KEY: Final = """
SELECT CONCAT(t.table_schema, '.', t.table_name) FROM information_schema.tables t
WHERE t.table_schema NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys')
 AND t.table_type = 'BASE TABLE' AND NOT EXISTS
 (SELECT 1 FROM information_schema.statistics s WHERE s.table_schema = t.table_schema
  AND s.table_name = t.table_name AND s.index_name = 'PRIMARY') ORDER BY 1"""
_CARRIED_OVER: Final = """
SELECT DISTINCT CONCAT(constraint_schema, '.', table_name)
FROM information_schema.referential_constraints
WHERE delete_rule NOT IN ('RESTRICT', 'NO ACTION') OR update_rule NOT IN ('RESTRICT', 'NO ACTION')
ORDER BY 1"""
_TIMES: Final = """
SELECT CONCAT(table_schema, '.', table_name, '.', column_name) FROM information_schema.columns
WHERE table_schema NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys')
 AND data_type = 'time' ORDER BY 1"""
_MAX_SECONDS: Final = 5
# The setting of the finding that a read has no rows.
NO_ROWS: Final = "no rows"


def look_at_server(server: LiveServer, options: BinlogOptions) -> Iterator[Finding]:
    """Yield what a server's settings, tables and privileges mean for a reader.

    Raises:
        ServerError: if the server cannot be reached or refuses the user.
    """
    session = server.session()
    [(account, *_)] = session.rows("SELECT CURRENT_USER()")
    name, _, host = str(account).rpartition("@")
    for finding in _look_at_server(server, session, options):
        remedy = finding.remedy.replace("this user", f"'{name}'@'{host}'")
        yield replace(finding, remedy=remedy)


def _look_at_server(
    server: LiveServer, session: Session, options: BinlogOptions
) -> Iterator[Finding]:
    rows = session.rows("SHOW GLOBAL VARIABLES", num_columns=2)
    variables = {str(name).lower(): value or "" for name, value, *_ in rows}
    for check in _CHECKS:
        value = variables.get(check.variable)
        # A server that logs nothing has other settings that mean nothing.
        if value is not None and not check.is_fine(value.upper()):
            setting = f"{check.variable}={value}"
            remedy = _remedy(check.remedy, session)
            yield Finding(check.is_wrong, setting, check.meaning, remedy)
            if check.variable == "log_bin":
                return
    yield from _look_at_clock(session)
    if (yield from _look_at_privileges(server, session)):
        yield from _look_at_replication(session, variables)
        options = replace(options, **NO_FILTERS)
        yield from look_at_logs(server.log_files()[-1:], options, is_of_server=True)
    yield from _look_at_tables(session)


def _remedy(statement: str, session: Session) -> str:
    """Return a statement as the server takes it: MySQL has SET PERSIST since 8.0."""
    has_persist = not session.is_mariadb and session.version >= (8, 0)
    if has_persist or "SET PERSIST" not in statement:
        return statement
    return f"{statement.replace('PERSIST', 'GLOBAL')}, and the same in the configuration"


def _number(text: str) -> int:
    return int(float(text or 0))


def _look_at_clock(session: Session) -> Iterator[Finding]:
    [(now, *_)] = session.rows("SELECT UNIX_TIMESTAMP()")
    seconds = int(float(now or 0)) - time.time()
    if abs(seconds) > _MAX_SECONDS:
        way = "ahead of" if seconds > 0 else "behind"
        yield Finding(
            False,
            f"the server's clock is {abs(seconds):.0f} s {way} this host's",
            "option startingTimestamp and the lag of streams go by the server's clock",
            "let both hosts follow one time server (NTP)",
        )


def _look_at_privileges(server: LiveServer, session: Session) -> Generator[Finding, None, bool]:
    """Yield what this user may not do, found by doing it; return whether logs can be listed."""
    try:
        logs = server.log_files()
    except BinlogError as error:
        yield Finding(
            True,
            "SHOW BINARY LOGS",
            f"this user cannot list the logs: {error.message}",
            f"GRANT {'BINLOG MONITOR' if session.is_mariadb else 'REPLICATION CLIENT'} ON *.* TO"
            " this user",
        )
        return False
    try:
        with closing(server.open(logs[-1])) as file:
            read_up_to(file, len(MAGIC) + 1)
    except BinlogError as error:
        yield Finding(
            True,
            "the replication protocol",
            f"this user cannot read the logs: {error.message}",
            "GRANT REPLICATION SLAVE ON *.* TO this user",
        )
        return False
    return True


def _look_at_replication(session: Session, variables: Mapping[str, str]) -> Iterator[Finding]:
    has_new_words = not session.is_mariadb and session.version >= (8, 4)
    status = session.rows(f"SHOW {'BINARY LOG' if has_new_words else 'MASTER'} STATUS")
    logged, ignored = (*(status[0] if status else ()), "", "", "", "")[2:4]
    for name, databases, excluded in (
        ("binlog_do_db", logged, "other databases"),
        ("binlog_ignore_db", ignored, "these databases"),
    ):
        if databases:
            yield Finding(
                True,
                f"{name}={databases}",
                f"changes of {excluded} are not logged",
                f"remove {name} from the configuration, and start the server again",
            )
    statement = f"SHOW {'REPLICA' if has_new_words else 'SLAVE'} STATUS"
    try:
        if not session.rows(statement):
            return
    except ServerError as error:
        yield Finding(
            False,
            statement,
            f"whether this server is a replica was not looked at: {error.message}",
            "GRANT REPLICA MONITOR ON *.* TO this user, while doctor runs",
        )
        return
    for name in ("log_replica_updates", "log_slave_updates"):
        if variables.get(name, "ON").upper() == "OFF":
            yield Finding(
                True,
                f"{name}=OFF on a replica",
                "changes that this server takes from its source are not in its own logs",
                f"set {name}=ON in the configuration, start the server again; or read the source",
            )
            return


def _look_at_tables(session: Session) -> Iterator[Finding]:
    """Yield what the tables mean that this user may see."""
    if session.rows(_VISIBLE) == [("0",)]:
        yield Finding(
            False,
            "no tables",
            "this user may see no tables, so their keys and types were not looked at",
            "GRANT SELECT, REFERENCES ON *.* TO this user, while doctor runs",
        )
        return
    logs_cascades = not session.is_mariadb and session.version >= FIRST_TO_LOG_CASCADES
    checks = (
        (
            _CARRIED_OVER, not logs_cascades, True, "foreign keys with CASCADE or SET",
            "what they delete or change in these tables is not logged",
            "define these keys with RESTRICT, and change the rows by statements",
        ),
        (
            _WITHOUT_KEY, True, False, "tables without a primary key",
            "latest_rows cannot tell their rows apart, and undo finds them by all their columns",
            "ALTER TABLE ... ADD COLUMN id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY",
        ),
        (
            _TIMES, True, False, "columns of type TIME",
            "they are intervals, which Delta and Iceberg tables cannot hold",
            "read them with option time=micros or option time=string",
        ),
    )  # fmt: skip
    for statement, is_asked, is_wrong, setting, meaning, remedy in checks:
        names = [str(name) for name, *_ in session.rows(statement)] if is_asked else []
        if names:
            yield Finding(is_wrong, f"{setting}: {listed(names)}", meaning, remedy)


def look_at_logs(
    log_files: Sequence[LogFile], options: BinlogOptions, *, is_of_server: bool = False
) -> Iterator[Finding]:
    """Yield what logs mean for a reader, as far as they tell.

    Args:
        log_files: the logs, in order.
        is_of_server: whether the settings of the server were checked: then only rows are left.
    """
    readable: list[LogFile] = []
    is_mariadb = False
    for log_file in log_files:
        try:
            event = read_format_event(log_file)
        except BinlogError as error:
            yield Finding(True, log_file.name, f"cannot be read: {error.message}", error.advice)
            continue
        readable.append(log_file)
        description = event and parse_format_description(event, verify=False)
        is_mariadb |= bool(description and description.is_mariadb)
        if not is_of_server and description and not description.len_checksum:
            yield Finding(
                False, f"{log_file.name}: no checksums", "damage is not always noticed",
                f"SET {'GLOBAL' if is_mariadb else 'PERSIST'} binlog_checksum = 'CRC32'",
            )  # fmt: skip
    errors: list[BinlogError] = []
    tables = summarize_tables(readable, options, None, errors.append)
    for damage in errors:
        yield Finding(True, "damage", damage.problem, "mysql-binlog-spark check names all of it")
    unlogged = [str(summary.table) for summary in tables if summary.num_statements]
    with_rows = [summary for summary in tables if summary.num_changes]
    nameless = [str(f.table) for f in with_rows if f.column_names[:1] == ("col_1",)]
    keyless = [
        str(f.table) for f in with_rows if not f.primary_key and str(f.table) not in nameless
    ]
    checks = (
        (
            unlogged, True, "statements instead of rows",
            "statements changed these tables (by binlog_format, or TRUNCATE), and the logs hold no"
            " rows of that; the command events shows them",
            "SET PERSIST binlog_format = 'ROW'; option schemaChanges returns TRUNCATE as a row",
        ),
        (
            nameless, False, "tables without names of columns",
            "neither the logs nor option ddl name the columns: they are col_1, col_2",
            "SET PERSIST binlog_row_metadata = 'FULL', or give option ddl",
        ),
        (
            [] if is_of_server else keyless, False, "tables without a known primary key",
            "latest_rows cannot tell their rows apart, and undo finds them by all their columns",
            "SET PERSIST binlog_row_metadata = 'FULL', give option ddl, or add a key",
        ),
    )  # fmt: skip
    for names, is_wrong, setting, meaning, remedy in checks:
        if names:
            if is_mariadb:
                remedy = remedy.replace("SET PERSIST", "SET GLOBAL")
            yield Finding(is_wrong, f"{setting}: {listed(names)}", meaning, remedy)
    if readable and not tables and not errors and not is_of_server:
        has_filters = replace(options, **NO_FILTERS) != options
        meaning = (
            "no row change matches the filters" if has_filters else "the logs hold no row changes"
        )
        yield Finding(True, NO_ROWS, meaning, "give other logs")
