"""Binary JSON of MySQL as the text that the server's CAST(... AS CHAR) prints."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from pyspark_adapter.errors import CorruptEventError
from pyspark_adapter.kernels.entry_points import fill_json
from pyspark_adapter.kernels.layout import (
    JSON_SLACK,
    LEN_COPY,
    MAX_JSON_DEPTH,
    MAX_JSON_GROWTH,
    MAX_JSON_GROWTH_BASE,
)
from pyspark_adapter.values.binary_json.tree import parse_tree

_SPECIAL: Final = re.compile(r'["\\\x00-\x1f]')
_ESCAPES: Final = {8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"}


def decode_json(document: bytes) -> str:
    """Return a document as text; one of no bytes is a JSON null; raises CorruptEventError.

    >>> decode_json(bytes.fromhex("0203000d00050100050200050300"))
    '[1, 2, 3]'
    """
    window = len(document).to_bytes(4, "little") + document + bytes(LEN_COPY)
    room = MAX_JSON_GROWTH * len(document) + MAX_JSON_GROWTH_BASE + JSON_SLACK
    offsets, text = np.zeros(2, dtype=np.int32), np.empty(room, dtype=np.uint8)
    status = fill_json(
        np.frombuffer(bytearray(window), dtype=np.uint8),
        np.zeros(1, dtype=np.int32),
        1,
        4,
        offsets,
        text,
        np.zeros(1, dtype=np.int64),
        np.empty((MAX_JSON_DEPTH, 5), dtype=np.int64),
    )
    if status:
        parse_tree(document)  # raises if a container is damaged
        raise CorruptEventError("the JSON document is not valid: a value in it is damaged")
    return text[: offsets[1]].tobytes().decode()


def quote_json(data: bytes) -> str:
    """Return UTF-8 text as a JSON string, with the escapes of the server."""
    return f'"{_SPECIAL.sub(_escape, data.decode())}"'


def _escape(match: re.Match[str]) -> str:
    letter = ord(match[0])
    return _ESCAPES.get(letter) or f"\\u{letter:04x}"
