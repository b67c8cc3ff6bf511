"""Takes event groups from ordinary logs of MariaDB, to write them into its engine binlogs."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

from samples.event_headers import FORMAT_DESCRIPTION, HEADER, PLAIN_MAGIC
from tests.support.engine_binlog import MARIADB_GTID, EngineBinlogWriter, EngineTransaction, Xid
from tests.support.log_writer import QUERY, LogWriter

XA_PREPARE_EVENT = 38
# STOP, ROTATE, FORMAT_DESCRIPTION, BINLOG_CHECKPOINT, GTID_LIST: an engine binlog has none of them
# but the third, in a group of its own.
_OUTSIDE_OF_GROUPS = frozenset({3, 4, FORMAT_DESCRIPTION, 161, 163})
_LEN_CHECKSUM = 4
# Flags of a GTID event, and where they are.
_OFFSET_OF_FLAGS = 31
_HAS_COMMIT_ID, _IS_PREPARED, _IS_COMPLETED, _STANDALONE = 2, 64, 128, 1


def event_type(event: bytes) -> int:
    """Return the type code in the header of an event."""
    return event[4]


def _resized(event: bytes) -> bytes:
    """Return an event whose header has its length, and no position."""
    time, code, server, _, _, flags = HEADER.unpack_from(event)
    return HEADER.pack(time, code, server, len(event), 0, flags) + event[HEADER.size :]


def groups_of(log: bytes) -> list[list[bytes]]:
    """Return the groups of a log, GTID events first, without checksums and positions."""
    groups: list[list[bytes]] = []
    offset, len_checksum = len(PLAIN_MAGIC), 0
    while offset < len(log):
        _, code, _, length, _, _ = HEADER.unpack_from(log, offset)
        event = log[offset : offset + length]
        offset += length
        if code == FORMAT_DESCRIPTION:
            len_checksum = _LEN_CHECKSUM if event[-_LEN_CHECKSUM - 1] else 0
        if code == MARIADB_GTID:
            groups.append([])
        if code not in _OUTSIDE_OF_GROUPS:
            groups[-1].append(_resized(event[: length - len_checksum]))
    return groups


def gtid_event(sequence: int, *, domain: int = 0, server_id: int = 1) -> bytes:
    """Return the GTID event of a transaction that ends in a COMMIT or XID."""
    body = struct.pack("<QIB", sequence, domain, 12) + bytes(6)
    return _resized(HEADER.pack(1_700_000_000, MARIADB_GTID, server_id, 0, 0, 0) + body)


def format_description(server_version: str = "12.3.2-MariaDB-log") -> bytes:
    """Return the event that a server writes when it starts: no checksums, and yet one of its own.

    That it has one is inferred, as ordinary logs of MariaDB have it.
    """
    log = LogWriter(has_checksums=False, server_version=server_version)
    return bytes(log.data[len(PLAIN_MAGIC) :])


def with_text(query: bytes, text: bytes) -> bytes:
    """Return a QUERY event with another statement."""
    (len_database,) = struct.unpack_from("<B", query, 27)
    (len_status,) = struct.unpack_from("<H", query, 30)
    return _resized(query[: 32 + len_status + len_database + 1] + text)


def xid_of(gtid_event: bytes) -> Xid:
    """Return the XID in the GTID event of XA PREPARE, COMMIT or ROLLBACK."""
    at = _offset_of_xid(gtid_event)
    format_id, len_gtrid, len_bqual = struct.unpack_from("<IBB", gtid_event, at)
    gtrid = gtid_event[at + 6 : at + 6 + len_gtrid]
    return Xid(gtrid, gtid_event[at + 6 + len_gtrid : at + 6 + len_gtrid + len_bqual], format_id)


def without_xid(gtid_event: bytes) -> bytes:
    """Return the GTID event of XA COMMIT as one that begins an ordinary transaction."""
    at = _offset_of_xid(gtid_event)
    event = bytearray(gtid_event[:at] + gtid_event[at + len(xid_of(gtid_event).to_bytes()) :])
    event[_OFFSET_OF_FLAGS] &= ~(_IS_COMPLETED | _STANDALONE)
    return _resized(bytes(event))


def _offset_of_xid(gtid_event: bytes) -> int:
    flags = gtid_event[_OFFSET_OF_FLAGS]
    assert flags & (_IS_PREPARED | _IS_COMPLETED)
    return _OFFSET_OF_FLAGS + 1 + (8 if flags & _HAS_COMMIT_ID else 0)


@dataclass
class GroupWriter:
    """Writes groups of ordinary logs; XA as an engine binlog has it.

    There a prepared transaction is in out-of-band records, and XA COMMIT makes a group of them.

    Attributes:
        writer: takes the groups.
        prepared: transactions that are neither committed nor rolled back.
    """

    writer: EngineBinlogWriter
    prepared: dict[Xid, EngineTransaction] = field(default_factory=dict)

    def write(self, groups: Sequence[Sequence[bytes]]) -> None:
        for group in groups:
            flags = group[0][_OFFSET_OF_FLAGS]
            if flags & _IS_PREPARED:
                self._prepare(group)
            elif flags & _IS_COMPLETED:
                self._complete(group)
            else:
                self.writer.group(group)

    def _prepare(self, group: Sequence[bytes]) -> None:
        """Take a group that ends in the statement XA END and the event of XA PREPARE."""
        gtid_event, *events, end, prepare = group
        assert event_type(end) == QUERY
        assert event_type(prepare) == XA_PREPARE_EVENT
        transaction = self.writer.begin()
        transaction.write(*events, with_text(end, b"COMMIT"))
        transaction.prepare(xid_of(gtid_event))
        self.prepared[xid_of(gtid_event)] = transaction

    def _complete(self, group: Sequence[bytes]) -> None:
        gtid_event, statement = group
        transaction = self.prepared.pop(xid_of(gtid_event))
        if b"\0XA COMMIT " in statement:
            transaction.commit(without_xid(gtid_event))
        else:
            transaction.rollback()
