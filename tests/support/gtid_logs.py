"""Logs of several servers with the same transactions, each named by a GTID."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows

GTID, ANONYMOUS, PREVIOUS_GTIDS, MARIADB_GTID, GTID_LIST = 33, 34, 35, 162, 163
UUIDS = ("3e11fa47-71ca-11e1-9e33-c80aa9429562", "00010203-0405-0607-0809-0a0b0c0d0e0f")
_COLUMNS = [LoggedColumn("id", 3)]

# A transaction: of MySQL the index of its UUID and its number, of MariaDB domain, server, number.
Name = tuple[int, ...]


def text_of(name: Name) -> str:
    """Return a GTID as the servers print it."""
    return "-".join(map(str, name)) if len(name) == 3 else f"{UUIDS[name[0]]}:{name[1]}"


def write_log(
    path: Path, before: Sequence[Name], names: Sequence[Name], *, server_id: int = 1
) -> None:
    """Write a log in which each transaction inserts a row.

    Args:
        path: of the log.
        before: the transactions of earlier logs; of MariaDB the last of each domain and server.
        names: of the transactions; one of length 0 has no name.
        server_id: of the server that writes the log.
    """
    is_mariadb = any(len(name) == 3 for name in (*before, *names))
    version = "11.8.9-MariaDB-log" if is_mariadb else "8.0.36"
    log = LogWriter(server_version=version, server_id=server_id)
    if is_mariadb:
        listed = b"".join(struct.pack("<IIQ", *name) for name in before)
        log.event(GTID_LIST, struct.pack("<I", len(before)) + (listed or bytes(2)))
    else:
        log.event(PREVIOUS_GTIDS, _set_of(before))
    for name in names:
        _write_transaction(log, name, is_mariadb=is_mariadb)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(log.data)


def _write_transaction(log: LogWriter, name: Name, *, is_mariadb: bool) -> None:
    if is_mariadb:
        domain, server, number = name
        body = struct.pack("<QIB", number, domain, 0) + bytes(6)
        log._event(MARIADB_GTID, body, ends_in_crc=True, server_id=server)
    else:
        uuid, number = name or (0, 0)
        body = b"\x01" + UUID(UUIDS[uuid]).bytes + struct.pack("<qBqq", number, 2, 0, 1)
        log.event(GTID if name else ANONYMOUS, body)
        log.begin()
    log.table_map(1, "t", _COLUMNS)
    log.rows(1, Rows(WRITE_V2, [[struct.pack("<i", name[-1] if name else 0)]], [True]))
    log.commit()


def _set_of(names: Sequence[Name]) -> bytes:
    by_source: dict[int, list[int]] = {}
    for source, number in names:
        by_source.setdefault(source, []).append(number)
    body = struct.pack("<Q", len(by_source))
    for source, numbers in sorted(by_source.items()):
        body += UUID(UUIDS[source]).bytes + struct.pack("<Q", len(numbers))
        body += b"".join(struct.pack("<qq", n, n + 1) for n in sorted(numbers))
    return body
