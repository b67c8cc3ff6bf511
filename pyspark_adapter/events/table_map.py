"""Tables as the log describes them: names, types and metadata of their columns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

from pyspark_adapter.errors import CorruptEventError, MissingTableMapError
from pyspark_adapter.format.header import HEADER
from pyspark_adapter.format.schema import (
    ColumnTypeCode,
    EventParser,
    EventType,
    FormatDescription,
    OptionalMetadataType,
    ParseCache,
    parsing,
)
from pyspark_adapter.kernels import fractions
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.fractions import ALL_DIGITS
from pyspark_adapter.options.table_name import TableName

# Dates and times in the form before MySQL 5.6.4 and MariaDB 10.1, by their kind there.
OLD_TEMPORALS: Final = MappingProxyType(
    {
        int(ColumnTypeCode.time): fractions.TIME,
        int(ColumnTypeCode.datetime): fractions.DATETIME,
        int(ColumnTypeCode.timestamp): fractions.TIMESTAMP,
    }
)

_WKB_POINT: Final = 1


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table map.

    Attributes:
        index: in the table, from 0.
        name: as logged, or None.
        type_code: its real type; ENUM and SET are logged as STRING.
        metadata: maximum length in bytes for strings, ENUM and SET; else as logged (see
            `column.metadata` of the schema). Of MariaDB's old dates and times the digits of the
            fraction, -1 if they are not known.
        is_unsigned: whether it is UNSIGNED; None if the log does not say.
        collation: id of its collation; None if the log does not say or it has none.
        members: of an ENUM or SET, in its character set; None if the log does not say.
        possible_digits: how many digits the fraction of one of MariaDB's old dates and times may
            have; empty if that is known, and for all other types.
        fixed_type: UUID, INET4 or INET6 of MariaDB, if a definition says so; the log has BINARY.
        is_point: whether it is a GEOMETRY whose declared type is POINT, as the log of MySQL 8 or a
            definition says.
    """

    index: int
    name: str | None
    type_code: int
    metadata: int
    is_nullable: bool
    is_unsigned: bool | None
    collation: int | None
    members: tuple[bytes, ...] | None
    possible_digits: tuple[int, ...] = ()
    fixed_type: str = ""
    is_point: bool = False

    @property
    def type_name(self) -> str:
        """Name of the type, as `NEWDECIMAL`."""
        try:
            return str(ColumnTypeCode(self.type_code).name.upper())
        except ValueError:
            return f"type {self.type_code:#04x}"

    @property
    def label(self) -> str:
        """Name of the column, or `col_` and its number from 1."""
        return self.name if self.name is not None else f"col_{self.index + 1}"


@dataclass(frozen=True, slots=True)
class TableMap:
    """A table as one table map event describes it.

    Attributes:
        columns: all that are logged, in the order of the row images.
        has_generated_key: whether the first column is the primary key `my_row_id`, which the
            server has added (MySQL 8.0.30 and later).
        primary_key: indices of its columns; empty if neither the log nor a definition has it.
        row_key: indices of the columns that identify a row: the primary key, else a unique key of
            NOT NULL columns; empty if there is none or it is unknown.
        has_logged_names: whether the log itself names the columns.
        has_logged_digits: whether it has the digits of all fractions; MariaDB's old dates and
            times lack them.
        added_later: names of columns, in lower case, that a later statement adds.
        content: what the event says of the table; see `table_map_content`.
    """

    table: TableName
    columns: tuple[Column, ...]
    has_generated_key: bool = False
    primary_key: tuple[int, ...] = ()
    row_key: tuple[int, ...] = ()
    has_logged_names: bool = False
    has_logged_digits: bool = True
    is_mariadb: bool = False
    added_later: tuple[str, ...] = ()
    content: bytes = field(default=b"", repr=False, compare=False)

    @property
    def has_names(self) -> bool:
        """Whether the log, or a definition that was found for it, names the columns."""
        return bool(self.columns) and self.columns[0].name is not None

    @property
    def has_open_digits(self) -> bool:
        """Whether it is not known how many digits the fraction of some column has."""
        return any(column.possible_digits for column in self.columns)

    @property
    def is_described_by_log(self) -> bool:
        """Whether the log itself has all names and digits, so that no definition is needed."""
        return self.has_logged_names and self.has_logged_digits

    @property
    def primary_key_names(self) -> tuple[str, ...]:
        """The names of the columns of the primary key, in its order."""
        return tuple(self.columns[index].label for index in self.primary_key)

    @property
    def json_columns(self) -> tuple[Column, ...]:
        """The columns of type JSON, which partial updates count."""
        return tuple(c for c in self.columns if c.type_code == ColumnTypeCode.json)

    @classmethod
    def from_event(cls, body: Any, *, is_mariadb: bool) -> TableMap:
        """Take a parsed table map event apart; raises CorruptEventError.

        Args:
            body: of the event, as the generated parser gives it.
            is_mariadb: whether MariaDB wrote the log: its old dates and times may have fractions,
                and it does not log how many digits.
        """
        with parsing("table map"):
            count = body.num_columns.value
            if not 0 < count <= lay.MAX_COLUMNS:
                raise CorruptEventError(
                    f"table map: expected 1 to {lay.MAX_COLUMNS} columns, found {count}"
                )
            table = table_of(body)
            if not body.layout.has_column_metadata:
                return cls(table, tuple(_without_metadata(body.column_types)))
            nullable = bytes(body.nullable_bitmap)
            members, points = _members(body), _points(body)
            has_names = body.layout.column_names_index >= 0
            names = _names(body) if has_names else []
            columns = []
            for i, column in enumerate(body.columns):
                is_open = is_mariadb and column.type_code in OLD_TEMPORALS
                unlogged = -1 if is_open else 0
                columns.append(
                    Column(
                        index=i,
                        name=names[i] if i < len(names) else column.name if has_names else None,
                        type_code=column.type_code,
                        metadata=column.max_length if column.metadata else unlogged,
                        is_nullable=bool(nullable[i >> 3] >> (i & 7) & 1),
                        is_unsigned=column.is_unsigned if column.has_signedness else None,
                        collation=(members[i][1] if i in members else column.collation) or None,
                        members=members[i][0] if i in members else None,
                        possible_digits=ALL_DIGITS if is_open else (),
                        is_point=i in points,
                    )
                )
            primary_key = _primary_key(body, len(columns))
            return cls(
                table,
                tuple(columns),
                has_generated_key=body.head.flag_bits.has_generated_invisible_primary_key,
                has_logged_names=has_names,
                primary_key=primary_key,
                row_key=primary_key,
                has_logged_digits=not any(column.possible_digits for column in columns),
                is_mariadb=is_mariadb,
            )


def table_of(body: Any) -> TableName:
    """Return the name of the table of a parsed table map.

    Raises:
        UnicodeDecodeError: if it is not UTF-8, which `parsing` turns into an error of this package.
    """
    return TableName(body.head.database_name.decode(), body.head.table_name.decode())


def _names(body: Any) -> list[str]:
    """Return the names of the columns, which have to be logged."""
    items = body.optional_fields[body.layout.column_names_index].data.items
    return [item.bytes.decode() for item in items]


def _without_metadata(column_types: bytes) -> Iterable[Column]:
    """Yield the columns of a table map of MySQL 5.1.17 or older, which ends after the types."""
    for i, code in enumerate(column_types):
        yield Column(i, None, code, 0, True, None, None, None)


def _primary_key(body: Any, num_columns: int) -> tuple[int, ...]:
    """Return the indices of the columns of the primary key; empty if it is not logged.

    Of a column that is in it with a prefix, all of the value is as unique.
    """
    generated = body.head.flag_bits.has_generated_invisible_primary_key
    indices: tuple[int, ...] = (0,) if generated else ()
    for item in body.optional_fields:
        if item.field_type == OptionalMetadataType.simple_primary_key:
            indices = tuple(index.value for index in item.data.items)
        elif item.field_type == OptionalMetadataType.primary_key_with_prefix:
            indices = tuple(part.column_index.value for part in item.data.parts)
    if max(indices, default=0) >= num_columns:
        raise CorruptEventError(
            f"table map: column {max(indices) + 1} in the primary key of {num_columns} columns"
        )
    return indices


def _members(body: Any) -> dict[int, tuple[tuple[bytes, ...], int]]:
    """Return (members, collation) of the ENUM and SET columns that have them logged, by index."""
    fields = {field.field_type: field.data for field in body.optional_fields}
    columns = [
        (i, column.type_code)
        for i, column in enumerate(body.columns)
        if column.type_code in (ColumnTypeCode.enum, ColumnTypeCode.set)
    ]
    collations = _collations(fields, len(columns))
    by_column = {}
    for code, kind in (
        (ColumnTypeCode.enum, OptionalMetadataType.enum_str_value),
        (ColumnTypeCode.set, OptionalMetadataType.set_str_value),
    ):
        if kind not in fields:
            continue
        of_kind = [(k, i) for k, (i, c) in enumerate(columns) if c == code]
        lists = fields[kind].lists
        if len(lists) != len(of_kind):
            raise CorruptEventError(
                f"table map: expected the members of {len(of_kind)} {code.name.upper()} columns,"
                f" found {len(lists)}"
            )
        for (k, i), members in zip(of_kind, lists, strict=True):
            by_column[i] = (tuple(bytes(m.bytes) for m in members.members), collations[k])
    return by_column


def _points(body: Any) -> set[int]:
    """Return the indices of the columns that are declared as POINT."""
    shapes = [i for i, c in enumerate(body.columns) if c.type_code == ColumnTypeCode.geometry]
    logged = [f for f in body.optional_fields if f.field_type == OptionalMetadataType.geometry_type]
    declared = [item.value for field in logged for item in field.data.items]
    return {i for i, shape in zip(shapes, declared, strict=False) if shape == _WKB_POINT}


def _collations(fields: dict[Any, Any], count: int) -> list[int]:
    """Return the collations of the ENUM and SET columns together; 0 where not logged."""
    each = fields.get(OptionalMetadataType.enum_and_set_column_charset)
    if each is not None:
        collations = [item.value for item in each.items]
    else:
        default = fields.get(OptionalMetadataType.enum_and_set_default_charset)
        if default is None:
            return [0] * count
        collations = [default.collation.value] * count
        for exception in default.exceptions:
            collations[exception.position.value] = exception.collation.value
    if len(collations) != count:
        raise CorruptEventError(
            f"table map: expected the collations of {count} ENUM and SET columns,"
            f" found {len(collations)}"
        )
    return collations


def missing_table_map(table_id: int) -> MissingTableMapError:
    """Return the error for a rows event whose table id is not known."""
    return MissingTableMapError(
        f"rows of table id {table_id}: expected a table map with this id earlier in the statement;"
        " was the log cut, or started in the middle of a transaction?",
        table_id=table_id,
    )


# A log describes a table again in each statement, and most reads look at a log twice: for columns
# of tables, and for rows. To parse a table map takes a millisecond or more. Most of that is for
# columns, which many tables may have in common: a table for each customer, or for each month.
# By content, of 512 KiB in all. A column has two bytes at least; parsed, it takes some 200 bytes.
_KNOWN: Final[ParseCache[tuple[FormatDescription, bytes], TableMap]] = ParseCache(1 << 19)

# By all but the names, which the columns do not depend on: flags, types and what follows them.
_SHAPES: Final[ParseCache[tuple[FormatDescription, int, bytes, bytes], TableMap]] = ParseCache(
    1 << 19
)


def table_map_content(event: bytes, description: FormatDescription) -> bytes:
    """Return what a table map says of its table: its body after the table id."""
    start = description.len_header + description.len_table_id
    return event[start : len(event) - description.len_checksum]


def table_map_event(content: bytes, description: FormatDescription) -> bytes:
    """Return a table map event with a content, in a log of a format description."""
    body = bytes(description.len_table_id) + content + bytes(description.len_checksum)
    return HEADER.pack(0, EventType.table_map, 0, HEADER.size + len(body), 0, 0) + body


def subject_of(table_map: TableMap, column: Column) -> str:
    """Return the name of a column for error messages."""
    name = f" {column.name}" if column.name is not None else ""
    return f"table {table_map.table} column {column.index + 1}{name} ({column.type_name})"


def find_table_map(event: bytes, parser: EventParser) -> TableMap:
    """Return the table map of an event, which is only parsed if its content is not known.

    Args:
        event: from header to checksum.
        parser: of the log; it keeps nothing of the event.

    Raises:
        CorruptEventError: if its fields contradict each other.
    """
    description = parser.format_description

    def parse() -> TableMap:
        body = parser.parse_table_map(event)
        with parsing("table map"):
            table = table_of(body)
        types, details = body.column_types, body.details
        shape = _SHAPES.find(
            (description, body.head.flags, types, details),
            len(types) + len(details),
            lambda: TableMap.from_event(body, is_mariadb=description.is_mariadb),
        )
        return replace(shape, table=table, content=content)

    content = table_map_content(event, description)
    return _KNOWN.find((description, content), len(content), parse)
