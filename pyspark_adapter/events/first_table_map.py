"""The first table map of a log, or of a range of it, which shows whether columns are named."""

from __future__ import annotations

import sys

from pyspark_adapter.errors import located
from pyspark_adapter.events.frame import frame_site
from pyspark_adapter.events.frame_reader import FrameReader
from pyspark_adapter.events.known_table_maps import find_table_map
from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.format.schema import EventType


def first_table_map(frames: FrameReader, max_pos: int = sys.maxsize) -> TableMap | None:
    """Return the first table map of what a reader reads; None if there is none.

    Args:
        frames: the reader.
        max_pos: offset in the log after which events are no longer looked at.

    Raises:
        BinlogError: if the log is damaged before it.
    """
    for frame in frames:
        if frame.plain_type == EventType.table_map:
            with located(frame_site(frames.log_file, frame)):
                return find_table_map(frame.event, frames.parser)
        if frame.start_pos > max_pos:
            break
    return None
