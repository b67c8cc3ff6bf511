"""How the values of a column are made: what both decoders are told of it."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Decoding:
    """How the values of a column are made.

    Attributes:
        arrow_type: of the result.
        op: one of the OP_ codes of `kernels.layout`.
        params: of the op; of OP_ENUM and OP_SET the width alone, and of a text in a mapped
            character set 0 for its table.
        names: of OP_ENUM and OP_SET, by number, as the bytes that Arrow has of them; those of an
            ENUM begin with that of 0.
        charset: of OP_TEXT and OP_COMPRESSED_TEXT.
    """

    arrow_type: pa.DataType
    op: int
    params: tuple[int, ...] = ()
    names: tuple[bytes, ...] = ()
    charset: str = ""


@dataclass(frozen=True, slots=True)
class TextRules:
    """How text is made, as the options say.

    Attributes:
        default_charset: character set of text whose own is not logged.
        invalid_text: ERROR, REPLACE or BINARY.
    """

    default_charset: str = "binary"
    invalid_text: str = "ERROR"
