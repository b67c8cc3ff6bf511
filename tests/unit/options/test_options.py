"""The options: names, defaults, checks, and the table of them."""

import gc
import pydoc
import re
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest

from pyspark_adapter import BinlogOptions, BinlogOptionsDict, OptionError, TableName, read_batches
from pyspark_adapter.errors import MAX_MESSAGE, one_line
from pyspark_adapter.options.binlog_options import OPTIONS, Option
from pyspark_adapter.options.filter_values import ServerIds
from pyspark_adapter.options.gtid_set import GtidSet
from pyspark_adapter.options.log_position import GtidStart, LogPosition, StreamOffset
from pyspark_adapter.options.name_patterns import NamePattern, TablePattern

MIB = 1024 * 1024
UUID = "3e11fa47-71ca-11e1-9e33-c80aa9429562"

# Python's name, Spark's name, default.
DEFAULTS: list[tuple[str, str, Any]] = [
    ("view", "view", "changes"),
    ("table", "table", None),
    ("columns", "columns", None),
    ("keys", "keys", None),
    ("databases", "databases", None),
    ("tables", "tables", None),
    ("change_types", "changeTypes", None),
    ("schema_changes", "schemaChanges", False),
    ("server_ids", "serverIds", None),
    ("include_gtids", "includeGtids", None),
    ("exclude_gtids", "excludeGtids", None),
    ("starting_position", "startingPosition", None),
    ("ending_position", "endingPosition", None),
    ("starting_timestamp", "startingTimestamp", None),
    ("ending_timestamp", "endingTimestamp", None),
    ("push_filters", "pushFilters", False),
    ("metadata_columns", "metadataColumns", None),
    ("ddl", "ddl", None),
    ("merge_schema", "mergeSchema", True),
    ("schema_at", "schemaAt", None),
    ("follow_renames", "followRenames", False),
    ("default_charset", "defaultCharset", "binary"),
    ("invalid_text", "invalidText", "ERROR"),
    ("zero_date_time_behavior", "zeroDateTimeBehavior", "CONVERT_TO_NULL"),
    ("on_statement_events", "onStatementEvents", "warn"),
    ("row", "row", "json"),
    ("decimal_handling_mode", "decimalHandlingMode", "precise"),
    ("time_precision_mode", "timePrecisionMode", "adaptive_time_microseconds"),
    ("bigint_unsigned_handling_mode", "bigintUnsignedHandlingMode", "long"),
    ("binary_handling_mode", "binaryHandlingMode", "bytes"),
    ("debezium_schemas", "debeziumSchemas", False),
    ("json", "json", "text"),
    ("time", "time", "interval"),
    ("unsigned_bigint", "unsignedBigint", "decimal"),
    ("geometry", "geometry", "wkb"),
    ("uuid", "uuid", "text"),
    ("verify_checksums", "verifyChecksums", True),
    ("batch_rows", "batchRows", 32768),
    ("batch_bytes", "batchBytes", 4 * MIB),
    ("window_bytes", "windowBytes", 4 * MIB),
    ("max_partition_bytes", "maxPartitionBytes", 128 * MIB),
    ("starting_offsets", "startingOffsets", "earliest"),
    ("max_bytes_per_trigger", "maxBytesPerTrigger", None),
    ("max_files_per_trigger", "maxFilesPerTrigger", None),
    ("on_schema_change", "onSchemaChange", "fail"),
    ("fail_on_data_loss", "failOnDataLoss", True),
    ("progress_seconds", "progressSeconds", 0),
    ("max_event_bytes", "maxEventBytes", 1024 * MIB),
    ("max_payload_bytes", "maxPayloadBytes", 16 * 1024 * MIB),
    ("path_glob_filter", "pathGlobFilter", None),
    ("recursive_file_lookup", "recursiveFileLookup", False),
    ("modified_after", "modifiedAfter", None),
    ("modified_before", "modifiedBefore", None),
    ("ignore_missing_files", "ignoreMissingFiles", False),
    ("ignore_corrupt_files", "ignoreCorruptFiles", False),
    ("index", "index", None),
    ("keyring", "keyring", None),
    ("keyring_password", "keyringPassword", None),
    ("host", "host", None),
    ("port", "port", None),
    ("user", "user", None),
    ("password", "password", None),
    ("ssl_mode", "sslMode", "PREFERRED"),
    ("ssl_ca", "sslCa", None),
    ("ssl_cert", "sslCert", None),
    ("ssl_key", "sslKey", None),
    ("server_rsa_public_key_file", "serverRsaPublicKeyFile", None),
    ("allow_public_key_retrieval", "allowPublicKeyRetrieval", False),
    ("enable_cleartext_plugin", "enableCleartextPlugin", False),
    ("connect_timeout", "connectTimeout", 10),
    ("reconnect_seconds", "reconnectSeconds", 60),
]

# Options that another option needs.
SERVER = {"host": "db1", "user": "reader"}
TRUSTING = {**SERVER, "sslMode": "VERIFY_CA"}
DEBEZIUM = (
    *("decimalHandlingMode", "timePrecisionMode", "bigintUnsignedHandlingMode"),
    *("binaryHandlingMode", "debeziumSchemas"),
)
BESIDE: dict[str, dict[str, str]] = {
    "host": SERVER,
    "user": SERVER,
    "password": SERVER,
    "columns": {"table": "d.t"},
    "keys": {"table": "d.t"},
    "onSchemaChange": {"table": "d.t"},
    "keyringPassword": {"keyring": "keys"},
    "sslCa": TRUSTING,
    "sslCert": TRUSTING,
    "sslKey": {**TRUSTING, "sslCert": "own.pem"},
    "serverRsaPublicKeyFile": SERVER,
    "allowPublicKeyRetrieval": SERVER,
    "enableCleartextPlugin": {**TRUSTING, "sslCa": "ca.pem"},
    **{name: {"row": "debezium"} for name in DEBEZIUM},
}

# Spark's name, text, value.
TAKEN: list[tuple[str, str, Any]] = [
    ("view", "EVENTS", "events"),
    ("table", "shop.orders", TableName("shop", "orders")),
    ("databases", " shop, `a,b` ", (NamePattern.of("shop"), NamePattern.of("`a,b`"))),
    ("tables", "shop.o*", (TablePattern(NamePattern.of("shop"), NamePattern.of("o*")),)),
    ("changeTypes", "Insert", ("insert",)),
    ("changeTypes", "delete , update", ("update_preimage", "update_postimage", "delete")),
    ("serverIds", "1, 5-9", (ServerIds(1, 1), ServerIds(5, 9))),
    ("includeGtids", "0-1-7", GtidSet((((0, 1), ((7, 7),)),))),
    ("excludeGtids", f"{UUID}:1-5", GtidSet((((UUID, ""), ((1, 5),)),))),
    ("startingPosition", "binlog.000012:4711", LogPosition("binlog.000012", 4711)),
    ("endingPosition", " a b:c:4 ", LogPosition("a b:c", 4)),
    ("startingTimestamp", "2026-11-21", datetime(2026, 11, 21, tzinfo=UTC)),
    ("endingTimestamp", "1.25", datetime(1970, 1, 1, 0, 0, 1, 250_000, tzinfo=UTC)),
    ("pushFilters", "True", True),
    ("columns", " id , total", ("id", "total")),
    ("keys", " 42 , a b", ((("", "42"),), (("", "a b"),))),
    ("keys", '[7, [1, "a"], {"id": 2}]', ((("", 7),), (("", 1), ("", "a")), (("id", 2),))),
    ("metadataColumns", "", ()),
    ("metadataColumns", " _gtid , _start_pos", ("_gtid", "_start_pos")),
    ("ddl", "dumps/shop.sql", "dumps/shop.sql"),
    ("schemaChanges", "true", True),
    ("mergeSchema", "False", False),
    ("schemaAt", "Latest", "latest"),
    ("followRenames", "TRUE", True),
    ("maxPartitionBytes", "32MB", 32 * MIB),
    ("schemaAt", "first", "first"),
    ("defaultCharset", "Latin1", "latin1"),
    ("defaultCharset", "UTF8MB4", "utf8mb4"),
    ("defaultCharset", "ascii", "ascii"),
    ("defaultCharset", "GB18030", "gb18030"),
    ("invalidText", "replace", "REPLACE"),
    ("invalidText", "Binary", "BINARY"),
    ("zeroDateTimeBehavior", "exception", "EXCEPTION"),
    ("zeroDateTimeBehavior", "Round", "ROUND"),
    ("onStatementEvents", "Ignore", "ignore"),
    ("row", "VARIANT", "variant"),
    ("decimalHandlingMode", "String", "string"),
    ("timePrecisionMode", "Connect", "connect"),
    ("bigintUnsignedHandlingMode", "PRECISE", "precise"),
    ("binaryHandlingMode", "base64-url-safe", "base64-url-safe"),
    ("debeziumSchemas", "TRUE", True),
    ("json", "Variant", "variant"),
    ("json", "TEXT", "text"),
    ("time", "Micros", "micros"),
    ("time", "string", "string"),
    ("unsignedBigint", "LONG", "long"),
    ("geometry", "Native", "native"),
    ("uuid", "Binary", "binary"),
    ("verifyChecksums", "FALSE", False),
    ("verifyChecksums", "true", True),
    ("batchRows", "2", 2),
    ("batchRows", "1048576", 1048576),
    ("batchRows", "1k", 1024),
    ("batchBytes", "1024", 1024),
    ("batchBytes", "64k", 64 * 1024),
    ("batchBytes", "64 KB", 64 * 1024),
    ("batchBytes", "64KiB", 64 * 1024),
    ("windowBytes", "16m", 16 * MIB),
    ("windowBytes", "1g", 1024 * MIB),
    ("startingOffsets", "Latest", "latest"),
    ("startingOffsets", "ddl", "ddl"),
    ("startingOffsets", '{"log_file": "b.000012", "pos": 4}', StreamOffset("b.000012", 4)),
    ("startingOffsets", "b.000012:4711", StreamOffset("b.000012", 4711)),
    (
        "startingOffsets",
        '{"pos": 157, "log_id": "1-a", "log_file": "b.1"}',
        StreamOffset("b.1", 157, "1-a"),
    ),
    (
        "startingOffsets",
        '{"gtids": "0-1-42, 3-7-8"}',
        GtidStart("0-1-42,3-7-8", GtidSet((((0, -1), ((0, 42),)), ((3, -1), ((0, 8),))))),
    ),
    ("maxBytesPerTrigger", "1g", 1024 * MIB),
    ("maxFilesPerTrigger", "10", 10),
    ("onSchemaChange", "END", "end"),
    ("failOnDataLoss", "FALSE", False),
    ("progressSeconds", "0", 0),
    ("maxEventBytes", "1g", 1024 * MIB),
    ("maxEventBytes", "2047m", 2**31 - 2**20),
    ("maxPayloadBytes", "1k", 1024),
    ("maxPayloadBytes", "1024g", 2**40),
    ("pathGlobFilter", "binlog.{0000*,*.gz}", "binlog.{0000*,*.gz}"),
    ("recursiveFileLookup", "TRUE", True),
    ("modifiedAfter", "2026-01-31T13:00:05", datetime(2026, 1, 31, 13, 0, 5, tzinfo=UTC)),
    ("modifiedAfter", "2026-01-31", datetime(2026, 1, 31, tzinfo=UTC)),
    ("modifiedBefore", "2026-01-31T13:00:00+02:00", datetime(2026, 1, 31, 11, tzinfo=UTC)),
    ("index", "/var/lib/indexes", "/var/lib/indexes"),
    ("ignoreMissingFiles", "true", True),
    ("ignoreCorruptFiles", "False", False),
    ("keyring", "/secure/keyring", "/secure/keyring"),
    ("keyringPassword", "FILE:/secure/password", "FILE:/secure/password"),
    ("host", "db1.example.org", "db1.example.org"),
    ("host", "::1", "::1"),
    ("port", "13306", 13306),
    ("user", "r\u00e9ader", "r\u00e9ader"),
    ("password", " any ", " any "),
    ("password", "", ""),
    ("sslMode", "verify_identity", "VERIFY_IDENTITY"),
    ("sslCa", "ca.pem", "ca.pem"),
    ("sslCert", "own.pem", "own.pem"),
    ("sslKey", "own.key", "own.key"),
    ("serverRsaPublicKeyFile", "public_key.pem", "public_key.pem"),
    ("allowPublicKeyRetrieval", "true", True),
    ("enableCleartextPlugin", "true", True),
    ("connectTimeout", "3", 3),
    ("reconnectSeconds", "0", 0),
]

# Spark's name, text, part of the values allowed.
REFUSED: list[tuple[str, str, str]] = [
    ("view", "rows", "changes | events"),
    ("view", "", "changes | events"),
    ("table", "orders", "database.table"),
    ("table", "a.b.c", "database.table"),
    ("table", "", "database.table"),
    ("table", "`a.b", "database.table"),
    ("databases", "", "patterns"),
    ("databases", "a,", "patterns"),
    ("databases", "a`b", "patterns"),
    ("tables", "orders", "database.table"),
    ("tables", "a.b.c", "database.table"),
    ("tables", "a.b,,c.d", "database.table"),
    ("changeTypes", "write", "insert, update, delete"),
    ("changeTypes", "", "insert, update, delete"),
    ("serverIds", "", "1,5-9"),
    ("serverIds", "9-5", "1,5-9"),
    ("serverIds", "4294967296", "1,5-9"),
    ("includeGtids", "", "uuid:1-5:7"),
    ("excludeGtids", "0-1", "0-1-42"),
    ("startingPosition", "4711", "binlog.000012:4711"),
    ("startingPosition", "logs/binlog.000012:4711", "binlog.000012:4711"),
    ("endingPosition", "binlog.000012:", "binlog.000012:4711"),
    ("startingTimestamp", "yesterday", "2026-11-21T12:34:56Z"),
    ("endingTimestamp", "1763683200000", "seconds since 1970"),
    ("pushFilters", "1", "true | false"),
    ("columns", "id,,total", "separated by commas"),
    ("keys", "1,", "keys as 42,43"),
    ("keys", "[1", "keys as 42,43"),
    ("keys", "[" * 100_000, "keys as 42,43"),
    ("metadataColumns", "_gtid,,_start_pos", "separated by commas"),
    ("metadataColumns", "_gtid,_gtid", "distinct names"),
    ("defaultCharset", "utf-16", "utf16 | utf16le | utf32 | utf8mb3 | utf8mb4"),
    ("invalidText", "IGNORE", "ERROR | REPLACE | BINARY"),
    ("ddl", "", "the path of a file"),
    ("mergeSchema", "yes", "true | false"),
    ("schemaChanges", "1", "true | false"),
    ("schemaAt", "last", "first | latest"),
    ("followRenames", "no", "true | false"),
    ("onStatementEvents", "raise", "error | warn | ignore"),
    ("zeroDateTimeBehavior", "null", "CONVERT_TO_NULL | EXCEPTION | ROUND"),
    ("row", "text", "json | variant | arrow | debezium"),
    ("decimalHandlingMode", "exact", "precise | double | string"),
    ("timePrecisionMode", "micros", "adaptive_time_microseconds | connect | isostring"),
    ("bigintUnsignedHandlingMode", "decimal", "long | precise"),
    ("binaryHandlingMode", "base32", "bytes | base64 | base64-url-safe | hex"),
    ("debeziumSchemas", "yes", "true | false"),
    ("json", "string", "text | variant"),
    ("time", "micro", "interval | string | micros"),
    ("unsignedBigint", "bigint", "decimal | long | string"),
    ("geometry", "spark", "wkb | native"),
    ("uuid", "bytes", "text | binary"),
    ("verifyChecksums", "1", "true | false"),
    ("verifyChecksums", "yes", "true | false"),
    ("batchRows", "1", "from 2 to 1048576"),
    ("batchRows", "1048577", "from 2 to 1048576"),
    ("batchRows", "-5", "from 2 to 1048576"),
    ("batchRows", "1e3", "from 2 to 1048576"),
    ("batchRows", "many", "an integer"),
    ("batchBytes", "1023", "from 1024 to 1073741824"),
    ("batchBytes", "2g", "from 1024 to 1073741824"),
    ("windowBytes", "1.5m", "from 1024 to 1073741824"),
    ("windowBytes", "1t", "from 1024 to 1073741824"),
    ("maxPartitionBytes", "1k", "from 65536 to 1099511627776"),
    ("startingOffsets", "first", "earliest | latest"),
    ("startingOffsets", '{"log_file": "b.000012"}', '"pos": 4711'),
    ("startingOffsets", '{"log_file": "b.000012", "pos": "4"}', '"pos": 4711'),
    ("startingOffsets", '{"log_file": "b.000012", "pos": 3}', '"pos": 4711'),
    ("startingOffsets", '{"log_file": "b.000012", "pos": 4, "at": 1}', '"pos": 4711'),
    ("startingOffsets", '{"log_file": ', '"pos": 4711'),
    ("startingOffsets", '{"gtids": "0-1-42-50"}', '{"gtids": "..."}'),
    ("startingOffsets", '{"gtids": "0-1-42,0-2-43"}', '{"gtids": "..."}'),
    ("startingOffsets", '{"gtids": 7}', '{"gtids": "..."}'),
    ("startingOffsets", '{"gtids": "0-1-4", "pos": 4}', '{"gtids": "..."}'),
    ("startingOffsets", "[" * 100_000, "earliest | latest"),
    ("maxBytesPerTrigger", "0", "from 1 to"),
    ("maxFilesPerTrigger", "all", "from 1 to"),
    ("onSchemaChange", "stop", "fail | keep | end"),
    ("failOnDataLoss", "no", "true | false"),
    ("progressSeconds", "-1", "from 0 to 1048576"),
    ("maxEventBytes", "2g", "from 1024 to 2146435072, since values are found by 32-bit"),
    ("maxPayloadBytes", "1000", "from 1024 to 1099511627776"),
    ("pathGlobFilter", "", "a pattern of file names"),
    ("pathGlobFilter", "logs/*", "a pattern of file names"),
    ("recursiveFileLookup", "1", "true | false"),
    ("modifiedAfter", "yesterday", "a time such as 2026-11-21T12:34:56Z"),
    ("modifiedBefore", "2026-02-30", "a time such as 2026-11-21T12:34:56Z"),
    ("ignoreMissingFiles", "yes", "true | false"),
    ("ignoreCorruptFiles", "warn", "true | false"),
    ("index", "", "the path of a file"),
    ("keyring", "", "the path of a file"),
    ("host", "", "a name"),
    ("host", "a\nb", "a name"),
    ("port", "0", "from 1 to 65535"),
    ("user", "", "a name"),
    ("sslMode", "ON", "DISABLED | PREFERRED | REQUIRED | VERIFY_CA | VERIFY_IDENTITY"),
    ("sslCa", "", "the path of a file"),
    ("sslCert", "", "the path of a file"),
    ("sslKey", "", "the path of a file"),
    ("serverRsaPublicKeyFile", "", "the path of a file"),
    ("allowPublicKeyRetrieval", "yes", "true | false"),
    ("enableCleartextPlugin", "yes", "true | false"),
    ("connectTimeout", "0", "from 1 to 3600"),
    ("reconnectSeconds", "-1", "from 0 to 86400"),
]


def attribute_of(spark_name: str) -> str:
    return next(name for name, spark, _ in DEFAULTS if spark == spark_name)


def test_every_option_is_in_the_lists_above() -> None:
    names = [option.name for option in OPTIONS]
    assert names == [name for name, _, _ in DEFAULTS]
    assert [spec.name for spec in fields(BinlogOptions)] == [*names, "uses_spark_names"]
    assert {spark for spark, _, _ in TAKEN} == {spark for _, spark, _ in DEFAULTS}
    refused = {spark for spark, _, _ in REFUSED}
    assert refused | {"password", "keyringPassword"} == {spark for _, spark, _ in DEFAULTS}


@pytest.mark.parametrize(("name", "spark_name", "default"), DEFAULTS)
def test_default(name: str, spark_name: str, default: Any) -> None:
    assert getattr(BinlogOptions(), name) == default
    assert getattr(BinlogOptions.from_spark({}), name) == default
    assert type(getattr(BinlogOptions(), name)) is type(default)
    assert spark_name in {option.spark_name for option in OPTIONS}


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_a_keyword_takes_the_default(option: Option) -> None:
    hint = get_type_hints(BinlogOptionsDict)[option.name]
    kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    words = [word for kind in kinds if get_origin(kind) is Literal for word in get_args(kind)]
    assert option.default in words or type(option.default) in kinds
    assert (option.default is None) == (type(None) in kinds)
    if words:
        assert option.check.values == ", ".join(words)


@pytest.mark.parametrize("documented", [BinlogOptions, read_batches])
def test_help_says_what_each_option_means(documented: Any) -> None:
    shown = re.sub(".\x08", "", pydoc.render_doc(documented))  # without bold print
    text = " ".join(shown.replace("|", " ").split())
    for option in OPTIONS:
        start = " ".join(option.help.split()[:3])
        assert re.search(rf" {option.name} \([^)]*\): {re.escape(start)}", text), option.name
    for option in OPTIONS:
        assert option.name == option.spark_name or option.spark_name not in text


@pytest.mark.slow
def test_a_type_checker_knows_the_options(tmp_path: Path) -> None:
    from mypy import api

    program = tmp_path / "program.py"
    program.write_text(
        "from datetime import datetime\n"
        "from typing import Unpack\n"
        "from pyspark_adapter import BinlogOptionsDict, list_tables, read_batches, read_schema\n"
        "def read(path: str, **options: Unpack[BinlogOptionsDict]) -> None:\n"
        "    read_batches(path, **options)\n"
        "read('logs', json='variant', batch_bytes='1m', databases=['a'], server_ids=[1, '2-3'])\n"
        "read_schema('logs', starting_timestamp=datetime(2026, 3, 2), host=None)\n"
        "read('logs', tabel='shop.orders')\n"
        "read_batches('logs', json='txt')\n"
        "list_tables('logs', merge_schema='yes')\n"
        "read_schema('logs', batchRows=5)\n"
    )
    threshold = gc.get_threshold()  # mypy raises it, and other tests measure memory
    try:
        out, _, status = api.run(["--strict", "--no-error-summary", str(program)])
    finally:
        gc.set_threshold(*threshold)
    found = [int(line.split(":")[1]) for line in out.splitlines() if ": error:" in line]
    assert (status, found) == (1, [8, 9, 10, 11]), out


@pytest.mark.parametrize(("spark_name", "text", "value"), TAKEN)
def test_text_is_taken_under_a_name_in_any_case(spark_name: str, text: str, value: Any) -> None:
    beside = {k: v for k, v in BESIDE.get(spark_name, {}).items() if k != spark_name}
    for key in (spark_name, spark_name.lower(), spark_name.upper()):
        options = BinlogOptions.from_spark({key: text, **beside})
        taken = getattr(options, attribute_of(spark_name))
        assert (taken, type(taken)) == (value, type(value))
    # A checked value passes the check again.
    again: dict[str, Any] = {attribute_of(k): v for k, v in beside.items()}
    again[attribute_of(spark_name)] = value
    assert BinlogOptions(**again) == options


@pytest.mark.parametrize(("spark_name", "text", "allowed"), REFUSED)
def test_refused_value_is_named_with_what_is_allowed(
    spark_name: str, text: str, allowed: str
) -> None:
    in_python: dict[str, Any] = {attribute_of(spark_name): text}
    with pytest.raises(OptionError) as of_spark:
        BinlogOptions.from_spark({spark_name: text})
    with pytest.raises(OptionError) as of_python:
        BinlogOptions(**in_python)
    names = (spark_name, attribute_of(spark_name))
    for error, name in zip((of_spark.value, of_python.value), names, strict=True):
        assert (error.option, error.value) == (name, text)
        assert allowed in error.allowed
        message = f"option {name}: expected {error.allowed}, got {text!r}"
        assert str(error) == one_line(message, MAX_MESSAGE)


@pytest.mark.parametrize("value", [True, False, 1.5, None, -1])
def test_values_of_other_types_are_no_numbers(value: Any) -> None:
    with pytest.raises(OptionError) as caught:
        BinlogOptions(batch_rows=value)
    assert (caught.value.option, caught.value.value) == ("batch_rows", str(value))


def test_unknown_name_lists_all_options() -> None:
    with pytest.raises(OptionError) as caught:
        BinlogOptions.from_spark({"batchrows": "5", "batchRow": "7"})
    error = caught.value
    assert (error.option, error.value) == ("batchRow", "7")
    for _, spark_name, _ in DEFAULTS:
        assert spark_name in error.allowed


@pytest.mark.parametrize("key", ["path", "PATH", "paths"])
def test_the_path_that_spark_adds_is_no_option_of_ours(key: str) -> None:
    assert BinlogOptions.from_spark({key: "logs"}) == BinlogOptions()
