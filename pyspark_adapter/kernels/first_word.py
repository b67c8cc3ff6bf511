"""Sorts statements by their first word, so that Python parses few of millions of them."""

from __future__ import annotations

from typing import Final

import numpy as np

from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.jit import helper, inlined
from pyspark_adapter.kernels.load import load_u1

# First words, and what such statements may do. `events.statements` decides by the whole text.
_BOTH: Final = lay.StatementBit.DEFINES | lay.StatementBit.CHANGES
FIRST_WORDS: Final = (
    ("CREATE", _BOTH),  # CREATE TABLE ... SELECT changes rows
    ("ALTER", _BOTH),  # ALTER TABLE ... DROP PARTITION does
    ("SET", _BOTH),  # MariaDB: SET STATEMENT ... FOR any statement
    ("DROP", lay.StatementBit.DEFINES),
    ("RENAME", lay.StatementBit.DEFINES),
    ("TRUNCATE", lay.StatementBit.CHANGES),
    ("INSERT", lay.StatementBit.CHANGES),
    ("UPDATE", lay.StatementBit.CHANGES),
    ("DELETE", lay.StatementBit.CHANGES),
    ("REPLACE", lay.StatementBit.CHANGES),
    ("LOAD", lay.StatementBit.CHANGES),
    ("WITH", lay.StatementBit.CHANGES),
    ("ANALYZE", lay.StatementBit.CHANGES),  # MariaDB: ANALYZE any statement
    # A call of a stored function that changes rows is logged as one of these.
    ("SELECT", lay.StatementBit.CHANGES),
    ("DO", lay.StatementBit.CHANGES),
    ("CALL", lay.StatementBit.CHANGES),
    ("ROLLBACK", lay.StatementBit.TAKES_BACK),  # also ROLLBACK TO a savepoint
    ("XA", lay.StatementBit.NOTED),
)
_WORDS = np.array([int.from_bytes(word.encode(), "big") for word, _ in FIRST_WORDS], dtype=np.int64)
_KINDS = np.array([kinds for _, kinds in FIRST_WORDS], dtype=np.int64)
_LONGEST: Final = 8

_TAB, _NEWLINE, _RETURN, _SPACE = 9, 10, 13, 32
_BANG, _HASH, _OPEN, _STAR, _DASH, _SLASH = 33, 35, 40, 42, 45, 47
_MARIADB_MARK: Final = 77  # `M` of `/*M!`


@inlined
def load_or_zero(data, p, end):
    """Return data[p], or 0 from `end` on."""
    return load_u1(data, p) if p < end else np.int64(0)


@helper
def skip_comment(data, p, end):
    """Return the position after a comment that begins at p; p itself if there is no comment.

    If servers execute the comment (`/*!50100 ... */`), only its mark is skipped.
    """
    first, second = load_or_zero(data, p, end), load_or_zero(data, p + 1, end)
    if first == _HASH or (
        first == _DASH and second == _DASH and load_or_zero(data, p + 2, end) <= _SPACE
    ):
        while p < end and load_u1(data, p) != _NEWLINE:
            p += 1
        return min(p + 1, end)
    if first != _SLASH or second != _STAR:
        return p
    p += 2
    third = load_or_zero(data, p, end)
    if third == _BANG or (third == _MARIADB_MARK and load_or_zero(data, p + 1, end) == _BANG):
        p += 1 if third == _BANG else 2
        while p < end and 48 <= load_u1(data, p) <= 57:
            p += 1
        return p
    while p < end:
        if load_u1(data, p) == _STAR and load_or_zero(data, p + 1, end) == _SLASH:
            return p + 2
        p += 1
    return end


@helper
def statement_kinds(data, start, end):
    """Return as `StatementBit`s what the statement data[start:end] may do."""
    p = start
    while p < end:
        byte = load_u1(data, p)
        is_space = _TAB <= byte <= _RETURN or byte == _SPACE or byte == _OPEN
        after = p + 1 if is_space else skip_comment(data, p, end)
        if after == p:
            break
        p = after
    word = np.int64(0)
    length = 0
    while p < end:
        letter = load_u1(data, p) & 0xDF  # in capitals
        if not 65 <= letter <= 90:
            break
        if length == _LONGEST:
            return np.int64(0)
        word = (word << 8) | letter
        length += 1
        p += 1
    for k in range(_WORDS.size):
        if _WORDS[k] == word:
            return _KINDS[k]
    return np.int64(0)
