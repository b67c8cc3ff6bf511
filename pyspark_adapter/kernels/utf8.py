"""Validation of UTF-8 by blocks of LEN_COPY bytes."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from pyspark_adapter.kernels.charsets import utf8_part
from pyspark_adapter.kernels.jit import helper
from pyspark_adapter.kernels.layout import LEN_COPY
from pyspark_adapter.kernels.load import (
    all_bytes,
    bits_of,
    check_range,
    load_bytes,
    load_u1,
    skip_ascii,
)

# Bytes before a block that say what it may begin with.
_LEN_BEFORE = 3

# Bytes after which the range of the next one is smaller: (byte, first or last, whether it is the
# last). Others are longer forms of a character than needed, surrogates, or beyond U+10FFFF.
_NARROW = ((0xE0, 0xA0, False), (0xED, 0x9F, True), (0xF0, 0x90, False), (0xF4, 0x8F, True))


def _finder(*, knows_long: bool) -> Any:
    """Return the function (data, position) that gives a bit for each of LEN_COPY bytes.

    Bits are set where text cannot be UTF-8. The text before the block is valid, apart from an
    unfinished character; at least _LEN_BEFORE bytes of it are there. A function that does not know
    characters of three bytes and more sets bits for them, and takes a third of the time.
    """

    @intrinsic
    def find(_context, data, _position):
        def generate(context, builder, signature, arguments):
            kind, (value, position) = signature.args[0], arguments

            def load(distance: int) -> Any:
                before = builder.sub(position, ir.Constant(position.type, distance))
                return load_bytes(context, builder, kind, value, before)

            def compare(block: Any, sign: str, byte: int) -> Any:
                return builder.icmp_unsigned(sign, block, all_bytes(byte))

            block, first, second, third = (load(distance) for distance in range(_LEN_BEFORE + 1))
            is_due = compare(first, ">=", 0xC0)
            if knows_long:
                is_due = builder.or_(is_due, compare(second, ">=", 0xE0))
                is_due = builder.or_(is_due, compare(third, ">=", 0xF0))
            # A continuation is from 0x80 to below 0xC0.
            is_continuation = builder.icmp_signed("<", block, all_bytes(0xC0))
            damage = builder.xor(is_continuation, is_due)
            damage = builder.or_(damage, compare(block, ">", 0xF4 if knows_long else 0xDF))
            damage = builder.or_(damage, compare(builder.and_(block, all_bytes(0xFE)), "==", 0xC0))
            if not knows_long:
                return bits_of(builder, builder.or_(damage, compare(third, ">", 0xDF)))
            for byte, limit, is_last in _NARROW:
                is_outside = compare(block, ">" if is_last else "<", limit)
                damage = builder.or_(damage, builder.and_(compare(first, "==", byte), is_outside))
            return bits_of(builder, damage)

        return types.int64(data, types.int64), generate

    return find


_invalid_bits, _invalid_or_long_bits = _finder(knows_long=True), _finder(knows_long=False)


@helper
def is_utf8(data, start, length):
    """Return whether bytes are UTF-8 as Unicode defines it: shortest form, no surrogates."""
    end = start + length
    p = skip_ascii(data, start, end)
    while p < end:
        a = load_u1(data, p)
        if a < 0x80:
            p += 1
            if p < end and load_u1(data, p) < 0x80:  # more than one letter between two others
                p = skip_ascii(data, p, end)
            continue
        size = utf8_part(data, p, end)
        if size < 0:
            return False
        p += size
    return True


@helper
def is_long_utf8(data, start, end):
    """Return what `is_utf8` does for data[start:end]; the time is the same for all texts."""
    check_range(data.size, start, end - start)
    p = np.int64(start)
    while p < end and p < start + _LEN_BEFORE:
        size = utf8_part(data, p, end)
        if size < 0:
            return False
        p += size
    while p + LEN_COPY <= end:
        if _invalid_or_long_bits(data, p) != 0 and _invalid_bits(data, p) != 0:
            return False
        p += LEN_COPY
    # The last character of the blocks may be unfinished: it is looked at again.
    while p > start and load_u1(data, p - 1) & 0xC0 == 0x80:
        p -= 1
    p = max(p - 1, np.int64(start))
    return is_utf8(data, p, end - p)
