"""The errors of values that the kernels cannot decode."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pyspark_adapter.decode.columns import FillError
from pyspark_adapter.decode.kernel_metadata import LocatedRows
from pyspark_adapter.errors import BinlogError
from pyspark_adapter.events.table_map import Column
from pyspark_adapter.scan.row_errors import document_error, row_error


def fill_error(
    rows: LocatedRows, located: Sequence[Column], pos: np.ndarray[Any, Any], error: FillError
) -> BinlogError:
    """Return the error for the first value that is not valid.

    Args:
        rows: the row images.
        located: the columns that were looked for.
        pos: (len(located), n) where their values are.
        error: as the kernels report it.
    """
    event = int(rows.event[error.row])
    column = None if error.wanted < 0 else located[error.wanted]
    site = rows.scanned.site(event)
    table_map = rows.table_map_of_event(event)
    if error.error is not None:
        return document_error(table_map, column, site, error.error)
    return row_error(
        error.status,
        table_map,
        column,
        site,
        offset=rows.scanned.byte_of(event, int(pos[error.wanted, error.row])),
        is_decompressed=rows.scanned.is_decompressed(event),
    )
