"""Writes minimal binary logs of version 4, as MySQL 8.0 does with binlog_row_metadata=FULL.

Written from the description of the format alone (the server's `libbinlogevents/`, and bytes of
real logs in its tables), and not from the decoders that it tests.
"""

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

QUERY, FORMAT_DESCRIPTION, XID, TABLE_MAP = 2, 15, 16, 19
PARTIAL_UPDATE = 39
WRITE_V1, UPDATE_V1, DELETE_V1, WRITE_V2, UPDATE_V2, DELETE_V2 = 23, 24, 25, 30, 31, 32
STMT_END = 1

# Of the types 1 to 41, as MySQL 8.0.29 writes them.
_POST_HEADERS = bytes.fromhex(
    "000d0008000000000400040000006200041a08000000080808020000000a0a0a2a2a001234000a2800"
)

# MariaDB lists as many types; its own are from 160 on.
_MARIADB_TYPES = 171

# Types whose sign is logged, and types with a character set.
_NUMERIC = frozenset({1, 2, 3, 4, 5, 8, 9, 13, 246})
_CHARACTER = frozenset({15, 140, 141, 242, 252, 254})

# An image: for each column its bytes, None for NULL, or ABSENT.
ABSENT = b"<absent>"
Image = Sequence[bytes | None]


@dataclass(frozen=True)
class LoggedColumn:
    """A column as a table map describes it; `type_code` is the one that is logged."""

    name: str
    type_code: int
    metadata: bytes = b""
    is_unsigned: bool = False
    collation: int = 0
    members: tuple[str | bytes, ...] = ()
    is_nullable: bool = True


@dataclass(frozen=True)
class Rows:
    """A rows event: images of inserts or deletes, or before and after images in turns.

    Partial updates have `value_options` for each pair: the bytes before the after image.
    """

    type_code: int
    images: Sequence[Image]
    present: Sequence[bool]
    present_after: Sequence[bool] = ()
    flags: int = STMT_END
    value_options: Sequence[bytes] = ()


@dataclass
class LogWriter:
    """Appends events to a log.

    Attributes:
        has_checksums: whether the events end in a CRC32.
        has_metadata: whether table maps have optional metadata, names among it.
        server_version: as the format description has it.
        server_id: of the server that writes it.
        created: when the server started, seconds since 1970-01-01 UTC; 0 if a rotation began it.
        data: the log so far.
    """

    has_checksums: bool = True
    has_metadata: bool = True
    server_version: str = "8.0.36"
    created: int = 1_700_000_000
    server_id: int = 1
    data: bytearray = field(default_factory=lambda: bytearray(b"\xfebin"))

    def __post_init__(self) -> None:
        self.format_description()

    def format_description(self) -> None:
        """Append a format description, as the first event is one."""
        version = self.server_version.encode().ljust(50, b"\0")
        lengths = bytearray(_POST_HEADERS)
        if "MariaDB" in self.server_version:
            lengths += bytes(_MARIADB_TYPES - len(lengths))
            lengths[FORMAT_DESCRIPTION - 1] = 57 + _MARIADB_TYPES
        body = struct.pack("<H50sIB", 4, version, self.created, 19) + lengths
        self._event(FORMAT_DESCRIPTION, body + bytes([self.has_checksums]), ends_in_crc=True)

    def _event(
        self,
        type_code: int,
        body: bytes,
        *,
        ends_in_crc: bool,
        server_id: int | None = None,
        flags: int = 0,
    ) -> None:
        server_id = self.server_id if server_id is None else server_id
        length = 19 + len(body) + (4 if ends_in_crc else 0)
        end = (len(self.data) + length) & 0xFFFFFFFF
        event = struct.pack("<IBIIIH", 1_700_000_000, type_code, server_id, length, end, flags)
        event += body
        self.data += event
        if ends_in_crc:
            self.data += struct.pack("<I", zlib.crc32(event))

    def event(self, type_code: int, body: bytes) -> None:
        self._event(type_code, body, ends_in_crc=self.has_checksums)

    def begin(self) -> None:
        """Append the BEGIN of a transaction."""
        self.event(QUERY, struct.pack("<IIBHH", 7, 0, 1, 0, 0) + b"d\0BEGIN")

    def statement(
        self,
        text: str | bytes,
        database: str = "d",
        collation: int = 255,
        *,
        thread_id: int = 7,
        server_id: int | None = None,
        flags: int = 0,
        server_collation: int = 8,
        error_code: int = 0,
        variables: bytes = b"",
    ) -> None:
        """Append a statement of a client in utf8mb4, on a server whose default is latin1.

        `collation` is that of the client if its text is given as bytes; `flags` are those of the
        event; `variables` are more status variables.
        """
        status = struct.pack("<BHHH", 4, collation, collation, server_collation) + variables
        name = database.encode()
        header = struct.pack("<IIBHH", thread_id, 0, len(name), error_code, len(status))
        text = text.encode() if isinstance(text, str) else text
        body = header + status + name + b"\0" + text
        self._event(QUERY, body, ends_in_crc=self.has_checksums, server_id=server_id, flags=flags)

    def commit(self) -> None:
        """Append the XID that ends a transaction."""
        self.event(XID, struct.pack("<Q", 1))

    def table_map(
        self, table_id: int, table_name: str, columns: Sequence[LoggedColumn], database: str = "d"
    ) -> None:
        """Append a table map with names, signs, collations and members."""
        body = struct.pack("<IHH", table_id, 0, 1) + _name(database) + _name(table_name)
        body += packed(len(columns)) + bytes(column.type_code for column in columns)
        metadata = b"".join(column.metadata for column in columns)
        body += packed(len(metadata)) + metadata + bits([column.is_nullable for column in columns])
        if self.has_metadata:
            body += _optional_metadata(columns)
        self.event(TABLE_MAP, body)

    def rows(self, table_id: int, rows: Rows) -> None:
        """Append a rows event of version 1 or 2."""
        body = struct.pack("<IHH", table_id, 0, rows.flags)
        if rows.type_code >= WRITE_V2:
            body += struct.pack("<H", 2)
        body += packed(len(rows.present)) + bits(rows.present, padding=True)
        if rows.type_code in (UPDATE_V1, UPDATE_V2, PARTIAL_UPDATE):
            body += bits(rows.present_after, padding=True)
        images = [*map(row_image, rows.images)]
        for i, options in enumerate(rows.value_options):
            images[2 * i + 1] = options + images[2 * i + 1]
        self.event(rows.type_code, body + b"".join(images))


def row_image(image: Image) -> bytes:
    """Return null bitmap and values; the bitmap has a bit for each column that is present."""
    present = [value for value in image if value is not ABSENT]
    nulls = bits([value is None for value in present], padding=True)
    return nulls + b"".join(value for value in present if value is not None)


def bits(flags: Sequence[bool], *, padding: bool = False) -> bytes:
    """Return a bitmap, least significant bit first; servers fill it up with ones or zeros."""
    number = sum(flag << i for i, flag in enumerate(flags))
    length = (len(flags) + 7) // 8
    if padding:
        number |= (1 << 8 * length) - (1 << len(flags))
    return number.to_bytes(length, "little")


def bits_from_most_significant(flags: Sequence[bool]) -> bytes:
    """Return a bitmap, most significant bit of each byte first, as optional metadata has it."""
    length = (len(flags) + 7) // 8
    return sum(flag << (8 * length - 1 - i) for i, flag in enumerate(flags)).to_bytes(length, "big")


def packed(number: int) -> bytes:
    """Return a length-encoded integer."""
    if number < 251:
        return bytes([number])
    if number < 1 << 16:
        return b"\xfc" + number.to_bytes(2, "little")
    return b"\xfd" + number.to_bytes(3, "little")


def _name(text: str) -> bytes:
    return packed(len(text.encode())) + text.encode() + b"\0"


def _sized(data: bytes) -> bytes:
    return packed(len(data)) + data


def _is(column: LoggedColumn, real_type: int) -> bool:
    return column.type_code == 254 and column.metadata[0] == real_type


def _optional_metadata(columns: Sequence[LoggedColumn]) -> bytes:
    enums = [c for c in columns if _is(c, 247)]
    sets = [c for c in columns if _is(c, 248)]
    both = [c for c in columns if _is(c, 247) or _is(c, 248)]
    texts = [c for c in columns if c.type_code in _CHARACTER and c not in both]
    signs = [c.is_unsigned for c in columns if c.type_code in _NUMERIC]
    fields = {
        1: bits_from_most_significant(signs),
        3: b"".join(packed(c.collation) for c in texts),
        4: b"".join(_sized(c.name.encode()) for c in columns),
        5: b"".join(map(_members, sets)),
        6: b"".join(map(_members, enums)),
        11: b"".join(packed(c.collation) for c in both),
    }
    return b"".join(bytes([kind]) + _sized(data) for kind, data in fields.items() if data)


def _members(column: LoggedColumn) -> bytes:
    names = [name if isinstance(name, bytes) else name.encode() for name in column.members]
    return packed(len(names)) + b"".join(map(_sized, names))
