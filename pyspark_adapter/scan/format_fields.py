"""What a format description says, in the form that the scan takes."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.schema import FormatDescription


def fill_format(fmt: np.ndarray[Any, Any], description: FormatDescription, verify: int) -> None:
    """Fill the fields of a format description.

    Args:
        fmt: (NUM_FORMAT_FIELDS,), changed here.
        description: the format description.
        verify: which checksums are compared, one of the VERIFY_ codes.
    """
    fmt[lay.F_LEN_HEADER] = description.len_header
    fmt[lay.F_LEN_CHECKSUM] = description.len_checksum
    fmt[lay.F_LEN_TABLE_ID] = description.len_table_id
    fmt[lay.F_VERIFY] = verify
    fmt[lay.F_POST_HEADERS :] = 0
    first = lay.F_POST_HEADERS + 1
    lengths = description.post_header_lengths
    fmt[first : first + len(lengths)] = list(lengths)
