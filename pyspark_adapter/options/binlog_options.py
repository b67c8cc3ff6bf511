"""Every option of a read: its names, type, default, check and one line of help, declared once.

Spark passes strings under names in camel case (`option("batchRows", "1000")`). Python passes values
under names in snake case (`read_batches(..., batch_rows=1000)`). `describe_options` makes the table
of the documentation.

Messages name an option as Spark does, after the word "option": `option batchRows`. `BinlogOptions`
knows which of the two made it, and `spelling_errors` puts names into its spelling.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final

from pyspark_adapter.charsets.charset import CHARSETS
from pyspark_adapter.errors import BinlogError, OptionError
from pyspark_adapter.kernels.layout import MAX_WINDOW
from pyspark_adapter.options.checks import (
    HIDDEN,
    a_boolean,
    a_gtid_set,
    a_path,
    a_pattern,
    a_position,
    a_secret,
    a_stream_start,
    a_table,
    a_word,
    an_instant,
    an_integer,
    an_integer_or_none,
    one_of,
    one_of_or_none,
    parsed_by,
    refuse,
    some_names,
    split_port,
    unknown_option,
)
from pyspark_adapter.options.filter_values import (
    ServerIds,
    parse_change_types,
    parse_server_ids,
)
from pyspark_adapter.options.gtid_set import GtidSet
from pyspark_adapter.options.log_position import LogPosition
from pyspark_adapter.options.name_patterns import (
    NamePattern,
    TablePattern,
    parse_database_patterns,
    parse_table_patterns,
)
from pyspark_adapter.options.stream_offset import GtidStart, StreamOffset
from pyspark_adapter.options.table_name import TableName

# Spark adds these to the options.
_PATH_KEYS: Final = frozenset({"path", "paths"})

# Options for files only, and options for a running server only.
_FILE_OPTIONS: Final = (
    "path_glob_filter",
    "recursive_file_lookup",
    "modified_after",
    "modified_before",
)
_SERVER_OPTIONS: Final = (
    "user",
    "password",
    "ssl_ca",
    "ssl_cert",
    "ssl_key",
    "server_rsa_public_key_file",
    "allow_public_key_retrieval",
    "enable_cleartext_plugin",
)

# Filters that do not apply to the events view, because most events belong to no table.
_ROW_FILTERS: Final = ("table", "databases", "tables", "change_types")

# Options that apply to streams only.
_STREAM_OPTIONS: Final = ("starting_offsets", "max_bytes_per_trigger", "max_files_per_trigger")


def _option(
    spark_name: str,
    check: Callable[[str, Any], Any],
    default: Any,
    values: str,
    help_text: str,
    *,
    is_secret: bool = False,
) -> Any:
    """Declare an option. Its check runs when an instance is made."""
    return field(
        default=default,
        repr=not is_secret,
        metadata={"spark": spark_name, "check": check, "values": values, "help": help_text},
    )


@dataclass(frozen=True, kw_only=True)
class BinlogOptions:
    """Options of a read. All have defaults.

    Attributes:
        uses_spark_names: whether Spark passed the options, so that messages use its spelling; no
            option itself.

    Raises:
        OptionError: for an invalid value, or values that exclude each other.
    """

    view: str = _option(
        "view",
        one_of("changes", "events"),
        "changes",
        "changes, events",
        "Row changes, or one row for each event, with its body as JSON.",
    )
    table: TableName | None = _option(
        "table",
        a_table,
        None,
        "database.table",
        "Read this table only, with typed columns. Without it, all tables are read, rows as JSON.",
    )
    databases: tuple[NamePattern, ...] | None = _option(
        "databases",
        parsed_by(parse_database_patterns, NamePattern, "patterns, separated by commas"),
        None,
        "patterns, comma-separated",
        "Only rows of these databases. `*`, `?` and `[...]` match as in a shell, except in"
        " backquotes.",
    )
    tables: tuple[TablePattern, ...] | None = _option(
        "tables",
        parsed_by(
            parse_table_patterns, TablePattern, "patterns database.table, separated by commas"
        ),
        None,
        "patterns, comma-separated",
        "Only rows of these tables, with the same patterns: `shop.*,crm.user_*`.",
    )
    change_types: tuple[str, ...] | None = _option(
        "changeTypes",
        parsed_by(parse_change_types, None, "insert, update, delete, or images of updates"),
        None,
        "insert, update, update_preimage, update_postimage, delete",
        "Only row images of these types, comma-separated; update means both images.",
    )
    server_ids: tuple[ServerIds, ...] | None = _option(
        "serverIds",
        parsed_by(parse_server_ids, ServerIds, "numbers and ranges as 1,5-9"),
        None,
        "numbers and ranges",
        "Only changes that originate on these servers: `1,5-9`.",
    )
    include_gtids: GtidSet | None = _option(
        "includeGtids",
        a_gtid_set,
        None,
        "GTID set",
        "Only these transactions: for MySQL, `uuid:1-5:7,uuid:tag:3`; for MariaDB, `0-1-42`, or"
        " `0-1-42-50` for the sequence numbers 42 to 50.",
    )
    exclude_gtids: GtidSet | None = _option(
        "excludeGtids",
        a_gtid_set,
        None,
        "GTID set",
        "All transactions except these.",
    )
    starting_position: LogPosition | None = _option(
        "startingPosition",
        a_position,
        None,
        "log:position",
        "Only transactions that begin at or after this position: `binlog.000012:4711`.",
    )
    ending_position: LogPosition | None = _option(
        "endingPosition",
        a_position,
        None,
        "log:position",
        "Only transactions that begin before this position.",
    )
    starting_timestamp: datetime | None = _option(
        "startingTimestamp",
        an_instant,
        None,
        "ISO 8601, or seconds since 1970",
        "Only transactions with this `_commit_timestamp` or a later one; UTC if it has no offset.",
    )
    ending_timestamp: datetime | None = _option(
        "endingTimestamp",
        an_instant,
        None,
        "ISO 8601, or seconds since 1970",
        "Only transactions with an earlier `_commit_timestamp`.",
    )
    push_filters: bool = _option(
        "pushFilters",
        a_boolean,
        False,
        "true, false",
        "Skip logs and transactions by a query's conditions on metadata columns. Needs Spark's"
        " `spark.sql.python.filterPushdown.enabled`.",
    )
    metadata_columns: tuple[str, ...] | None = _option(
        "metadataColumns",
        some_names,
        None,
        "names, comma-separated",
        "The metadata columns to return, in order; empty for none.",
    )
    ddl: str | None = _option(
        "ddl",
        a_path,
        None,
        "path of a file",
        "CREATE TABLE statements (`mysqldump --no-data`), for logs without column names.",
    )
    merge_schema: bool = _option(
        "mergeSchema",
        a_boolean,
        True,
        "true, false",
        "If the columns of a table change within the input: true returns the columns of all its"
        " versions, in the widest types; false is an error.",
    )
    schema_at: str | None = _option(
        "schemaAt",
        one_of_or_none("first", "latest"),
        None,
        "first, latest",
        "Return only the columns that the table has at first, or at last.",
    )
    follow_renames: bool = _option(
        "followRenames",
        a_boolean,
        False,
        "true, false",
        "Also return the rows of the table from before it was renamed.",
    )
    default_charset: str = _option(
        "defaultCharset",
        one_of(*sorted(CHARSETS)),
        "binary",
        "binary, or any of the servers",
        "Character set of text if neither the log nor a definition gives one.",
    )
    invalid_text: str = _option(
        "invalidText",
        one_of("ERROR", "REPLACE", "BINARY"),
        "ERROR",
        "ERROR, REPLACE, BINARY",
        "Text that is invalid in its character set: ERROR fails, REPLACE puts U+FFFD for invalid"
        " bytes. BINARY returns all text as bytes, valid or not.",
    )
    zero_date_time_behavior: str = _option(
        "zeroDateTimeBehavior",
        one_of("CONVERT_TO_NULL", "EXCEPTION", "ROUND"),
        "CONVERT_TO_NULL",
        "CONVERT_TO_NULL, EXCEPTION, ROUND",
        "0000-00-00 and dates that do not exist become null, an error, or the nearest date.",
    )
    on_statement_events: str = _option(
        "onStatementEvents",
        one_of("error", "warn", "ignore"),
        "warn",
        "error, warn, ignore",
        "What to do at a statement whose row changes are not in the log (binlog_format=STATEMENT"
        " or MIXED, TRUNCATE).",
    )
    json: str = _option(
        "json",
        one_of("text", "variant"),
        "text",
        "text, variant",
        "JSON columns of a table as text, as the server prints it, or as VARIANT.",
    )
    time: str = _option(
        "time",
        one_of("interval", "string", "micros"),
        "interval",
        "interval, string, micros",
        "TIME columns of a table as interval, as text, or as microseconds (bigint).",
    )
    unsigned_bigint: str = _option(
        "unsignedBigint",
        one_of("decimal", "long", "string"),
        "decimal",
        "decimal, long, string",
        "BIGINT UNSIGNED columns of a table as decimal(20,0), as bigint (a value above 2^63 - 1 is"
        " an error), or as text.",
    )
    geometry: str = _option(
        "geometry",
        one_of("wkb", "native"),
        "wkb",
        "wkb, native",
        "Geometry columns of a table as a struct of SRID and WKB, or as Spark's GEOMETRY(ANY).",
    )
    verify_checksums: bool = _option(
        "verifyChecksums",
        a_boolean,
        True,
        "true, false",
        "Verify the CRC32 of each event, if the log has checksums.",
    )
    engine: str = _option(
        "engine",
        one_of("auto", "kernels", "reference"),
        "auto",
        "auto, kernels, reference",
        "Decode rows with numba kernels, or in plain Python (slow). auto uses kernels if numba is"
        " installed.",
    )
    batch_rows: int = _option(
        "batchRows",
        an_integer(2, 1 << 20),
        16384,
        "2 to 1048576",
        "Maximum rows of a record batch.",
    )
    batch_bytes: int = _option(
        "batchBytes",
        an_integer(1 << 10, 1 << 30),
        4 << 20,
        "1k to 1g",
        "Bytes of row data after which a record batch ends; a larger row is its own batch.",
    )
    window_bytes: int = _option(
        "windowBytes",
        an_integer(1 << 10, 1 << 30),
        4 << 20,
        "1k to 1g",
        "Bytes of log in memory at a time; a larger event is read whole.",
    )
    max_partition_bytes: int = _option(
        "maxPartitionBytes",
        an_integer(1 << 16, 1 << 40),
        128 << 20,
        "64k to 1024g",
        "Bytes of log that a Spark task reads; a larger log is read by several, unless"
        " ignoreCorruptFiles is set.",
    )
    starting_offsets: str | StreamOffset | GtidStart = _option(
        "startingOffsets",
        a_stream_start,
        "earliest",
        "earliest, latest, JSON",
        "Where a new stream begins: at the first existing log, after the last transaction, at a"
        ' position `{"log_file": "binlog.000012", "pos": 4711}`, or after all of'
        ' `{"gtids": "..."}`: `gtid_executed` of MySQL, `gtid_binlog_pos` of MariaDB.',
    )
    max_bytes_per_trigger: int | None = _option(
        "maxBytesPerTrigger",
        an_integer_or_none(1, 1 << 50),
        None,
        "1 and more",
        "Maximum bytes of log in a batch of a stream; a larger transaction is its own batch.",
    )
    max_files_per_trigger: int | None = _option(
        "maxFilesPerTrigger",
        an_integer_or_none(1, 1 << 31),
        None,
        "1 and more",
        "Maximum logs in a batch of a stream.",
    )
    fail_on_data_loss: bool = _option(
        "failOnDataLoss",
        a_boolean,
        True,
        "true, false",
        "If a log was purged or replaced before a stream read it: true is an error, false warns and"
        " continues after the gap.",
    )
    progress_seconds: int = _option(
        "progressSeconds",
        an_integer(0, 1 << 20),
        0,
        "0 to 1048576",
        "Seconds between the progress lines of a Spark task on its standard error; 0 for none.",
    )
    max_event_bytes: int = _option(
        "maxEventBytes",
        an_integer(1 << 10, MAX_WINDOW, "since values are found by 32-bit positions"),
        1 << 30,
        "1k to 2047m",
        "Maximum size of an event; a larger one is an error.",
    )
    max_payload_bytes: int = _option(
        "maxPayloadBytes",
        an_integer(1 << 10, 1 << 40),
        16 << 30,
        "1k to 1024g",
        "Maximum decompressed size of a transaction (`binlog_transaction_compression`); a larger"
        " one is an error.",
    )
    path_glob_filter: str | None = _option(
        "pathGlobFilter",
        a_pattern,
        None,
        "pattern of names",
        "Only files whose name matches: `*`, `?`, `[a-c]`, `[!a]`, `{a,b}`.",
    )
    recursive_file_lookup: bool = _option(
        "recursiveFileLookup",
        a_boolean,
        False,
        "true, false",
        "Also search subdirectories for logs.",
    )
    modified_after: datetime | None = _option(
        "modifiedAfter",
        an_instant,
        None,
        "YYYY-MM-DDTHH:mm:ss",
        "Only files modified after this time; UTC if it has no offset.",
    )
    modified_before: datetime | None = _option(
        "modifiedBefore",
        an_instant,
        None,
        "YYYY-MM-DDTHH:mm:ss",
        "Only files modified before this time.",
    )
    ignore_missing_files: bool = _option(
        "ignoreMissingFiles",
        a_boolean,
        False,
        "true, false",
        "Warn, instead of an error, if a log that an index lists does not exist, or a log is gone"
        " when it is read.",
    )
    ignore_corrupt_files: bool = _option(
        "ignoreCorruptFiles",
        a_boolean,
        False,
        "true, false",
        "Warn, instead of an error, if a log is damaged; rows before the damage are returned.",
    )
    host: str | None = _option(
        "host",
        a_word,
        None,
        "name or address",
        "Read the logs of this running server over the replication protocol, not files. May end in"
        " the port: `db1:3307`, `[::1]:3307`.",
    )
    port: int | None = _option(
        "port",
        an_integer_or_none(1, 65535),
        None,
        "1 to 65535",
        "Port of the server; 3306 if neither this nor host names one.",
    )
    user: str | None = _option(
        "user",
        a_word,
        None,
        "name",
        "User of the server, with the privileges REPLICATION SLAVE and REPLICATION CLIENT.",
    )
    password: str | None = _option(
        "password", a_secret, None, "text", "Password of the user.", is_secret=True
    )
    ssl_mode: str = _option(
        "sslMode",
        one_of("DISABLED", "PREFERRED", "REQUIRED", "VERIFY_CA", "VERIFY_IDENTITY"),
        "PREFERRED",
        "DISABLED, PREFERRED, REQUIRED, VERIFY_CA, VERIFY_IDENTITY",
        "When TLS is used: never; if the server offers it; always; always, with a trusted"
        " certificate; and with one of that host. DISABLED, PREFERRED and REQUIRED do not protect"
        " against an attacker on the network, who can remove the offer of TLS (PREFERRED) or answer"
        " in the server's place and ask for the password (PREFERRED, REQUIRED).",
    )
    ssl_ca: str | None = _option(
        "sslCa",
        a_path,
        None,
        "path of a file",
        "Trusted certificates, in PEM; by default those of the system.",
    )
    ssl_cert: str | None = _option(
        "sslCert", a_path, None, "path of a file", "Certificate of the client, in PEM."
    )
    ssl_key: str | None = _option(
        "sslKey", a_path, None, "path of a file", "Key of the client's certificate, in PEM."
    )
    server_rsa_public_key_file: str | None = _option(
        "serverRsaPublicKeyFile",
        a_path,
        None,
        "path of a file",
        "RSA public key of the server, in PEM: encrypts the password for caching_sha2_password and"
        " sha256_password where there is no TLS.",
    )
    allow_public_key_retrieval: bool = _option(
        "allowPublicKeyRetrieval",
        a_boolean,
        False,
        "true, false",
        "Without TLS, accept the key that the server sends to encrypt the password; an attacker on"
        " the network can send another one and read the password.",
    )
    enable_cleartext_plugin: bool = _option(
        "enableCleartextPlugin",
        a_boolean,
        False,
        "true, false",
        "Send the password in clear text if the server asks for it (PAM, LDAP); needs sslMode"
        " VERIFY_IDENTITY, or VERIFY_CA with sslCa.",
    )
    connect_timeout: int = _option(
        "connectTimeout",
        an_integer(1, 3600),
        10,
        "1 to 3600",
        "Maximum seconds to connect to the server.",
    )
    reconnect_seconds: int = _option(
        "reconnectSeconds",
        an_integer(0, 86400),
        60,
        "0 to 86400",
        "Seconds to keep retrying after the server's last byte.",
    )

    uses_spark_names: bool = field(default=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        with self.spelling_errors():
            for spec in OPTIONS:
                value = spec.metadata["check"](spec.metadata["spark"], getattr(self, spec.name))
                object.__setattr__(self, spec.name, value)
            self._check_together()

    def _check_together(self) -> None:
        """Refuse options that exclude each other."""
        if self.view == "events":
            self._refuse_all(_ROW_FILTERS, "with option view events")
        if self.table is not None:
            self._refuse_all(("databases", "tables"), "with option table, which names one table")
        if self.host is None:
            self._refuse_all(_SERVER_OPTIONS, "without option host")
            return
        self._refuse_all(_FILE_OPTIONS, "with option host, which reads no files")
        host, port = split_port("host", self.host)
        if port is not None and self.port not in (None, port):
            raise refuse("port", self.port, f"the port {port}, as in option host")
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
        for spec in OPTIONS:
            value = getattr(self, spec.name)
            if spec.name in names and value is not None and value is not False:
                text = ",".join(map(str, value)) if isinstance(value, tuple) else value
                text = text if spec.repr else HIDDEN
                raise refuse(spec.metadata["spark"], text, f"no value {condition}")

    def check_for_batch(self) -> None:
        """Refuse options of streams.

        Raises:
            OptionError: if one is given.
        """
        for spec in OPTIONS:
            value = getattr(self, spec.name)
            if spec.name in _STREAM_OPTIONS and value != spec.default:
                allowed = "no value, since it applies to streams (readStream) only"
                with self.spelling_errors():
                    raise refuse(spec.metadata["spark"], value, allowed)

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
        return cls(**values, uses_spark_names=True)

    def spelled(self, text: str) -> str:
        """Return a message with the names of options as the caller spells them."""
        if self.uses_spark_names:
            return text
        return _OPTION.sub(lambda found: _PYTHON_NAMES.get(found[0], found[0]), text)

    @contextmanager
    def spelling_errors(self) -> Iterator[None]:
        """Spell the options in errors as the caller does."""
        try:
            yield
        except BinlogError as error:
            error.message = self.spelled(error.message)
            if isinstance(error, OptionError) and not self.uses_spark_names:
                error.option = _PYTHON_NAMES.get(error.option, error.option)
                error.allowed = self.spelled(error.allowed)
            raise


OPTIONS: Final = tuple(spec for spec in fields(BinlogOptions) if spec.metadata)
_SPARK_NAMES: Final = MappingProxyType({spec.name: spec.metadata["spark"] for spec in OPTIONS})
_PYTHON_NAMES: Final = MappingProxyType({spark: name for name, spark in _SPARK_NAMES.items()})
# In a message, after the word "option".
_OPTION: Final = re.compile(r"(?<=\boption )[a-zA-Z]+\b")


def spark_name(name: str) -> str:
    """Return how Spark spells an option.

    >>> spark_name("max_event_bytes")
    'maxEventBytes'
    """
    return str(_SPARK_NAMES[name])


def describe_options() -> str:
    """Return the options as a Markdown table."""
    lines = ["| option | values | default | meaning |", "|---|---|---|---|"]
    for spec in OPTIONS:
        default = "" if spec.default is None else f"`{str(spec.default).lower()}`"
        if isinstance(spec.default, str):
            default = f"`{spec.default}`"
        meta = spec.metadata
        lines.append(f"| `{meta['spark']}` | {meta['values']} | {default} | {meta['help']} |")
    return "\n".join(lines)
