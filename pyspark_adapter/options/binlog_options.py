"""The options of a read, checked.

Spark passes strings under names in camel case (`option("batchRows", "1000")`). Python passes values
under names in snake case (`read_batches(..., batch_rows=1000)`). `BinlogOptionsDict` declares them;
`describe_options` makes the table of the documentation, and `with_options` docstrings.

Messages refer to an option as Spark spells it, see `spelling`. `BinlogOptions` knows which of the
two made it, for the spelling of warnings.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from functools import cache
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

from pyspark_adapter.errors import BinlogError, OptionError
from pyspark_adapter.options.checks import (
    HIDDEN,
    Check,
    a_boolean,
    one_of,
    refuse,
    split_port,
    unknown_option,
)
from pyspark_adapter.options.declarations import BinlogOptionsDict, Trait
from pyspark_adapter.options.filter_values import SCHEMA_CHANGE_TYPES, RowKey, ServerIds
from pyspark_adapter.options.gtid_set import GtidSet
from pyspark_adapter.options.log_position import GtidStart, LogPosition, StreamOffset
from pyspark_adapter.options.name_patterns import NamePattern, TablePattern
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.spelling import in_python, spark_name

T = TypeVar("T")

# Spark adds these to the options.
_PATH_KEYS: Final = frozenset({"path", "paths"})


@dataclass(frozen=True, kw_only=True)
class BinlogOptions:
    """Options of a read. All have defaults.

    Attributes:
        uses_spark_names: whether Spark passed the options, so that warnings use its spelling; not
            an option itself.

    Raises:
        OptionError: for an invalid value, or values that exclude each other.
    """

    view: str = "changes"
    table: TableName | None = None
    columns: tuple[str, ...] | None = None
    keys: tuple[RowKey, ...] | None = None
    databases: tuple[NamePattern, ...] | None = None
    tables: tuple[TablePattern, ...] | None = None
    change_types: tuple[str, ...] | None = None
    schema_changes: bool = False
    server_ids: tuple[ServerIds, ...] | None = None
    include_gtids: GtidSet | None = None
    exclude_gtids: GtidSet | None = None
    starting_position: LogPosition | None = None
    ending_position: LogPosition | None = None
    starting_timestamp: datetime | None = None
    ending_timestamp: datetime | None = None
    push_filters: bool = False
    metadata_columns: tuple[str, ...] | None = None
    ddl: str | None = None
    merge_schema: bool = True
    schema_at: str | None = None
    follow_renames: bool = False
    default_charset: str = "binary"
    invalid_text: str = "ERROR"
    zero_date_time_behavior: str = "CONVERT_TO_NULL"
    on_statement_events: str = "warn"
    row: str = "json"
    decimal_handling_mode: str = "precise"
    time_precision_mode: str = "adaptive_time_microseconds"
    bigint_unsigned_handling_mode: str = "long"
    binary_handling_mode: str = "bytes"
    debezium_schemas: bool = False
    json: str = "text"
    time: str = "interval"
    unsigned_bigint: str = "decimal"
    geometry: str = "wkb"
    uuid: str = "text"
    verify_checksums: bool = True
    batch_rows: int = 32768
    batch_bytes: int = 4 << 20
    window_bytes: int = 4 << 20
    max_partition_bytes: int = 128 << 20
    starting_offsets: str | StreamOffset | GtidStart = "earliest"
    max_bytes_per_trigger: int | None = None
    max_files_per_trigger: int | None = None
    on_schema_change: str = "fail"
    fail_on_data_loss: bool = True
    progress_seconds: int = 0
    max_event_bytes: int = 1 << 30
    max_payload_bytes: int = 16 << 30
    path_glob_filter: str | None = None
    recursive_file_lookup: bool = False
    modified_after: datetime | None = None
    modified_before: datetime | None = None
    ignore_missing_files: bool = False
    ignore_corrupt_files: bool = False
    index: str | None = None
    keyring: str | None = None
    keyring_password: str | None = field(default=None, repr=False)
    host: str | None = None
    port: int | None = None
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    ssl_mode: str = "PREFERRED"
    ssl_ca: str | None = None
    ssl_cert: str | None = None
    ssl_key: str | None = None
    server_rsa_public_key_file: str | None = None
    allow_public_key_retrieval: bool = False
    enable_cleartext_plugin: bool = False
    connect_timeout: int = 10
    reconnect_seconds: int = 60

    uses_spark_names: bool = field(default=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for option in OPTIONS:
            value, check = getattr(self, option.name), option.check
            if value is option.default:
                continue
            try:
                object.__setattr__(self, option.name, check.parse(value))
            except OptionError:
                raise
            except (TypeError, ValueError, RecursionError) as error:
                shown = HIDDEN if check.is_secret else value
                raise refuse(option.spark_name, shown, check.allowed) from error
        self._check_together()

    def _check_together(self) -> None:
        """Refuse options that exclude each other."""
        if self.view == "events":
            self._refuse_all(options_with(Trait.TABLES), "with option view events")
        if self.table is None:
            self._refuse_all(("columns", "keys"), "without option table")
        else:
            self._refuse_all(("databases", "tables"), "with option table, which names one table")
            if self.row != "json":
                raise refuse("row", self.row, "no value with option table, which gives columns")
        if self.row != "debezium":
            self._refuse_changed(Trait.DEBEZIUM, "no value without row=debezium")
        if not self.schema_changes and not {*SCHEMA_CHANGE_TYPES}.isdisjoint(
            self.change_types or ()
        ):
            allowed = "types of row images, without option schemaChanges"
            raise refuse("changeTypes", ",".join(self.change_types or ()), allowed)
        if self.row == "debezium":
            self._refuse_all(("schema_changes",), "with row=debezium, which gives rows")
        if self.schema_changes:
            self._refuse_all(("keys",), "with option schemaChanges, whose rows have no key")
        if self.on_schema_change != "fail" and self.table is None:
            allowed = "no value without option table, as rows have the columns of their time"
            raise refuse("onSchemaChange", self.on_schema_change, allowed)
        if self.on_schema_change == "end" and (self.schema_at == "first" or not self.merge_schema):
            allowed = "fail or keep with option schemaAt first or option mergeSchema false"
            raise refuse("onSchemaChange", self.on_schema_change, allowed)
        if self.keyring is None:
            self._refuse_all(("keyring_password",), "without option keyring")
        if self.host is None:
            self._refuse_all(options_with(Trait.SERVER), "without option host")
            return
        self._refuse_all(options_with(Trait.FILES), "with option host, which reads no files")
        hosts = [split_port("host", part.strip()) for part in self.host.split(",")]
        if len(set(hosts)) < len(hosts):
            raise refuse("host", self.host, "different servers")
        host, port = hosts[0]
        if len(hosts) > 1:
            port = None
        elif port is not None and self.port not in (None, port):
            raise refuse("port", self.port, f"the port {port}, as in option host")
        else:
            object.__setattr__(self, "host", host)
        object.__setattr__(self, "port", port or self.port or 3306)
        if self.user is None:
            raise refuse("user", "", "a user, with option host")
        mode = f"with option sslMode {self.ssl_mode}, which"
        if not self.ssl_mode.startswith("VERIFY"):
            self._refuse_all(("ssl_ca",), f"{mode} trusts any certificate")
        if self.ssl_mode in ("DISABLED", "PREFERRED"):
            self._refuse_all(("ssl_cert", "ssl_key"), f"{mode} allows a connection without TLS")
        if self.ssl_cert is None:
            self._refuse_all(("ssl_key",), "without option sslCert")
        if self.ssl_mode != "VERIFY_IDENTITY" and self.ssl_ca is None:
            condition = "without option sslMode VERIFY_IDENTITY, or VERIFY_CA and option sslCa"
            self._refuse_all(("enable_cleartext_plugin",), condition)
        if self.allow_public_key_retrieval:
            condition = "with option allowPublicKeyRetrieval, which accepts any key"
            self._refuse_all(("server_rsa_public_key_file",), condition)

    def _refuse_all(self, names: tuple[str, ...], condition: str) -> None:
        for option in OPTIONS:
            value = getattr(self, option.name)
            if option.name in names and value is not None and value is not False:
                text = ",".join(map(str, value)) if isinstance(value, tuple) else value
                text = HIDDEN if option.check.is_secret else text
                raise refuse(option.spark_name, text, f"no value {condition}")

    def check_for_batch(self) -> None:
        """Refuse options of streams.

        Raises:
            OptionError: if one is set.
        """
        allowed = "no value, since it applies to streams (readStream) only"
        self._refuse_changed(Trait.STREAMS, allowed)

    def _refuse_changed(self, trait: Trait, allowed: str) -> None:
        for option in OPTIONS:
            value = getattr(self, option.name)
            if trait in option.traits and value != option.default:
                raise refuse(option.spark_name, value, allowed)

    @classmethod
    def from_python(cls, options: Mapping[str, Any]) -> BinlogOptions:
        """Return the options that Python passes as keyword arguments.

        Raises:
            OptionError: for an unknown name, or as the constructor.
        """
        for name, value in options.items():
            if name not in _SPARK_NAMES:
                raise unknown_option(name, value, _SPARK_NAMES, "Python")
        return cls(**options)

    @classmethod
    def from_spark(cls, options: Mapping[str, str]) -> BinlogOptions:
        """Return the options that Spark passes. Names are case-insensitive.

        Raises:
            OptionError: for an unknown name, or as the constructor.
        """
        names = {spark.lower(): name for name, spark in _SPARK_NAMES.items()}
        values: dict[str, Any] = {}
        for key, value in options.items():
            if key.lower() in _PATH_KEYS:
                continue
            if key.lower() not in names:
                raise unknown_option(key, value, _SPARK_NAMES.values(), "Spark")
            values[names[key.lower()]] = value
        try:
            return cls(**values, uses_spark_names=True)
        except BinlogError as error:
            error.is_spelled = True
            raise

    @property
    def hosts(self) -> list[tuple[str, int]]:
        """Hosts and ports of the servers that the option `host` names."""
        default = self.port or 3306
        if self.host is None:
            return []
        hosts = [split_port("host", part.strip()) for part in self.host.split(",")]
        return [(host, port or default) for host, port in hosts]

    def spelled(self, text: str) -> str:
        """Return a warning with the options that it refers to as the caller spells them."""
        return text if self.uses_spark_names else in_python(text)


class Option(NamedTuple):
    """An option.

    Attributes:
        name: as Python spells it.
        spark_name: as Spark spells it.
        default: its value if it is not set.
        check: what it takes.
        traits: what holds of it, whatever its value.
        help: what it means; other options are spelled as in Spark.
    """

    name: str
    spark_name: str
    default: Any
    check: Check
    traits: Trait
    help: str


def _declared_options() -> Iterator[Option]:
    """Yield the options of `BinlogOptionsDict`, with the defaults of `BinlogOptions`."""
    defaults = {spec.name: spec.default for spec in fields(BinlogOptions)}
    for name, hint in get_type_hints(BinlogOptionsDict, include_extras=True).items():
        value_type, *others, help_text = get_args(hint)
        checks = [other for other in others if isinstance(other, Check)]
        traits = [other for other in others if isinstance(other, Trait)]
        for part in (value_type, *get_args(value_type)):
            if get_origin(part) is Literal:
                checks = [one_of(*get_args(part))]
        (check,) = checks or [a_boolean]
        (trait,) = traits or [Trait.NONE]
        yield Option(name, spark_name(name), defaults[name], check, trait, help_text)


OPTIONS: Final = tuple(_declared_options())
_SPARK_NAMES: Final = MappingProxyType({option.name: option.spark_name for option in OPTIONS})
_PYTHON_NAMES: Final = MappingProxyType({spark: name for name, spark in _SPARK_NAMES.items()})


@cache
def options_with(trait: Trait) -> tuple[str, ...]:
    """Return the names of the options that have a trait, as Python spells them."""
    return tuple(option.name for option in OPTIONS if trait in option.traits)


def describe_options() -> str:
    """Return the options as a Markdown table."""
    lines = ["| option | values | default | meaning |", "|---|---|---|---|"]
    for option in OPTIONS:
        is_text = isinstance(option.default, str)
        default = option.default if is_text else str(option.default).lower()
        shown = "" if option.default is None else f"`{default}`"
        lines.append(f"| `{option.spark_name}` | {option.check.values} | {shown} | {option.help} |")
    return "\n".join(lines)


def with_options(documented: T) -> T:
    """Append the options to a docstring, as Python spells them."""
    lines = [inspect.cleandoc(documented.__doc__ or ""), "", "Keyword Args:"]
    for option in OPTIONS:
        values = "True, False" if option.check is a_boolean else option.check.values
        text = re.sub(r"\w+", lambda match: _PYTHON_NAMES.get(match[0], match[0]), option.help)
        text = f"{option.name} ({values}): {text}"
        if option.default is not None:
            text += f" Default: {option.default!r}."
        lines += textwrap.wrap(text, 92, initial_indent=" " * 4, subsequent_indent=" " * 8)
    documented.__doc__ = "\n".join(lines)
    return documented


with_options(BinlogOptions)
