"""How the values of a column are decoded, as the kernels take it."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from pyspark_adapter.kernels.layout import Op


@dataclass(frozen=True, slots=True)
class Decoding:
    """How the values of a column are decoded.

    Attributes:
        op: the kind; see `values.kinds`.
        params: of the op; of ENUM and SET the width alone, and of a text in a mapped
            character set 0 for its table.
        names: of ENUM and SET, by number, as the bytes that Arrow has of them; those of an
            ENUM begin with that of 0.
        charset: of TEXT and COMPRESSED_TEXT.
    """

    arrow_type: pa.DataType
    op: Op
    params: tuple[int, ...] = ()
    names: tuple[bytes, ...] = ()
    charset: str = ""


@dataclass(frozen=True, slots=True)
class TextRules:
    """How text is made, as the options say.

    Attributes:
        default_charset: character set of text whose own is not logged.
        invalid_text: ERROR, REPLACE or BINARY.
        uuid: text or binary, of the types that the log has as BINARY and SQL as text.
    """

    default_charset: str = "binary"
    invalid_text: str = "ERROR"
    uuid: str = "text"
