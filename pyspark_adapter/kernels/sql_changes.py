"""Writes row changes as fragments of SQL, from the positions of their values that `locate` found.

The twin of `sql_text.row_change`. Where a statement needs more than this knows, the change is left
to that.
"""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels.digits import put_decimal, put_digits, put_unsigned
from pyspark_adapter.kernels.jit import helper, inlined
from pyspark_adapter.kernels.layout import Change, Pos
from pyspark_adapter.kernels.load import (
    N0,
    N1,
    N3,
    N4,
    N5,
    N8,
    check_range,
    equal_bytes,
    fits,
    get,
    load_be,
    load_le,
    load_u1,
    put_u1,
    put_u2,
    put_word,
    raw_u8,
)
from pyspark_adapter.kernels.row_images import value_length
from pyspark_adapter.kernels.sql_layout import (
    Form,
    Literal,
    SqlColumn,
    SqlCursor,
    SqlFragment,
    SqlText,
    SqlUse,
    SqlValue,
)
from pyspark_adapter.kernels.sql_literals import (
    LEFT,
    QUOTE,
    is_more_than_text,
    put_date,
    put_datetime,
    put_double,
    put_float,
    put_hex,
    put_members,
    put_signed,
    put_single_bytes,
    put_text,
    put_time,
    put_timestamp,
    put_utf8,
)
from pyspark_adapter.kernels.texts import put_fixed_binary

_COMMA, _EQUALS, _AND, _NULL = (
    np.int64(int.from_bytes(text, "little")) for text in (b", ", b" = ", b" AND ", b"NULL")
)
_STORE, _FIND, _FIND_KEY = (np.int64(use) for use in SqlUse)
_NUM_FIELDS, _NUM_USES, _NUM_VALUES = (np.int64(len(x)) for x in (SqlColumn, SqlUse, SqlValue))


@inlined
def _constant(texts, spans, which, out, o):
    return put_text(texts, spans[which], spans[which + 1], out, o)


@inlined
def _field(columns, c, field):
    """Return a field of a column; `write_changes` has checked the number of columns."""
    return get(columns, c * _NUM_FIELDS + field)


@inlined
def _name(texts, columns, first, c, out, o):
    return put_text(texts, _field(columns, c, first), _field(columns, c, first + 1), out, o)


@inlined
def _value(uses, use, field):
    """Return a field of how a column is written, `use` being where its fields begin."""
    return get(uses, use + field)


@inlined
def _put_text_value(data, p, length, uses, use, texts, letters, codes, out, o):
    """Write text in quotes, or in hexadecimal where it is not printable."""
    kind, padded = _value(uses, use, SqlValue.KIND), _value(uses, use, SqlValue.P1)
    end = LEFT
    if kind != Literal.HEX and padded <= length:
        begin = put_text(
            texts, _value(uses, use, SqlValue.QUOTE), _value(uses, use, SqlValue.QUOTE_END), out, o
        )
        if kind == Literal.UTF8:
            end = put_utf8(data, p, length, letters, out, begin)
        else:
            end = put_single_bytes(data, p, length, codes[kind - Literal.LATIN1], out, begin)
    if end < 0:
        o = put_text(
            texts, _value(uses, use, SqlValue.HEX), _value(uses, use, SqlValue.HEX_END), out, o
        )
        end = put_hex(data, p, length, padded, out, o)
    return end


@inlined
def _put_json_text(json_text, p, length, uses, use, texts, letters, out, o):
    """Write the text of a document, as `_put_text_value` does."""
    begin = put_text(
        texts, _value(uses, use, SqlValue.QUOTE), _value(uses, use, SqlValue.QUOTE_END), out, o
    )
    end = put_utf8(json_text, p, length, letters, out, begin)
    if end < 0:
        o = put_text(
            texts, _value(uses, use, SqlValue.HEX), _value(uses, use, SqlValue.HEX_END), out, o
        )
        end = put_hex(json_text, p, length, np.int64(0), out, o)
    return end


@inlined
def _put_value(data, p, length, uses, use, texts, members, letters, codes, out, o):
    """Write the value of `length` bytes at p; LEFT if Python has to."""
    kind = _value(uses, use, SqlValue.KIND)
    p1, p2 = _value(uses, use, SqlValue.P1), _value(uses, use, SqlValue.P2)
    if kind == Literal.SIGNED:
        if p1 != 0 and load_u1(data, p + length - 1) & 0x80:
            return LEFT
        return put_signed(data, p, length, out, o)
    if kind == Literal.UNSIGNED:
        return put_unsigned(load_le(data, p, length), out, o)
    if Literal.UTF8 <= kind <= Literal.HEX:
        if kind == Literal.HEX and p2 != 0 and length == 0:
            return LEFT
        return _put_text_value(data, p, length, uses, use, texts, letters, codes, out, o)
    if kind == Literal.DECIMAL:
        return put_decimal(data, p, p1, p2, out, o)
    if kind == Literal.DATETIME:
        return put_datetime(data, p, p1, p2, out, o)
    if kind == Literal.TIMESTAMP:
        return put_timestamp(data, p, p1, p2, out, o)
    if kind == Literal.DATE:
        return put_date(data, p, p2, out, o)
    if kind == Literal.TIME:
        return put_time(data, p, p1, p2, out, o)
    if kind == Literal.DOUBLE or kind == Literal.FLOAT_AS_DOUBLE:
        bits = load_le(data, p, length)
        if kind == Literal.FLOAT_AS_DOUBLE:
            bits = np.float64(np.int32(bits).view(np.float32)).view(np.int64)
        return put_double(bits, out, o)
    if kind == Literal.FLOAT:
        return put_float(load_le(data, p, N4), out, o)
    if kind == Literal.ENUM:
        number = load_le(data, p, length)
        if number == 0:
            return LEFT
        k = p1 + number - 1
        if number > p2 or members[k] == members[k + 1]:
            return put_unsigned(number, out, o)
        o = put_text(texts, members[k], members[k + 1], out, put_u1(out, o, QUOTE))
        return put_u1(out, o, QUOTE)
    if kind == Literal.SET:
        return put_members(load_le(data, p, length), p1, p2, members, texts, out, o)
    if kind == Literal.BITS:
        bits = load_be(data, p, length)
        return LEFT if p1 < 64 and bits >> p1 != 0 else put_unsigned(bits, out, o)
    if kind == Literal.YEAR:
        year = load_u1(data, p)
        return put_digits(year + 1900, N4, out, o) if year != 0 else put_unsigned(year, out, o)
    if kind == Literal.FIXED_BINARY:
        o = put_fixed_binary(data, p, length, p1, out, put_u1(out, o, QUOTE))
        return put_u1(out, o, QUOTE) if o >= 0 else LEFT
    return LEFT


@inlined
def _is_same(data, p, q, width):
    """Return whether two values that are at p and q, or NULL, are the same bytes."""
    if p < 0 or q < 0:
        return p == q
    length = width
    if width < 0:
        length = value_length(data, p, width) - width
        if length != value_length(data, q, width) - width:
            return False
    if length <= 8 and fits(data.size, p, N8) and fits(data.size, q, N8):
        different = raw_u8(data, p) ^ raw_u8(data, q)
        return length == 0 or different << (64 - 8 * length) == 0
    return equal_bytes(data, p, data, q, length)


@helper
def _put_insert_head(pos, columns, r, stride, texts, spans, out, o):
    """Write an INSERT into the columns of a row image, up to its values; LEFT if it has all."""
    num_columns = np.int64(columns.shape[0])
    num_absent = np.int64(0)
    for c in range(num_columns):
        is_absent = get(pos, c * stride + r) == Pos.ABSENT
        num_absent += is_absent and _field(columns, c, SqlColumn.IS_WRITTEN) != 0
    if num_absent == 0:
        return LEFT
    o = _constant(texts, spans, SqlText.INSERT, out, o)
    is_first = True
    for c in range(num_columns):
        is_absent = get(pos, c * stride + r) == Pos.ABSENT
        if is_absent or _field(columns, c, SqlColumn.IS_WRITTEN) == 0:
            continue
        o = o if is_first else put_u2(out, o, _COMMA)
        o = _name(texts, columns, SqlColumn.NAME, c, out, o)
        is_first = False
    return _constant(texts, spans, SqlText.VALUES, out, o)


def write_value(data, length, use, texts, members, letters, codes, out):
    """Write the value in the first `length` bytes of `data`; return the end of its text, or LEFT.

    `use` is (len(SqlValue),). The other arguments are as `write_changes` takes them.
    """
    check_range(use.size, N0, _NUM_VALUES)
    return _put_value(data, N0, length, use, N0, texts, members, letters, codes, out, N0)


def write_changes(
    data,
    pos,
    change,
    num_images,
    columns,
    uses,
    finders,
    has_key,
    texts,
    spans,
    members,
    letters,
    codes,
    json_text,
    json_ends,
    is_undo,
    slack,
    out,
    fragments,
    cursor,
    stack,
):
    """Write the next row changes as fragments of SQL; return 0 when all are done, 1 without room.

    Args:
        data: the window.
        pos: (columns, at least num_images) of `locate`: of all columns of the table.
        change: (num_images,) the Change of each row image.
        num_images: row images; an update has both.
        columns: (columns of the table, len(SqlColumn)).
        uses: (len(SqlUse), columns of the table, len(SqlValue)).
        finders: the columns that find a row, in this order.
        has_key: whether they are a key.
        texts: all constant texts.
        spans: (len(SqlText),) where those of the table begin.
        members: where the names of members begin in `texts`, one after the other.
        letters: (NUM_LETTERS,) 1 for each character that is printable.
        codes: (3, 256) of `put_single_bytes`: those of LATIN1, ASCII and COMMON.
        json_text: the documents of the row images as text, column by column.
        json_ends: (JSON columns, num_images + 1) where the text of each begins and ends.
        is_undo: whether the statements take the changes back.
        slack: bytes that a row takes at most apart from values with a length.
        out: the text, written from cursor[SqlCursor.TEXT] on.
        fragments: (len(SqlFragment), at least num_images) filled, by row change.
        cursor: (len(SqlCursor),) where to go on; changed.
        stack: (MAX_JSON_DEPTH, 5) to work with.
    """
    num_columns, stride = np.int64(columns.shape[0]), np.int64(pos.shape[1])
    check_range(columns.size, N0, num_columns * _NUM_FIELDS)
    check_range(uses.size, N0, _NUM_USES * num_columns * _NUM_VALUES)
    check_range(pos.shape[0], N0, num_columns)
    check_range(stride, N0, np.int64(num_images))
    for k in range(finders.size):
        check_range(num_columns, finders[k], N1)
    r = cursor[SqlCursor.IMAGE]
    while r < num_images:
        begin = cursor[SqlCursor.TEXT]
        if begin + slack > out.size:
            return np.int64(1)
        o = begin
        is_update = change[r] == Change.UPDATE_PREIMAGE
        is_insert = not is_update and (change[r] == Change.DELETE) == is_undo
        # The image that the row has now, and the one that it gets.
        now, wanted = np.int64(r), np.int64(r)
        if is_update:
            now, wanted = (r + 1, r) if is_undo else (r, r + 1)
        form = np.int64(Form.LINES)
        if is_insert:
            form = np.int64(Form.VALUES)
        elif has_key and not is_update:
            form = np.int64(Form.CONDITION)
        num_set = np.int64(0)
        for part in range(2):  # the stored values, and the condition that finds the row
            stores = part == 0
            if stores != is_insert and not is_update:
                continue
            if stores:
                which, num_steps = _STORE, num_columns
                if is_update:
                    o = _constant(texts, spans, SqlText.UPDATE, out, o)
                elif not is_undo:
                    after = _put_insert_head(pos, columns, r, stride, texts, spans, out, o)
                    if after >= 0:
                        form, o = np.int64(Form.LINES), after
            else:
                which, num_steps = (_FIND_KEY if has_key else _FIND), np.int64(finders.size)
                if is_update and num_set == 0:
                    form = np.int64(Form.NOTHING)
                    break
                if is_update:
                    for c in range(num_columns):  # again, since few are of such a type
                        if _field(columns, c, SqlColumn.IS_TOUCHED) == 0:
                            continue
                        p = np.int64(get(pos, c * stride + r))
                        q = np.int64(get(pos, c * stride + r + 1))
                        width = _field(columns, c, SqlColumn.WIDTH)
                        if q < Pos.NULL or (p >= Pos.NULL and _is_same(data, p, q, width)):
                            o = put_u2(out, o, _COMMA)
                            o = _name(texts, columns, SqlColumn.NAME, c, out, o)
                            o = put_word(out, o, _EQUALS, N3)
                            o = _name(texts, columns, SqlColumn.NAME, c, out, o)
                    o = _constant(texts, spans, SqlText.WHERE, out, o)
                elif form == Form.LINES:
                    o = _constant(texts, spans, SqlText.DELETE, out, o)
            num_values = np.int64(0)
            for k in range(num_steps):
                c = np.int64(k) if stores else finders[k]
                if _field(columns, c, SqlColumn.IS_WRITTEN) == 0:
                    continue
                use = (which * num_columns + c) * _NUM_VALUES
                width = _field(columns, c, SqlColumn.WIDTH)
                image = wanted if stores else now
                if is_update and get(pos, c * stride + r + 1) == Pos.ABSENT:
                    if stores:  # the update has not changed it
                        continue
                    image = np.int64(r)
                p = np.int64(get(pos, c * stride + image))
                # Absent columns are left out, unless the statement has to restore a whole row.
                if p == Pos.ABSENT and not (has_key and not stores):
                    if (is_update and not stores) or not (is_update or is_undo):
                        continue
                if p < Pos.NULL:  # it is not logged, or as differences
                    form = np.int64(Form.PYTHON)
                    break
                if stores and is_update:
                    other = np.int64(get(pos, c * stride + now))
                    if other < Pos.ABSENT:
                        form = np.int64(Form.PYTHON)
                        break
                    if other != Pos.ABSENT and _is_same(data, p, other, width):
                        continue
                if num_values > 0:
                    o = put_u2(out, o, _COMMA) if stores else put_word(out, o, _AND, N5)
                num_values += 1
                if p < 0 and not stores:
                    o = _name(texts, columns, SqlColumn.IS_NULL, c, out, o)
                    continue
                if not stores and not has_key:
                    o = _name(texts, columns, SqlColumn.SUBJECT, c, out, o)
                elif is_update or not stores:
                    o = _name(texts, columns, SqlColumn.NAME, c, out, o)
                    o = put_word(out, o, _EQUALS, N3)
                if p < 0:
                    o = put_word(out, o, _NULL, N4)
                    continue
                length = width
                if width < 0:
                    length = value_length(data, p, width)
                    p -= width
                if _value(uses, use, SqlValue.KIND) == Literal.JSON:
                    # The last line of defence; `fill_json` has checked the document.
                    of_document = _value(uses, use, SqlValue.P2) != 0
                    if of_document and is_more_than_text(data, p, length, stack):
                        form = np.int64(Form.PYTHON)
                        break
                    j = _value(uses, use, SqlValue.P1)
                    first = json_ends[j, image]
                    length = json_ends[j, image + 1] - first
                    if o + 3 * length + slack > out.size:
                        return np.int64(1)
                    o = _put_json_text(json_text, first, length, uses, use, texts, letters, out, o)
                    continue
                if (
                    width < 0
                    and o + 3 * max(length, _value(uses, use, SqlValue.P1)) + slack > out.size
                ):
                    return np.int64(1)
                o = _put_value(data, p, length, uses, use, texts, members, letters, codes, out, o)
                if o < 0:
                    form = np.int64(Form.PYTHON)
                    break
            if not stores and num_values == 0:
                form = np.int64(Form.PYTHON)
            if form == Form.PYTHON:
                break
            num_set = num_values
        if form >= Form.PYTHON:
            o = begin
        elif form == Form.LINES:
            o = _constant(texts, spans, SqlText.CLOSE if is_insert else SqlText.LIMIT, out, o)
        n = cursor[SqlCursor.CHANGE]
        fragments[SqlFragment.BEGIN, n], fragments[SqlFragment.END, n] = begin, o
        fragments[SqlFragment.FORM, n], fragments[SqlFragment.IMAGE, n] = form, r
        cursor[SqlCursor.CHANGE] = n + 1
        cursor[SqlCursor.TEXT] = o
        r += 2 if is_update else 1
        cursor[SqlCursor.IMAGE] = r
    return np.int64(0)
