"""Documents as VARIANT, one at a time, and what PySpark reads of them."""

from decimal import Decimal
from typing import Any

import numpy as np

from pyspark_adapter.decode.row_objects import VariantColumn
from tests.support.encoders import prefixed


def encode_variant(document: bytes) -> tuple[bytes, bytes]:
    """Return value and metadata of a document of binary JSON."""
    data = np.frombuffer(bytearray(prefixed(document, 4)), dtype=np.uint8)
    column = VariantColumn(data, np.zeros(1, dtype=np.int32), 4).build(len(data))
    assert column is not None
    value, metadata = column[0].as_py().values()
    return value, metadata


def repr_of(value: Any) -> str:
    """Return a form in which 1, 1.0 and True differ, with keys in order; 2^63 is a decimal."""
    if isinstance(value, Decimal):
        value = int(value)
    if isinstance(value, dict):
        return repr(sorted((key, repr_of(element)) for key, element in value.items()))
    if isinstance(value, list):
        return f"[{', '.join(map(repr_of, value))}]"
    return repr(value)
