"""Bytes in and out of the kernels.

Positions are int64 indexes into one-dimensional uint8 arrays. Each function checks its whole range
before the first access, and raises IndexError. Those whose names begin with `raw_`, `get` and `put`
do not: their callers check first, once for many accesses. With `NUMBA_BOUNDSCHECK=1` they check as
well, so that a build exists in which every access is checked.

The functions for single values are intrinsics: they generate one load or store where they are
called. Numba's own indexing takes eight loads for eight bytes, tests each index for a negative
value, and has to be compiled for each caller.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import config
from numba.core import cgutils, types
from numba.extending import intrinsic

from pyspark_adapter.kernels.jit import helper, inlined, part_of, raise_unless
from pyspark_adapter.kernels.layout import LEN_COPY

# Sizes as typed numbers: a function is compiled again for each plain one that it is called with.
N0, N1, N2, N3, N4, N5, N6, N7, N8 = (np.int64(n) for n in range(9))

_I1, _I32, _I64 = (ir.IntType(n) for n in (1, 32, 64))
_BYTES = ir.VectorType(ir.IntType(8), LEN_COPY)

# What `copy_json_bytes` finds: sets of bits.
ABOVE_ASCII, NEED_ESCAPES = np.uint64(0xFFFFFFFF), np.uint64(0xFFFFFFFF << 32)


def _fits(builder: Any, size: Any, position: Any, num_bytes: Any) -> Any:
    """Return the IR of whether a range of zero bytes or more lies within an array of a size."""
    zero = ir.Constant(_I64, 0)
    limit = builder.add(builder.sub(size, num_bytes), ir.Constant(_I64, 1))
    limit = builder.select(builder.icmp_signed(">", limit, zero), limit, zero)
    # One comparison: a negative position is a huge one without its sign.
    return builder.icmp_unsigned("<", position, limit)


def _check(context: Any, builder: Any, size: Any, position: Any, num_bytes: Any) -> None:
    """Generate the check of a range of zero bytes or more."""
    raise_unless(context, builder, _fits(builder, size, position, num_bytes))


def _pointer(
    context: Any,
    builder: Any,
    kind: Any,
    value: Any,
    position: Any,
    form: Any,
    num_bytes: int,
    checks: bool = True,
) -> Any:
    """Return a pointer to a position of an array, as one to an LLVM type."""
    if checks or config.BOUNDSCHECK:
        size = part_of(context, builder, kind, value, "nitems")
        _check(context, builder, size, position, ir.Constant(_I64, num_bytes))
    data = part_of(context, builder, kind, value, "data")
    return builder.bitcast(builder.gep(data, [position]), form.as_pointer())


def _loader(num_bytes: int, *, checks: bool = True, swaps: bool = False) -> Any:
    """Return the function (data, position) -> int64 that loads an unsigned integer."""
    form = ir.IntType(8 * num_bytes)

    @intrinsic
    def load(_context, data, _position):
        def generate(context, builder, signature, arguments):
            kind, (value, position) = signature.args[0], arguments
            pointer = _pointer(context, builder, kind, value, position, form, num_bytes, checks)
            loaded = builder.load(pointer, align=1)
            if swaps:
                loaded = builder.bswap(loaded)
            return builder.zext(loaded, _I64) if num_bytes < 8 else loaded

        return types.int64(data, types.int64), generate

    return load


def _storer(num_bytes: int, *, checks: bool = True) -> Any:
    """Return the function (out, position, int64) -> position after the lowest bytes stored."""
    form = ir.IntType(8 * num_bytes)

    @intrinsic
    def store(_context, out, _position, _value):
        def generate(context, builder, signature, arguments):
            kind, (value, position, word) = signature.args[0], arguments
            pointer = _pointer(context, builder, kind, value, position, form, num_bytes, checks)
            builder.store(builder.trunc(word, form) if num_bytes < 8 else word, pointer, align=1)
            return builder.add(position, ir.Constant(_I64, num_bytes))

        return types.int64(out, types.int64, types.int64), generate

    return store


# Little-endian integers of one to eight bytes, and big-endian ones (be).
load_u1, load_u2, load_u3, load_u4, load_u8 = map(_loader, (1, 2, 3, 4, 8))
load_be4 = _loader(4, swaps=True)
raw_u1, raw_u8 = _loader(1, checks=False), _loader(8, checks=False)
raw_be8 = _loader(8, checks=False, swaps=True)

# Write the lowest bytes of an integer, if there is room; return the position after them.
put_u1, put_u2 = _storer(1), _storer(2)
raw_put1, raw_put2 = _storer(1, checks=False), _storer(2, checks=False)
raw_put4, raw_put8 = _storer(4, checks=False), _storer(8, checks=False)


@intrinsic
def get(_context, array, _index):
    """Return an element of an array of any type, by its number in memory; nothing is checked."""

    def generate(context, builder, signature, arguments):
        form = context.get_data_type(signature.args[0].dtype)
        kind, (value, index) = signature.args[0], arguments
        pointer = _pointer(context, builder, kind, value, index, form, 1, checks=False)
        return builder.load(pointer)

    return array.dtype(array, types.int64), generate


@intrinsic
def put(_context, array, _index, _value):
    """Set an element of an array of any type, by its number in memory; nothing is checked."""

    def generate(context, builder, signature, arguments):
        form = context.get_data_type(signature.args[0].dtype)
        kind, (value, index, item) = signature.args[0], arguments
        pointer = _pointer(context, builder, kind, value, index, form, 1, checks=False)
        builder.store(item, pointer)
        return context.get_dummy_value()

    return types.none(array, types.int64, array.dtype), generate


@intrinsic
def raw_signs(_context, array, _index):
    """Return a bit for each of eight int32, set for those below zero; nothing is checked."""

    def generate(context, builder, signature, arguments):
        form = ir.VectorType(_I32, 8)
        pointer = _pointer(context, builder, signature.args[0], *arguments, form, 8, checks=False)
        numbers = builder.load(pointer, align=4)
        flags = builder.icmp_signed("<", numbers, ir.Constant(form, [0] * 8))
        return builder.zext(builder.bitcast(flags, ir.IntType(8)), _I64)

    return types.int64(array, types.int64), generate


@intrinsic
def fits(_context, _size, _position, _num_bytes):
    """Return whether a range of zero bytes or more lies within an array of a size."""

    def generate(_context, builder, _signature, arguments):
        return _fits(builder, *arguments)

    return types.boolean(types.int64, types.int64, types.int64), generate


@intrinsic
def check_range(_context, _size, _position, _num_bytes):
    """Raise IndexError unless a range lies within an array of a size."""

    def generate(context, builder, _signature, arguments):
        size, position, num_bytes = arguments
        negative = builder.icmp_signed("<", num_bytes, ir.Constant(_I64, 0))
        # A negative length is replaced by one that no array has.
        huge = ir.Constant(_I64, 1 << 62)
        _check(context, builder, size, position, builder.select(negative, huge, num_bytes))
        return context.get_dummy_value()

    return types.none(types.int64, types.int64, types.int64), generate


@intrinsic
def prefetch(_context, data, _position):
    """Prefetch the cache line at a position into L1; a position outside the array is allowed."""

    def generate(context, builder, signature, arguments):
        pointer = builder.gep(
            part_of(context, builder, signature.args[0], arguments[0], "data"), [arguments[1]]
        )
        form = ir.FunctionType(ir.VoidType(), [pointer.type, _I32, _I32, _I32])
        function = cgutils.get_or_insert_function(builder.module, form, "llvm.prefetch.p0i8")
        builder.call(function, [pointer, *(ir.Constant(_I32, n) for n in (0, 3, 1))])
        return context.get_dummy_value()

    return types.none(data, types.int64), generate


@intrinsic
def swap_bytes(_context, _word):
    """Return an int64 with its bytes in the other order."""

    def generate(_context, builder, _signature, arguments):
        return builder.bswap(*arguments)

    return types.int64(types.int64), generate


@intrinsic
def lowest_bit(_context, _word):
    """Return the number of the lowest bit that is set in an int64; 64 if none is."""

    def generate(_context, builder, _signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(_I1, 0))

    return types.int64(types.int64), generate


def _block_at(context: Any, builder: Any, kind: Any, value: Any, position: Any) -> Any:
    return _pointer(context, builder, kind, value, position, _BYTES, LEN_COPY, checks=False)


def load_bytes(context: Any, builder: Any, kind: Any, value: Any, position: Any) -> Any:
    """Generate a load of LEN_COPY bytes of an array, as a vector; nothing is checked."""
    return builder.load(_block_at(context, builder, kind, value, position), align=1)


def all_bytes(byte: int) -> Any:
    """Return a vector of LEN_COPY times a byte."""
    return ir.Constant(_BYTES, [byte] * LEN_COPY)


def bits_of(builder: Any, flags: Any) -> Any:
    """Return a bit for each byte of a block, as int64."""
    return builder.zext(builder.bitcast(flags, _I32), _I64)


@intrinsic
def _ascii_bits(_context, data, _position):
    """Return a bit for each of LEN_COPY bytes, set for those beyond ASCII."""

    def generate(context, builder, signature, arguments):
        block = load_bytes(context, builder, signature.args[0], *arguments)
        return bits_of(builder, builder.icmp_signed("<", block, all_bytes(0)))

    return types.int64(data, types.int64), generate


def _copier(finds_escapes: bool) -> Any:
    """Return the function (data, position, out, out_position) that copies LEN_COPY bytes.

    It returns a bit for each byte, set for those beyond ASCII; and 32 places above them, if asked
    for, bits for those that need an escape in a JSON string.
    """

    @intrinsic
    def copy(_context, data, _position, out, _out_position):
        def generate(context, builder, signature, arguments):
            target = _block_at(context, builder, signature.args[2], *arguments[2:])
            block = load_bytes(context, builder, signature.args[0], *arguments[:2])
            builder.store(block, target, align=1)
            marks = bits_of(builder, builder.icmp_signed("<", block, all_bytes(0)))
            if finds_escapes:
                special = builder.icmp_unsigned("<", block, all_bytes(0x20))
                for byte in b'"\\':
                    equal = builder.icmp_unsigned("==", block, all_bytes(byte))
                    special = builder.or_(special, equal)
                special = builder.shl(bits_of(builder, special), ir.Constant(_I64, LEN_COPY))
                marks = builder.or_(marks, special)
            return marks

        return types.int64(data, types.int64, out, types.int64), generate

    return copy


# These do not check either.
copy_ascii, _copy_json = _copier(finds_escapes=False), _copier(finds_escapes=True)


@helper
def _last_word(data, position, num_bytes):
    """Return up to eight bytes before the end of an array; range and number are checked."""
    word = np.int64(0)
    for i in range(num_bytes):
        word |= raw_u1(data, position + i) << (8 * i)
    return word


@inlined
def _word(data, position, num_bytes):
    """Return eight bytes, the first `num_bytes` of them valid. The caller has checked these."""
    if fits(data.size, position, N8):
        return raw_u8(data, position)
    return _last_word(data, position, num_bytes)


@inlined
def load_le(data, position, num_bytes):
    """Return the bits of a little-endian integer of up to eight bytes as int64."""
    check_range(data.size, position, num_bytes)
    if num_bytes == 0 or num_bytes > 8:
        return np.int64(0)
    # Eight bytes at once, whatever the number that is wanted: no loop, and no branch on it.
    shift = np.uint64(64 - 8 * num_bytes)
    return np.int64(np.uint64(_word(data, position, num_bytes)) << shift >> shift)


@inlined
def load_be(data, position, num_bytes):
    """Return the bits of a big-endian integer of up to eight bytes as int64."""
    check_range(data.size, position, num_bytes)
    if num_bytes == 0 or num_bytes > 8:
        return np.int64(0)
    word = swap_bytes(_word(data, position, num_bytes))
    return np.int64(np.uint64(word) >> np.uint64(64 - 8 * num_bytes))


@helper
def skip_ascii(data, position, end):
    """Return the position of the first byte beyond ASCII, or `end`."""
    p = np.int64(position)
    while p < end and fits(data.size, p, LEN_COPY):
        marks = _ascii_bits(data, p)
        if marks != 0:
            return min(p + lowest_bit(marks), np.int64(end))
        p += LEN_COPY
    while p < end and load_u1(data, p) < 0x80:
        p += 1
    return min(p, np.int64(end))


@helper
def copy_slowly(data, position, num_bytes, out, out_position):
    """Copy bytes at the end of an array; return what `copy_json_bytes` does."""
    check_range(data.size, position, num_bytes)
    check_range(out.size, out_position, num_bytes)
    marks = np.uint64(0)
    for i in range(num_bytes):
        byte = load_u1(data, position + i)
        put_u1(out, out_position + i, byte)
        if byte >= 0x80:
            marks |= ABOVE_ASCII
        elif byte < 0x20 or byte == 0x22 or byte == 0x5C:
            marks |= NEED_ESCAPES
    return marks


@inlined
def _has_room(data, position, num_bytes, out, out_position):
    """Return whether a copy may access LEN_COPY bytes at a time."""
    return (
        num_bytes >= 0
        and fits(data.size, position, num_bytes + LEN_COPY)
        and fits(out.size, out_position, num_bytes + LEN_COPY)
    )


@inlined
def copy_bytes(data, position, num_bytes, out, out_position):
    """Copy bytes and return 0x80 if some of them are beyond ASCII, else 0.

    Up to LEN_COPY bytes after the copy may be overwritten, if `out` has them.
    """
    if not _has_room(data, position, num_bytes, out, out_position):
        marks = copy_slowly(data, position, num_bytes, out, out_position)
        return np.int64(0x80) if marks & ABOVE_ASCII else np.int64(0)
    p, o, left = np.int64(position), np.int64(out_position), np.int64(num_bytes)
    seen = np.int64(0)
    while left > LEN_COPY:
        seen |= copy_ascii(data, p, out, o)
        p, o, left = p + LEN_COPY, o + LEN_COPY, left - LEN_COPY
    seen |= copy_ascii(data, p, out, o) & ((np.int64(1) << left) - 1)
    return np.int64(0x80) if seen != 0 else np.int64(0)


@inlined
def raw_copy_json(data, position, num_bytes, out, out_position):
    """As `copy_json_bytes`, for zero bytes or more that LEN_COPY bytes follow in both arrays."""
    p, o, left = np.int64(position), np.int64(out_position), np.int64(num_bytes)
    marks = np.int64(0)
    while left > LEN_COPY:
        marks |= _copy_json(data, p, out, o)
        p, o, left = p + LEN_COPY, o + LEN_COPY, left - LEN_COPY
    mask = (np.int64(1) << left) - 1
    return np.uint64(marks | (_copy_json(data, p, out, o) & (mask | mask << LEN_COPY)))


@inlined
def copy_json_bytes(data, position, num_bytes, out, out_position):
    """Copy bytes; 0 if none needs an escape in a JSON string, else a set of bits.

    Bits of NEED_ESCAPES: there are quotes, backslashes or control characters. Bits of ABOVE_ASCII:
    there are bytes beyond ASCII. Up to LEN_COPY bytes after the copy may be overwritten, if `out`
    has them.
    """
    if not _has_room(data, position, num_bytes, out, out_position):
        return copy_slowly(data, position, num_bytes, out, out_position)
    return raw_copy_json(data, position, num_bytes, out, out_position)


@intrinsic
def _move(_context, data, _position, _num_bytes, _new_position):
    """Move bytes within an array, after a check of both ranges."""

    def generate(context, builder, signature, arguments):
        data = part_of(context, builder, signature.args[0], arguments[0], "data")
        source, target = (builder.gep(data, [arguments[k]]) for k in (1, 3))
        cgutils.raw_memmove(builder, target, source, arguments[2], itemsize=1)
        return context.get_dummy_value()

    return types.none(data, types.int64, types.int64, types.int64), generate


@inlined
def move_bytes(data, position, num_bytes, new_position):
    """Move bytes within an array; the ranges may overlap."""
    check_range(data.size, position, num_bytes)
    check_range(data.size, new_position, num_bytes)
    _move(data, position, num_bytes, new_position)


@helper
def equal_bytes(left, left_position, right, right_position, num_bytes):
    """Return whether two ranges hold the same bytes."""
    check_range(left.size, left_position, num_bytes)
    check_range(right.size, right_position, num_bytes)
    p, q, n = np.int64(left_position), np.int64(right_position), np.int64(num_bytes)
    while n >= 8:
        if raw_u8(left, p) != raw_u8(right, q):
            return False
        p, q, n = p + 8, q + 8, n - 8
    return n == 0 or load_le(left, p, n) == load_le(right, q, n)


@inlined
def put_word(out, out_position, word, num_bytes):
    """Write up to eight bytes, the first one lowest, and return the position after them.

    The rest of the eight bytes is written as well, if there is room.
    """
    if fits(out.size, out_position, N8):
        raw_put8(out, out_position, word)
    else:
        for i in range(num_bytes):
            put_u1(out, out_position + i, word >> (8 * i))
    return np.int64(out_position + num_bytes)
