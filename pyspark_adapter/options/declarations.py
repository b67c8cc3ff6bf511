"""Every option of a read: its name, the values it takes, and its meaning, declared once.

`BinlogOptions` has the checked values and the defaults. Spark's names, the keywords of
`read_batches`, docstrings and the table of the documentation derive from both.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime
from enum import Flag, auto
from typing import Annotated, Literal, TypedDict

from pyspark_adapter.kernels.layout import MAX_WINDOW
from pyspark_adapter.options import checks
from pyspark_adapter.options.table_name import TableName

Instant = Annotated[str | int | float | datetime | None, checks.an_instant]
Keys = str | int | Sequence[object] | None
Names = str | Sequence[str] | None
Path = Annotated[str | os.PathLike[str] | None, checks.a_path]
Position = Annotated[str | None, checks.a_position]
Text = Annotated[str | None, checks.a_word]


class Trait(Flag):
    """Properties of an option that do not depend on its value."""

    NONE = 0
    FILES = auto()  # of files only, not of a running server
    SERVER = auto()  # of a running server only
    STREAMS = auto()  # of streams only
    TABLES = auto()  # not of the events view, because most events belong to no table
    FILTER = auto()  # chooses rows or transactions; without a value it chooses all
    DEBEZIUM = auto()  # with row=debezium only
    NO_FLAG = auto()  # commands set it themselves, or Spark alone has a use for it


class BinlogOptionsDict(TypedDict, total=False):
    """The options of a read as keyword arguments: `**options: Unpack[BinlogOptionsDict]`.

    An annotation has the types that Python may pass, the check that parses them, the traits, and
    the meaning. A boolean, and a choice of words (`Literal`), have the check that their type
    implies.
    """

    view: Annotated[
        Literal["changes", "events"],
        Trait.NO_FLAG,
        "Row changes, or one row for each event, with its body as JSON.",
    ]
    table: Annotated[
        str | TableName | None,
        checks.a_table,
        Trait.TABLES | Trait.NO_FLAG,
        "Read this table only, with typed columns. Without it, all tables are read, rows as JSON.",
    ]
    columns: Annotated[
        Names,
        checks.some_names,
        "Only these columns of the table, in this order; `metadataColumns` chooses the others.",
    ]
    keys: Annotated[
        Keys,
        checks.some_keys,
        Trait.NO_FLAG,
        'Only rows of the table with these keys: `42,43`, or in JSON `[42, "a,b"]`,'
        ' `[[42, 1], [42, 2]]` for a key of two columns, `[{"order_id": 42}]` for columns of your'
        " choice. The key is the primary key, else a unique key of NOT NULL columns.",
    ]
    databases: Annotated[
        Names,
        checks.some_databases,
        Trait.TABLES | Trait.FILTER,
        "Only rows of these databases. `*`, `?` and `[...]` match as in a shell, except in"
        " backquotes.",
    ]
    tables: Annotated[
        Names,
        checks.some_tables,
        Trait.TABLES | Trait.FILTER,
        "Only rows of these tables, with the same patterns: `shop.*,crm.user_*`.",
    ]
    change_types: Annotated[
        Names,
        checks.some_change_types,
        Trait.TABLES | Trait.FILTER,
        "Only row images of these types, comma-separated; update means both images.",
    ]
    schema_changes: Annotated[
        bool,
        Trait.TABLES,
        "Also return, in their place, the statements that create, alter, rename, drop and truncate"
        " tables, with their text in `_statement`; the columns of the table are null.",
    ]
    server_ids: Annotated[
        str | int | Sequence[int | str] | None,
        checks.some_server_ids,
        Trait.FILTER,
        "Only changes that originate on these servers: `1,5-9`.",
    ]
    include_gtids: Annotated[
        Names,
        checks.a_gtid_set,
        Trait.FILTER,
        "Only these transactions: for MySQL, `uuid:1-5:7,uuid:tag:3`; for MariaDB, `0-1-42`,"
        " or `0-1-42-50` for the sequence numbers 42 to 50.",
    ]
    exclude_gtids: Annotated[
        Names, checks.a_gtid_set, Trait.FILTER, "All transactions except these."
    ]
    starting_position: Annotated[
        Position,
        Trait.FILTER,
        "Only transactions that begin at or after this position: `binlog.000012:4711`.",
    ]
    ending_position: Annotated[
        Position, Trait.FILTER, "Only transactions that begin before this position."
    ]
    starting_timestamp: Annotated[
        Instant,
        Trait.FILTER,
        "Only transactions with this `_commit_timestamp` or a later one; UTC if it has no offset.",
    ]
    ending_timestamp: Annotated[
        Instant, Trait.FILTER, "Only transactions with an earlier `_commit_timestamp`."
    ]
    push_filters: Annotated[
        bool,
        Trait.NO_FLAG,
        "Skip logs and transactions by a query's conditions on metadata columns. Needs"
        " Spark's `spark.sql.python.filterPushdown.enabled`.",
    ]
    metadata_columns: Annotated[
        Names,
        checks.some_names,
        Trait.NO_FLAG,
        "The metadata columns to return, in order; empty for none.",
    ]
    ddl: Annotated[
        Path,
        "CREATE TABLE statements (`mysqldump --no-data`), for logs without column names. If tables"
        " change in the logs, with its position (`--source-data`).",
    ]
    merge_schema: Annotated[
        bool,
        "If the columns of a table change within the input: true returns the columns of all"
        " its versions, in the widest types; false is an error.",
    ]
    schema_at: Annotated[
        Literal["first", "latest"] | None,
        "Return only the columns that the table has at first, or at last.",
    ]
    follow_renames: Annotated[bool, "Also return the rows of the table from before it was renamed."]
    default_charset: Annotated[
        str,
        checks.a_charset,
        "Character set of text if neither the log nor a definition gives one.",
    ]
    invalid_text: Annotated[
        Literal["ERROR", "REPLACE", "BINARY"],
        "Text that is invalid in its character set: ERROR fails, REPLACE puts U+FFFD for"
        " invalid bytes. BINARY returns all text as bytes, valid or not.",
    ]
    zero_date_time_behavior: Annotated[
        Literal["CONVERT_TO_NULL", "EXCEPTION", "ROUND"],
        "0000-00-00 and dates that do not exist become null, an error, or the nearest date.",
    ]
    on_statement_events: Annotated[
        Literal["error", "warn", "ignore"],
        "What to do at a statement whose row changes are not in the log"
        " (binlog_format=STATEMENT or MIXED, TRUNCATE).",
    ]
    row: Annotated[
        Literal["json", "variant", "arrow", "debezium"],
        "Rows of all tables, without option table, as JSON text, as VARIANT, those of a table"
        " together as Arrow, which `tables_of` takes apart, or for `debezium_messages`.",
    ]
    decimal_handling_mode: Annotated[
        Literal["precise", "double", "string"],
        Trait.DEBEZIUM,
        "DECIMAL with row=debezium: unscaled bytes in base64, a double, or text.",
    ]
    time_precision_mode: Annotated[
        Literal["adaptive_time_microseconds", "connect", "isostring"],
        Trait.DEBEZIUM,
        "DATE, DATETIME and TIME with row=debezium: by the digits of the fraction milliseconds or"
        " microseconds, always milliseconds, or text.",
    ]
    bigint_unsigned_handling_mode: Annotated[
        Literal["long", "precise"],
        Trait.DEBEZIUM,
        "BIGINT UNSIGNED with row=debezium: a long, negative from 2^63 on, or as precise DECIMAL.",
    ]
    binary_handling_mode: Annotated[
        Literal["bytes", "base64", "base64-url-safe", "hex"],
        Trait.DEBEZIUM,
        "Binary columns with row=debezium. In JSON, bytes and base64 differ in their schema alone.",
    ]
    debezium_schemas: Annotated[
        bool, Trait.DEBEZIUM, "With row=debezium, also the schema of each row, for its message."
    ]
    json: Annotated[
        Literal["text", "variant"],
        "JSON columns of a table as text, as the server prints it, or as VARIANT.",
    ]
    time: Annotated[
        Literal["interval", "string", "micros"],
        "TIME columns of a table as interval, as text, or as microseconds (bigint).",
    ]
    unsigned_bigint: Annotated[
        Literal["decimal", "long", "string"],
        "BIGINT UNSIGNED columns of a table as decimal(20,0), as bigint (a value above 2^63 -"
        " 1 is an error), or as text.",
    ]
    geometry: Annotated[
        Literal["wkb", "native"],
        "Geometry columns of a table as a struct of SRID and WKB, or as Spark's GEOMETRY(ANY).",
    ]
    uuid: Annotated[
        Literal["text", "binary"],
        "MariaDB's UUID, INET4 and INET6 columns that a definition names as text, as the server"
        " prints them, or as their bytes. With binlog_row_metadata=FULL the option ddl alone"
        " has the definition, else statements of the log do too; without one, values are bytes.",
    ]
    verify_checksums: Annotated[bool, "Verify the CRC32 of each event, if the log has checksums."]
    batch_rows: Annotated[
        int | str, checks.an_integer(2, 1 << 20), "Maximum rows of a record batch."
    ]
    batch_bytes: Annotated[
        int | str,
        checks.a_size(1 << 10, 1 << 30),
        "Bytes of row data after which a record batch ends; a larger row is its own batch.",
    ]
    window_bytes: Annotated[
        int | str,
        checks.a_size(1 << 10, 1 << 30),
        "Bytes of log in memory at a time; a larger event is read whole.",
    ]
    max_partition_bytes: Annotated[
        int | str,
        checks.a_size(1 << 16, 1 << 40),
        Trait.NO_FLAG,
        "Bytes of log that a Spark task reads; a larger log is read by several, unless"
        " ignoreCorruptFiles is set.",
    ]
    starting_offsets: Annotated[
        str,
        checks.a_stream_start,
        Trait.STREAMS | Trait.NO_FLAG,
        "Where a new stream begins: at the first existing log, after the last transaction, at the"
        ' position in the file of option ddl, at `{"log_file": "binlog.000012", "pos": 4711}`, or'
        ' after all of `{"gtids": "..."}`: `gtid_executed` of MySQL, `gtid_binlog_pos` of MariaDB.',
    ]
    max_bytes_per_trigger: Annotated[
        int | str | None,
        checks.an_integer(1, 1 << 50),
        Trait.STREAMS | Trait.NO_FLAG,
        "Maximum bytes of log in a batch of a stream; a larger transaction is its own batch.",
    ]
    max_files_per_trigger: Annotated[
        int | str | None,
        checks.an_integer(1, 1 << 31),
        Trait.STREAMS | Trait.NO_FLAG,
        "Maximum logs in a batch of a stream.",
    ]
    on_schema_change: Annotated[
        Literal["fail", "keep", "end"],
        Trait.STREAMS | Trait.NO_FLAG,
        "What a stream of a table does where its columns change and those of its start no longer"
        " hold all values: fail; keep them, leave out new columns with a warning, and fail at a"
        " value that does not fit; or end before the change, for a start with the new columns.",
    ]
    fail_on_data_loss: Annotated[
        bool,
        "If a log was purged or replaced before a stream read it: true is an error, false"
        " warns and continues after the gap.",
    ]
    progress_seconds: Annotated[
        int | str,
        checks.an_integer(0, 1 << 20),
        Trait.NO_FLAG,
        "Seconds between the progress lines of a Spark task on its standard error, and between"
        " lines on how far a stream is behind, on that of the driver; 0 for none.",
    ]
    max_event_bytes: Annotated[
        int | str,
        checks.a_size(1 << 10, MAX_WINDOW, "since values are found by 32-bit positions"),
        "Maximum size of an event; a larger one is an error.",
    ]
    max_payload_bytes: Annotated[
        int | str,
        checks.a_size(1 << 10, 1 << 40),
        "Maximum decompressed size of a transaction (`binlog_transaction_compression`); a"
        " larger one is an error.",
    ]
    path_glob_filter: Annotated[
        str | None,
        checks.a_pattern,
        Trait.FILES,
        "Only files whose name matches: `*`, `?`, `[a-c]`, `[!a]`, `{a,b}`.",
    ]
    recursive_file_lookup: Annotated[bool, Trait.FILES, "Also search subdirectories for logs."]
    modified_after: Annotated[
        Instant, Trait.FILES, "Only files modified after this time; UTC if it has no offset."
    ]
    modified_before: Annotated[Instant, Trait.FILES, "Only files modified before this time."]
    ignore_missing_files: Annotated[
        bool,
        "Warn, instead of an error, if a log that an index lists does not exist, or a log is"
        " gone when it is read.",
    ]
    ignore_corrupt_files: Annotated[
        bool, "Warn, instead of an error, if a log is damaged; rows before the damage are returned."
    ]
    index: Annotated[
        Path,
        Trait.FILES,
        "Folder of indexes of the logs, or its URI, made by `mysql-binlog-spark index`: only blocks"
        " that may contain matching rows are read. Batch reads of files, and the first batch of a"
        " stream of files.",
    ]
    keyring: Annotated[
        Path,
        Trait.FILES,
        "Key file of the server that encrypted the logs: of MySQL's component_keyring_file or"
        " keyring_file, or MariaDB's file_key_management.",
    ]
    keyring_password: Annotated[
        str | None,
        checks.a_secret,
        Trait.FILES,
        "Password of an encrypted key file of MariaDB (file_key_management_filekey): itself, or"
        " `FILE:` and the path of a file with it.",
    ]
    host: Annotated[
        Text,
        "Read the logs of this running server over the replication protocol, not files. May"
        " end in the port: `db1:3307`, `[::1]:3307`. Of several, `db1,db2:3307`, the first that"
        " answers; a stream continues with the next by GTID when it is lost.",
    ]
    port: Annotated[
        int | str | None,
        checks.an_integer(1, 65535),
        "Port of the servers for which host names none; 3306 by default.",
    ]
    user: Annotated[
        Text,
        Trait.SERVER,
        "User of the server, with the privileges REPLICATION SLAVE and REPLICATION CLIENT.",
    ]
    password: Annotated[str | None, checks.a_secret, Trait.SERVER, "Password of the user."]
    ssl_mode: Annotated[
        Literal["DISABLED", "PREFERRED", "REQUIRED", "VERIFY_CA", "VERIFY_IDENTITY"],
        "When TLS is used: never; if the server offers it; always; always, with a trusted"
        " certificate; and with one of that host. DISABLED, PREFERRED and REQUIRED do not"
        " protect against an attacker on the network, who can remove the offer of TLS"
        " (PREFERRED) or answer in the server's place and ask for the password (PREFERRED,"
        " REQUIRED).",
    ]
    ssl_ca: Annotated[
        Path, Trait.SERVER, "Trusted certificates, in PEM; by default those of the system."
    ]
    ssl_cert: Annotated[Path, Trait.SERVER, "Certificate of the client, in PEM."]
    ssl_key: Annotated[Path, Trait.SERVER, "Key of the client's certificate, in PEM."]
    server_rsa_public_key_file: Annotated[
        Path,
        Trait.SERVER,
        "RSA public key of the server, in PEM: encrypts the password for"
        " caching_sha2_password and sha256_password where there is no TLS.",
    ]
    allow_public_key_retrieval: Annotated[
        bool,
        Trait.SERVER,
        "Without TLS, accept the key that the server sends to encrypt the password; an"
        " attacker on the network can send another one and read the password.",
    ]
    enable_cleartext_plugin: Annotated[
        bool,
        Trait.SERVER,
        "Send the password in clear text if the server asks for it (PAM, LDAP); needs sslMode"
        " VERIFY_IDENTITY, or VERIFY_CA with sslCa.",
    ]
    connect_timeout: Annotated[
        int | str, checks.an_integer(1, 3600), "Maximum seconds to connect to the server."
    ]
    reconnect_seconds: Annotated[
        int | str,
        checks.an_integer(0, 86400),
        "Seconds to keep retrying after the server's last byte.",
    ]
