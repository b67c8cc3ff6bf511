"""What the scan knows of a format description."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyspark_adapter.format.event_types import COMPRESSED_EVENTS, PLAIN_TYPES
from pyspark_adapter.format.schema import FormatDescription
from pyspark_adapter.kernels import layout as lay


def fill_format(fmt: np.ndarray[Any, Any], description: FormatDescription, verify: int) -> None:
    """Fill what the scan knows of a format description."""
    fmt[lay.Format.LEN_HEADER] = description.len_header
    fmt[lay.Format.LEN_CHECKSUM] = description.len_checksum
    fmt[lay.Format.LEN_TABLE_ID] = description.len_table_id
    fmt[lay.Format.VERIFY] = verify
    fmt[lay.Format.POST_HEADERS :] = 0
    first = lay.Format.POST_HEADERS + 1
    lengths = description.post_header_lengths
    fmt[first : first + len(lengths)] = list(lengths)
    # Inflated, these events have the layout of the plain ones; the generated parser does the same.
    for code in COMPRESSED_EVENTS:
        fmt[lay.Format.POST_HEADERS + code] = fmt[lay.Format.POST_HEADERS + int(PLAIN_TYPES[code])]
