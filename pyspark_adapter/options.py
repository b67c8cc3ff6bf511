"""Every option of a read: its names, type, default, check and one line of help, declared once.

Spark spells options in camel case and gives strings (`option("batchRows", "1000")`), Python
spells them in snake case and gives values (`read_batches(..., batch_rows=1000)`); both end here.
The table in the README is made from `describe_options`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, Final

from pyspark_adapter.charsets.charset import CHARSETS
from pyspark_adapter.errors import OptionError
from pyspark_adapter.filters.filter_values import (
    ServerIds,
    in_utc,
    parse_change_types,
    parse_instant,
    parse_server_ids,
)
from pyspark_adapter.filters.gtid_set import GtidSet
from pyspark_adapter.filters.log_position import LogPosition
from pyspark_adapter.filters.name_patterns import (
    NamePattern,
    TablePattern,
    parse_database_patterns,
    parse_table_patterns,
)

# Options that Spark itself puts among ours.
_PATH_KEYS: Final = frozenset({"path", "paths"})

# Filters that the events view cannot carry out, since most events are of no table.
_ROW_FILTERS: Final = ("table", "databases", "tables", "change_types")


@dataclass(frozen=True)
class TableName:
    """A table, as `database.table`.

    >>> TableName.parse("shop.orders")
    TableName(database_name='shop', table_name='orders')
    >>> str(TableName.parse("`my.db`.`a``b`"))
    '`my.db`.`a``b`'
    """

    database_name: str
    table_name: str

    @classmethod
    def parse(cls, text: str) -> TableName:
        """Read a name; a part that holds a point or a backquote stands in backquotes.

        Raises:
            OptionError: if it is not two parts.
        """
        part = r"(`(?:[^`]|``)+`|[^`.]+)"
        match = re.fullmatch(rf"{part}\.{part}", text.strip())
        if match is None:
            raise _refuse("table", text, "database.table, parts with points in backquotes")
        return cls(*(_unquote(group) for group in match.groups()))

    def __str__(self) -> str:
        return f"{_quote(self.database_name)}.{_quote(self.table_name)}"


def _unquote(part: str) -> str:
    return part[1:-1].replace("``", "`") if part.startswith("`") else part


def _quote(part: str) -> str:
    return f"`{part.replace('`', '``')}`" if re.search(r"[.`]", part) else part


def _refuse(option: str, value: object, allowed: str) -> OptionError:
    return OptionError(
        f"option {option}: expected {allowed}, got {value!r}",
        option=option,
        value=str(value),
        allowed=allowed,
    )


def _one_of(*allowed: str) -> Callable[[str, Any], str]:
    """Return a check that takes one of some words, in any case."""

    def check(option: str, value: Any) -> str:
        for word in allowed:
            if str(value).lower() == word.lower():
                return word
        raise _refuse(option, value, " | ".join(allowed))

    return check


def _one_of_or_none(*allowed: str) -> Callable[[str, Any], str | None]:
    """Return a check that takes one of some words, in any case, or nothing."""
    check = _one_of(*allowed)
    return lambda option, value: None if value is None else check(option, value)


def _path(option: str, value: Any) -> str | None:
    if value is None:
        return None
    if not isinstance(value, (str, os.PathLike)) or not os.fspath(value):
        raise _refuse(option, value, "the path of a file")
    return os.fspath(value)


def _boolean(option: str, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if str(value).lower() in ("true", "false"):
        return str(value).lower() == "true"
    raise _refuse(option, value, "true | false")


def _integer(low: int, high: int) -> Callable[[str, Any], int]:
    """Return a check that takes a whole number within bounds; bytes may carry k, m or g."""

    def check(option: str, value: Any) -> int:
        match = re.fullmatch(r"(\d+)\s*([kmg]?)i?b?", str(value).strip().lower())
        if match is not None and not isinstance(value, bool):
            number = int(match[1]) * {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}[match[2]]
            if low <= number <= high:
                return number
        raise _refuse(option, value, f"a whole number from {low} to {high}")

    return check


def _pattern(option: str, value: Any) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or not value or "/" in value:
        raise _refuse(option, value, "a pattern of file names, such as binlog.0000*")
    return value


def _table(_option: str, value: Any) -> TableName | None:
    if value is None or isinstance(value, TableName):
        return value
    return TableName.parse(str(value))


def _names(option: str, value: Any) -> tuple[str, ...] | None:
    if value is None:
        return None
    parts = value.split(",") if isinstance(value, str) else list(value)
    names = tuple(str(part).strip() for part in parts)
    if names == ("",):
        return ()
    if not all(names) or len(set(names)) != len(names):
        raise _refuse(option, value, "different names, separated by commas")
    return names


def _parsed(parse: Callable[[str], Any], item: type | None, allowed: str) -> Callable[..., Any]:
    """Return a check that takes nothing, a text, a list of its parts, or what was parsed before.

    Args:
        parse: gives what a text says, one `item` or a tuple of them; raises ValueError.
        item: what is parsed already; None where that is parsed again.
        allowed: for the message.
    """

    def check(option: str, value: Any) -> Any:
        items = value if isinstance(value, (list, tuple)) else [value]
        if value is None or (item and items and all(type(one) is item for one in items)):
            return value
        try:
            return parse(",".join(map(str, items)))
        except ValueError as error:
            raise _refuse(option, value, allowed) from error

    return check


def _instant(option: str, value: Any) -> datetime | None:
    if value is None:
        return None
    try:
        return in_utc(value) if isinstance(value, datetime) else parse_instant(str(value))
    except ValueError as error:
        allowed = "a time as 2026-11-21T12:34:56Z, or seconds since 1970"
        raise _refuse(option, value, allowed) from error


_position: Final = _parsed(LogPosition.parse, LogPosition, "log:position, as binlog.000012:4711")
_gtid_set: Final = _parsed(
    GtidSet.parse, GtidSet, "GTIDs as uuid:1-5:7 or uuid:tag:3, of MariaDB as 0-1-42 or 0-1-42-50"
)


def _option(
    spark_name: str, check: Callable[[str, Any], Any], default: Any, values: str, help_text: str
) -> Any:
    """Declare an option; the value of the field is checked when an instance is made."""
    return field(
        default=default,
        metadata={"spark": spark_name, "check": check, "values": values, "help": help_text},
    )


@dataclass(frozen=True, kw_only=True)
class BinlogOptions:
    """Options of a read. All have defaults; a value that is not allowed raises OptionError."""

    view: str = _option(
        "view",
        _one_of("changes", "events"),
        "changes",
        "changes, events",
        "Row changes, or one row for each event with its body as JSON.",
    )
    table: TableName | None = _option(
        "table",
        _table,
        None,
        "database.table",
        "Typed rows of this table only. Without it: the changes of all tables, rows as JSON.",
    )
    databases: tuple[NamePattern, ...] | None = _option(
        "databases",
        _parsed(parse_database_patterns, NamePattern, "patterns, separated by commas"),
        None,
        "patterns, comma-separated",
        "Rows of these databases only; `*`, `?` and `[...]` as in a shell, in backquotes no"
        " pattern.",
    )
    tables: tuple[TablePattern, ...] | None = _option(
        "tables",
        _parsed(parse_table_patterns, TablePattern, "patterns database.table, separated by commas"),
        None,
        "patterns, comma-separated",
        "Rows of these tables only: `shop.*,crm.user_*`, in the same style.",
    )
    change_types: tuple[str, ...] | None = _option(
        "changeTypes",
        _parsed(parse_change_types, None, "insert, update, delete, or images of updates"),
        None,
        "insert, update, update_preimage, update_postimage, delete",
        "Rows of these kinds only, comma-separated; update is both images.",
    )
    server_ids: tuple[ServerIds, ...] | None = _option(
        "serverIds",
        _parsed(parse_server_ids, ServerIds, "numbers and ranges as 1,5-9"),
        None,
        "numbers and ranges",
        "Changes first made on these servers only: `1,5-9`.",
    )
    include_gtids: GtidSet | None = _option(
        "includeGtids",
        _gtid_set,
        None,
        "GTID set",
        "These transactions only: `uuid:1-5:7,uuid:tag:3` of MySQL; of MariaDB `0-1-42`, or"
        " `0-1-42-50` for the sequence numbers from 42 to 50.",
    )
    exclude_gtids: GtidSet | None = _option(
        "excludeGtids",
        _gtid_set,
        None,
        "GTID set",
        "All transactions but these.",
    )
    starting_position: LogPosition | None = _option(
        "startingPosition",
        _position,
        None,
        "log:position",
        "Transactions that begin here or later: `binlog.000012:4711`.",
    )
    ending_position: LogPosition | None = _option(
        "endingPosition",
        _position,
        None,
        "log:position",
        "Transactions that begin before this place.",
    )
    starting_timestamp: datetime | None = _option(
        "startingTimestamp",
        _instant,
        None,
        "ISO 8601, or seconds since 1970",
        "Transactions whose `_commit_timestamp` is this or later; in UTC where no zone is named.",
    )
    ending_timestamp: datetime | None = _option(
        "endingTimestamp",
        _instant,
        None,
        "ISO 8601, or seconds since 1970",
        "Transactions whose `_commit_timestamp` is before this.",
    )
    metadata_columns: tuple[str, ...] | None = _option(
        "metadataColumns",
        _names,
        None,
        "names, comma-separated",
        "Which metadata columns to give, in which order; empty for none.",
    )
    ddl: str | None = _option(
        "ddl",
        _path,
        None,
        "path of a file",
        "CREATE TABLE statements (`mysqldump --no-data`) that name columns where the log does not.",
    )
    merge_schema: bool = _option(
        "mergeSchema",
        _boolean,
        True,
        "true, false",
        "What becomes of a table whose columns change inside the input: the columns of all its"
        " shapes in the widest types, or an error.",
    )
    schema_at: str | None = _option(
        "schemaAt",
        _one_of_or_none("first", "latest"),
        None,
        "first, latest",
        "Give the columns that the table has first, or at last, and no others.",
    )
    follow_renames: bool = _option(
        "followRenames",
        _boolean,
        False,
        "true, false",
        "Also give the rows that the table had under earlier names, before it was renamed.",
    )
    default_charset: str = _option(
        "defaultCharset",
        _one_of(*sorted(CHARSETS)),
        "binary",
        "binary, or any of the servers",
        "Character set of text whose own neither the log nor a definition tells.",
    )
    invalid_text: str = _option(
        "invalidText",
        _one_of("ERROR", "REPLACE", "BINARY"),
        "ERROR",
        "ERROR, REPLACE, BINARY",
        "What becomes of text that is not valid in its character set: an error, or U+FFFD where it"
        " is not; or all text is given as its bytes, valid or not, as type binary.",
    )
    zero_date_time_behavior: str = _option(
        "zeroDateTimeBehavior",
        _one_of("CONVERT_TO_NULL", "EXCEPTION", "ROUND"),
        "CONVERT_TO_NULL",
        "CONVERT_TO_NULL, EXCEPTION, ROUND",
        "What becomes of 0000-00-00 and of dates that no calendar has: null, an error, or the"
        " nearest date.",
    )
    on_statement_events: str = _option(
        "onStatementEvents",
        _one_of("error", "warn", "ignore"),
        "warn",
        "error, warn, ignore",
        "What to do at a statement that changed rows of which the log has none"
        " (binlog_format=STATEMENT or MIXED, TRUNCATE).",
    )
    json: str = _option(
        "json",
        _one_of("text", "variant"),
        "text",
        "text, variant",
        "JSON columns of a table as the server's text of them, or as VARIANT.",
    )
    verify_checksums: bool = _option(
        "verifyChecksums",
        _boolean,
        True,
        "true, false",
        "Compare the CRC32 of each event, where the log has one.",
    )
    engine: str = _option(
        "engine",
        _one_of("auto", "kernels", "reference"),
        "auto",
        "auto, kernels, reference",
        "Decode rows by numba kernels or in plain Python (slow); auto takes kernels if numba is"
        " there.",
    )
    batch_rows: int = _option(
        "batchRows",
        _integer(2, 1 << 20),
        16384,
        "2 to 1048576",
        "Most rows of a record batch.",
    )
    batch_bytes: int = _option(
        "batchBytes",
        _integer(1 << 10, 1 << 30),
        4 << 20,
        "1k to 1g",
        "Bytes of row data after which a record batch ends; a larger row is a batch of its own.",
    )
    window_bytes: int = _option(
        "windowBytes",
        _integer(1 << 10, 1 << 30),
        4 << 20,
        "1k to 1g",
        "Bytes of log held at once; a larger event is held alone.",
    )
    max_partition_bytes: int = _option(
        "maxPartitionBytes",
        _integer(1 << 16, 1 << 40),
        128 << 20,
        "64k to 1024g",
        "Bytes of log that a Spark task reads; a larger log is read by several.",
    )
    progress_seconds: int = _option(
        "progressSeconds",
        _integer(0, 1 << 20),
        0,
        "0 to 1048576",
        "How often a Spark task says on its standard error how far it is; 0 for never.",
    )
    max_event_bytes: int = _option(
        "maxEventBytes",
        _integer(1 << 10, (1 << 32) - 1),
        1 << 30,
        "1k to 4g",
        "Largest event that is read; a log with a larger one is an error.",
    )
    max_payload_bytes: int = _option(
        "maxPayloadBytes",
        _integer(1 << 10, 1 << 40),
        16 << 30,
        "1k to 1024g",
        "Most bytes that a compressed transaction (`binlog_transaction_compression`) may have when"
        " decompressed; one with more is an error.",
    )
    path_glob_filter: str | None = _option(
        "pathGlobFilter",
        _pattern,
        None,
        "pattern of names",
        "Only files whose names it fits: `*`, `?`, `[a-c]`, `[!a]`, `{a,b}`.",
    )
    recursive_file_lookup: bool = _option(
        "recursiveFileLookup",
        _boolean,
        False,
        "true, false",
        "Also look for logs in the directories within a directory.",
    )
    modified_after: datetime | None = _option(
        "modifiedAfter",
        _instant,
        None,
        "YYYY-MM-DDTHH:mm:ss",
        "Only files last modified after that time, which is in UTC if it names no offset.",
    )
    modified_before: datetime | None = _option(
        "modifiedBefore",
        _instant,
        None,
        "YYYY-MM-DDTHH:mm:ss",
        "Only files last modified before that time.",
    )
    ignore_missing_files: bool = _option(
        "ignoreMissingFiles",
        _boolean,
        False,
        "true, false",
        "Warn, in place of an error, of logs that an index lists and are not there, or that are"
        " gone when they are to be read.",
    )
    ignore_corrupt_files: bool = _option(
        "ignoreCorruptFiles",
        _boolean,
        False,
        "true, false",
        "Warn, in place of an error, of a damaged or cut log; the rows before that are given.",
    )

    def __post_init__(self) -> None:
        for spec in fields(self):
            check = spec.metadata["check"]
            value = check(spec.metadata["spark"], getattr(self, spec.name))
            object.__setattr__(self, spec.name, value)
        self._check_together()

    def _check_together(self) -> None:
        """Refuse values that contradict each other."""
        if self.view == "events":
            self._refuse_all(_ROW_FILTERS, "since view is events")
        if self.table is not None:
            self._refuse_all(("databases", "tables"), "since table names the one table")

    def _refuse_all(self, names: tuple[str, ...], reason: str) -> None:
        for spec in fields(self):
            value = getattr(self, spec.name)
            if spec.name in names and value is not None:
                text = ",".join(map(str, value)) if isinstance(value, tuple) else value
                option = spec.metadata["spark"]
                raise _refuse(option, text, f"no {option}, {reason}")

    @classmethod
    def from_spark(cls, options: Mapping[str, str]) -> BinlogOptions:
        """Take the options of a Spark reader, whose keys may come in any case.

        Raises:
            OptionError: for a name that is no option, or a value that is not allowed.
        """
        names = {spec.metadata["spark"].lower(): spec.name for spec in fields(cls)}
        values: dict[str, Any] = {}
        for key, value in options.items():
            if key.lower() in _PATH_KEYS:
                continue
            if key.lower() not in names:
                allowed = ", ".join(spec.metadata["spark"] for spec in fields(cls))
                raise _refuse(key, value, f"one of the options {allowed}")
            values[names[key.lower()]] = value
        return cls(**values)


def describe_options() -> str:
    """Return the options as a Markdown table."""
    lines = ["| option | values | default | meaning |", "|---|---|---|---|"]
    for spec in fields(BinlogOptions):
        default = "" if spec.default is None else f"`{str(spec.default).lower()}`"
        if isinstance(spec.default, str):
            default = f"`{spec.default}`"
        meta = spec.metadata
        lines.append(f"| `{meta['spark']}` | {meta['values']} | {default} | {meta['help']} |")
    return "\n".join(lines)
