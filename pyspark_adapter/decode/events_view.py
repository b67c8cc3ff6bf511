"""One row for each event of a log: its header, and its body, parsed by the schema, as JSON.

The events within a compressed transaction follow their TRANSACTION_PAYLOAD event.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from pyspark_adapter.errors import BinlogError, located
from pyspark_adapter.events.event_json import to_plain
from pyspark_adapter.events.frame import Frame, frame_site
from pyspark_adapter.events.frame_reader import FrameReader
from pyspark_adapter.events.row_filter import EventFilter
from pyspark_adapter.events.windows import ReadRange
from pyspark_adapter.format.schema import EventParser, event_type_name, parsing
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.plan.output_schema import EVENTS_SCHEMA
from pyspark_adapter.sources.log_file import LogFile


def read_events(
    log_file: LogFile,
    options: BinlogOptions,
    schema: pa.Schema = EVENTS_SCHEMA,
    part: ReadRange | None = None,
) -> Iterator[pa.RecordBatch]:
    """Yield the events of a log as record batches; raises BinlogError.

    Args:
        schema: which columns of EVENTS_SCHEMA to give, in which order.
        part: the part of the log to read; None for all.
    """
    pending: dict[str, list[Any]] = {name: [] for name in schema.names}
    num_bytes = count = 0
    frames = FrameReader(log_file, options, part, joins_parts=False)
    event_filter = EventFilter(log_file, options)
    try:
        for frame in frames:
            parser = frames.parser
            try:
                if not event_filter.keeps(frame, parser):
                    continue
                row = _describe(frame, log_file, parser, with_body="body" in pending)
            except BinlogError:  # a site for each event would take long to make
                with located(frame_site(log_file, frame)):
                    raise
            for name, values in pending.items():
                values.append(row[name])
            count += 1
            num_bytes += len(frame.event)
            if count == options.batch_rows or num_bytes >= options.batch_bytes:
                yield _build(pending, schema)
                num_bytes = count = 0
    except BinlogError:
        if count:
            yield _build(pending, schema)
        raise
    if count:
        yield _build(pending, schema)


def _describe(
    frame: Frame, log_file: LogFile, parser: EventParser, *, with_body: bool
) -> dict[str, Any]:
    """Return the row of an event."""
    return {
        "log_file": log_file.name,
        "start_pos": frame.start_pos,
        "inner_pos": frame.inner_pos if frame.inner_pos >= 0 else None,
        "event_timestamp": frame.timestamp * 1_000_000,
        "event_type": event_type_name(frame.type_code),
        "type_code": frame.type_code,
        "server_id": frame.server_id,
        "len_event": frame.len_event,
        "end_log_pos": frame.end_log_pos,
        "flags": frame.flags,
        "body": _body_json(frame, parser) if with_body else None,
    }


def _body_json(frame: Frame, parser: EventParser) -> str:
    parsed = parser.parse(frame.event)
    with parsing(event_type_name(frame.type_code)):
        plain = to_plain(parsed.body)
    if not isinstance(plain, dict):  # a type that the schema leaves raw
        plain = {"raw": plain}
    return json.dumps(plain, ensure_ascii=False)


def _build(pending: dict[str, list[Any]], schema: pa.Schema) -> pa.RecordBatch:
    """Return the pending rows as a batch and clear them."""
    arrays = [pa.array(pending[field.name], field.type) for field in schema]
    for values in pending.values():
        values.clear()
    return pa.RecordBatch.from_arrays(arrays, schema=schema)
