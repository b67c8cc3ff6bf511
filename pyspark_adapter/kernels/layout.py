"""Names for the columns of the arrays that Python and the kernels share. No numba here.

The tables are two-dimensional int64 arrays, one row for each name below and one column for each
event or transaction, so that a row of the array is a vector to compute with.
"""

from __future__ import annotations

from typing import Final

# Rows events of a window.
E_OFFSET: Final = 0  # of the event in the window
E_BITMAP: Final = 1  # of the columns-present bitmap in the window
E_ROWS: Final = 2  # of the first row in the window
E_END: Final = 3  # of the byte after the last row in the window
E_TYPE: Final = 4  # type code, of what MariaDB compressed that of the event without compression
E_TIMESTAMP: Final = 5  # of the header, in seconds
E_SERVER_ID: Final = 6
E_SLOT: Final = 7  # number of the table map's content
E_TRANSACTION: Final = 8  # column of the transaction table
E_NUM_COLUMNS: Final = 9
E_START_POS: Final = 10  # of the event in the file; within a compressed transaction, of that
NUM_EVENT_FIELDS: Final = 11

# Transactions of a window; the first may have begun in an earlier one.
T_START_POS: Final = 0  # of its first event in the file
T_COMMIT_MICROS: Final = 1  # since 1970-01-01 UTC
T_GTID_KIND: Final = 2  # one of the GTID_ codes
T_GTID_A: Final = (
    3  # MySQL: first half of the UUID, big-endian; MariaDB: domain; tagged: its number
)
T_GTID_B: Final = 4  # MySQL: second half of the UUID; MariaDB: server
T_GTID_C: Final = 5  # MySQL: gno; MariaDB: sequence number
T_NUMBER: Final = 6  # in the log, from 1
T_XID: Final = 7  # 0, or the number of the text that Python keeps, from 1
NUM_TRANSACTION_FIELDS: Final = 8

GTID_NONE: Final = 0
GTID_MYSQL: Final = 1
GTID_MARIADB: Final = 2
GTID_TAGGED: Final = 3  # text kept by Python

# What the scan keeps from one call to the next.
S_OFFSET: Final = 0  # of the next event in the window
S_NUM_EVENTS: Final = 1
S_NUM_TRANSACTIONS: Final = 2
S_TRANSACTION_STATE: Final = 3  # one of the TX_ codes
S_STATEMENT: Final = 4  # number of the statement; table maps of others are released
S_LAST_TYPE: Final = 5  # type code of the last event
S_HAS_ROWS: Final = 6  # the transaction has rows events
S_NUM_LARGE: Final = 7  # events whose checksum is left to Python
S_DETAIL: Final = 8  # a number for the message of an error; offset of a statement
S_NUM_IDS: Final = 9  # table ids in the id table, dead ones included
S_TRANSACTION: Final = 10  # number of the last transaction in the log
S_NUM_PLACES: Final = 11  # columns of the table of places; 0 if the window is one of the file
S_PLACE: Final = 12  # the column of the next event
NUM_STATE_FIELDS: Final = 13

# What a type code is to a search for events.
NO_EVENT: Final = 0
HAS_POSITION: Final = 1  # of an event that has its position in the header
MAY_LACK_POSITION: Final = 2  # of one that MariaDB 11.4 and later write without

TX_CLOSED: Final = 0
TX_NAMED: Final = 1  # a GTID was seen; a BEGIN or a single statement follows
TX_OPEN: Final = 2  # until XID, COMMIT, ROLLBACK or XA PREPARE
TX_IMPLICIT: Final = 3  # without a BEGIN: until the end of the statement

# What the format description says, for the scan.
F_LEN_HEADER: Final = 0
F_LEN_CHECKSUM: Final = 1  # at the end of each event
F_VERIFY: Final = 2  # one of the VERIFY_ codes
F_IS_MARIADB: Final = 3
F_MAX_EVENT: Final = 4  # bytes of the largest event that is read
F_LEN_TABLE_ID: Final = 5  # 6, or 4 before MySQL 5.1.4
F_STATEMENTS: Final = 6  # the STATEMENT_ bits of the statements to stop at
F_POST_HEADERS: Final = 7  # then the post-header length of each type code from 0 to 255
NUM_FORMAT_FIELDS: Final = F_POST_HEADERS + 256

# Which checksums are compared: none, all, or those of events that hold no rows. What MariaDB
# compressed is verified before it is inflated, rows or not.
VERIFY_NONE: Final = 0
VERIFY_ALL: Final = 1
VERIFY_ALL_BUT_ROWS: Final = 2

# Why the scan returned.
SCAN_MORE: Final = 0  # the window ends inside the next event
SCAN_FULL: Final = 1  # no room in a table
SCAN_CONTROL: Final = 2  # the next event is one for Python
SCAN_TABLE_MAP: Final = 3  # the next event is a table map of unknown content
SCAN_GROW_IDS: Final = 4  # the id table is half full
SCAN_STATEMENT: Final = 5  # the event at S_DETAIL, just passed, may be a statement asked for
SCAN_CONTAINER: Final = 6  # the next event holds others, or is compressed
SCAN_BAD_LENGTH: Final = 7
SCAN_BAD_CHECKSUM: Final = 8
SCAN_BAD_BODY: Final = 9  # the body is too short for its fields
SCAN_NO_TABLE_MAP: Final = 10  # a rows event of an unknown table id

# What a statement does, as bits; see `events.statements`.
STATEMENT_DEFINES: Final = 1  # it makes, changes or drops tables
STATEMENT_CHANGES: Final = 2  # it changes rows, of which the log then holds none
STATEMENT_TAKES_BACK: Final = 4  # it takes rows back that the log holds

# Where the events of an expanded window come from: a column for each event of the file.
P_OFFSET: Final = 0  # of the first byte in the window
P_START_POS: Final = 1  # of the event in the file
P_INNER_POS: Final = 2  # of that byte in a compressed transaction; -1 outside of one
NUM_PLACE_FIELDS: Final = 3

# What `expand` keeps from one call to the next.
X_IN: Final = 0  # offset of the next event in the window of the file
X_OUT: Final = 1  # bytes of the expanded window that are filled
X_NUM_PLACES: Final = 2
X_NEEDED: Final = 3  # bytes of the event for which there is no room
NUM_EXPAND_FIELDS: Final = 4

# Why `expand` returned.
EXPAND_MORE: Final = 0  # the window of the file ends inside the next event
EXPAND_FULL: Final = 1  # no room for the next event
EXPAND_CONTAINER: Final = 2  # the next event holds others, or is compressed
EXPAND_LAST: Final = 3  # Python has to look at the event that was copied last
EXPAND_BAD_LENGTH: Final = 4
EXPAND_BAD_CHECKSUM: Final = 5

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
