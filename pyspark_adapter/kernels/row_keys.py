"""Counts the rows of events and takes the keys of their rows, in one pass."""

from __future__ import annotations

import numpy as np

from pyspark_adapter.format.event_types import DECODED, TRAITS
from pyspark_adapter.format.schema import EventType
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.content_hash import hash_bytes
from pyspark_adapter.kernels.jit import helper, inlined
from pyspark_adapter.kernels.layout import KeyKind, Present, RowStatus
from pyspark_adapter.kernels.load import load_le
from pyspark_adapter.kernels.row_images import (
    error_at,
    is_listed,
    list_present,
    load_null_bits,
    skip_image,
    value_length,
)
from pyspark_adapter.kernels.rows import has_two_images, is_plan_valid, read_value_options

_PARTIAL = EventType.partial_update_rows.value
_SALT = np.int64(lay.KEY_SALT)
_FACTOR_1, _FACTOR_2 = np.uint64(lay.KEY_FACTOR_1), np.uint64(lay.KEY_FACTOR_2)
_HASH_BITS = np.uint64(lay.KEY_HASH_BITS)
_32 = np.uint64(32)
_NO = np.int64(-1)
_NO_KEY = np.uint64(0)


@inlined
def mixed(h, value):
    """Return the hash of the values so far and another one."""
    h = (h ^ value) * _FACTOR_1
    h = (h ^ h >> _32) * _FACTOR_2
    return h ^ h >> _32


@helper
def list_key(present, num_present, key_kinds, plan):
    """Write how each column of an image counts for the key into `present`; return how many do."""
    num_key = np.int64(0)
    for k in range(num_present):
        form = key_kinds[plan + present[Present.COLUMN, k]]
        present[Present.OUTPUT, k] = form
        num_key += form > 0
    return num_key


@inlined
def read_key(data, start, end, present, num_present, is_single):
    """Return (position after a row image or an error, key, whether a value of it is NULL)."""
    p = start + ((num_present + 7) >> 3)
    if p > end:
        return error_at(RowStatus.BAD_NULL_BITMAP, 0, start), _NO_KEY, False
    null_bits = np.int64(0)
    h = _NO_KEY
    has_null, is_hash = False, False
    for k in range(num_present):
        if k & 63 == 0:
            null_bits = load_null_bits(data, start, k, num_present)
        is_null = null_bits & 1
        null_bits >>= 1
        form = present[Present.OUTPUT, k]
        if is_null:
            has_null |= form > 0
            continue
        width = np.int64(present[Present.WIDTH, k])
        at = p
        if width >= 0:
            p += width
        else:
            if width < -4:
                return error_at(RowStatus.BAD_WIDTH, present[Present.COLUMN, k], p), h, has_null
            if p - width > end:
                error = error_at(RowStatus.BAD_VALUE_LENGTH, present[Present.COLUMN, k], p)
                return error, h, has_null
            p += value_length(data, p, width) - width
        if p > end:
            error = error_at(RowStatus.BAD_VALUE_LENGTH, present[Present.COLUMN, k], at)
            return error, h, has_null
        if form > 0:
            if form == KeyKind.BYTES:
                value = np.uint64(hash_bytes(data, at - min(width, np.int64(0)), p, _SALT))
            else:
                value = np.uint64(load_le(data, at, width))
                if form == KeyKind.SIGNED and width < 8:
                    shift = np.uint64(64 - 8 * width)
                    value = np.uint64(np.int64(value << shift) >> np.int64(shift))
            is_hash = not is_single or form == KeyKind.BYTES
            h = mixed(h, value) if is_hash else value
    return p, h & _HASH_BITS if is_hash else h, has_null


def count_with_keys(
    data,
    events,
    selection,
    widths,
    plans,
    plan_columns,
    plan_json,
    key_kinds,
    key_sizes,
    counts,
    images,
    keys,
    key_ends,
    lacks,
):
    """Count the row changes of events and take the keys of their rows; return how many keys.

    An update gives the key of each image if they differ, or one. An image of a MINIMAL update may
    lack the key, which has not changed then. If the rows of an event are damaged, or its form or
    the width of a column is not known, its count is an error of `error_at`.

    Args:
        data, events, widths, plans, plan_columns: as for `locate`.
        selection: columns of `events`; of any tables.
        plan_json: by slot: number of JSON columns.
        key_kinds: by column, as `widths`: a `KeyKind`, 0 for those that are not of the key.
        key_sizes: by slot: columns of the key, 0 if its keys are not taken.
        counts: (selection.size,) filled.
        images: (2, len(Present), MAX_COLUMNS) to work with.
        keys: filled; large enough for two keys of each row of a table with keys.
        key_ends: (selection.size,) filled: the end of the keys of each event.
        lacks: (selection.size,) filled: whether the key of some row is not known.
    """
    before, after = images[0], images[1]
    none = events[:0]
    slot = _NO
    bits_before, bits_after = _NO, _NO
    num_before, listed_after = np.int64(0), np.int64(0)
    key_before, key_after, key_size = np.int64(0), np.int64(0), np.int64(0)
    is_single = False
    n = np.int64(0)
    for s in range(selection.size):
        e = selection[s]
        key_ends[s] = n
        lacks[s] = True
        type_code = events[lay.Event.TYPE, e]
        is_partial = type_code == _PARTIAL
        if TRAITS[type_code] & DECODED == 0:
            counts[s] = error_at(RowStatus.BAD_EVENT_TYPE, 0, events[lay.Event.OFFSET, e])
            continue
        if not is_plan_valid(events, e, widths, plans, plan_columns):
            counts[s] = error_at(RowStatus.BAD_COLUMN_COUNT, 0, events[lay.Event.BITMAP, e])
            continue
        num_columns = events[lay.Event.NUM_COLUMNS, e]
        if slot != events[lay.Event.SLOT, e]:
            slot = events[lay.Event.SLOT, e]
            bits_before, bits_after = _NO, _NO
            key_size = np.int64(key_sizes[slot])
            is_single = key_size == 1
        plan = plans[slot]
        bitmap = events[lay.Event.BITMAP, e]
        length = (num_columns + 7) >> 3
        if not is_listed(data, bitmap, bits_before, length):
            num_before, _ = list_present(data, bitmap, num_columns, widths, plan, none, before)
            key_before = list_key(before, num_before, key_kinds, plan)
            bits_before = bitmap
        num_after = _NO
        if has_two_images(type_code):
            bitmap += length
            if not is_listed(data, bitmap, bits_after, length):
                listed_after, _ = list_present(data, bitmap, num_columns, widths, plan, none, after)
                key_after = list_key(after, listed_after, key_kinds, plan)
                bits_after = bitmap
            num_after = listed_after
        has_key = key_size > 0 and key_before == key_size
        has_second = has_key and num_after >= 0 and key_after == key_size
        lacking = not has_key or (num_after >= 0 and key_after != 0 and not has_second)
        p = events[lay.Event.ROWS, e]
        end = events[lay.Event.END, e]
        is_empty_row = p == end and num_before == 0 and num_after <= 0 and not is_partial
        rows = np.int64(1 if is_empty_row else 0)
        while p < end:
            start = p
            key = _NO_KEY
            if has_key:
                p, key, has_null = read_key(data, p, end, before, num_before, is_single)
                lacking |= has_null
                keys[n] = key
                n += 1
            else:
                p = skip_image(data, p, end, before, num_before)
            if p >= 0 and is_partial:
                p, _ = read_value_options(data, p, end, plan_json[slot])
            if p >= 0 and num_after >= 0:
                if has_second:
                    p, other, has_null = read_key(data, p, end, after, num_after, is_single)
                    lacking |= has_null
                    if other != key:
                        keys[n] = other
                        n += 1
                else:
                    p = skip_image(data, p, end, after, num_after)
            if p == start:
                p = error_at(RowStatus.BAD_NULL_BITMAP, 0, p)
            if p < 0:
                rows = p
                break
            rows += 1
        counts[s] = rows
        key_ends[s] = n
        lacks[s] = lacking or rows < 0
    return n
