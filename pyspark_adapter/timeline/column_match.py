"""Compares the columns of a definition with those of a table map, and merges both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from pyspark_adapter.charsets.charset import CHARSETS, charset_of, collation_of
from pyspark_adapter.ddl.table_definition import INTEGERS, ColumnDefinition
from pyspark_adapter.events.table_map import Column
from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.kernels.layout import FixedBinary
from pyspark_adapter.values.column_types import codes_by_name
from pyspark_adapter.values.text_form import fixed_length

_CODES: Final = MappingProxyType(codes_by_name())
LENGTH_BYTES: Final = MappingProxyType(
    {"TINYTEXT": 1, "TEXT": 2, "MEDIUMTEXT": 3, "LONGTEXT": 4}
    | {"TINYBLOB": 1, "BLOB": 2, "MEDIUMBLOB": 3, "LONGBLOB": 4}
)
_SIGNED_TYPES: Final = frozenset({*INTEGERS, "FLOAT", "DOUBLE", "REAL", "DECIMAL"})
_BINARY_TYPES: Final = frozenset(
    {"BINARY", "VARBINARY", "TINYBLOB", "BLOB", "MEDIUMBLOB", "LONGBLOB", "VECTOR"}
    | {*FixedBinary.__members__}
)
_TEMPORAL_TYPES: Final = frozenset({"TIME", "DATETIME", "TIMESTAMP"})
_BINARY: Final = 63
_MAX_VARCHAR: Final = 65535
# Most bytes of a character, by character set, if that is not one. Source:
# INFORMATION_SCHEMA.CHARACTER_SETS of MySQL 9.7 and MariaDB 11.8.
_WIDTHS: Final = MappingProxyType(
    dict.fromkeys(("big5", "cp932", "euckr", "gb2312", "gbk", "sjis", "ucs2"), 2)
    | dict.fromkeys(("eucjpms", "ujis", "utf8mb3"), 3)
    | dict.fromkeys(("gb18030", "utf16", "utf16le", "utf32", "utf8mb4"), 4)
)


def character_widths(charset: str | None) -> frozenset[int]:
    """Return the most bytes that a character may take; several if the name is ambiguous.

    >>> sorted(character_widths("utf8"))
    [3, 4]
    """
    if charset == "utf8":
        return frozenset({3, 4})
    if charset not in CHARSETS:
        return frozenset({1, 2, 3, 4})
    return frozenset({_WIDTHS.get(charset, 1)})


def find_difference(definition: ColumnDefinition, column: Column) -> str | None:
    """Return how a definition contradicts the log; None if it does not.

    An unknown type contradicts nothing.
    """
    if column.name is not None and column.name.lower() != definition.name.lower():
        return f"named {definition.name}, logged as {column.name}"
    codes = _CODES.get(definition.sql_type)
    if codes is None:
        return None
    if column.type_code == Code.blob and _is_too_long(definition):
        return None  # without strict mode, it becomes TEXT or BLOB
    if column.type_code not in codes:
        return f"{definition.sql_type}, logged as {column.type_name}"
    if not _fits_metadata(definition, column):
        arguments = ",".join(map(str, definition.arguments)) or len(definition.members) or ""
        return f"{definition.sql_type}({arguments}), logged with metadata {column.metadata}"
    nullable = definition.is_nullable
    if nullable is not None and nullable != column.is_nullable:
        return f"{'NULL' if nullable else 'NOT NULL'}, logged otherwise"
    if (
        definition.sql_type in _SIGNED_TYPES
        and column.is_unsigned is not None
        and column.is_unsigned != definition.is_unsigned
    ):
        return f"{'UNSIGNED' if definition.is_unsigned else 'signed'}, logged otherwise"
    return None if _fits_charset(definition, column) else "another character set than is logged"


def _is_too_long(definition: ColumnDefinition) -> bool:
    """Return whether a VARCHAR or VARBINARY is too long for its type."""
    count = definition.arguments[0] if definition.arguments else 0
    is_var = definition.sql_type in ("VARCHAR", "VARBINARY")
    return is_var and count * max(_widths(definition)) > _MAX_VARCHAR


def _fits_metadata(definition: ColumnDefinition, column: Column) -> bool:
    """Return whether lengths and digits agree with the log."""
    metadata = column.metadata
    first = definition.arguments[0] if definition.arguments else None
    match definition.sql_type:
        case "DECIMAL" if column.type_code == Code.newdecimal:
            scale = definition.arguments[1] if len(definition.arguments) > 1 else 0
            return metadata == (first or 10) | scale << 8
        case "BIT":
            return (metadata >> 8) * 8 + (metadata & 0xFF) == (first or 1)
        case sql_type if sql_type in _TEMPORAL_TYPES and column.type_code in (
            Code.time2,
            Code.datetime2,
            Code.timestamp2,
        ):
            return metadata == (first or 0) or (first or 0) > 6  # TIMESTAMP(14) of old servers
        case "CHAR" | "VARCHAR" | "BINARY" | "VARBINARY":
            header = column.type_code == Code.varchar_compressed
            return (metadata - header) in {
                width * (1 if first is None else first) for width in _widths(definition)
            }
        case "ENUM":
            return metadata == (1 if len(definition.members) < 256 else 2)
        case "SET":
            width = (len(definition.members) + 7) // 8
            return metadata == (width if width <= 4 else 8)
        case sql_type if _is_fixed(definition):
            return metadata == fixed_length(FixedBinary[sql_type])
        case sql_type if sql_type in LENGTH_BYTES and first is None:
            # CONVERT TO CHARACTER SET makes texts longer where it has to.
            return metadata >= LENGTH_BYTES[sql_type]
    return True


def _widths(definition: ColumnDefinition) -> frozenset[int]:
    """Return how many bytes a character of the column may take at most."""
    if not definition.is_text:
        return frozenset({1})
    return character_widths(None if definition.is_charset_assumed else definition.charset)


def _fits_charset(definition: ColumnDefinition, column: Column) -> bool:
    if column.collation is None or definition.sql_type in ("ENUM", "SET"):
        return True
    logged = charset_of(column.collation)
    if definition.sql_type in _BINARY_TYPES:
        return logged == "binary"
    if not definition.is_text or definition.charset is None or definition.is_charset_assumed:
        return True
    if definition.charset == "utf8":
        return logged in ("utf8mb3", "utf8mb4")
    return logged in (definition.charset, None)


def complete_columns(
    definitions: Sequence[ColumnDefinition], columns: Sequence[Column]
) -> tuple[Column, ...]:
    """Return columns with what the log leaves out filled in.

    A definition may name only a character set; the collation is then the default one. Members are
    in UTF-8, whatever the character set of the column, since rows hold only their numbers.

    An assumed character set is used only if there are CHAR or VARCHAR columns that have it, and all
    their lengths agree with it.
    """
    pairs = list(zip(definitions, columns, strict=True))
    fits = [
        _length_fits(definition, column)
        for definition, column in pairs
        if definition.is_charset_assumed and definition.sql_type in ("CHAR", "VARCHAR")
    ]
    is_confirmed = bool(fits) and all(fits)
    return tuple(_complete(*pair, is_confirmed=is_confirmed) for pair in pairs)


def _complete(definition: ColumnDefinition, column: Column, *, is_confirmed: bool) -> Column:
    members, collation = column.members, column.collation
    if definition.sql_type in ("ENUM", "SET"):
        if members is None and definition.members:
            members = tuple(member.encode() for member in definition.members)
            collation = collation_of("utf8mb4")
    elif collation is None and (is_confirmed or not definition.is_charset_assumed):
        collation = _collation(definition, column)
    is_unsigned = column.is_unsigned
    if is_unsigned is None and definition.sql_type in _SIGNED_TYPES:
        is_unsigned = definition.is_unsigned
    metadata, possible_digits = column.metadata, column.possible_digits
    if possible_digits and definition.sql_type in _TEMPORAL_TYPES:
        digits = definition.arguments[0] if definition.arguments else 0
        metadata, possible_digits = (digits if digits <= 6 else 0), ()  # TIMESTAMP(14)
    return replace(
        column,
        name=column.name or definition.name,
        metadata=metadata,
        possible_digits=possible_digits,
        is_unsigned=is_unsigned,
        collation=collation,
        members=members,
        fixed_type=definition.sql_type if _is_fixed(definition) else "",
        is_point=definition.sql_type == "POINT",
    )


def _is_fixed(definition: ColumnDefinition) -> bool:
    """Return whether the log has a column as BINARY, and SQL as text."""
    return definition.sql_type in FixedBinary.__members__


def with_fixed_types(
    definitions: Sequence[ColumnDefinition], columns: Sequence[Column]
) -> tuple[Column, ...]:
    """Return columns that the log names with types that it does not, by name.

    Definitions of a later or earlier table do, as far as they fit the logged columns.
    """
    of_name = {column.name.lower(): column for column in definitions if _is_fixed(column)}
    fixed = []
    for column in columns if of_name else ():
        definition = of_name.get(column.label.lower())
        if (
            definition is not None
            and column.type_code == Code.string
            and _fits_metadata(definition, column)
            and _fits_charset(definition, column)
        ):
            column = replace(column, fixed_type=definition.sql_type)
        fixed.append(column)
    return tuple(fixed or columns)


def _length_fits(definition: ColumnDefinition, column: Column) -> bool:
    """Return whether the length of a CHAR or VARCHAR column agrees with its character set."""
    header = column.type_code == Code.varchar_compressed
    count = definition.arguments[0] if definition.arguments else 1
    widths = character_widths(definition.charset)
    return definition.charset is not None and column.metadata - header in {
        count * width for width in widths
    }


def _collation(definition: ColumnDefinition, column: Column) -> int | None:
    if definition.sql_type in _BINARY_TYPES:
        return _BINARY
    if definition.sql_type == "JSON" and column.type_code == Code.blob:  # MariaDB
        return collation_of("utf8mb4")
    charset = "utf8mb4" if definition.charset == "utf8" else definition.charset
    return collation_of(charset) if definition.is_text else None
