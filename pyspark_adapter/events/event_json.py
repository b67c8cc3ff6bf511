"""Parsed events as plain values for JSON: what the schema found, field by field.

Types of the schema that wrap one value (a packed integer, a string with its length) become that
value. Codes become names, UUIDs and statements text, other bytes base64. Lengths of other fields
are left out. So are the rows of rows events, which the changes view has, and the bytes of
compressed transactions, whose events follow as rows.
"""

from __future__ import annotations

from base64 import b64encode
from enum import Enum
from functools import cache
from inspect import signature
from typing import Any, Final
from uuid import UUID

from kaitaistruct import KaitaiStruct

from pyspark_adapter.charsets.charset import decode_text
from pyspark_adapter.errors import UnsupportedError
from pyspark_adapter.events.statements import client_charset

# Types that wrap one value, and the attribute that holds it.
_VALUES: Final = {
    "CommitServerVersion": "version",
    "CommitTimestamp": "micros",
    "ExtraRowInfos": "infos",
    "PackedBytes": "bytes",
    "PackedInt": "value",
    "PackedInts": "items",
    "PackedStrs": "items",
    "QueryU1": "value",
    "QueryU2": "value",
    "QueryU3": "value",
    "QueryU4": "value",
    "QueryU8": "value",
    "RawBytes": "bytes",
    "StatusVars": "vars",
    "Vlint": "value",
    "VlintUuid": "bytes",
}

# Types that wrap a text in UTF-8.
_WRAPPED_TEXTS: Final = frozenset({"PackedStr", "QueryName", "QueryText", "VlintStr"})

# Instances that are written in addition to the fields of a type, or for a type without fields.
_INSTANCES: Final = {
    "Column": ("name", "column_type", "max_length", "is_unsigned", "collation"),
    "GtidEvent": (
        "immediate_commit_timestamp",
        "original_commit_timestamp",
        "transaction_length",
        "immediate_server_version",
        "original_server_version",
        "commit_group_ticket",
    ),
    "GtidField": ("name",),
    "QueryEvent": ("session",),
    "RowsEvent": ("table_id", "database", "table"),
    "TableMapEvent": ("table_id", "columns", "nullable_bitmap", "optional_fields"),
}

# Fields that an instance shows better, and fields without meaning.
_LEFT_OUT: Final = frozenset(
    {
        "column_types",
        "details",
        "metadata",
        "padding",
        "payload",
        "row_data",
        "status_vars",
        "table_id_high",
        "table_id_low",
    }
)

# Bytes that are text: statements, and names of things.
_TEXTS: Final = frozenset(
    {
        "created_file_name",
        "database_name",
        "file_name",
        "host",
        "log_file",
        "message",
        "name",
        "next_log_file",
        "query",
        "server_uuid",
        "server_version",
        "table_name",
        "view_id",
    }
)


def to_plain(value: Any) -> Any:
    """Return a parsed value as dicts, lists, numbers, strings, booleans and None."""
    if isinstance(value, KaitaiStruct):
        kind = type(value).__name__
        if kind in _VALUES:
            return to_plain(getattr(value, _VALUES[kind]))
        if kind in _WRAPPED_TEXTS:
            return _decode(value.bytes, "utf8mb4")
        return _fields(value, kind)
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, (bytes, bytearray)):
        return b64encode(value).decode()
    if isinstance(value, list):
        return [to_plain(item) for item in value]
    return value


def _fields(value: KaitaiStruct, kind: str) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for name in _INSTANCES.get(kind, ()):
        field = getattr(value, name, None)
        if field is not None:
            plain[name] = to_plain(field)
    for name, field in vars(value).items():
        if not _is_field(value.__class__, name) or name in plain:
            continue
        if name == "head":  # the first fields of a table map or a rows event
            plain |= to_plain(field)
        elif name == "source_uuid":
            plain[name] = str(UUID(bytes=field)) if isinstance(field, bytes) else _uuid(field)
        elif isinstance(field, bytes) and name in _TEXTS:
            # All names are logged in UTF-8, whatever the client sends.
            plain[name] = _decode(
                field,
                client_charset(getattr(value, "status_vars", b""))
                if name == "query"
                else "utf8mb4",
            )
        else:
            plain[name] = to_plain(field)
    return plain


@cache
def _is_field(kind: type[object], name: str) -> bool:
    """Return whether an attribute is a field, and not a parameter, a length or the parser's own."""
    if name.startswith(("_", "len_")) or name.endswith("_end") or name in _LEFT_OUT:
        return False
    return name not in signature(kind.__init__).parameters


def _uuid(parts: KaitaiStruct) -> str:
    return str(UUID(bytes=bytes(part.value for part in parts.bytes)))


def _decode(data: bytes, charset: str) -> str:
    r"""Return text; bytes that are not valid in it, such as binary values, as \xNN."""
    try:
        return decode_text(data, charset)
    except (UnicodeDecodeError, UnsupportedError):
        return data.decode(errors="backslashreplace")
