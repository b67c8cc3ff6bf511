"""Blocks of 16 bytes in vector registers, and products of polynomials over GF(2) in them.

Numba knows no such values. `block` is a type of its own whose LLVM form is a vector of two 64-bit
words, so blocks stay in registers from one call to the next. Each function is one or two
instructions. Bytes are little-endian: word 0 holds the first eight.

Only `load_block` accesses memory. It checks nothing: callers check their whole range first, as
with the functions of `load`. With `NUMBA_BOUNDSCHECK=1` it checks each block.
"""

from __future__ import annotations

import platform
from typing import Any

from llvmlite import ir
from numba import config
from numba.core import types
from numba.core.cgutils import get_or_insert_function
from numba.core.codegen import get_host_cpu_features
from numba.core.datamodel import models
from numba.extending import intrinsic, register_model

from pyspark_adapter.kernels.jit import inlined
from pyspark_adapter.kernels.load import check_range

LEN_BLOCK = 16

_I8, _I32, _I64, _I128 = (ir.IntType(n) for n in (8, 32, 64, 128))
_WORDS = ir.VectorType(_I64, 2)
_PrimitiveModel: Any = models.PrimitiveModel
_ZERO = ir.Constant(_WORDS, [0, 0])
_IS_ARM = platform.machine().lower() in ("aarch64", "arm64")


class _Block(types.Type):
    """The type of a block."""

    def __init__(self):
        super().__init__("Block")


block = _Block()


@register_model(_Block)
class _BlockModel(_PrimitiveModel):  # type: ignore[misc]
    """A block is a vector to LLVM."""

    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, _WORDS)


def has_products():
    """Return whether the processor that numba compiles for multiplies without carry.

    That is PCLMULQDQ on x86-64, and PMULL, which comes with AES, on ARM.
    """
    features = config.CPU_FEATURES
    if features is None:
        features = get_host_cpu_features()
    return ("+aes" if _IS_ARM else "+pclmul") in features.split(",")


@intrinsic
def _load_block(_context, data, position):
    def generate(context, builder, signature, arguments):
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        first = builder.gep(array.data, [arguments[1]])
        words = builder.load(builder.bitcast(first, _WORDS.as_pointer()))
        words.align = 1
        return words

    return block(data, position), generate


@inlined
def load_block(data, position):
    """Return data[position : position + 16], which the caller has checked to be there."""
    if config.BOUNDSCHECK:
        check_range(data.size, position, LEN_BLOCK)
    return _load_block(data, position)


@intrinsic
def make_block(_context, _first, _second):
    """Return the block of two words, uint64."""

    def generate(_context, builder, _signature, arguments):
        words = _ZERO
        for index, word in enumerate(arguments):
            words = builder.insert_element(words, word, ir.Constant(_I32, index))
        return words

    return block(types.uint64, types.uint64), generate


@intrinsic
def word_of(_context, _words, _index):
    """Return word 0 or 1 of a block as uint64."""

    def generate(_context, builder, _signature, arguments):
        return builder.extract_element(*arguments)

    return types.uint64(block, types.int64), generate


@intrinsic
def xor_blocks(_context, _x, _y):
    """Return the exclusive or of two blocks."""

    def generate(_context, builder, _signature, arguments):
        return builder.xor(*arguments)

    return block(block, block), generate


@intrinsic
def shift_block(_context, _words, _bits):
    """Return a block shifted towards its last byte by 0 to 127 bits, uint64, with zeros before."""

    def generate(_context, builder, _signature, arguments):
        wide = builder.bitcast(arguments[0], _I128)
        wide = builder.shl(wide, builder.zext(arguments[1], _I128))
        return builder.bitcast(wide, _WORDS)

    return block(block, types.uint64), generate


def _product(builder, x, y, index):
    """Multiply the words of two blocks at an index, 0 or 1."""
    if _IS_ARM:
        form = ir.FunctionType(ir.VectorType(_I8, 16), [_I64, _I64])
        function = get_or_insert_function(builder.module, form, "llvm.aarch64.neon.pmull64")
        words = [builder.extract_element(v, ir.Constant(_I32, index)) for v in (x, y)]
        return builder.bitcast(builder.call(function, words), _WORDS)
    form = ir.FunctionType(_WORDS, [_WORDS, _WORDS, _I8])
    function = get_or_insert_function(builder.module, form, "llvm.x86.pclmulqdq")
    return builder.call(function, [x, y, ir.Constant(_I8, 0x11 * index)])


@intrinsic
def multiply(_context, _x, _y):
    """Return the product of two words, uint64, as a block."""

    def generate(_context, builder, _signature, arguments):
        first = ir.Constant(_I32, 0)
        x, y = (builder.insert_element(_ZERO, word, first) for word in arguments)
        return _product(builder, x, y, 0)

    return block(types.uint64, types.uint64), generate


@intrinsic
def fold(_context, _x, _factors, _y):
    """Return y xor the products of both words of x with those of `factors`."""

    def generate(_context, builder, _signature, arguments):
        x, factors, y = arguments
        low, high = (_product(builder, x, factors, index) for index in (0, 1))
        return builder.xor(y, builder.xor(low, high))

    return block(block, block, block), generate
