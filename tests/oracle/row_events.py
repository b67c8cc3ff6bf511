"""The rows events of a log, each parsed by the schema in a file of its own with its table map."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any, NamedTuple
from uuid import UUID

import zstandard
from mysql_binlog import MysqlBinlog

from pyspark_adapter.format.gtid import length_of_transaction, read_tagged_gtid

MAGIC = b"\xfebin"
LEN_HEADER, LEN_CHECKSUM = 19, 4
OFS_TYPE, OFS_LENGTH = 4, 9
STATEMENT_END = 1
Type = MysqlBinlog.EventType
ROWS = frozenset({23, 24, 25, 30, 31, 32, 39})
# MariaDB's types with compressed rows, and the same without.
PLAIN = {166: 23, 167: 24, 168: 25, 169: 30, 170: 31, 171: 32}
GTIDS = (Type.gtid, Type.anonymous_gtid, Type.gtid_tagged, Type.mariadb_gtid)
XA_START = b"XA START "
MOST_QUERY = 4096  # characters; see the reference of the column


class Transaction(NamedTuple):
    """A transaction, as its first events describe it: see the metadata columns."""

    start_pos: int
    commit_micros: int
    gtid: str | None = None
    num_bytes: int | None = None
    thread_id: int | None = None
    xid: str | None = None


class RowsEvent(NamedTuple):
    """A rows event.

    Attributes:
        body: as the schema has it.
        table_map: its table map, as the schema has it.
        metadata: of all rows of the event, by the names of the columns.
    """

    body: Any
    table_map: Any
    metadata: dict[str, Any]


def events_of(data: bytes, start: int) -> Iterator[tuple[int, bytes]]:
    """Yield the events of a file, or of a decompressed transaction, with their offsets."""
    while start + LEN_HEADER <= len(data):
        end = start + int.from_bytes(data[start + OFS_LENGTH : start + OFS_LENGTH + 4], "little")
        if end < start + LEN_HEADER or end > len(data):
            return
        yield start, data[start:end]
        start = end


def inflated(event: bytes, body: Any) -> bytes:
    """Return a rows event of MariaDB with its rows decompressed."""
    record = body._raw_compressed_row_data
    end = len(event) if event.endswith(record) else len(event) - LEN_CHECKSUM
    rows = zlib.decompress(body.compressed_row_data.data)
    head = bytearray(event[: end - len(record)])
    head[OFS_TYPE] = PLAIN[head[OFS_TYPE]]
    plain = bytes(head) + rows + event[end:]
    return plain[:OFS_LENGTH] + len(plain).to_bytes(4, "little") + plain[OFS_LENGTH + 4 :]


class Reader:
    """Reads the rows events of one file."""

    def __init__(self) -> None:
        self._format = b""
        self._table_maps: dict[int, bytes] = {}
        self._transaction: Transaction | None = None
        self._is_begun = False
        self._query: str | None = None

    def read(self, data: bytes) -> Iterator[RowsEvent]:
        """Yield the rows events, up to the end or to an event without room for a header."""
        for start_pos, event in events_of(data, len(MAGIC)):
            if event[OFS_TYPE] == Type.transaction_payload:
                body = self._parsed(event).body
                unpacked = zstandard.ZstdDecompressor().stream_reader
                inner = unpacked(body.payload, read_across_frames=True).read()
                outside = self._format
                # The events inside have no checksum.
                self._format = outside[: -LEN_CHECKSUM - 1] + bytes(1) + outside[-LEN_CHECKSUM:]
                for _, found in events_of(inner, 0):
                    yield from self._take(start_pos, found)
                self._format = outside
            else:
                yield from self._take(start_pos, event)

    def _parsed(self, *events: bytes) -> Any:
        return MysqlBinlog.from_bytes(MAGIC + self._format + b"".join(events)).events[-1]

    def _take(self, start_pos: int, event: bytes) -> Iterator[RowsEvent]:
        kind = event[OFS_TYPE]
        if kind == Type.format_description:
            self._format = event
            self._table_maps.clear()
        elif kind == Type.table_map:
            self._table_maps[self._parsed(event).body.table_id] = event
        elif kind in ROWS or kind in PLAIN:
            yield self._rows(start_pos, event)
        elif kind in GTIDS:
            self._end()
            parsed = self._parsed(event)
            self._transaction = named(start_pos, parsed)
            # MariaDB has no BEGIN after it.
            self._is_begun = kind == Type.mariadb_gtid and not parsed.body.is_standalone
        elif kind in (Type.xid, Type.xa_prepare):
            self._end()
        elif kind == Type.partial_row_data:
            raise NotImplementedError("the schema has the parts of a rows event, but not the rows")
        elif kind == Type.query:
            self._follow(start_pos, self._parsed(event))
        elif kind in (Type.rows_query, Type.annotate_rows):
            query = bytes(self._parsed(event).body.query)
            text = query.decode(errors="backslashreplace")
            is_long = len(text) > MOST_QUERY
            self._query = f"{text[:MOST_QUERY]}... ({len(query)} bytes)" if is_long else text

    def _end(self) -> None:
        self._transaction, self._is_begun = None, False

    def _follow(self, start_pos: int, parsed: Any) -> None:
        text = bytes(parsed.body.query)
        if text != b"BEGIN" and not text.startswith(XA_START):
            if not self._is_begun or text in (b"COMMIT", b"ROLLBACK"):
                self._end()
            return
        self._is_begun = True
        found = self._transaction or Transaction(start_pos, parsed.timestamp * 1_000_000)
        self._transaction = found._replace(thread_id=parsed.body.thread_id)
        if text != b"BEGIN":
            self._transaction = self._transaction._replace(xid=text[len(XA_START) :].decode())

    def _rows(self, start_pos: int, event: bytes) -> RowsEvent:
        parsed = self._parsed(event)
        if event[OFS_TYPE] in PLAIN:
            event = inflated(event, parsed.body)
        table_map = self._table_maps[parsed.body.table_id]
        assert self._transaction is not None
        metadata = {
            "_start_pos": start_pos,
            "_server_id": parsed.server_id,
            "_event_timestamp": parsed.timestamp * 1_000_000,
            "_query": self._query,
            "_commit_version": self._transaction.start_pos,
            "_commit_timestamp": self._transaction.commit_micros,
            "_gtid": self._transaction.gtid,
            "_transaction_bytes": self._transaction.num_bytes,
            "_thread_id": self._transaction.thread_id,
            "_xa": self._transaction.xid,
        }
        if parsed.body.head.flags & STATEMENT_END:
            self._table_maps.clear()
            self._query = None
        root = MysqlBinlog.from_bytes(MAGIC + self._format + table_map + event)
        return RowsEvent(root.events[-1].body, root.events[-2].body, metadata)


def named(start_pos: int, parsed: Any) -> Transaction:
    """Return the transaction that a GTID opens."""
    body, found = parsed.body, Transaction(start_pos, parsed.timestamp * 1_000_000)
    if parsed.event_type == Type.mariadb_gtid:
        xid = None
        if body.is_prepared_xa:
            xid = f"X'{body.xid.gtrid.hex()}',X'{body.xid.bqual.hex()}',{body.xid.format_id}"
        gtid = f"{body.domain_id}-{parsed.server_id}-{body.seq_no}"
        return found._replace(gtid=gtid, thread_id=getattr(body, "thread_id", None), xid=xid)
    if parsed.event_type == Type.gtid_tagged:
        gtid, micros, num_bytes = read_tagged_gtid(body)
        return found._replace(gtid=gtid, commit_micros=micros, num_bytes=num_bytes)
    if parsed.event_type == Type.gtid:
        found = found._replace(gtid=f"{UUID(bytes=bytes(body.source_uuid))}:{body.gno}")
    if body.has_commit_timestamps:
        micros = body.immediate_commit_timestamp.micros
        found = found._replace(commit_micros=micros, num_bytes=length_of_transaction(body))
    return found
