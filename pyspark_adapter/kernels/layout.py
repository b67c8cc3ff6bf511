"""Names for the columns of the arrays that Python and the kernels share. No numba here.

The tables are two-dimensional int64 arrays, one row for each name below and one column for each
event or transaction, so that a row of the array is a vector to compute with.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final


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
    STATEMENT = 4  # number of the statement; table maps of others are released
    LAST_TYPE = 5  # type code of the last event
    HAS_ROWS = 6  # the transaction has rows events
    NUM_LARGE = 7  # events whose checksum is left to Python
    DETAIL = 8  # a number for the message of an error; offset of a statement
    NUM_IDS = 9  # table ids in the id table, dead ones included
    TRANSACTION = 10  # number of the last transaction in the log
    NUM_ORIGINS = 11  # columns of the table of origins; 0 if the window is one of the file
    ORIGIN = 12  # column of the next event in it
    FIRST_SLOT = 13  # contents of slots before this one are not found again


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
    POST_HEADERS = 6  # then the post-header length of each type code from 0 to 255


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

# Of events for a search: whether they have their position in the header.
NO_EVENT: Final = 0
HAS_POSITION: Final = 1
MAY_LACK_POSITION: Final = 2  # MariaDB 11.4 and later write them without

# Events from this length on leave their checksum to zlib or isal, which are faster there.
LARGE_EVENT: Final = 2048

# Of the hashes by which table ids and contents of table maps are found.
HASH_FACTOR: Final = 0xFF51AFD7ED558CCD

MAX_COLUMNS: Final = 4096  # of a table

# Widths of columns in a row image: bytes, or the bytes of a length before the value, negative.
WIDTH_UNKNOWN: Final = -100

# Where a value stands in the window, or why there is none.
POS_NULL: Final = -1
POS_ABSENT: Final = -2
# From here on downward: the differences of a partial update, at POS_DIFFERENCES - pos.
POS_DIFFERENCES: Final = -3

# Kinds of row images, as in `_change_type`.
CHANGE_INSERT: Final = 0
CHANGE_UPDATE_PREIMAGE: Final = 1
CHANGE_UPDATE_POSTIMAGE: Final = 2
CHANGE_DELETE: Final = 3

# Where `locate` stands between two calls, and what it tells.
C_EVENT: Final = 0  # index in the selection
C_OFFSET: Final = 1  # in the window; 0 at the start of an event
C_ROW_NUMBER: Final = 2  # of the next row change in its transaction
C_TRANSACTION: Final = 3  # the transaction that it counts in
C_HAS_ABSENT: Final = 4  # 1 if a row image does not hold all columns
C_HAS_DIFFERENCES: Final = 5  # 1 if some document is logged as differences
NUM_CURSOR_FIELDS: Final = 6

# Status of `locate` and `fill`; 0 is success.
BAD_NULL_BITMAP: Final = -1  # the event ends inside a null bitmap
BAD_VALUE_LENGTH: Final = -2  # the event ends inside a value
BAD_WIDTH: Final = -3  # the width of a column's values is not known
BAD_EVENT_TYPE: Final = -4  # rows in a form that is not read
BAD_COLUMN_COUNT: Final = -5
BAD_TEXT: Final = -6  # bytes that are not valid in the character set
BAD_DECIMAL: Final = -7
BAD_JSON: Final = -8
BAD_SIZE: Final = -9  # more text than an Arrow array can hold
BAD_DATE: Final = -10  # a zero or partly zero date, where that is an error
BAD_TIME: Final = -11  # hours, minutes or seconds out of range
BAD_MEMBER: Final = -12  # an ENUM or SET value without a member
BAD_BITS: Final = -13  # a BIT value with more bits than its column
BAD_VALUE_OPTIONS: Final = -14  # what a partial update says of its after image is not known
BAD_GEOMETRY: Final = -15  # too short for an SRID and the head of a WKB
BAD_VECTOR: Final = -16  # not whole floats
BAD_COMPRESSED: Final = -17  # a compressed value that cannot be inflated to the length it tells
BAD_METHOD: Final = -18  # a value compressed in another way than by zlib

# How `fill` makes a column, one of the OP_ codes, and its parameters.
OP_INTEGER: Final = 1  # width in the log, sign bit or 0, bytes in Arrow
OP_BITS: Final = 2  # width, 1 if big-endian, number of bits below 64; int64
OP_UNSIGNED_DECIMAL: Final = 3  # width, 1 if big-endian; decimal128
OP_YEAR: Final = 4  # int32
OP_DECIMAL: Final = 5  # precision, scale; decimal128
OP_DATE: Final = 6  # int32 days
OP_DATETIME2: Final = 7  # fsp; int64 micros
OP_TIMESTAMP: Final = 8  # fsp, -1 for the form before MySQL 5.6.4; int64 micros
OP_TIME2: Final = 9  # fsp; int64 micros
OP_OLD_TIME: Final = 10  # int64 micros
OP_OLD_DATETIME: Final = 11  # int64 micros
OP_TEXT: Final = 12  # width of the length, TEXT_ code, length to pad to or where its table begins
OP_DECIMAL_TEXT: Final = 13  # precision, scale
OP_JSON: Final = 14  # width of the length
OP_ENUM: Final = 15  # width, first of its names, number of names; the first name is that of 0
OP_SET: Final = 16  # width, first of its names, number of names
OP_GEOMETRY: Final = 17  # width of the length; int64 SRIDs and texts
OP_VECTOR: Final = 18  # width of the length; lists of floats
OP_COMPRESSED_TEXT: Final = 19  # as OP_TEXT; left to Python
OP_VARIANT: Final = 20  # width of the length; made in Python

# Ops whose values differ in length, and so have Arrow offsets.
TEXT_OPS: Final = frozenset(
    {OP_TEXT, OP_DECIMAL_TEXT, OP_JSON, OP_ENUM, OP_SET, OP_GEOMETRY, OP_VECTOR}
)

# How OP_TEXT brings its bytes to UTF-8. Up to TEXT_MAPPED, bytes below 80 stay as they are.
TEXT_BYTES: Final = 0
TEXT_UTF8: Final = 1
TEXT_ASCII: Final = 2
TEXT_MAPPED: Final = 3  # by a table of `charsets.tables`
TEXT_MAPPED_WHOLLY: Final = 4  # as well, those below 80 too
TEXT_UCS2: Final = 5
TEXT_UTF16: Final = 6
TEXT_UTF16LE: Final = 7
TEXT_UTF32: Final = 8
TEXT_REPLACES: Final = 16  # added to them: U+FFFD takes the place of what is not valid

# Entries of the tables of `charsets.tables`, in the highest byte: 0 for what is in no character, 1
# to 3 for the bytes of UTF-8 that stand below, or one of these.
ENTRY_BLOCK: Final = 4  # the number of the block of the next byte stands below
ENTRY_UNDEFINED: Final = 5  # the bytes belong together and are no character
ENTRY_FOUR_BYTES: Final = 6  # two more of gb18030 follow; below, the block of the first of these

# What becomes of zero and impossible dates.
ZERO_DATES_NULL: Final = 0
ZERO_DATES_ERROR: Final = 1
ZERO_DATES_ROUND: Final = 2

# Columns of the (wanted columns, NUM_COLUMN_FIELDS) int64 table of `fill`.
K_OP: Final = 0
K_PARAM1: Final = 1
K_PARAM2: Final = 2
K_PARAM3: Final = 3
K_VALUES: Final = 4  # offset of the values in the arena, in bytes; a multiple of 64
K_OFFSETS: Final = 5  # offset of the Arrow offsets in the arena; of TEXT_OPS only
K_VALIDITY: Final = 6  # offset of the validity bitmap in the arena
K_NUM_NULLS: Final = 7  # from `locate`; `fill` adds to it
K_SRIDS: Final = 8  # offset of the SRIDs in the arena; of OP_GEOMETRY only
NUM_COLUMN_FIELDS: Final = 9

# Former names, for modules that still use them.
E_OFFSET: Final = Event.OFFSET
E_BITMAP: Final = Event.BITMAP
E_ROWS: Final = Event.ROWS
E_END: Final = Event.END
E_TYPE: Final = Event.TYPE
E_TIMESTAMP: Final = Event.TIMESTAMP
E_SERVER_ID: Final = Event.SERVER_ID
E_SLOT: Final = Event.SLOT
E_TRANSACTION: Final = Event.TRANSACTION
E_NUM_COLUMNS: Final = Event.NUM_COLUMNS
E_START_POS: Final = Event.START_POS
T_START_POS: Final = Transaction.START_POS
T_COMMIT_MICROS: Final = Transaction.COMMIT_MICROS
T_GTID_KIND: Final = Transaction.GTID_KIND
T_GTID_A: Final = Transaction.GTID_A
T_GTID_B: Final = Transaction.GTID_B
T_GTID_C: Final = Transaction.GTID_C
T_NUMBER: Final = Transaction.NUMBER
T_XID: Final = Transaction.XID
GTID_NONE: Final = GtidKind.NONE
GTID_MYSQL: Final = GtidKind.MYSQL
GTID_MARIADB: Final = GtidKind.MARIADB
GTID_TAGGED: Final = GtidKind.TAGGED
TX_CLOSED: Final = Tx.CLOSED
