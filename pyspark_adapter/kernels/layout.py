"""Names for the rows and columns of the arrays that Python and the kernels share. No numba here.

The tables are two-dimensional int64 arrays, one row for each name below and one column for each
event or transaction, so that a row of the array is a vector to compute with.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    import numpy as np

Numbers: TypeAlias = "np.ndarray[Any, Any]"  # the command line prints its help without NumPy


class Event(IntEnum):
    """Rows of the table of rows events in a window."""

    OFFSET = 0  # of the event in the window
    BITMAP = 1  # offset of the columns-present bitmap in the window
    ROWS = 2  # offset of the first row in the window
    END = 3  # offset after the last row in the window
    TYPE = 4  # type code; if MariaDB compressed the event, that without compression
    TIMESTAMP = 5  # of the header, in seconds
    SERVER_ID = 6
    SLOT = 7  # of the table map, see `TableMapCache`
    TRANSACTION = 8  # column of the transaction table
    NUM_COLUMNS = 9
    START_POS = 10  # of the event in the file; within a compressed transaction, of that
    # Only if the scan follows them (`Format.QUERIES`): where the logged text of the statement is.
    QUERY = 11  # in the window, or -1 if it was in an earlier one
    QUERY_END = 12  # after it; 0 if there is none


class Transaction(IntEnum):
    """Rows of the table of transactions in a window; the first may have begun in an earlier one."""

    START_POS = 0  # of its first event in the file
    COMMIT_MICROS = 1  # since 1970-01-01 UTC
    GTID_KIND = 2  # a `GtidKind`
    # MySQL: first half of the UUID, big-endian; MariaDB: domain; tagged: index of the text
    GTID_A = 3
    GTID_B = 4  # MySQL: second half of the UUID; MariaDB: server
    GTID_C = 5  # MySQL: gno; MariaDB: sequence number
    NUMBER = 6  # in the log, from 1
    XID = 7  # 0, or the number of the text that Python keeps, from 1
    THREAD_ID = 8  # of the connection, or -1
    NUM_BYTES = 9  # of all its events in the file, as its GTID event says, or -1


class GtidKind(IntEnum):
    """What names a transaction."""

    NONE = 0
    MYSQL = 1
    MARIADB = 2
    TAGGED = 3  # text kept by Python


class State(IntEnum):
    """What the scan keeps from one call to the next."""

    OFFSET = 0  # of the next event in the window
    NUM_EVENTS = 1
    NUM_TRANSACTIONS = 2
    TRANSACTION_STATE = 3  # a `Tx`
    STATEMENT = 4  # number of the statement; table maps of earlier ones are released
    LAST_TYPE = 5  # type code of the last event
    HAS_ROWS = 6  # the transaction has rows events
    DETAIL = 7  # a number for the message of an error; offset of a statement
    NUM_IDS = 8  # table ids in the id table, dead ones included
    TRANSACTION = 9  # number of the last transaction in the log
    NUM_ORIGINS = 10  # columns of the table of origins; 0 if the window is one of the file
    ORIGIN = 11  # column of the next event in it
    FIRST_SLOT = 12  # contents of slots before this one are not found again
    QUERY = 13  # of the open statement, as in `Event`
    QUERY_END = 14
    SALT = 15  # of the hash tables, a random odd number: no log can choose keys that collide


class Tx(IntEnum):
    """Whether a transaction is open before the next event."""

    CLOSED = 0
    NAMED = 1  # after a GTID event; a BEGIN or a single statement follows
    OPEN = 2  # until XID, COMMIT, ROLLBACK or XA PREPARE
    IMPLICIT = 3  # without a BEGIN: until the end of the statement
    UNKNOWN = 4  # from somewhere in a log up to the first event that decides it


class Format(IntEnum):
    """What the format description says, for the scan."""

    LEN_HEADER = 0
    LEN_CHECKSUM = 1  # at the end of each event
    VERIFY = 2  # a `Verify`
    MAX_EVENT = 3  # bytes of the largest event that is read
    LEN_TABLE_ID = 4  # 6, or 4 before MySQL 5.1.4
    STATEMENTS = 5  # bits of `StatementBit`: the statements to stop at
    QUERIES = 6  # 1 if texts of statements that come with rows are followed
    SURVEYS = 7  # 1 if only table maps of new content and statements are looked at
    POST_HEADERS = 8  # then the post-header length of each type code from 0 to 255


class Verify(IntEnum):
    """Which checksums are compared. What MariaDB compressed is always verified if any is."""

    NONE = 0
    ALL = 1
    ALL_BUT_ROWS = 2


class ScanStatus(IntEnum):
    """Why the scan returned."""

    MORE = 0  # the window ends inside the next event
    FULL = 1  # no room in a table
    CONTROL = 2  # Python has to read the next event
    TABLE_MAP = 3  # the next event is a table map of unknown content
    GROW_IDS = 4  # the id table is half full
    STATEMENT = 5  # the event at State.DETAIL, the last one read, may be a statement asked for
    CONTAINER = 6  # the next event is compressed, or holds compressed events
    BAD_LENGTH = 7
    BAD_CHECKSUM = 8
    BAD_BODY = 9  # the body does not hold its fields
    NO_TABLE_MAP = 10  # a rows event of an unknown table id


class StatementBit(IntEnum):
    """What a statement does, as bits; see `events.statements`."""

    DEFINES = 1  # it creates, alters or drops tables
    CHANGES = 2  # it changes rows, and the log has none of them
    TAKES_BACK = 4  # it undoes changes of rows that the log has
    NOTED = 8  # it prepares or ends a distributed transaction, or says that changes were lost


class Origin(IntEnum):
    """Rows of the table of origins: where the events of a decompressed window come from."""

    OFFSET = 0  # of the first byte in the window
    START_POS = 1  # of the event in the file
    INNER_POS = 2  # of that byte in a compressed transaction; -1 outside of one


class Copy(IntEnum):
    """What `decompress` keeps from one call to the next."""

    IN = 0  # offset of the next event in the window of the file
    OUT = 1  # bytes of the decompressed window that are filled
    NUM_ORIGINS = 2
    NEEDED = 3  # bytes of the event for which there is no room


class CopyStatus(IntEnum):
    """Why `decompress` returned."""

    MORE = 0  # the window of the file ends inside the next event
    FULL = 1  # no room for the next event
    CONTAINER = 2  # the next event is compressed, or holds compressed events
    LAST = 3  # Python has to read the event that was copied last
    BAD_LENGTH = 4
    BAD_CHECKSUM = 5


NUM_EVENT_FIELDS: Final = len(Event)
NUM_TRANSACTION_FIELDS: Final = len(Transaction)
NUM_STATE_FIELDS: Final = len(State)
NUM_FORMAT_FIELDS: Final = Format.POST_HEADERS + 256
NUM_ORIGIN_FIELDS: Final = len(Origin)
NUM_COPY_FIELDS: Final = len(Copy)

MAX_COLUMNS: Final = 4096  # of a table

# What an int32 offset or position can count: bytes of an Arrow array, positions in a window.
MAX_INT32: Final = (1 << 31) - 1

# Bytes of an event, and so of a window: positions in it are int32, with room for what follows.
MAX_WINDOW: Final = (1 << 31) - (1 << 20)

# Widths of columns in a row image: bytes, or the bytes of a length before the value, negative.
WIDTH_UNKNOWN: Final = -100


class Pos(IntEnum):
    """Why a value has no position in the window."""

    NULL = -1
    ABSENT = -2
    # And all below: the differences of a partial update are at DIFFERENCES - pos.
    DIFFERENCES = -3


class Change(IntEnum):
    """Kinds of row images, as in `_change_type`."""

    INSERT = 0
    UPDATE_PREIMAGE = 1
    UPDATE_POSTIMAGE = 2
    DELETE = 3


class Cursor(IntEnum):
    """State of `locate` between two calls, and what it reports."""

    EVENT = 0  # index in the selection
    OFFSET = 1  # in the window; 0 at the start of an event
    ROW_NUMBER = 2  # of the next row change in its transaction
    TRANSACTION = 3  # the transaction that it counts in
    HAS_ABSENT = 4  # 1 if a row image does not hold all columns
    HAS_DIFFERENCES = 5  # 1 if a document is logged as differences
    MAX_BYTES = 6  # bytes of rows after which `locate` returns


class Present(IntEnum):
    """Rows of the table of the columns that a row image holds, and of those that it lacks."""

    COLUMN = 0  # index in the table
    WIDTH = 1  # in a row image
    OUTPUT = 2  # row of the positions, or -1
    LACKING = 3  # of a wanted column that the image does not hold: row of the positions
    LACKING_COLUMN = 4  # of the same: index in the table


class KeyKind(IntEnum):
    """How a column counts for the key of a row; 0 if it does not."""

    SIGNED = 1
    UNSIGNED = 2
    BYTES = 3  # the bytes of its value, without their length


class TableColumn(IntEnum):
    """Rows of the table of a table's columns, as `locate` takes it."""

    OUTPUT = 0  # row of the positions, or -1
    JSON = 1  # index among the JSON columns, or -1


class LocatedRow(IntEnum):
    """Rows of the table of row images, as `locate` fills it."""

    EVENT = 0  # column of the event table
    NUMBER = 1  # of the row change in its transaction
    CHANGE = 2  # a Change


class Total(IntEnum):
    """Rows of the table of totals by column, as `locate` fills it."""

    BYTES = 0  # of the values with a length, without the lengths
    NULLS = 1  # values without a position


class RowStatus(IntEnum):
    """Status of `locate` and `fill`; from 0 on it is success."""

    BAD_NULL_BITMAP = -1  # the event ends inside a null bitmap
    BAD_VALUE_LENGTH = -2  # the event ends inside a value
    BAD_WIDTH = -3  # the width of a column's values is not known
    BAD_EVENT_TYPE = -4  # rows in a form that is not read
    BAD_COLUMN_COUNT = -5
    BAD_TEXT = -6  # bytes that are not valid in the character set
    BAD_DECIMAL = -7
    BAD_JSON = -8
    BAD_SIZE = -9  # more bytes than an Arrow array can hold
    BAD_DATE = -10  # a zero or impossible date, where that is an error
    BAD_TIME = -11  # month, hour, minute, second or fraction out of range
    BAD_MEMBER = -12  # an ENUM or SET value without a member
    BAD_BITS = -13  # a BIT value with more bits than its column
    BAD_VALUE_OPTIONS = -14  # unknown options of the after image of a partial update
    BAD_GEOMETRY = -15  # too short for an SRID and the head of a WKB
    BAD_VECTOR = -16  # not whole floats
    BAD_COMPRESSED = -17  # a compressed value that does not inflate to its stated length
    BAD_METHOD = -18  # a value compressed in another way than by zlib
    BAD_FIXED = -19  # a FIXED_BINARY of more bytes than its type has


class Op(IntEnum):
    """How the values of a column are decoded, and the parameters of that.

    `values.kinds` has all facts of a kind; this is its number in the kernels.
    """

    INTEGER = 1  # width in the log, sign bit or 0
    BITS = 2  # width, 1 if big-endian, number of bits below 64
    UNSIGNED_DECIMAL = 3  # width, 1 if big-endian
    YEAR = 4
    DECIMAL = 5  # precision, scale
    DATE = 6
    DATETIME2 = 7  # fsp
    TIMESTAMP = 8  # fsp, 1 for the form before MySQL 5.6.4
    TIME2 = 9  # fsp
    OLD_TIME = 10  # fsp, 0 except in MariaDB
    OLD_DATETIME = 11  # the same
    TEXT = 12  # width of the length, Text code, length to pad to or where its table begins
    DECIMAL_TEXT = 13  # precision, scale
    JSON = 14  # width of the length
    ENUM = 15  # width, first of its names, number of names; the first name is that of 0
    SET = 16  # width, first of its names, number of names
    GEOMETRY = 17  # width of the length
    VECTOR = 18  # width of the length
    COMPRESSED_TEXT = 19  # as TEXT
    VARIANT = 20  # width of the length
    FIXED_BINARY = 21  # width of the length, a FixedBinary


class FixedBinary(IntEnum):
    """MariaDB's types that the log has as BINARY, and SQL as text."""

    UUID = 0
    INET4 = 1
    INET6 = 2


class Text(IntEnum):
    """How text is converted to UTF-8. Up to MAPPED, bytes below 0x80 are copied unchanged."""

    BYTES = 0
    UTF8 = 1
    ASCII = 2
    MAPPED = 3  # by a table of `charsets.tables`
    MAPPED_WHOLLY = 4  # the same, bytes below 0x80 included
    UCS2 = 5
    UTF16 = 6
    UTF16LE = 7
    UTF32 = 8


TEXT_REPLACES: Final = 16  # added to a Text code: invalid bytes become U+FFFD


class Entry(IntEnum):
    """Highest byte of an entry of `charsets.tables`, if it is not the length of a character.

    That is 0 for bytes that begin no character, or 1 to 3 with so many bytes of UTF-8 below it.
    """

    BLOCK = 4  # below: the number of the block of the next byte
    UNDEFINED = 5  # the bytes belong together and are no character
    FOUR_BYTES = 6  # two more of gb18030 follow; below: the block of the first of these


class ZeroDates(IntEnum):
    """Values of the option zeroDateTimeBehavior."""

    CONVERT_TO_NULL = 0
    EXCEPTION = 1
    ROUND = 2


class ColumnField(IntEnum):
    """Columns of the (wanted columns, fields) int64 table of `fill`."""

    OP = 0
    PARAM1 = 1
    PARAM2 = 2
    PARAM3 = 3
    NUM_BYTES = 4  # of a value in Arrow; 0 if values differ in length
    VALUES = 5  # offset of the values in the arena, in bytes; a multiple of 64
    OFFSETS = 6  # offset of the Arrow offsets in the arena, if values differ in length
    VALIDITY = 7  # offset of the validity bitmap in the arena
    NUM_NULLS = 8  # from `locate`, and those made of zero dates
    SRIDS = 9  # offset of the SRIDs in the arena; of GEOMETRY only


class Json(IntEnum):
    """Type codes of binary JSON. Odd ones of containers are large: offsets have four bytes."""

    OBJECT = 0x00
    LARGE_OBJECT = 0x01
    ARRAY = 0x02
    LARGE_ARRAY = 0x03
    LITERAL = 0x04
    INT16 = 0x05
    UINT16 = 0x06
    INT32 = 0x07
    UINT32 = 0x08
    INT64 = 0x09
    UINT64 = 0x0A
    DOUBLE = 0x0B
    STRING = 0x0C
    OPAQUE = 0x0F


MAX_JSON_DEPTH: Final = 100  # of the server: JSON_DOCUMENT_MAX_DEPTH

# A document is never longer as text than this many times its bytes and some: a control character
# takes six letters. More means that offsets point at one value again and again.
MAX_JSON_GROWTH: Final = 6
MAX_JSON_GROWTH_BASE: Final = 64
JSON_SLACK: Final = 160  # room beyond that, for the text between two checks of the length


# Bytes that hold a group of 0 to 9 decimal digits.
GROUP_BYTES: Final = (0, 1, 1, 2, 2, 3, 3, 4, 4, 4)

LEN_COPY: Final = 32  # bytes that copies access at once; as many are read and written after one
LEN_GTID: Final = 64  # 36 letters of a UUID, a colon, 20 digits; 10 + 10 + 20 digits of MariaDB
LEN_REAL: Final = 32  # of a number as text: a sign, 17 digits, a point, five zeros or an exponent

# Keys of one value are the same in all logs and processes, so the salt is not random. Who chooses
# values that share a hash makes reads open blocks in vain, and nothing else.
KEY_SALT: Final = 0x2545F4914F6CDD1D
KEY_FACTOR_1: Final = 0x9E3779B97F4A7C15
KEY_FACTOR_2: Final = 0xC2B2AE3D27D4EB4F
# Hashes have 40 bits: two of a million keys are equal with a chance of 1e-6 a look-up.
KEY_HASH_BITS: Final = (1 << 40) - 1

# What `fill_variants` keeps from one call to the next, and why it returned.
V_ROW, V_VALUES, V_METADATA, V_STATUS, NUM_VARIANT_FIELDS = range(5)
V_INVALID, V_MANY_ELEMENTS, V_NO_ROOM = -1, -2, -3
# Of a key of a document: where it begins, its bytes, its number. Then for each number one of the
# keys that have it.
KEY_START, KEY_LENGTH, KEY_NUMBER, KEY_OF_NUMBER, NUM_KEY_FIELDS = range(5)

LEN_PACKET_HEADER: Final = 4  # of what a server sends
MAX_PAYLOAD: Final = 0xFFFFFF


class Located(IntEnum):
    """Indexes into the state of `locate_values`."""

    POSITION = 0  # of the next packet
    ROWS = 1  # that were found
    SEQUENCE = 2  # the number of the next packet
    STOP = 3  # of `Stop`
    SIZE = 4


class Stop(IntEnum):
    """Why no more rows were found."""

    FULL = 0
    MORE = 1  # bytes are needed
    LARGE = 2  # a packet that continues in the next one
    END = 3  # of the rows
    ERROR = 4  # of the server
    INVALID = 5
