"""Finds out what columns a table has, from the first table map that a log holds of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from pyspark_adapter.engine import has_kernels
from pyspark_adapter.errors import EventSite, SchemaMismatchError, located
from pyspark_adapter.frame_reader import FrameReader
from pyspark_adapter.framing import Frame, frame_site, hidden_rows_error
from pyspark_adapter.log_files import LogFile
from pyspark_adapter.options import BinlogOptions, TableName
from pyspark_adapter.read_request import TableShape
from pyspark_adapter.row_plan import natural_fields
from pyspark_adapter.schema import EventParser, EventType
from pyspark_adapter.table_map import TableMap

# Events to look at in Python before the kernels are loaded, which then look much faster.
_FEW_EVENTS: Final = 10_000


def find_table_shape(log_files: Sequence[LogFile], options: BinlogOptions) -> TableShape:
    """Return the columns of the table that the options name.

    Raises:
        SchemaMismatchError: if no log has a table map of it.
        UnsupportedError: if one of its columns cannot be decoded.
        BinlogError: if the logs are damaged before its first table map.
    """
    assert options.table is not None
    for table_map, site in _iter_table_maps(log_files, options):
        if table_map.table == options.table:
            with located(site):
                return TableShape(tuple(natural_fields(table_map, options)), site)
    raise SchemaMismatchError(
        f"table {options.table}: expected rows of it, found none in"
        f" {', '.join(log.name for log in log_files[:3])}{', ...' if len(log_files) > 3 else ''};"
        " a schema of your own makes this an empty result"
    )


def _iter_table_maps(
    log_files: Sequence[LogFile], options: BinlogOptions
) -> Iterator[tuple[TableMap, EventSite]]:
    """Yield the table maps of logs that may be of the table, each content at least once."""
    for i, log_file in enumerate(log_files):
        frames = FrameReader(log_file, options)
        events = iter(frames)
        if not has_kernels(options):
            yield from _table_maps_of(frames, events, options.table)
            continue
        yield from _table_maps_of(frames, islice(events, _FEW_EVENTS), options.table)
        if next(events, None) is not None:
            yield from _scan_table_maps(log_files[i:], options)
            return


def _table_maps_of(
    frames: FrameReader, events: Iterator[Frame], table: TableName | None
) -> Iterator[tuple[TableMap, EventSite]]:
    for frame in events:
        if (error := hidden_rows_error(frame.type_code, frames.format_description)) is not None:
            with located(frame_site(frames.log_file, frame)):
                raise error
        # Most are of other tables: a look at the bytes is cheaper than to parse them.
        if frame.type_code != EventType.table_map or (
            table is not None and table.table_name.encode() not in frame.event
        ):
            continue
        assert frames.format_description is not None
        site = frame_site(frames.log_file, frame)
        with located(site):
            parsed = EventParser(frames.format_description).parse(frame.event)
            is_mariadb = frames.format_description.is_mariadb
            yield TableMap.from_event(parsed.body, is_mariadb=is_mariadb), site


def _scan_table_maps(
    log_files: Sequence[LogFile], options: BinlogOptions
) -> Iterator[tuple[TableMap, EventSite]]:
    from pyspark_adapter.scanner import Scanner

    found: list[tuple[TableMap, EventSite]] = []
    for log_file in log_files:
        for _ in Scanner(log_file, options, lambda *pair: found.append(pair)):
            yield from found
            found.clear()
        yield from found
        found.clear()
