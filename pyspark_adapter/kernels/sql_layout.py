"""Names for the arrays that `sql_changes`, `joined_text` and Python share. No numba here."""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class Form(IntEnum):
    """The kind of text of a row change."""

    VALUES = 0  # of an INSERT: the text between the brackets
    CONDITION = 1  # of a DELETE: the condition that finds the row by its key, and no other
    LINES = 2  # whole lines
    PYTHON = 3  # nothing: `RowChange` has to write it
    NOTHING = 4  # no statement: no column that is written has changed


class Literal(IntEnum):
    """How a value is written as SQL."""

    PYTHON = 0  # not by the kernel
    SIGNED = 1  # P1: 1 if the sign is not known
    UNSIGNED = 2
    BITS = 3  # P1: bits of the column
    YEAR = 4
    DECIMAL = 5  # precision, scale
    DOUBLE = 6
    FLOAT = 7  # the fewest digits that give it back
    FLOAT_AS_DOUBLE = 8  # all digits of the double that it is compared as
    DATE = 9  # P2: COMPARED or 0
    DATETIME = 10  # fsp; OLD_FORM and COMPARED
    TIMESTAMP = 11  # fsp; OLD_FORM or 0
    TIME = 12  # the same
    UTF8 = 13  # P1: bytes to pad to with zeros
    LATIN1 = 14
    ASCII = 15
    COMMON = 16  # text of other character sets: letters that are the same bytes in most of them
    HEX = 17  # P1: bytes to pad to with zeros; P2: 1 if a value of no bytes is left to Python
    JSON = 18  # P1: index among the JSON columns; P2: 1 if text must hold all of the document
    ENUM = 19  # first of its names in `members`, number of names
    SET = 20  # the same
    FIXED_BINARY = 21  # P1: a FixedBinary


# Bits of P2: the form before MySQL 5.6.4 and MariaDB 10.1; a value in a condition.
OLD_FORM, COMPARED = 1, 2


class SqlColumn(IntEnum):
    """Fields of the (columns, fields) int64 table of a table's columns.

    A text is a span of the constant texts: where it begins and ends.
    """

    WIDTH = 0  # in a row image
    IS_WRITTEN = 1  # it is no generated column
    IS_TOUCHED = 2  # an UPDATE has to name it
    NAME = 3  # "`c`"
    NAME_END = 4
    SUBJECT = 5  # "`c` <=> "
    SUBJECT_END = 6
    IS_NULL = 7  # "`c` IS NULL"
    IS_NULL_END = 8


class SqlUse(IntEnum):
    """First index of the (uses, columns, fields) int64 table of how values are written."""

    STORE = 0
    FIND = 1
    FIND_KEY = 2


class SqlValue(IntEnum):
    """Fields of a use of a column."""

    KIND = 0  # a Literal
    P1 = 1
    P2 = 2
    QUOTE = 3  # what opens quoted text, such as "_binary'"
    QUOTE_END = 4
    HEX = 5  # what opens hexadecimal digits, such as "_sjis x'"
    HEX_END = 6


class SqlText(IntEnum):
    """Constant texts, by where they begin; the last one is where all end."""

    UPDATE = 0  # "UPDATE t SET "
    DELETE = 1  # "DELETE FROM t WHERE "
    WHERE = 2  # " WHERE "
    LIMIT = 3  # " LIMIT 1;\n"
    INSERT = 4  # "INSERT INTO t ("
    VALUES = 5  # ") VALUES ("
    CLOSE = 6  # ");\n"
    END = 7


class SqlCursor(IntEnum):
    """State of `write_changes` between two calls, and what it reports."""

    IMAGE = 0  # the next row image
    CHANGE = 1  # row changes that are done
    TEXT = 2  # where the next text begins


class SqlFragment(IntEnum):
    """Rows of the table of row changes as fragments of SQL."""

    BEGIN = 0  # where its text begins
    END = 1  # and ends
    FORM = 2  # a Form
    IMAGE = 3  # the row image; of an update the one before it


class Head(IntEnum):
    """Texts of each table around row changes, by where they begin; the last is where they end."""

    INSERT = 0  # "INSERT INTO t (...) VALUES ("
    DELETE = 1  # "DELETE FROM t WHERE "
    END = 2


# The text between the rows of an INSERT, and of a DELETE, and after the rows of each. The number
# of rows comes before the last one.
BETWEEN: Final = ("), (", " OR ", ");\n", " LIMIT ", ";\n")

# Bytes of the longest literal whose length does not depend on the value: a DECIMAL of 65 digits,
# or a double. And code points that `printable_letters` knows.
MAX_SCALAR: Final = 96
NUM_LETTERS: Final = 0x32400  # up to the last ideographs


class Piece(IntEnum):
    """What the values of a piece are."""

    NOTHING = 0  # the text before them is all
    TEXT = 1  # UTF-8
    SIGNED = 2  # int64
    UNSIGNED = 3  # uint64
    MOMENT = 4  # microseconds since 1970-01-01, of the years 1 to 9999


class PieceField(IntEnum):
    """Numbers about a piece."""

    KIND = 0
    STEP = 1  # numbers from a value to the next one
    DIGITS = 2  # of the fraction of a moment; -1 if it is a date
    SEPARATOR = 3  # letter between date and time
    ZONE = 4  # 1 if a moment has a Z after it
    HEAD = 5  # bytes of the text before a value
    TAIL = 6  # of the text after it
    NONE = 7  # of the text instead of a value that is null
    FIRST_BIT = 8  # that of the first value
    ROOM = 9  # bytes of later pieces, at least, that follow in each row


# Indices of values: the text for null, and no text at all.
NULL, ABSENT = -1, -2
